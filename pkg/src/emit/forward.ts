// Passes the stream of a model, or of another agent, on to the client of a run.

import type { Json, MessageType, Role } from "../agentwire.js";
import type { NewContent } from "../convert/builder_options.js";
import { Converter } from "../convert/converter.js";
import { knownOptions } from "../core/arguments.js";
import { defineProtocol } from "../convert/protocol.js";
import { type ProtocolStep, toCoreStep } from "../convert/steps.js";
import { AgentwireError, ConnectionError, isA, isAbort } from "../core/errors.js";
import { uuid } from "../core/random.js";
import { type JsonObject, isObject } from "../core/json.js";
import type { AnyProtocol } from "../core/outcome.js";
import { type AgentwireSource, mustBeSource, mustSucceed, open } from "../read/body.js";
import { beginningOf } from "./beginning.js";
import { OpenMessage, OpenToolCall, type Run, noted } from "./open_parts.js";
import type { AgentQuestion, AgentWriter, ForwardOptions, Forwarded, ForwardedCall, TextWriter } from "./out.js";
import { AgentError } from "./agent_error.js";

/** The run that a stream is written to. */
export type ForwardingRun = Run & AgentWriter & { addUsage(usage: JsonObject): void };

/** The protocols of the responses of models. */
const PROTOCOLS = new WeakMap<object, AnyProtocol>();

/** Sets the protocol of a response, which needs no detection then: a whole answer or an error may not show it. */
export function markProtocol(response: Response, protocol: AnyProtocol): void {
  PROTOCOLS.set(response, protocol);
}

/** Forwards a stream. */
export async function forward(run: ForwardingRun, source: AgentwireSource | PromiseLike<AgentwireSource>, options: ForwardOptions = {}): Promise<Forwarded> {
  knownOptions("forward()", options, ["protocol", "onChunk"]);
  const { onChunk } = options;
  const steps: ProtocolStep[] = [];
  // A protocol whose events are the steps.
  const collecting = defineProtocol({ name: "agentwire.forward", encode: (step) => void steps.push(step) });
  const ready = await arrived(run, source);
  const { protocol = PROTOCOLS.get(ready) ?? "auto" } = options;
  const chunks = open(ready);
  const converter = new Converter({ from: protocol, to: collecting });
  const forwarding = new Forwarding(run);
  const leave = (): void => chunks.cancel(run.signal.reason);
  run.signal.addEventListener("abort", leave, { once: true });
  const write = async (): Promise<void> => {
    for (const step of steps.splice(0)) {
      await forwarding.write(step);
    }
  };
  try {
    run.signal.throwIfAborted();
    for (;;) {
      const { done, value } = await chunks.next().catch((cause: unknown) => broken(cause, converter, write));
      run.signal.throwIfAborted();
      if (done === true) {
        break;
      }
      onChunk?.(value);
      converter.push(value);
      await write();
    }
    chunks.release();
    converter.finish();
    const refusal = converter.conversion === undefined ? chunks.unrecognized?.() : undefined;
    if (refusal !== undefined) {
      throw refusal;
    }
    await write();
    return await forwarding.end(converter);
  } catch (error) {
    chunks.cancel(error);
    throw error;
  } finally {
    run.signal.removeEventListener("abort", leave);
    converter.free();
  }
}

/** Resolves to a source. The status of a refused request can still become that of the response of this run. */
async function arrived(run: ForwardingRun, source: AgentwireSource | PromiseLike<AgentwireSource>): Promise<AgentwireSource> {
  const wait = async (): Promise<AgentwireSource> => {
    const ready = await source;
    mustBeSource(ready);
    if ("ok" in ready) {
      await mustSucceed(ready);
    }
    return ready;
  };
  return beginningOf(run.signal)?.during(wait) ?? wait();
}

/** Ends what is open after the connection was lost, and throws. */
async function broken(cause: unknown, converter: Converter, write: () => Promise<void>): Promise<never> {
  converter.cutOff();
  await write();
  throw isA(cause, AgentwireError) || isAbort(cause) ? cause : new ConnectionError(cause, undefined);
}

