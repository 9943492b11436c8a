// Converting without any input or output: bytes of one protocol in, bytes of another out. All of it happens in the core.

import type { RawConverter } from "../agentwire.js";
import type { Report } from "../findings.js";
import { check } from "../arguments.js";
import { mustBeBytes } from "../body.js";
import { Handle } from "../emit/handle.js";
import { BUILDER_OPTIONS, type BuilderOptions, builderOptionsJson } from "../emit/options.js";
import { AgentwireError } from "../errors.js";
import { PROTOCOLS } from "../generated.js";
import { type DecoderOptions, customOf, mustBeOptions, numberOf, protocolOf, settingsOf } from "../options.js";
import type { Protocol, AnyProtocol } from "../outcome.js";
import { ALL } from "../protocols.js";
import { reportFromJson } from "../report.js";
import { seed } from "../seed.js";
import { toolkit } from "../wasm.js";
import { type CoreLoss, type Loss, Losses, lossOf } from "./losses.js";
import type { CustomProtocol, Source, Target } from "../read_options.js";

export type { Loss } from "./losses.js";

/** What is converted to what. How the source is read and the target is written may be said beside it. */
export interface ConvertOptions extends Omit<DecoderOptions<AnyProtocol>, "protocol" | "bigint">, BuilderOptions {
  /** The protocol of the source. With `auto`, the default, its first event determines it; the first of the protocols is taken if none does. */
  readonly from?: AnyProtocol | undefined;
  /** What is written. The same as the source's is not nothing: what was illegal is legal then. */
  readonly to: Protocol | CustomProtocol;
}

/** What a conversion came to. */
export interface Conversion {
  /** The name of the protocol that was read. */
  readonly from: string;
  /** The first losses, in the order in which they were met; `counts` is complete. */
  readonly losses: readonly Loss[];
  /** How often each kind of loss was met. */
  readonly counts: { readonly [what: string]: number };
  /** What was wrong with the source, and how it ended. */
  readonly report: Report;
}

const CONVERTER_OPTIONS: readonly string[] = ["from", "to", "limits", "bigint", "signal", "drainMs", ...BUILDER_OPTIONS];

/**
 * Converts one stream whose bytes come from wherever you have them, cut anywhere.
 *
 * ```js
 * const converter = new Converter({ from: "auto", to });
 * for (const chunk of chunks) send(converter.push(chunk));
 * send(converter.finish());
 * ```
 *
 * Nothing that the source does makes it throw: a source that breaks rules is read as a `Decoder` reads it, and the target
 * is legal in any case and ends with its protocol's terminal event. Comments stay comments.
 *
 * It holds memory of the WebAssembly module until `finish`, `abort` or `free` is called, or `using` ends.
 */
export class Converter {
  readonly #handle: Handle<RawConverter>;
  /** The sides that are protocols of your own; on the core's side they are lines of JSON. */
  readonly #source: Source | undefined;
  readonly #target: Target | undefined;
  /** What the functions of protocols of your own have noted. */
  readonly #losses = new Losses();
  #conversion: Conversion | undefined;

  /**
   * Throws an `AgentwireError` with code `wrong-option` or `unknown-protocol`, or `protocol-not-converted` where a protocol
   * of your own has no function for its side.
   */
  constructor(options: ConvertOptions) {
    check("new Converter", { options: "object" }, [options]);
    const { from = "auto", to } = options;
    const custom = customOf(from);
    mustBeOptions(ALL, options, CONVERTER_OPTIONS, from);
    this.#target = customOf(to)?.target();
    const source = custom === undefined ? numberOf(protocolOf(ALL, { protocol: from })) : LINES;
    const target = this.#target === undefined ? PROTOCOLS.indexOf(to as Protocol) : LINES;
    if (target < 0) {
      throw new AgentwireError("unknown-protocol", `option \`to\` is one of ${PROTOCOLS.join(", ")}`);
    }
    const core = toolkit();
    const [settings, write, key] = [settingsOf(ALL, options), builderOptionsJson(options), seed()];
    this.#handle = new Handle(core, () => new core.bindings.RawConverter(source, target, settings, write, key));
    try {
      this.#source = custom?.source(this.#losses);
    } catch (error) {
      this.#handle.free();
      throw error;
    }
  }

  /** Takes the next bytes; returns what they become, which may be nothing yet. */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    mustBeBytes(bytes);
    this.#mustBeOpen();
    const given = this.#source === undefined ? bytes : encoder.encode(this.#source.push(bytes));
    return this.#written(this.#handle.call("push", given));
  }

  /** The source is over: returns the end of the target. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#end(() => this.#handle.call("finish", false));
  }

  /** The source broke off, for example with its connection: returns the end of the target, that of an incomplete answer. */
  cutOff(): Uint8Array<ArrayBuffer> {
    return this.#end(() => this.#handle.call("cutOff"));
  }

  /** You want no more of the source: returns the end of the target, which says so if its protocol can. */
  abort(): Uint8Array<ArrayBuffer> {
    return this.#end(() => this.#handle.call("finish", true));
  }

  /** The protocol that is read; `undefined` while no event has told it. */
  get from(): string | undefined {
    return this.#conversion?.from ?? this.#source?.from ?? PROTOCOLS[this.#handle.call("source")];
  }

  /** Whether the source has ended: nothing that comes would be converted any more. */
  get ended(): boolean {
    return this.#conversion !== undefined || this.#handle.call("hasEnded");
  }

  /** What could not be carried so far, and what is known of the source; `undefined` while its protocol is not known. */
  get conversion(): Conversion | undefined {
    return this.#conversion ?? this.#conversionSoFar();
  }

  /** Gives the memory back without finishing; harmless after `finish` and `abort`. */
  free(): void {
    this.#source?.free();
    this.#handle.free();
  }

  /** For `using`. */
  [Symbol.dispose](): void {
    this.free();
  }

  #end(finish: () => Uint8Array): Uint8Array<ArrayBuffer> {
    this.#mustBeOpen();
    const left = this.#source?.finish() ?? "";
    const last = left === "" ? [] : [this.#handle.call("push", encoder.encode(left))];
    last.push(finish());
    const end = this.#written(...last);
    this.#conversion = this.#conversionSoFar();
    this.free();
    return end;
  }

  /** What the core has written, as the target wants it. */
  #written(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
    if (this.#target === undefined && parts.length === 1) {
      // A copy of the core's, in plain memory.
      return parts[0] as Uint8Array<ArrayBuffer>;
    }
    const text = parts.map((part) => decoder.decode(part)).join("");
    return encoder.encode(this.#target?.write(text) ?? text);
  }

  #conversionSoFar(): Conversion | undefined {
    const from = this.#source === undefined ? PROTOCOLS[this.#handle.call("source")] : this.#source.from;
    if (from === undefined) {
      return undefined;
    }
    const core = JSON.parse(this.#handle.call("losses")) as { readonly losses: readonly CoreLoss[]; readonly counts: Conversion["counts"] };
    const counts = { ...core.counts };
    for (const [what, count] of Object.entries(this.#losses.counts)) {
      counts[what] = (counts[what] ?? 0) + count;
    }
    const losses = [...this.#losses.list, ...core.losses.map(lossOf)];
    return { from, losses, counts, report: reportFromJson(this.#handle.call("report")) };
  }

  #mustBeOpen(): void {
    if (this.#conversion !== undefined) {
      throw new AgentwireError("finished", "the stream was finished: convert the next one with a new Converter");
    }
  }
}

/** The number of the hub's own lines; a contract with Rust. */
const LINES = PROTOCOLS.length + 1;

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
