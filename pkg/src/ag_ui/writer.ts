// The messages, contents and tool calls that any agent writes, in AG-UI's events.

import type { ErrorInfo, Json, MessageType, Role } from "../agentwire.js";
import { BuilderEvent } from "../emit/event.js";
import type { JsonObject, NewContent, TerminalStatus } from "../emit/options.js";
import type { ContentWriter, MessageWriter, RunWriter } from "../emit/writer.js";
import { stringify } from "../json.js";
import { uuid } from "../uuid.js";
import type { AgUiEvent } from "./events.js";
import type { AgUiBuilderOptions, AgUiOutcome, AgUiStreamBuilder, AgUiTokenUsage } from "./stream_builder.js";

/** A run. */
export class AgUiWriter implements RunWriter {
  readonly builder: AgUiStreamBuilder;
  /** How the run ends if all is well. */
  outcome: AgUiOutcome = { type: "success" };
  /** What it comes to. */
  result: Json | undefined;
  /** The calls that have begun and not ended. */
  readonly calls = new Set<string>();
  readonly #ids: AgUiBuilderOptions["ids"];
  #count = 0;

  constructor(builder: AgUiStreamBuilder, ids: AgUiBuilderOptions["ids"]) {
    this.builder = builder;
    this.#ids = ids;
  }

  createMessageBuilder(role: Role = "assistant", type: MessageType = "message"): MessageWriter {
    return type.endsWith("_call") ? new CallWriter(this) : new SpeechWriter(this, role, type);
  }

  /** Tokens, in AG-UI's form or in that of the Agent API. */
  setUsage(usage: JsonObject | readonly AgUiTokenUsage[]): void {
    this.builder.setUsage(Array.isArray(usage) ? (usage as readonly AgUiTokenUsage[]) : [tokens(usage as JsonObject)]);
  }

  incomplete(reason?: string): BuilderEvent {
    return one(this.builder.finishWith({ message: reason ?? "the answer is not whole", code: "incomplete" }));
  }

  finishWith(status: TerminalStatus, error?: ErrorInfo): BuilderEvent[] {
    switch (status) {
      case "completed": {
        const ends = [...this.calls].flatMap((id) => this.builder.toolCallEnd(id));
        return this.builder.ended ? ends : [...ends, ...this.builder.finish(this.outcome, this.result)];
      }
      case "canceled":
        return this.builder.finishWith(undefined, { type: "cancelled" });
      default:
        return this.builder.finishWith({ message: error?.message ?? `the run is ${status}`, code: error?.code ?? status });
    }
  }

  free(): void {
    this.builder.free();
  }

  id(prefix: string): string {
    return prefix + (this.#ids === "numbered" ? `out_${++this.#count}` : uuid());
  }
}

/** A message that says something: text, or reasoning. Each of its contents is a message of AG-UI. */
class SpeechWriter implements MessageWriter {
  readonly id: string;
  readonly #writer: AgUiWriter;
  readonly #role: string;
  readonly #type: string;
  readonly #contents: SpeechContent[] = [];
  /** What stands on the event that ends it. */
  metadata: JsonObject | undefined;

  constructor(writer: AgUiWriter, role: string, type: string) {
    this.#writer = writer;
    this.#role = ROLES.includes(role) ? role : "assistant";
    this.#type = type;
    this.id = writer.id("msg_");
  }

  inProgress(): BuilderEvent {
    return new BuilderEvent("");
  }

  createContentBuilder(contentType: string): ContentWriter {
    const id = this.#contents.length === 0 ? this.id : this.#writer.id("msg_");
    const role = this.#type === "reasoning" ? "reasoning" : this.#role;
    const content = new SpeechContent(this.#writer.builder, this, id, role, contentType);
    this.#contents.push(content);
    return content;
  }

  /** What is no text has no place in AG-UI's messages. The result of a tool has. */
  addContent(content: NewContent): BuilderEvent {
    const { builder } = this.#writer;
    if (this.#type.endsWith("_output") && content.type === "data") {
      const { call_id, output } = content.data;
      return one(builder.toolResult(String(call_id), textOf(output ?? null)));
    }
    if (content.type === "text" || content.type === "refusal") {
      const part = this.createContentBuilder(content.type);
      const piece = content.type === "text" ? part.addTextDelta(content.text) : part.addRefusalDelta(content.refusal);
      return one([piece, part.complete()]);
    }
    const { type, ...members } = content;
    const value = { messageId: this.id, ...members } as unknown as Json;
    return one(builder.event({ type: "CUSTOM", name: type, value }));
  }

  setMetadata(metadata: JsonObject): void {
    this.metadata = { ...this.metadata, ...metadata };
  }

  setUsage(usage: JsonObject): void {
    this.setMetadata({ usage: usage as Json });
  }

  finishWith(): BuilderEvent[] {
    return this.#contents.map((content) => content.complete());
  }

  free(): void {}
}

/** One content of it. */
class SpeechContent implements ContentWriter {
  readonly #builder: AgUiStreamBuilder;
  readonly #message: SpeechWriter;
  readonly #id: string;
  readonly #role: string;
  readonly #kind: string;
  #open = false;

