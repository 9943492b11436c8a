// The log of an answer: the frames of a protocol as they are sent, or one outcome in place of them,
// and one entry after them.

import type { RunLogEntry } from "../service.js";
import { endFrames } from "./answer_ending.js";
import type { RunFailure, RunScript } from "./driver.js";
import type { Awaitable } from "../../stores/log_store.js";
import type { StoredRequest } from "./stored_request.js";
import { failedFrame } from "./task_frames.js";

/** The kinds of entries. The last one is not sent. An outcome is in place of frames. */
export const FRAME = "frame";
const OUTCOME = "outcome";
export const END = "end";

/** The outcome of a request that has no frames: a response, or the failure of the service. */
export type AnswerOutcome =
  | {
      readonly status: number;
      readonly headers: readonly (readonly [name: string, value: string])[];
      readonly body: string;
    }
  | { readonly failure: RunFailure };

/** Returns the last entry of an answer, which has the time of its end. */
function endEntry(): string {
  return JSON.stringify({ ended: Date.now() });
}

/** Returns the entry of an outcome. */
export function outcomeEntry(outcome: AnswerOutcome): string {
  return JSON.stringify(outcome);
}

/** Returns the outcome in the first entry of an answer, unless it is a frame. */
export function outcomeIn(entry: string): AnswerOutcome | undefined {
  // A frame begins with the name of a field.
  return entry.startsWith("{") ? (JSON.parse(entry) as AnswerOutcome) : undefined;
}

/** Returns the time in the last entry of an answer. */
export function endIn(entries: readonly Pick<RunLogEntry, "data">[]): number {
  return (JSON.parse(entries.at(-1)!.data) as { readonly ended: number }).ended;
}

/** Returns the frames in the entries of an answer. */
export function framesIn(entries: readonly Pick<RunLogEntry, "data">[]): string[] {
  // An outcome, and the end, are JSON.
  return entries.map(({ data }) => frameIn(data)).filter((data) => !data.startsWith("{"));
}

/** The start of a first frame with the losses that were known before it. */
const LOST = ": agentwire-losses ";

/** Returns a first frame with the losses that were known before it, in a comment. */
export function withLosses(frame: string, losses: string | null): string {
  return losses === null ? frame : `${LOST}${losses}\n${frame}`;
}

/** Returns the losses in the first entry of an answer. */
export function lossesIn(entry: string): string | undefined {
  return entry.startsWith(LOST) ? entry.slice(LOST.length, entry.indexOf("\n")) : undefined;
}

/** Returns the frame in an entry, without its losses. */
export function frameIn(entry: string): string {
  return entry.startsWith(LOST) ? entry.slice(entry.indexOf("\n") + 1) : entry;
}

/**
 * Yields the whole frames of a text that arrives in pieces, without comments. The time is linear
 * for frames of any number of pieces.
 */
export async function* wholeFrames(
  pieces: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  let rest: string[] = [];
  let last = "";
  for await (const piece of pieces) {
    const at = (last + piece).lastIndexOf("\n\n");
    const end = at < 0 ? 0 : at + 2 - last.length;
    if (end > 0) {
      const frames = (rest.join("") + piece.slice(0, end)).split(/(?<=\n\n)/);
      yield* frames.filter((frame) => frame.endsWith("\n\n") && !frame.startsWith(":"));
      rest = [];
    }
    rest.push(piece.slice(end));
    last = piece.slice(-1) || last;
  }
}

/** The rules for the entries of an answer. */
export class FrameScript implements RunScript {
  readonly #entries: () => Awaitable<readonly RunLogEntry[]>;
  readonly #request: StoredRequest;
  /** Whether the agent has sent an outcome, or frames. */
  #hasOutcome = false;
  #hasFrames = false;
  isOver = false;

  /**
   * @param entries reads the stored entries, on which the end of an answer that was cut off depends
   * @param request the request of the answer
   */
  constructor(entries: () => Awaitable<readonly RunLogEntry[]>, request: StoredRequest) {
    [this.#entries, this.#request] = [entries, request];
  }

  append(data: string): string {
    if (data.startsWith("{")) {
      this.isOver = data.startsWith(ENDED);
      this.#hasOutcome ||= !this.isOver;
      return this.isOver ? END : OUTCOME;
    }
    this.#hasFrames = true;
    return FRAME;
  }

  async ending(
    failure: RunFailure | undefined,
    hasEnded: boolean,
    flush: () => Promise<void>,
  ): Promise<readonly string[]> {
    // An adapter that has ended has written the end of its protocol, also after a cancellation.
    if (this.#hasOutcome || (this.#hasFrames && (hasEnded || failure === undefined))) {
      return [endEntry()];
    }
    const end = failure ?? NOTHING;
    const { accepted } = this.#request;
    await flush();
    const frames = framesIn(await this.#entries());
    if (frames.length === 0) {
      return [accepted ? failedFrame(accepted, end) : outcomeEntry({ failure: end }), endEntry()];
    }
    return [...endFrames(frames, end), endEntry()];
  }
}

/** The start of the last entry of an answer. */
const ENDED = '{"ended":';
const NOTHING: RunFailure = { code: "AGENT_FAILED", message: "the agent has sent nothing" };
