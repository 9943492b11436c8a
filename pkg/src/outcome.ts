// What reading gives: while a stream arrives, and when it is over. Types only.

import type { CustomProtocol } from "./convert/protocol.js";
import type { AgKitToolCallPart, AgKitTurn, Report, Response, ToolCall, Violation } from "./agentwire.js";

/** The protocols that can be read, and what an answer and its tool calls are in each. */
export interface Answers {
  readonly "agent-api": { readonly answer: Response; readonly toolCall: ToolCall };
  readonly "ag-kit": { readonly answer: AgKitTurn; readonly toolCall: AgKitToolCallPart };
}

/** A protocol that can be read. */
export type Protocol = keyof Answers;

/** What a reader can be told by name: a protocol, or that the stream tells it. */
export type ProtocolChoice = Protocol | "auto";

/** What a reader can be told: also a protocol of your own. */
export type AnyProtocol = ProtocolChoice | CustomProtocol;

/** What one chunk of bytes did to the answer. With `auto`, `protocol` tells which it is: `switch` on it. */
export type Update<P extends AnyProtocol = "agent-api"> = P extends Protocol
  ? UpdateOf<P>
  : P extends "auto"
    ? UndecidedUpdate | { [Each in Protocol]: UpdateOf<Each> }[Protocol]
    : UpdateOf<"agent-api">;

/** What reading a stream came to. With `auto`, `protocol` tells which it is: `switch` on it. */
export type Outcome<P extends AnyProtocol = "agent-api"> = P extends Protocol
  ? OutcomeOf<P>
  : P extends "auto"
    ? { [Each in Protocol]: OutcomeOf<Each> }[Protocol]
    : OutcomeOf<"agent-api">;

/** What one chunk of bytes did to an answer of protocol `P`. */
export interface UpdateOf<P extends Protocol> extends AnyUpdate {
  readonly protocol: P;
  /**
   * The answer: plain data, which never changes after you have read it. What did not change since the snapshot that was
   * read before is the same object as there.
   *
   * It is taken when this or {@link toolCalls} is read for the first time, and costs nothing if neither is. So read it
   * before the next chunk is pushed (the body of a `for await` is always before); later it is the later answer.
   */
  readonly snapshot: Answers[P]["answer"];
  /** Every tool call with what answers it, in the order of their first appearance. Of the same moment as `snapshot`. */
  readonly toolCalls: readonly Answers[P]["toolCall"][];
}

/** What a chunk did before the first event: nothing. Only where the stream tells the protocol. */
export interface UndecidedUpdate extends AnyUpdate {
  readonly protocol: undefined;
  readonly snapshot: undefined;
  readonly toolCalls: readonly [];
}

interface AnyUpdate {
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
 * did not change keeps its identity. In AG-Kit `messageId` is always null and `index` is the part's.
 */
export interface Change {
  /** The message; null for the response itself. */
  readonly messageId: string | null;
  /** The content's `index`; null for the message itself. In AG-Kit the part's position, null for the turn itself. */
  readonly index: number | null;
  /**
   * For a content that holds a text (or a URL, or base64, or arguments): everything before this offset in UTF-16 units is as it was.
   * 0 if it was replaced, its length if only other members changed. Null where there is no such text.
   */
  readonly from: number | null;
}

/** What reading a stream of protocol `P` came to. */
export interface OutcomeOf<P extends Protocol> {
  readonly protocol: P;
  /** The answer: a response, in AG-Kit a turn. */
  readonly response: Answers[P]["answer"];
  /** Every tool call with what answers it, in the order of their first appearance. */
  readonly toolCalls: readonly Answers[P]["toolCall"][];
  /** How the stream ended, and what was wrong, unknown or unfinished. */
  readonly report: Report;
}
