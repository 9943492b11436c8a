// The builder of a stream of the Agent API, event by event: of the response, its messages and their
// contents.

import type {
  Content,
  ContentType,
  ErrorInfo,
  Json,
  Message,
  MessageType,
  OtherName,
  RawContentBuilder,
  RawForwarding,
  RawMessageBuilder,
  RawResponseBuilder,
  Response,
  Role,
} from "../agentwire.js";
import {
  type BuilderOptions,
  type NewAudio,
  type NewContent,
  type NewFile,
  type TerminalStatus,
  builderOptionsJson,
} from "../convert/builder_options.js";
import { type Parameters, check, checked } from "../core/arguments.js";
import { must } from "../core/errors.js";
import type { Loss } from "../core/findings.js";
import { Handle, nextPiece } from "../core/handle.js";
import { type JsonObject, errorParts, jsonOf, parseJson } from "../core/json.js";
import { toolkit } from "../core/wasm.js";
import { type BuilderEvent, eventOf, eventsOf } from "./event.js";
import type { ForwardingTarget } from "./forwarding.js";

/**
 * Declares that the stream of a builder has no reader any more: it and its builders then create
 * empty events, and throw nothing.
 */
export let abandon: (builder: AgentApiStreamBuilder) => void;
/** Ends a stream as incomplete, from any state. */
export let endIncomplete: (builder: AgentApiStreamBuilder, reason: string) => BuilderEvent[];
/** Returns the target for answers that are passed on as messages of the response. */
export let forwardingTarget: (builder: AgentApiStreamBuilder) => ForwardingTarget;
/**
 * Sets the result of the run, and the ids of the calls that wait for the client; sent with the last
 * event.
 */
export let setOutcome: (
  builder: AgentApiStreamBuilder,
  result: Json | undefined,
  pending: readonly string[] | undefined,
) => void;
/** Returns the losses of the answers that were passed on. */
export let forwardedLosses: (builder: AgentApiStreamBuilder) => readonly Loss[];

/**
 * Builds the stream of one response. Each method that creates an event returns it; send the events
 * in the order in which they were created. A call that would make the stream invalid throws an
 * `AgentwireError` whose message names the call to make instead. The method names are those of
 * AgentScope's Python builder.
 *
 * ```js
 * const response = new AgentApiStreamBuilder({ sessionId });
 * send(response.created());
 * send(response.inProgress());
 * const message = response.createMessageBuilder();
 * send(message.inProgress());
 * const text = message.createContentBuilder("text");
 * for (const token of tokens) send(text.addTextDelta(token));
 * response.finishWith("completed").forEach(send);
 * ```
 *
 * `respond` does all of this automatically. A builder holds WebAssembly memory until `free` is
 * called or its `using` block ends.
 */
export class AgentApiStreamBuilder {
  static {
    abandon = (builder) => void (builder.#handle.stream.isAbandoned = true);
    endIncomplete = (builder, reason) => {
      check("AgentApiStreamBuilder.incomplete", { reason: "string" }, [reason]);
      return eventsOf(builder.#handle.call("finishIncomplete", reason));
    };
    forwardingTarget = (builder) => ({
      make: (...args) => builder.#handle.make("forward", ...args) as Handle<RawForwarding>,
      encode: (output) => output as Uint8Array<ArrayBuffer>,
    });
    setOutcome = (builder, result, pending) => {
      const json = (value: Json | undefined): string | undefined =>
        value === undefined ? undefined : jsonOf(value);
      builder.#handle.call("setOutcome", json(result), json(pending as Json | undefined));
    };
    forwardedLosses = (builder) => {
      const json = builder.#handle.read("losses");
      return json === "" ? [] : (JSON.parse(json) as { readonly losses: readonly Loss[] }).losses;
    };
  }

  readonly #handle: Handle<RawResponseBuilder>;

  /** @throws AgentwireError `wrong-option` if an option is invalid */
  constructor(options: BuilderOptions = {}) {
    const core = toolkit();
    const json = builderOptionsJson(options);
    this.#handle = new Handle(core, () => new core.bindings.RawResponseBuilder(json));
  }

  /** Returns the first event: status `created`. */
  created(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "created"));
  }

