// The rows of the storage of a thread.

/** The status of a run. The log of an expired run is deleted. */
export type RunStatus = "queued" | "running" | "ended" | "expired";

/** A run. */
export interface RunRow {
  readonly run_id: string;
  readonly task_id: string;
  readonly status: RunStatus;
  /** The hash of the request's body. */
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
  /** The number of UTF-16 units of each piece that was joined, as a JSON list; null for an event that was not joined. */
  readonly pieces: string | null;
}

/** A stored message. */
export interface MessageRow {
  readonly seq: number;
  readonly id: string;
  readonly role: string;
  readonly content: string;
  /** The other members of the message in the history, as JSON. */
  readonly extra: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A message to store. */
export interface NewMessage extends Pick<MessageRow, "id" | "role" | "content" | "extra"> {
  /** The message as the agent receives it in later runs, as JSON. */
  readonly message: string;
  /** Whether the history shows it. */
  readonly isShown: boolean;
}

/** A part of the history. */
export interface HistoryPage {
  readonly day: string | null;
  readonly hasMore: boolean;
  readonly messages: readonly MessageRow[];
  /** Set if the day has more messages: those before this one. */
  readonly beforeSeq?: number;
}
