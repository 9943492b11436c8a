// Building one message of a response.

import type { Content, ContentType, ErrorInfo, Message, OtherName, RawMessageBuilder } from "../agentwire.js";
import { type Parameters, check, checked } from "../arguments.js";
import { AgentwireError } from "../errors.js";
import { parseJson } from "../json.js";
import { ContentBuilder } from "./content_builder.js";
import { type BuilderEvent, eventOf, eventsOf } from "./event.js";
import type { Handle } from "./handle.js";
import { type JsonObject, type NewContent, type TerminalStatus, errorParts, jsonOf } from "./options.js";

/** Builds one message. Made by `ResponseBuilder.createMessageBuilder`. */
export class MessageBuilder {
  readonly #handle: Handle<RawMessageBuilder>;
  /** The message's id. */
  readonly id: string;

  /** @internal */
  constructor(handle: Handle<RawMessageBuilder>) {
    this.#handle = handle;
    this.id = this.#handle.call("id");
  }

  /** The opening event: status in_progress, no contents. It comes before everything else, and may be repeated. */
  inProgress(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "in_progress"));
  }

  /**
   * A new content, which says nothing yet. It gets its index with its first event: contents are numbered in the order
   * in which they appear. If you give an index, its first event is refused while a lower one is missing.
   */
  createContentBuilder(contentType?: ContentType, index?: number): ContentBuilder {
    return new ContentBuilder(this.#handle.make("createContentBuilder", contentType ?? "text", index));
  }

  /** A content that is whole already: its completed event. */
  addContent(content: NewContent): BuilderEvent {
    return eventOf(this.#handle.call("addContent", content.type, ...partsOf(content)));
  }

  /** The last event of the message: all is well. Open contents have to be complete, here and with every other end. */
  complete(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "completed"));
  }

  /** The last event of the message: an error ended it. */
  failed({ code, message }: ErrorInfo): BuilderEvent {
    return eventOf(this.#handle.call("announce", "failed", code, message));
  }

  /** The last event of the message: the client stopped it. */
  canceled(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "canceled"));
  }

  /** The last event of the message: the system refused it. */
  rejected(error?: ErrorInfo): BuilderEvent {
    return eventOf(this.#handle.call("announce", "rejected", ...errorParts(error)));
  }

  /** The last event of the message: it is not whole. */
  incomplete(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "incomplete"));
  }

  /** Ends the message from wherever it is: open contents with what they have, then the message. */
  finishWith(status: TerminalStatus, error?: ErrorInfo): BuilderEvent[] {
    return eventsOf(this.#handle.call("finishWith", status, ...errorParts(error)));
  }

  /** Tokens used by this message. */
  setUsage(usage: JsonObject): void {
    this.#handle.call("setUsage", jsonOf(usage));
  }

  /** Anything about this message. */
  setMetadata(metadata: JsonObject): void {
    this.#handle.call("setMetadata", jsonOf(metadata));
  }

  /** What went wrong, for a message of type error. */
  setError({ code, message }: ErrorInfo): void {
    this.#handle.call("setError", code, message);
  }

  /** The message as it stands, with its completed contents. */
  getMessageData(): Message {
    return parseJson(this.#handle.call("getMessageData")) as unknown as Message;
  }

  /** Gives the memory back; the message stays part of the response. */
  free(): void {
    this.#handle.free();
  }

  /** For `using`. */
  [Symbol.dispose](): void {
    this.#handle.free();
  }
}

/** What contents of each type consist of, in the order of the core's method. */
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
  if (!Object.hasOwn(CONTENTS, type)) {
    throw new AgentwireError("unknown-content-type", `addContent() was given a content of type ${String(type)}`);
  }
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
