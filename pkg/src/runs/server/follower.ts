// One connection that follows a run.

/**
 * The number of keep-alives after which a connection whose client reads nothing is closed. The
 * client resumes with its cursor.
 */
const PATIENCE = 4;

const KEEP_ALIVE = new TextEncoder().encode(": keep-alive\n\n");

/** An encoded piece of the log. Connections share its bytes. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** The place after the piece. */
  readonly last: number;
  readonly isOver: boolean;
}

/** The parts of a connection. */
export interface FollowerOptions {
  /** The place in the log at which the connection begins. */
  readonly after: number;
  /** The number of keep-alives in a row after which the connection is closed. */
  readonly idleLimit: number;
  readonly keepAliveMs: number;
  /** Closes the connection. */
  readonly signal: AbortSignal;
  /**
   * The followers that have received everything, and whose clients wait for more: each is added and
   * removed by itself.
   */
  readonly waiting: Set<Follower>;
  /** Returns whether nothing is sent after a place at present. */
  isCurrent(place: number): boolean;
  /** Returns the piece after a place. */
  read(place: number): Piece | Promise<Piece>;
  onClose(): void;
}

/**
 * A connection: a place in the log. Its client requests each piece. Sending a piece to a waiting
 * client creates no promise and no timer, because a run can have thousands of followers.
 */
export class Follower {
  readonly #options: FollowerOptions;
  #after: number;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #isOpen = true;
  #isReading = false;
  /** The number of keep-alives in a row. */
  #idle = 0;
  /** The time at which something was sent last. */
  #sent = Date.now();
  #timer: ReturnType<typeof setTimeout>;
  readonly #abort = (): void => this.close();

  constructor(options: FollowerOptions) {
    [this.#options, this.#after] = [options, options.after];
    this.#timer = setTimeout(() => this.#tick(), options.keepAliveMs);
  }

  /** Returns the bytes. Call it once. */
  stream(): ReadableStream<Uint8Array> {
    const { signal } = this.#options;
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => this.advance(),
        cancel: () => void this.#leave(),
      },
      // Nothing is encoded before the client asks for it.
      { highWaterMark: 0 },
    );
    signal.addEventListener("abort", this.#abort, { once: true });
    if (signal.aborted) {
      this.close();
    }
    return stream;
  }

  /**
   * Sends the next piece to the client, which waits for it, or waits for a piece. The promise of a
   * read from the store never rejects.
   */
  advance(): void | Promise<void> {
    const { waiting, isCurrent, read } = this.#options;
    waiting.delete(this);
    if (!this.#isOpen) {
      return;
    }
    if (isCurrent(this.#after)) {
      waiting.add(this);
      return;
    }
    try {
      const piece = read(this.#after);
      if (!(piece instanceof Promise)) {
        return this.#take(piece);
      }
      this.#isReading = true;
      return piece.then((read) => this.#take(read)).catch((error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Closes the connection. Its client resumes. */
  close(): void {
    if (this.#leave()) {
      this.#controller.close();
    }
  }

  #fail(error: unknown): void {
    if (this.#leave()) {
      this.#controller.error(error);
    }
  }

  #take({ bytes, last, isOver }: Piece): void | Promise<void> {
    this.#isReading = false;
    if (!this.#isOpen) {
      return;
    }
    this.#after = last;
    if (bytes.length > 0) {
      this.#idle = 0;
      this.#send(bytes);
    }
    if (isOver) {
      this.close();
    } else if (bytes.length === 0) {
      return this.advance();
    }
  }

  #send(bytes: Uint8Array): void {
    this.#sent = Date.now();
    this.#controller.enqueue(bytes);
  }

  /** Sends a keep-alive if it is due, and closes the connection if its client does not read. */
  #tick(): void {
    const { keepAliveMs, waiting, idleLimit } = this.#options;
    const silence = Date.now() - this.#sent;
    if (silence >= keepAliveMs && waiting.delete(this)) {
      this.#send(KEEP_ALIVE);
      if (++this.#idle >= idleLimit) {
        return this.close();
      }
    } else if (silence >= keepAliveMs * PATIENCE && !waiting.has(this) && !this.#isReading) {
      return this.close();
    }
    this.#timer = setTimeout(
      () => this.#tick(),
      silence < keepAliveMs ? keepAliveMs - silence : keepAliveMs,
    );
  }

  /** Returns false if the connection was closed before. */
  #leave(): boolean {
    if (!this.#isOpen) {
      return false;
    }
    const { signal, waiting, onClose } = this.#options;
    this.#isOpen = false;
    clearTimeout(this.#timer);
    signal.removeEventListener("abort", this.#abort);
    waiting.delete(this);
    onClose();
    return true;
  }
}
