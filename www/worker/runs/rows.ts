// What the storage of a thread takes and gives.

/** How a run stands. The log has nothing of a run that has expired. */
export type RunStatus = "queued" | "running" | "ended" | "expired";

/** A run. */
export interface RunRow {
  readonly run_id: string;
  readonly task_id: string;
  readonly status: RunStatus;
  /** Of the request's body. */
  readonly hash: string;
  readonly input: string;
  /** Whether the thread was new. */
  readonly created: number;
  readonly cancelled: number;
  readonly attempts: number;
  /** The number of its terminal event. */
  readonly terminal: number | null;
}

/** A run that has ended. */
export interface EndedRun {
  readonly runId: string;
  /** When it was started, in milliseconds since 1970. */
  readonly at: number;
  readonly terminal: number;
  /** 1 if its log was shortened. */
  readonly is_short: number;
}

/** An event to store. */
export interface NewEvent {
  readonly kind: string;
  readonly data: string;
}

/** An event of a shortened log. */
export interface JoinedEvent extends NewEvent {
  readonly number: number;
  /** The number of UTF-16 units of each piece that was joined, as a JSON list; null for an event as it was stored first. */
  readonly pieces: string | null;
}

/** A message, as it is kept. */
export interface MessageRow {
  readonly seq: number;
  readonly id: string;
  readonly role: string;
  readonly content: string;
  /** What else the history tells of it, as JSON. */
  readonly extra: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A message to store. */
export interface NewMessage extends Pick<MessageRow, "id" | "role" | "content" | "extra"> {
  /** The message as the agent receives it in later runs, as JSON. */
  readonly message: string;
  /** Whether the history has it. */
  readonly isShown: boolean;
}

/** A part of the history. */
export interface HistoryPage {
  readonly day: string | null;
  readonly hasMore: boolean;
  readonly messages: readonly MessageRow[];
  /** There is more of the same day: the messages before this one. */
  readonly beforeSeq?: number;
}
