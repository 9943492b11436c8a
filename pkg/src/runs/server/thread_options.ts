// The options of a thread, and the requests for its events.

import type { RunInput, RunInputMessage } from "../../agentwire.js";
import type { TaskReply } from "../../a2a/running_task.js";
import type { ConversationTurn } from "./conversation_turns.js";
import type { Limits } from "./limits.js";
import type { Retention } from "./retention.js";
import type { LatestMessages } from "./store.js";
import type { StoredRequest } from "./stored_request.js";

/** A run, as the thread passes it to its agent. */
export interface ThreadRun {
  readonly input: RunInput;
  readonly history: readonly RunInputMessage[];
  /** Whether the thread has messages before the history. */
  readonly isCut: boolean;
  readonly user: string;
  /** The URL of the endpoints. */
  readonly base: string;
}

/** The options of a thread. */
export interface ThreadOptions {
  readonly limits: Limits;
  readonly retention: Retention;
  /** Starts the agent of a conversation. */
  agent(run: ThreadRun, signal: AbortSignal): AsyncIterable<string>;
  /**
   * Starts the agent of an answer: yields the frames of its protocol. The user is empty if the
   * request had none.
   */
  answer(
    request: StoredRequest,
    user: string,
    signal: AbortSignal,
    turn: ConversationTurn | undefined,
  ): AsyncIterable<string>;
  /** The conversations of answers, which other threads have. */
  readonly conversations: Conversations;
  /**
   * Calls `work` of the thread at that time, in milliseconds since 1970, also after a restart of
   * the process. Resolves when this is sure.
   */
  schedule(at: number): Promise<void> | void;
  readonly onError: (error: unknown) => void;
  /**
   * The number of times in a row that the work of the thread has failed in this process, because of
   * the store.
   */
  readonly failures?: number | undefined;
  /** Called when a run is stored: the failures were those of an earlier one. */
  readonly onAccepted?: (() => void) | undefined;
  /** Called when nothing refers to the thread any more, possibly several times. */
  readonly onIdle?: (() => void) | undefined;
}

/** The conversations of answers. */
export interface Conversations {
  /** Returns the rows of the earlier turns of a conversation. */
  earlier(user: string, conversation: string): Promise<LatestMessages>;
  /** Stores a turn that was written in another thread, once. */
  record(user: string, conversation: string, turn: string, rows: readonly string[]): Promise<void>;
  /** Completes a turn whose answer has only these frames. */
  recover(request: StoredRequest, frames: readonly string[], turn: ConversationTurn): Promise<void>;
}

/** A request for the events of a run. */
export interface FollowedRun {
  /** The user; undefined if the request was authorized for the run by a signature. */
  readonly owner?: string | undefined;
  /** The run; null for the latest. */
  readonly runId: string | null;
  readonly cursor: string | null;
  /** The number of an entry, in place of the cursor: then the events have no cursors. */
  readonly after?: number | undefined;
  readonly idleLimit: number;
  /** The form of the events of an A2A task, if it is not that of the request of the run. */
  readonly reply?: TaskReply | undefined;
}
