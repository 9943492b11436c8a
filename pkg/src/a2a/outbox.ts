// The large texts that are being sent to clients: a client that does not read holds one, but not a
// copy of it.

import { Budget } from "../core/budget.js";

/**
 * The length up to which a text is not shared: a connection that does not read takes about as much
 * memory by itself.
 */
const SMALL = 64 * 1024;
/**
 * The bytes of a piece. A connection buffers a piece or two; the others stay here until the client
 * reads.
 */
const PIECE_LENGTH = 64 * 1024;

const encoder = /* @__PURE__ */ new TextEncoder();

/** The bytes of a text in pieces, and the function to call when they were sent. */
export interface Outgoing {
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  release(): void;
}

interface Shared {
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  readonly giveBack: () => void;
  holders: number;
}

/** The texts that are being sent. Equal ones are kept once. */
export class Outbox {
  readonly #budget: Budget;
  readonly #texts = new Map<string, Shared>();

  /** @param most the maximum number of bytes of all large texts */
  constructor(most: number) {
    this.#budget = new Budget(most);
  }

  /**
   * Returns the bytes of a text for a client; undefined if clients have too much to read already.
   */
  take(user: string, text: string): Outgoing | undefined {
    if (text.length <= SMALL) {
      return { pieces: [encoder.encode(text)], release() {} };
    }
    const shared = this.#texts.get(text) ?? this.#add(user, text);
    if (shared === undefined) {
      return undefined;
    }
    shared.holders++;
    let isHeld = true;
    const release = (): void => {
      if (isHeld) {
        isHeld = false;
        shared.holders--;
        if (shared.holders === 0) {
          this.#texts.delete(text);
          shared.giveBack();
        }
      }
    };
    return { pieces: shared.pieces, release };
  }

  #add(user: string, text: string): Shared | undefined {
    const bytes = encoder.encode(text);
    const giveBack = this.#budget.take(user, bytes.length);
    if (giveBack === undefined) {
      return undefined;
    }
    const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE_LENGTH) }, (_, number) =>
      bytes.subarray(number * PIECE_LENGTH, (number + 1) * PIECE_LENGTH),
    );
    const shared = { pieces, giveBack, holders: 0 };
    this.#texts.set(text, shared);
    return shared;
  }
}

/** Returns a body of these pieces between two texts. */
export function bodyOf(
  before: string,
  { pieces, release }: Outgoing,
  after: string,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const all = [encoder.encode(before), ...pieces, encoder.encode(after)];
  let next = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        controller.enqueue(all[next++]!);
        if (next === all.length) {
          release();
          controller.close();
        }
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
}