/** A message of the stream. */
interface Open {
  readonly message: OpenMessage;
  readonly parts: Map<number, TextWriter>;
  readonly metadata: { [name: string]: Json[] };
}

class Forwarding {
  readonly #run: ForwardingRun;
  /** The open messages by their numbers. */
  readonly #messages = new Map<number, Open>();
  readonly #opening = new Map<number, { readonly type: MessageType; readonly role: Role }>();
  /** The calls by the numbers of their messages, in the order of their appearance, and by the ids of the stream, which can repeat one. */
  readonly #calls = new Map<number, Call>();
  readonly #all: Call[] = [];
  readonly #byId = new Map<string, Call>();
  /** The pieces of media by message and part. */
  readonly #media = new Map<string, { readonly kind: "audio" | "video" | "file"; readonly mediaType: string | undefined; data: string }>();
  readonly #questions: AgentQuestion[] = [];
  /** The usage before the end. */
  #usage: JsonObject | undefined;
  #text = "";
  #end: Extract<ProtocolStep, { type: "end" }> | undefined;

  constructor(run: ForwardingRun) {
    this.#run = run;
  }

  /** Writes a step. Resolves when the consumer has room for more. */
  async write(step: ProtocolStep): Promise<void> {
    switch (step.type) {
      case "start":
      case "heartbeat":
      case "status":
      case "passthrough":
      case "metadata":
        return;
      case "end":
        this.#end = step;
        return;
      case "open":
        this.#opening.set(step.message, { type: step.messageType ?? "message", role: step.role ?? "assistant" });
        return;
      case "text":
      case "reasoning":
      case "refusal":
        this.#text += step.type === "text" && this.#typeOf(step.message) === "message" ? step.piece : "";
        return this.#part(step.message, step.part, step.type === "refusal").delta(step.piece);
      case "call":
        return this.#call(step);
      case "arguments":
        return this.#calls.get(step.message)?.add(step.piece);
      case "result":
        return step.preview === true ? undefined : this.#byId.get(step.id)?.result(step.output);
      case "whole":
        return step.preview === true ? undefined : this.#whole(step.message, step.content);
      case "media": {
        const place = `${step.message}:${step.part}`;
        const media = this.#media.get(place) ?? { kind: step.kind, mediaType: step.mediaType, data: "" };
        media.data += step.piece;
        this.#media.set(place, media);
        return;
      }
      case "interrupt": {
        const { id, reason = "approval", payload, text, responseSchema, expiresAt, call } = step;
        this.#questions.push({ id, reason, payload, text, responseSchema, expiresAt, call });
        return;
      }
      case "end-part":
        return this.#endPart(step.message, step.part);
      case "close":
        return this.#close(step.message);
      case "usage":
        this.#usage = step.message === undefined ? step.usage : this.#usage;
        return;
      case "annotation":
        return this.#note(step.message, "annotations", step.annotation);
      case "opaque":
        return step.message === undefined ? undefined : this.#note(step.message, "opaque", { kind: step.kind, value: step.value });
      case "tool-error":
        return this.#byId.get(step.id)?.result(step.message);
      default: {
        // A note: a message of its own, as for `out.state` and others.
        const { type, event: _, ...members } = toCoreStep(step) as { readonly type: string; readonly event?: number };
        return noted(this.#run, type, members as JsonObject);
      }
    }
  }

  /** Ends the run as the stream has ended, unless it is completed. */
  async end(converter: Converter): Promise<Forwarded> {
    const { status = "incomplete", reason, error, usage = this.#usage } = this.#end ?? {};
    const { from = "auto", losses = [] } = converter.conversion ?? {};
    if (usage !== undefined) {
      this.#run.addUsage(usage);
    }
    const forwarded = { protocol: from, reason, text: this.#text, toolCalls: this.#all, usage, losses };
    const [question, ...questions] = this.#questions;
    if (question !== undefined && status !== "failed") {
      await this.#run.interrupt(question, ...questions);
      return { ...forwarded, status: "interrupted" };
    }
    switch (status) {
      case "completed":
        return { ...forwarded, status: "completed" };
      case "canceled":
        await this.#run.cancel();
        return { ...forwarded, status: "canceled" };
      case "failed":
      case "rejected":
        throw new AgentError(error?.code ?? "MODEL_FAILED", error?.message ?? "the model failed");
      default:
        await this.#run.incomplete(reason);
        return { ...forwarded, status: "incomplete" };
    }
  }

  #typeOf(message: number): MessageType | undefined {
    return this.#opening.get(message)?.type;
  }

  #message(number: number): Open {
    const known = this.#messages.get(number);
    if (known !== undefined) {
      return known;
    }
    const { type, role } = this.#opening.get(number) ?? { type: "message", role: "assistant" };
    const open = { message: this.#run.opened({ type, role, parallel: true }), parts: new Map(), metadata: {} };
    this.#messages.set(number, open);
    return open;
  }

  #part(number: number, part: number, isRefusal: boolean): TextWriter {
    const { message, parts } = this.#message(number);
    const known = parts.get(part);
    const writer = known ?? (isRefusal ? message.refusal({ parallel: true }) : message.text({ parallel: true }));
    parts.set(part, writer);
    return writer;
  }

  async #endPart(number: number, part: number): Promise<void> {
    const media = this.#media.get(`${number}:${part}`);
    if (media !== undefined) {
      this.#media.delete(`${number}:${part}`);
      const { kind, data, mediaType = "" } = media;
      return this.#whole(number, kind === "audio" ? { type: "audio", data, format: mediaType.replace(/^audio\//, "") } : { type: "file", file_data: data });
    }
    const writer = this.#messages.get(number)?.parts.get(part);
    this.#messages.get(number)?.parts.delete(part);
    await writer?.complete();
  }

