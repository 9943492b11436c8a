// A stream of frames that a consumer pulls: whoever writes waits until there is room, and whoever reads hears from
// time to time that the connection is alive.

import type { Converter } from "../convert/converter.js";

/** What the sender tells its owner, and how often it speaks by itself. */
export interface SenderOptions {
  /** Milliseconds of silence before a heartbeat; 0 for none. */
  readonly heartbeat: number;
  /** Makes another protocol of what is sent. */
  readonly converter?: Converter | undefined;
  /** The consumer has gone. */
  readonly onGone: (reason: unknown) => void;
  /** The converter has thrown when it was given a heartbeat or the end. */
  readonly onError: (error: unknown) => void;
}

/** How many bytes may wait for the consumer before writers are held. */
const ROOM = 16 * 1024;
/** A comment: no event to any reader, and legal between any two. */
const HEARTBEAT = ": heartbeat\n\n";
const NOTHING = /* @__PURE__ */ new Uint8Array();

const encoder = /* @__PURE__ */ new TextEncoder();

/** Takes whole frames and never cuts them. */
export class Sender {
  /** What the consumer reads. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly #options: SenderOptions;
  #controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  #over = false;
  /** Writers that are held. */
  #held: (() => void)[] = [];
  /** Ends the consumer's wait for something to read; there only while it waits. */
  #serve: (() => void) | undefined;
  /** Runs only while the consumer waits. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
    const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#pull(),
      cancel: (reason) => this.#gone(reason),
    };
    // What `ByteLengthQueuingStrategy` is, which some edge runtimes do not have.
    this.stream = new ReadableStream(source, { highWaterMark: ROOM, size: (chunk) => chunk.byteLength });
  }

  /** Puts frames after what is already there. Resolves when there is room for more, or nobody reads any more. */
  send(frames: string): Promise<void> {
    this.#enqueue(frames);
    // Null when the stream is broken: then nobody has to wait.
    if (this.#over || (this.#controller.desiredSize ?? 1) > 0) {
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#held.push(resolve));
  }

  /** Nothing comes any more. Never throws. */
  close(): void {
    if (this.#over) {
      return;
    }
    this.#attempt(() => this.#put(this.#options.converter?.finish() ?? NOTHING));
    // It may have turned out just now that the consumer has gone.
    if (!this.#over) {
      this.#end();
      this.#controller.close();
    }
  }

  /**
   * The consumer wants more. The promise holds the pull until there is something: runtimes keep a handler alive as long
   * as its stream is being pulled, and would stop a timer that runs by itself.
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

  /** Writes what nobody has asked for, so that nobody could be told of a failure but the owner. */
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
      // Some runtimes tell only in this way that the consumer has gone.
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

  /** Ends the pull that waits. */
  #answer(): void {
    clearTimeout(this.#timer);
    this.#serve?.();
    this.#serve = undefined;
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    held.forEach((resolve) => resolve());
  }
}
