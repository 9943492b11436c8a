// The builder of one message of a response.

import type { Content, ContentType, ErrorInfo, Message, OtherName, RawMessageBuilder } from "../agentwire.js";
import { type Parameters, check, checked } from "../core/arguments.js";
import { must } from "../core/errors.js";
import { type JsonObject, errorParts, jsonOf, parseJson } from "../core/json.js";
import { ContentBuilder } from "./content_builder.js";
import { type BuilderEvent, eventOf, eventsOf } from "./event.js";
import type { Handle } from "../core/handle.js";
import type { NewContent, TerminalStatus } from "../convert/builder_options.js";

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
   * Returns the first event of the message: status `in_progress`, no contents. Must precede all other events of the
   * message; may be repeated.
   */
  inProgress(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "in_progress"));
  }

  /**
   * Creates a builder for a new content, without an event. The content gets its index with its first event: contents
   * are numbered in the order in which they appear. With an explicit `index`, the first event is rejected while a lower
   * index is missing.
   */
  createContentBuilder(contentType?: ContentType, index?: number): ContentBuilder {
    return new ContentBuilder(this.#handle.make("createContentBuilder", contentType ?? "text", index));
  }

  /** Adds a complete content, and returns its completed event. */
  addContent(content: NewContent): BuilderEvent {
    return eventOf(this.#handle.call("addContent", content.type, ...partsOf(content)));
  }

  /**
   * Returns the last event of a successful message. As with every terminal event, open contents must be completed
   * before.
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

  /** Ends the message from any state: completes the open contents with their current values, then the message. */
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
    return parseJson(this.#handle.call("getMessageData")) as unknown as Message;
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
  must(Object.hasOwn(CONTENTS, type), "unknown-content-type", `addContent() does not support a content of type ${String(type)}`);
  check("MessageBuilder.addContent", { content: CONTENTS[type] }, [content]);
  const [first, ...others] = Object.keys(CONTENTS[type]).map((member) => (content as unknown as JsonObject)[member]);
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
