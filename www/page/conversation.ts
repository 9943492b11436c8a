// Several streams that belong together: a question, the page's answers to the agent, and the
// streams that follow.

import type { Recording } from "./recording.js";

/** The answers of this page to a stream. */
export interface Reply {
  /** The results of tools, by the id of their call. */
  readonly toolAnswers: Readonly<Record<string, string>>;
  /** The decisions on interrupts, by their id. */
  readonly decisions: Readonly<Record<string, string>>;
}

/** The streams of one conversation, in their order. */
export class Conversation {
  readonly streams: Recording[] = [];
  /** The colour that the agent has set. */
  tint: string | null = null;
  readonly #replies = new Map<Recording, Reply>();
  readonly #resume: (recording: Recording, interruptId: string, approved: boolean) => void;

  /** `resume` answers an interrupt of a stream that waits for it. */
  constructor(resume: (recording: Recording, interruptId: string, approved: boolean) => void) {
    this.#resume = resume;
  }

  /** Stores the answers to a stream. */
  note(recording: Recording, reply: Partial<Reply>): void {
    this.#replies.set(recording, { toolAnswers: {}, decisions: {}, ...reply });
  }

  /** Returns the answers to a stream. */
  replyTo(recording: Recording): Reply | undefined {
    return this.#replies.get(recording);
  }

  /** Returns whether a stream waits for an answer that this page can still send. */
  waitsAt(recording: Recording): boolean {
    return recording.finished && this.streams.at(-1) === recording && !this.#replies.has(recording);
  }

  /** Answers an interrupt. */
  resume(recording: Recording, interruptId: string, approved: boolean): void {
    if (this.waitsAt(recording)) {
      this.#resume(recording, interruptId, approved);
    }
  }
}