  #whole(number: number, content: NewContent): Promise<void> {
    const { message } = this.#message(number);
    return this.#run.writing(() => message.whole(content));
  }

  async #close(number: number): Promise<void> {
    const [open, call] = [this.#messages.get(number), this.#calls.get(number)];
    this.#messages.delete(number);
    this.#opening.delete(number);
    if (open !== undefined) {
      if (Object.keys(open.metadata).length > 0) {
        open.message.metadata(open.metadata);
      }
      await open.message.complete();
    }
    await call?.complete();
  }

  #call({ message, id, name }: Extract<ProtocolStep, { type: "call" }>): void {
    const type = this.#typeOf(message) as "function_call" | undefined;
    const callId = this.#byId.has(id) ? `call_${uuid()}` : id;
    const call = new Call(callId, name, new OpenToolCall(this.#run, name, { callId, type, parallel: true }));
    this.#all.push(call);
    this.#calls.set(message, call);
    this.#byId.set(id, call);
  }

  #note(number: number, name: string, value: Json): void {
    if (this.#messages.has(number)) {
      (this.#message(number).metadata[name] ??= []).push(value);
    }
  }
}

class Call implements ForwardedCall {
  readonly id: string;
  readonly name: string;
  readonly #writer: OpenToolCall;
  #arguments = "";
  answered = false;

  constructor(id: string, name: string, writer: OpenToolCall) {
    this.id = id;
    this.name = name;
    this.#writer = writer;
  }

  get arguments(): string {
    return this.#arguments;
  }

  add(piece: string): Promise<void> {
    this.#arguments += piece;
    return this.#writer.arguments(piece);
  }

  complete(): Promise<void> | undefined {
    return this.answered ? undefined : this.#writer.complete();
  }

  result(output: Json): Promise<void> {
    this.answered = true;
    return this.#writer.result(output);
  }
}

/** Returns the sum of two usages: numbers are added, at any depth. */
export function addedUsage(one: JsonObject | undefined, other: JsonObject): JsonObject {
  const sum: { [name: string]: JsonObject[string] } = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = sum[name];
    if (typeof value === "number" && typeof before === "number") {
      sum[name] = before + value;
    } else {
      sum[name] = isObject(value) && isObject(before) ? (addedUsage(before, value) as Json) : value;
    }
  }
  return sum;
}
