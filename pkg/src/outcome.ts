// What reading gives: while a stream arrives, and when it is over. Types only.

import type { Report, Response, ToolCall, Violation } from "./agentwire.js";

/** What one chunk of bytes did to the answer. */
export interface Update {
  /**
   * The answer: plain data, which never changes after you have read it. What did not change since the snapshot that was
   * read before is the same object as there.
   *
   * It is taken when this or {@link toolCalls} is read for the first time, and costs nothing if neither is. So read it
   * before the next chunk is pushed (the body of a `for await` is always before); later it is the later answer.
   */
  readonly snapshot: Response;
  /** Every tool call with what answers it, in the order of their first appearance. Of the same moment as `snapshot`. */
  readonly toolCalls: readonly ToolCall[];
  /** What this chunk changed, in the order of the first change. */
  readonly changes: readonly Change[];
  /** The breaches of the protocol that this chunk showed, as far as `limits.violations` keeps them in full. */
  readonly violations: readonly Violation[];
  /** Nothing that comes can change the answer any more. */
  readonly ended: boolean;
}

/**
 * One thing that changed, named from the outside in: the response's own members (`messageId` and `index` are null), a
 * message's own members or its list of contents (`index` is null), or a content. Tool calls are not listed: one that
 * did not change keeps its identity.
 */
export interface Change {
  /** The message; null for the response itself. */
  readonly messageId: string | null;
  /** The content's `index`; null for the message itself. */
  readonly index: number | null;
  /**
   * For a content that holds a text (or a URL, or base64): everything before this offset in UTF-16 units is as it was.
   * 0 if it was replaced, its length if only other members changed. Null where there is no such text.
   */
  readonly from: number | null;
}

/** What reading a stream came to. */
export interface Outcome {
  /** The answer. */
  readonly response: Response;
  /** Every tool call with what answers it, in the order of their first appearance. */
  readonly toolCalls: readonly ToolCall[];
  /** How the stream ended, and what was wrong, unknown or unfinished. */
  readonly report: Report;
}
