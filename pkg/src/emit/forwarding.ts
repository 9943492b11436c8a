// An answer that the core passes on to the client of a run.

import type { Json, RawForwarding } from "../agentwire.js";
import type { Loss } from "../core/findings.js";
import { Losses } from "../core/findings.js";
import type { Handle } from "../core/handle.js";
import { type JsonObject, jsonOf, parseJson } from "../core/json.js";
import type { AnyProtocol, Source } from "../core/outcome.js";
import { seed } from "../core/random.js";
import { PROTOCOLS } from "../generated/contract.js";
import { ALL } from "../generated/registry/protocols.js";
import { customOf, numberOf, protocolOf } from "../read/options.js";

/** Creates the object of the core for an answer, and encodes its output for the client. */
export interface ForwardingTarget {
  make(from: number, settings: string, origin: string, seed: bigint): Handle<RawForwarding>;
  encode(output: Uint8Array): Uint8Array<ArrayBuffer>;
}

/** What is known about an answer before it is read. */
export interface AnswerOrigin {
  readonly protocol: AnyProtocol;
  /** The tools that the model knows in another form than the client, in the form of the core. */
  readonly names?: Json | undefined;
  /** The server and the family of models, to which alone its state is sent back. */
  readonly scope?: string | undefined;
}

/** A call of an answer, as the client has received it. */
export interface PassedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly answered: boolean;
  /** Whether it waits for a result of the client's side. */
  readonly waits: boolean;
}

/** How an answer has ended. */
export interface PassedEnd {
  readonly status: "completed" | "failed" | "canceled" | "rejected" | "incomplete";
  readonly reason?: string;
  readonly error?: { readonly code?: string; readonly message: string };
  readonly result?: Json;
  readonly pending?: readonly string[];
  readonly usage?: JsonObject;
  readonly model?: string;
  readonly text: string;
  readonly calls: readonly PassedCall[];
  /** The number of questions to the user. */
  readonly questions: number;
  readonly losses: readonly Loss[];
}

/** Passes an answer on. Each method returns the output for the client. */
export class Forwarding {
  readonly #handle: Handle<RawForwarding>;
  readonly #target: ForwardingTarget;
  /** The protocol of the answer, if it is a custom one. */
  readonly #custom: Source | undefined;
  /** The losses that the functions of a custom protocol have noted. */
  readonly #losses = new Losses();

  constructor(target: ForwardingTarget, { protocol, ...origin }: AnswerOrigin) {
    const custom = customOf(protocol);
    const number = custom === undefined ? numberOf(protocolOf(ALL, { protocol })) : LINES;
    this.#target = target;
    this.#handle = target.make(number, "", jsonOf(origin), seed());
    try {
      this.#custom = custom?.source(this.#losses);
    } catch (error) {
      this.#handle.free();
      throw error;
    }
  }

  /** Reads the next bytes of the answer. */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const input = this.#custom === undefined ? bytes : encoder.encode(this.#custom.push(bytes));
    return this.#target.encode(this.#handle.call("push", input));
  }

  /** Ends the answer because its bytes have ended, or because it was cut off. */
  finish(isCutOff: boolean): Uint8Array<ArrayBuffer> {
    const left = this.#custom?.finish() ?? "";
    const rest = left === "" ? undefined : this.#handle.call("push", encoder.encode(left));
    const last = this.#handle.call("finish", isCutOff);
    return this.#target.encode(rest === undefined ? last : concatenated(rest, last));
  }

  /** Writes the result of a call, by its place in the list of the end. */
  result(call: number, output: string): Uint8Array<ArrayBuffer> {
    return this.#target.encode(this.#handle.call("result", call, output));
  }

  /** The name of the answer's protocol; `undefined` until an event has determined it. */
  get from(): string | undefined {
    return this.#custom === undefined ? PROTOCOLS[this.#handle.read("source")] : this.#custom.from;
  }

  /** How the answer has ended. */
  get end(): PassedEnd {
    const end = parseJson(this.#handle.read("end")) as unknown as Omit<PassedEnd, "losses"> & {
      readonly losses: Pick<PassedEnd, "losses">;
    };
    return { ...end, losses: [...this.#losses.list, ...end.losses.losses] };
  }

  free(): void {
    this.#custom?.free();
    this.#handle.free();
  }
}

/** The number of the hub's own lines; must match the number in Rust. */
const LINES = PROTOCOLS.length + 1;

const encoder = /* @__PURE__ */ new TextEncoder();

function concatenated(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}