  constructor(builder: AgUiStreamBuilder, message: SpeechWriter, id: string, role: string, kind: string) {
    this.#builder = builder;
    this.#message = message;
    this.#id = id;
    this.#role = role;
    this.#kind = kind;
  }

  addTextDelta(text: string | null | undefined): BuilderEvent {
    const begin = this.#open ? "" : this.#begin();
    this.#open = true;
    return new BuilderEvent(begin + this.#builder.pieces(`${this.#role === "reasoning" ? "reasoning" : "text"} ${this.#id}`, text ?? ""));
  }

  addRefusalDelta(text: string | null | undefined): BuilderEvent {
    return this.addTextDelta(text);
  }

  addDataDelta(delta: JsonObject): BuilderEvent {
    const value = { messageId: this.#id, data: delta } as unknown as Json;
    return one(this.#builder.event({ type: "CUSTOM", name: "data", value }));
  }

  complete(): BuilderEvent {
    if (!this.#open) {
      return new BuilderEvent("");
    }
    this.#open = false;
    const messageId = this.#id;
    const metadata = this.#message.metadata as { readonly [key: string]: Json } | undefined;
    const end = metadata === undefined ? { messageId } : { messageId, metadata };
    const ends: AgUiEvent[] =
      this.#role === "reasoning"
        ? [{ type: "REASONING_MESSAGE_END", ...end }, { type: "REASONING_END", messageId }]
        : [{ type: "TEXT_MESSAGE_END", ...end }];
    return one(ends.flatMap((event) => this.#builder.event(event)));
  }

  free(): void {}

  #begin(): string {
    const messageId = this.#id;
    const begins: AgUiEvent[] =
      this.#role === "reasoning"
        ? [{ type: "REASONING_START", messageId }, { type: "REASONING_MESSAGE_START", messageId, role: "reasoning" }]
        : [{ type: "TEXT_MESSAGE_START", messageId, role: this.#role, ...(this.#kind === "refusal" ? REFUSAL : {}) }];
    return one(begins.flatMap((event) => this.#builder.event(event))).toSse();
  }
}

/** A tool call: what an agent writes as the data of a message. */
class CallWriter implements MessageWriter, ContentWriter {
  readonly id: string;
  readonly #writer: AgUiWriter;
  #call: string | undefined;

  constructor(writer: AgUiWriter) {
    this.#writer = writer;
    this.id = writer.id("msg_");
  }

  inProgress(): BuilderEvent {
    return new BuilderEvent("");
  }

  createContentBuilder(): ContentWriter {
    return this;
  }

  /** The first piece names the call, and each has more of its arguments. */
  addDataDelta({ call_id, name, arguments: piece }: JsonObject): BuilderEvent {
    const { builder, calls } = this.#writer;
    let frames = "";
    if (this.#call === undefined) {
      frames = one(builder.toolCallStart(String(call_id), String(name ?? ""))).toSse();
      this.#call = String(call_id);
      calls.add(this.#call);
    }
    const text = piece === undefined || piece === "" ? "" : builder.pieces(`args ${this.#call}`, textOf(piece));
    return new BuilderEvent(frames + text);
  }

  addContent(content: NewContent): BuilderEvent {
    return content.type === "data" ? this.addDataDelta(content.data) : new BuilderEvent("");
  }

  addTextDelta(): BuilderEvent {
    return new BuilderEvent("");
  }

  addRefusalDelta(): BuilderEvent {
    return new BuilderEvent("");
  }

  complete(): BuilderEvent {
    return new BuilderEvent("");
  }

  setMetadata(): void {}

  setUsage(): void {}

  /** A call that is not complete is not ended: a client would run it. */
  finishWith(status: TerminalStatus): BuilderEvent[] {
    const { builder, calls } = this.#writer;
    const isOpen = this.#call !== undefined && calls.has(this.#call);
    if (!isOpen || status !== "completed") {
      return [];
    }
    calls.delete(this.#call!);
    return builder.toolCallEnd(this.#call!);
  }

  free(): void {}
}

const ROLES = ["developer", "system", "assistant", "user"];
const REFUSAL = { metadata: { kind: "refusal" } };

/** Several events in a row as one. */
function one(events: readonly BuilderEvent[]): BuilderEvent {
  return new BuilderEvent(events.map((event) => event.toSse()).join(""));
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : stringify(value);
}

function tokens(usage: JsonObject): AgUiTokenUsage {
  const count = (name: string) => (typeof usage[name] === "number" ? usage[name] : undefined);
  const all = {
    inputTokens: count("input_tokens") ?? count("inputTokens"),
    outputTokens: count("output_tokens") ?? count("outputTokens"),
    totalTokens: count("total_tokens") ?? count("totalTokens"),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as AgUiTokenUsage;
}
