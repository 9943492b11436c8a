// Several streams that belong together: a question, what the page answered to the agent, and what came of that.

import type { Recording } from "./recording.js";

/** What this page has answered to a stream that asked for something. */
export interface Reply {
  /** What the tools came to, by the id of their call. */
  readonly toolAnswers: Readonly<Record<string, string>>;
  /** What was said to an interrupt, by its id. */
  readonly decisions: Readonly<Record<string, string>>;
}

/** The streams of one conversation, in their order. */
export class Conversation {
  readonly streams: Recording[] = [];
  /** The colour that the agent has asked for. */
  tint: string | null = null;
  readonly #replies = new Map<Recording, Reply>();
  readonly #resume: (recording: Recording, interruptId: string, approved: boolean) => void;

  /** `resume` answers an interrupt of a stream that waits for it. */
  constructor(resume: (recording: Recording, interruptId: string, approved: boolean) => void) {
    this.#resume = resume;
  }

  /** Notes what was answered to a stream. */
  note(recording: Recording, reply: Partial<Reply>): void {
    this.#replies.set(recording, { toolAnswers: {}, decisions: {}, ...reply });
  }

  /** What was answered to a stream. */
  replyTo(recording: Recording): Reply | undefined {
    return this.#replies.get(recording);
  }

  /** Whether a stream waits for an answer that this page can still give. */
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
