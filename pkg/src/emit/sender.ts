// A stream of frames that a consumer pulls: writers wait until there is room, and heartbeats keep
// the connection alive.

import type { Converter } from "../convert/converter.js";

/** The heartbeat interval of a sender, and its callbacks. */
export interface SenderOptions {
  /** Milliseconds without output before a heartbeat; 0 for none. */
  readonly heartbeat: number;
  /** Converter that translates the frames to another protocol. */
  readonly converter?: Converter | undefined;
  /** Called when the consumer has disconnected. */
  readonly onGone: (reason: unknown) => void;
  /** Called when the converter throws for a heartbeat or at the end. */
  readonly onError: (error: unknown) => void;
}

/** The number of bytes that may be buffered before writers have to wait. */
const ROOM = 16 * 1024;
/** A comment, which readers ignore and which is valid between any two events. */
const HEARTBEAT = ": heartbeat\n\n";
const NOTHING = /* @__PURE__ */ new Uint8Array();

const encoder = /* @__PURE__ */ new TextEncoder();

function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Sends complete frames. Only those of {@link Sender.sendBetween} have several chunks. */
export class Sender {
  /** The stream that the consumer reads. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly #options: SenderOptions;
  #controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  #over = false;
  /** The writers that wait for room. */
  #waiting: (() => void)[] = [];
  /** Resolves the pending pull of the consumer; undefined if none is pending. */
  #serve: (() => void) | undefined;
  /** The heartbeat timer, which runs only while a pull is pending. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
    const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#pull(),
      cancel: (reason) => this.#gone(reason),
    };
    // Equivalent to `ByteLengthQueuingStrategy`, which some edge runtimes lack.
    this.stream = new ReadableStream(source, {
      highWaterMark: ROOM,
      size: (chunk) => chunk.byteLength,
    });
  }

  /** Sends frames. Resolves when there is room for more, or when the consumer has disconnected. */
  send(frames: string): Promise<void> {
    this.#enqueue(frames);
    return this.#room();
  }

  /**
   * Sends one frame: pieces of bytes, which are not copied, between two texts. Resolves like
   * {@link send}.
   */
  sendBetween(
    before: string,
    pieces: readonly Uint8Array<ArrayBuffer>[],
    after: string,
  ): Promise<void> {
    const isShort = pieces.length === 1;
    const all = isShort
      ? [concatenated([encoder.encode(before), ...pieces, encoder.encode(after)])]
      : [encoder.encode(before), ...pieces, encoder.encode(after)];
    for (const bytes of all) {
      if (!this.#over) {
        this.#put(bytes);
      }
    }
    return this.#room();
  }

  /** Sends bytes that need no conversion. Resolves like {@link send}. */
  sendConverted(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    if (!this.#over) {
      this.#put(bytes);
    }
    return this.#room();
  }

  #room(): Promise<void> {
    // `desiredSize` is null when the stream has failed; then waiting is pointless.
    if (this.#over || (this.#controller.desiredSize ?? 1) > 0) {
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Ends the stream. Never throws. */
  close(): void {
    if (this.#over) {
      return;
    }
    this.#attempt(() => this.#put(this.#options.converter?.finish() ?? NOTHING));
    // The write above may have detected that the consumer has disconnected.
    if (!this.#over) {
      this.#end();
      this.#controller.close();
    }
  }

  /**
   * Handles a pull of the consumer. The promise stays pending until there is output: runtimes keep
   * a handler alive while its stream is being pulled, and would stop a timer that runs on its own.
   */
  #pull(): Promise<void> {
    this.#release();
    return new Promise((resolve) => {
      this.#serve = resolve;
      if (this.#options.heartbeat > 0) {
        const beat = () => this.#attempt(() => this.#enqueue(HEARTBEAT));
        this.#timer = setTimeout(beat, this.#options.heartbeat);
      }
    });
  }

  /** Runs a write that has no caller to report an error to, so `onError` receives it. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #enqueue(frames: string): void {
    if (this.#over || frames === "") {
      return;
    }
    const bytes = encoder.encode(frames);
    this.#put(this.#options.converter?.push(bytes) ?? bytes);
  }

  #put(bytes: Uint8Array<ArrayBuffer>): void {
    if (bytes.length === 0) {
      return;
    }
    this.#answer();
    try {
      this.#controller.enqueue(bytes);
    } catch (error) {
      // Some runtimes report only in this way that the consumer has disconnected.
      this.#gone(error);
    }
  }

  #gone(reason: unknown): void {
    if (!this.#over) {
      this.#end();
      this.#options.onGone(reason);
    }
  }

  #end(): void {
    this.#over = true;
    this.#answer();
    this.#release();
  }

  /** Resolves the pending pull. */
  #answer(): void {
    clearTimeout(this.#timer);
    this.#serve?.();
    this.#serve = undefined;
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    waiting.forEach((resolve) => resolve());
  }
}