  /** Returns the event for status `queued`: the run waits. */
  queued(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "queued"));
  }

  /** Returns the event for status `in_progress`. Messages are allowed after it. */
  inProgress(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "in_progress"));
  }

  /**
   * Returns the last event of a successful run. As with every terminal event, open messages must be
   * ended before.
   */
  completed(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "completed"));
  }

  /** Returns the last event of a run that failed. */
  failed({ code, message }: ErrorInfo): BuilderEvent {
    return eventOf(this.#handle.call("announce", "failed", code, message));
  }

  /** Returns the last event of a run that the client canceled. */
  canceled(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "canceled"));
  }

  /** Returns the last event of a run that the system rejected. */
  rejected(error?: ErrorInfo): BuilderEvent {
    return eventOf(this.#handle.call("announce", "rejected", ...errorParts(error)));
  }

  /**
   * Returns the last event of an incomplete response. The reason is sent as
   * `incomplete_details.reason`.
   */
  incomplete(reason?: string): BuilderEvent {
    return eventOf(this.#handle.call("announce", "incomplete", reason));
  }

  /**
   * Ends the stream from any state: sends missing first events, completes open contents with their
   * current values, then open messages, then the response. Does nothing after the end. A failure
   * without an error has the code `AGENT_UNKNOWN_ERROR`.
   */
  finishWith(status: TerminalStatus, error?: ErrorInfo): BuilderEvent[] {
    return eventsOf(this.#handle.call("finishWith", status, ...errorParts(error)));
  }

  /**
   * Resets the builder for another stream, with a new id and numbers from 0. Throws in the middle
   * of a stream.
   */
  reset(): void {
    this.#handle.call("reset");
  }

  /**
   * Adds a complete message, for example of another run, and returns its events: the first one, one
   * completed content per part, and the terminal one if the message has a terminal status.
   */
  addMessage(message: Message): BuilderEvent[] {
    return eventsOf(this.#handle.call("addMessage", jsonOf(message as unknown as Json)));
  }

  /**
   * Updates an open message: new parts are sent as completed contents, and the message ends if its
   * status is terminal.
   */
  updateMessage(message: Message): BuilderEvent[] {
    return eventsOf(this.#handle.call("updateMessage", jsonOf(message as unknown as Json)));
  }

  /**
   * Creates a builder for a new message, without an event. `inProgress` of that builder is the
   * first event.
   */
  createMessageBuilder(role?: Role, messageType?: MessageType): MessageBuilder {
    return new MessageBuilder(
      this.#handle.make("createMessageBuilder", role ?? "assistant", messageType ?? "message"),
    );
  }

  /** Sets the tokens that the run used. By default, those of the last completed message. */
  setUsage(usage: JsonObject): void {
    this.#handle.call("setUsage", jsonOf(usage));
  }

  /**
   * Returns the complete stream of one text: resets the builder, and creates one event per token
   * and the six events around them.
   */
  generateStreamingResponse(textTokens: Iterable<string>, role?: Role): BuilderEvent[] {
    const tokens = [...textTokens];
    check(
      "AgentApiStreamBuilder.generateStreamingResponse",
      { textTokens: "strings", role: "string?" },
      [tokens, role],
    );
    return eventsOf(this.#handle.call("generateStreamingResponse", tokens, role ?? "assistant"));
  }

  /** Returns the response in its current state, with every message of this builder. */
  getResponseData(): Response {
    return parseJson(this.#handle.read("getResponseData")) as unknown as Response;
  }

  /** The id of the response. */
  get id(): string {
    return this.#handle.read("id");
  }

  /** Whether the last event was created. */
  get ended(): boolean {
    return this.#handle.read("isEnded");
  }

  /** Releases the WebAssembly memory. The events of the stream do not depend on it. */
  free(): void {
    this.#handle.free();
  }

  /** Calls {@link free}, for `using`. */
  [Symbol.dispose](): void {
    this.#handle.free();
  }
}

checked("AgentApiStreamBuilder", AgentApiStreamBuilder, {
  failed: { error: { code: "string", message: "string?" } },
  rejected: { error: "object?" },
  incomplete: { reason: "string?" },
  finishWith: { status: "string", error: "object?" },
  addMessage: { message: "json?" },
  updateMessage: { message: "json?" },
  createMessageBuilder: { role: "string?", messageType: "string?" },
  setUsage: { usage: "json?" },
  generateStreamingResponse: { textTokens: "iterable" },
});

/** Builds the events of one message. Returned by `AgentApiStreamBuilder.createMessageBuilder`. */
export class MessageBuilder {
  readonly #handle: Handle<RawMessageBuilder>;
  /** The id of the message. */
  readonly id: string;

  /** @internal */
  constructor(handle: Handle<RawMessageBuilder>) {
    this.#handle = handle;
    this.id = this.#handle.call("id");
  }

  /**
   * Returns the first event of the message: status `in_progress`, no contents. Must precede all
   * other events of the message; may be repeated.
   */
  inProgress(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "in_progress"));
  }

  /**
   * Creates a builder for a new content, without an event. The content gets its index with its
   * first event: contents are numbered in the order in which they appear. With an explicit `index`,
   * the first event is rejected while a lower index is missing.
   */
  createContentBuilder(contentType?: ContentType, index?: number): ContentBuilder {
    return new ContentBuilder(
      this.#handle.make("createContentBuilder", contentType ?? "text", index),
    );
  }

  /** Adds a complete content, and returns its completed event. */
  addContent(content: NewContent): BuilderEvent {
    return eventOf(this.#handle.call("addContent", content.type, ...partsOf(content)));
  }

  /**
   * Returns the last event of a successful message. As with every terminal event, open contents
   * must be completed before.
   */
  complete(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "completed"));
  }

  /** Returns the last event of a message that failed. */
  failed({ code, message }: ErrorInfo): BuilderEvent {
    return eventOf(this.#handle.call("announce", "failed", code, message));
  }

  /** Returns the last event of a message that the client canceled. */
  canceled(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "canceled"));
  }

  /** Returns the last event of a message that the system rejected. */
  rejected(error?: ErrorInfo): BuilderEvent {
    return eventOf(this.#handle.call("announce", "rejected", ...errorParts(error)));
  }

  /** Returns the last event of an incomplete message. */
  incomplete(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "incomplete"));
  }

  /**
   * Ends the message from any state: completes the open contents with their current values, then
   * the message.
   */
  finishWith(status: TerminalStatus, error?: ErrorInfo): BuilderEvent[] {
    return eventsOf(this.#handle.call("finishWith", status, ...errorParts(error)));
  }

  /** Sets the tokens that this message used. */
  setUsage(usage: JsonObject): void {
    this.#handle.call("setUsage", jsonOf(usage));
  }

  /** Sets the metadata of this message, which can be any object. */
  setMetadata(metadata: JsonObject): void {
    this.#handle.call("setMetadata", jsonOf(metadata));
  }

  /** Sets the error of a message of type `error`. */
  setError({ code, message }: ErrorInfo): void {
    this.#handle.call("setError", code, message);
  }

  /** Returns the message in its current state, with its completed contents. */
  getMessageData(): Message {
    return parseJson(this.#handle.read("getMessageData")) as unknown as Message;
  }

  /** Releases the WebAssembly memory. The message remains part of the response. */
  free(): void {
    this.#handle.free();
  }

  /** Calls {@link free}, for `using`. */
  [Symbol.dispose](): void {
    this.#handle.free();
  }
}

/** The properties of each content type, in the parameter order of the core's method. */
const CONTENTS: Readonly<Record<Exclude<Content["type"], OtherName>, Parameters>> = {
  text: { text: "string" },
  refusal: { refusal: "string" },
  image: { image_url: "string" },
  video: { video_url: "string" },
  audio: { data: "string", format: "string?" },
  file: { file_url: "string?", file_id: "string?", filename: "string?", file_data: "string?" },
  data: { data: "json?" },
};

function partsOf(content: NewContent): [string | undefined, ...(string | undefined)[]] {
  const { type } = content;
  must(
    Object.hasOwn(CONTENTS, type),
    "unknown-content-type",
    `addContent() does not support a content of type ${String(type)}`,
  );
  check("MessageBuilder.addContent", { content: CONTENTS[type] }, [content]);
  const [first, ...others] = Object.keys(CONTENTS[type]).map(
    (member) => (content as unknown as JsonObject)[member],
  );
  return [type === "data" ? jsonOf(first) : (first as string), ...(others as string[])];
}

const ERROR: Parameters = { error: { code: "string", message: "string?" } };

checked("MessageBuilder", MessageBuilder, {
  createContentBuilder: { contentType: "string?", index: "index?" },
  addContent: { content: "object" },
  failed: ERROR,
  rejected: { error: "object?" },
  finishWith: { status: "string", error: "object?" },
  setUsage: { usage: "json?" },
  setMetadata: { metadata: "json?" },
  setError: ERROR,
});

/**
 * Builds the events of one content. Returned by `MessageBuilder.createContentBuilder`.
 *
 * `set…` and `updateData` send the complete value so far and replace the previous one; `add…`
 * appends a delta; `complete` sends the complete value. `set…` after the first delta is rejected,
 * and so is a method for a different content type.
 */
export class ContentBuilder {
  readonly #handle: Handle<RawContentBuilder>;

  /** @internal */
  constructor(handle: Handle<RawContentBuilder>) {
    this.#handle = handle;
  }

  /** Appends a text delta. `null` is sent as an empty delta. */
  addTextDelta(text: string | null | undefined): BuilderEvent {
    return eventOf(nextPiece(this.#handle, text ?? "", "text"));
  }

  /** Alias of {@link addTextDelta}. */
  addDelta(text: string | null | undefined): BuilderEvent {
    return this.addTextDelta(text);
  }

  /** Appends a refusal delta. `null` is sent as an empty delta. */
  addRefusalDelta(text: string | null | undefined): BuilderEvent {
    return eventOf(nextPiece(this.#handle, text ?? "", "refusal"));
  }

  /**
   * Appends a data delta: strings and arrays are concatenated, numbers are added, objects are
   * merged, other values are replaced.
   */
  addDataDelta(delta: JsonObject): BuilderEvent {
    return eventOf(this.#handle.call("addDataDelta", jsonOf(delta)));
  }

  /** Sets the text. */
  setText(text: string): BuilderEvent {
    return eventOf(this.#handle.call("set", "text", text));
  }

  /** Sets the refusal. */
  setRefusal(refusal: string): BuilderEvent {
    return eventOf(this.#handle.call("set", "refusal", refusal));
  }

  /** Sets the URL or data URL of an image. */
  setImageUrl(url: string): BuilderEvent {
    return eventOf(this.#handle.call("set", "image", url));
  }

  /** Sets the URL or data URL of a video. */
  setVideoUrl(url: string): BuilderEvent {
    return eventOf(this.#handle.call("set", "video", url));
  }

  /** Sets the audio data and its format. */
  setAudio({ data, format }: NewAudio): BuilderEvent {
    return eventOf(this.#handle.call("set", "audio", data, format));
  }

  /** Sets the file. */
  setFile({ file_url, file_id, filename, file_data }: NewFile): BuilderEvent {
    return eventOf(this.#handle.call("set", "file", file_url, file_id, filename, file_data));
  }

  /** Sets the data object. */
  setData(data: JsonObject): BuilderEvent {
    return eventOf(this.#handle.call("set", "data", jsonOf(data)));
  }

  /** Sets one property of the data and sends the complete data. */
  updateData(key: string, value: Json): BuilderEvent {
    return eventOf(this.#handle.call("updateData", key, jsonOf(value)));
  }

  /** Returns the last event of the content, which holds the complete value. Can be called once. */
  complete(): BuilderEvent {
    return eventOf(this.#handle.call("complete"));
  }

  /** Returns the content in its current state. */
  getContentData(): Content {
    return parseJson(this.#handle.read("getContentData")) as unknown as Content;
  }

  /** Releases the WebAssembly memory. The content remains part of the message. */
  free(): void {
    this.#handle.free();
  }

  /** Calls {@link free}, for `using`. */
  [Symbol.dispose](): void {
    this.#handle.free();
  }
}

checked("ContentBuilder", ContentBuilder, {
  addTextDelta: { text: "string?" },
  addDelta: { text: "string?" },
  addRefusalDelta: { text: "string?" },
  addDataDelta: { delta: "json?" },
  setText: { text: "string" },
  setRefusal: { refusal: "string" },
  setImageUrl: { url: "string" },
  setVideoUrl: { url: "string" },
  setAudio: { audio: { data: "string", format: "string?" } },
  setFile: {
    file: { file_url: "string?", file_id: "string?", filename: "string?", file_data: "string?" },
  },
  setData: { data: "json?" },
  updateData: { key: "string", value: "json?" },
});
