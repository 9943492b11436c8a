// A message that is being written, and its contents.

import type { BuilderEvent } from "./event.js";
import type { ContentBuilder } from "./content_builder.js";
import type { MessageBuilder } from "./message_builder.js";
import type { NewAudio, NewContent, NewFile, TerminalStatus } from "../convert/builder_options.js";
import type { JsonObject } from "../core/json.js";
import type { DataWriter, MessageWriter, TextWriter, ParallelOption } from "./out.js";
import type { RunWriter } from "./run_writer.js";

/** The run of a message. */
export interface MessageOwner extends RunWriter {
  /** Returns whether a message is still open. */
  isOpen(message: EmittedMessage): boolean;
  /** Removes a message that has ended. */
  closed(message: EmittedMessage): void;
}

/** A message whose opening event has been sent. */
export class EmittedMessage implements MessageWriter {
  readonly id: string;
  readonly #emission: MessageOwner;
  readonly #builder: MessageBuilder;
  /** The contents that may be open. The value is true for those that stay open when the next content starts. */
  readonly #parts = new Map<EmittedPart<never>, boolean>();

  constructor(emission: MessageOwner, builder: MessageBuilder) {
    this.#emission = emission;
    this.#builder = builder;
    this.id = builder.id;
  }

  text({ parallel = false }: ParallelOption = {}): TextWriter {
    return this.part("text", parallel, (builder, text: string | null | undefined) => builder.addTextDelta(text));
  }

  refusal({ parallel = false }: ParallelOption = {}): TextWriter {
    return this.part("refusal", parallel, (builder, text: string | null | undefined) => builder.addRefusalDelta(text));
  }

  data(): DataWriter;
  data(data: JsonObject): Promise<void>;
  data(data?: JsonObject): DataWriter | Promise<void> {
    return data === undefined
      ? this.part("data", false, (builder, delta: JsonObject) => builder.addDataDelta(delta))
      : this.#whole({ type: "data", data });
  }

  image(url: string): Promise<void> {
    return this.#whole({ type: "image", image_url: url });
  }

  video(url: string): Promise<void> {
    return this.#whole({ type: "video", video_url: url });
  }

  audio(audio: NewAudio): Promise<void> {
    return this.#whole({ type: "audio", ...audio });
  }

  file(file: NewFile): Promise<void> {
    return this.#whole({ type: "file", ...file });
  }

  metadata(metadata: JsonObject): void {
    this.#emission.begin(() => (this.#builder.setMetadata(metadata), []));
  }

  usage(usage: JsonObject): void {
    this.#emission.begin(() => (this.#builder.setUsage(usage), []));
  }

  complete(): Promise<void> {
    return this.#emission.sent(() => this.end("completed"));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#emission.disposed(() => (this.#emission.isOpen(this) ? this.end("completed") : []));
  }

  /** Returns the events that end the message from its current state. */
  end(status: TerminalStatus): BuilderEvent[] {
    this.#emission.closed(this);
    return this.#builder.finishWith(status);
  }

  /** Starts a streamed content, and completes the open contents that are not `parallel`. */
  part<T>(type: string, parallel: boolean, piece: (builder: ContentBuilder, value: T) => BuilderEvent): EmittedPart<T> {
    const builder = this.#emission.own(this.#builder.createContentBuilder(type));
    this.#emission.begin(() => this.#endOthers());
    const part = new EmittedPart(this.#emission, builder, piece);
    this.#parts.set(part, parallel);
    return part;
  }

  /** Writes a complete content. Must be called within a write. */
  whole(content: NewContent): Promise<void> {
    this.#emission.begin(() => this.#endOthers());
    return this.#emission.put([this.#builder.addContent(content)]);
  }

  #whole(content: NewContent): Promise<void> {
    return this.#emission.writing(() => this.whole(content));
  }

  #endOthers(): BuilderEvent[] {
    const others = [...this.#parts].filter(([, parallel]) => !parallel);
    return others.flatMap(([part]) => {
      this.#parts.delete(part);
      return part.end();
    });
  }
}

/** A content that is being written. */
export class EmittedPart<T> {
  readonly #emission: RunWriter;
  readonly #builder: ContentBuilder;
  readonly #piece: (builder: ContentBuilder, value: T) => BuilderEvent;
  #open = false;

  constructor(
    emission: RunWriter,
    builder: ContentBuilder,
    piece: (builder: ContentBuilder, value: T) => BuilderEvent,
  ) {
    this.#emission = emission;
    this.#builder = builder;
    this.#piece = piece;
  }

  delta(value: T): Promise<void> {
    return this.#emission.sent(() => {
      const event = this.#piece(this.#builder, value);
      this.#open = true;
      return [event];
    });
  }

  complete(): Promise<void> {
    return this.#emission.sent(() => {
      this.#open = false;
      return [this.#builder.complete()];
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#emission.disposed(() => this.end());
  }

  /** Returns the event that ends the content, if it is open. */
  end(): BuilderEvent[] {
    const open = this.#open;
    this.#open = false;
    return open ? [this.#builder.complete()] : [];
  }
}
