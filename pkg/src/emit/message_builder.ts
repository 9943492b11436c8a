// Building one message of a response.

import type { ContentType, ErrorInfo, Message, RawMessageBuilder } from "../agentwire.js";
import { AgentwireError } from "../errors.js";
import { parseJson } from "../json.js";
import { ContentBuilder } from "./content_builder.js";
import { BuilderEvent, eventsOf } from "./event.js";
import { Handle } from "./handle.js";
import { type JsonObject, type NewContent, type TerminalStatus, errorParts, jsonOf } from "./options.js";

/** Builds one message. Made by `ResponseBuilder.createMessageBuilder`. */
export class MessageBuilder {
  readonly #handle;
  /** The message's id. */
  readonly id: string;

  /** @internal */
  constructor(make: () => RawMessageBuilder) {
    this.#handle = new Handle(make);
    this.id = this.#handle.call((raw) => raw.id());
  }

  /** The opening event: status in_progress, no contents. It comes before everything else, and may be repeated. */
  inProgress(): BuilderEvent {
    return new BuilderEvent(this.#handle.call((raw) => raw.announce("in_progress")));
  }

  /**
   * A new content, which says nothing yet. It gets its index with its first event: contents are numbered in the order
   * in which they appear. If you give an index, its first event is refused while a lower one is missing.
   */
  createContentBuilder(contentType: ContentType = "text", index?: number): ContentBuilder {
    return new ContentBuilder(() => this.#handle.call((raw) => raw.createContentBuilder(contentType, index)));
  }

  /** A content that is whole already: its completed event. */
  addContent(content: NewContent): BuilderEvent {
    return new BuilderEvent(this.#handle.call((raw) => added(raw, content)));
  }

  /** The last event of the message: all is well. Open contents have to be complete, here and with every other end. */
  complete(): BuilderEvent {
    return new BuilderEvent(this.#handle.call((raw) => raw.announce("completed")));
  }

  /** The last event of the message: an error ended it. */
  failed({ code, message }: ErrorInfo): BuilderEvent {
    return new BuilderEvent(this.#handle.call((raw) => raw.announce("failed", code, message)));
  }

  /** The last event of the message: the client stopped it. */
  canceled(): BuilderEvent {
    return new BuilderEvent(this.#handle.call((raw) => raw.announce("canceled")));
  }

  /** The last event of the message: the system refused it. */
  rejected(error?: ErrorInfo): BuilderEvent {
    return new BuilderEvent(this.#handle.call((raw) => raw.announce("rejected", ...errorParts(error))));
  }

  /** The last event of the message: it is not whole. */
  incomplete(): BuilderEvent {
    return new BuilderEvent(this.#handle.call((raw) => raw.announce("incomplete")));
  }

  /** Ends the message from wherever it is: open contents with what they have, then the message. */
  finishWith(status: TerminalStatus, error?: ErrorInfo): BuilderEvent[] {
    return eventsOf(this.#handle.call((raw) => raw.finishWith(status, ...errorParts(error))));
  }

  /** Tokens used by this message. */
  setUsage(usage: JsonObject): void {
    this.#handle.call((raw) => raw.setUsage(jsonOf(usage)));
  }

  /** Anything about this message. */
  setMetadata(metadata: JsonObject): void {
    this.#handle.call((raw) => raw.setMetadata(jsonOf(metadata)));
  }

  /** What went wrong, for a message of type error. */
  setError({ code, message }: ErrorInfo): void {
    this.#handle.call((raw) => raw.setError(code, message));
  }

  /** The message as it stands, with its completed contents. */
  getMessageData(): Message {
    return parseJson(this.#handle.call((raw) => raw.getMessageData())) as unknown as Message;
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

function added(raw: RawMessageBuilder, content: NewContent): string {
  switch (content.type) {
    case "text":
      return raw.addContent(content.type, content.text);
    case "refusal":
      return raw.addContent(content.type, content.refusal);
    case "image":
      return raw.addContent(content.type, content.image_url);
    case "video":
      return raw.addContent(content.type, content.video_url);
    case "audio":
      return raw.addContent(content.type, content.data, content.format);
    case "file":
      return raw.addContent(
        content.type,
        content.file_url,
        content.file_id,
        content.filename,
        content.file_data,
      );
    case "data":
      return raw.addContent(content.type, jsonOf(content.data));
    default: {
      const { type }: { type: string } = content satisfies never;
      throw new AgentwireError("unknown-content-type", `addContent() was given a content of type ${type}`);
    }
  }
}
