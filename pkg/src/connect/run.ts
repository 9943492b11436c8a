// The answer to one message, as `send` returns it.

import { AgentwireError } from "../core/errors.js";
import type { ChatState, Run } from "./chat.js";
import { messageText } from "./message.js";

/** The chat of a run. */
export interface RunOwner<S> {
  readonly state: ChatState<S>;
  subscribe(listener: () => void): () => void;
  /** Returns whether the run of a message has ended, or waits for the user. */
  isOver(messageId: string): boolean;
  /** Returns the id of the answer to a message. */
  answerId(messageId: string): string | undefined;
}

export class ChatRun<S> implements Run<S> {
  readonly messageId: string | undefined;
  readonly #owner: RunOwner<S>;

  constructor(owner: RunOwner<S>, messageId: string | undefined) {
    this.#owner = owner;
    this.messageId = messageId;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ChatState<S>, undefined> {
    for (let last: ChatState<S> | undefined; ; ) {
      const { state } = this.#owner;
      const isOver = this.#isOver;
      if (state !== last) {
        last = state;
        yield state;
      }
      if (isOver) {
        return;
      }
      if (this.#owner.state === last) {
        await this.#changed();
      }
    }
  }

  async finished(): Promise<ChatState<S>> {
    while (!this.#isOver) {
      await this.#changed();
    }
    return this.#owner.state;
  }

  async text(): Promise<string> {
    const { messages } = await this.finished();
    const answerId =
      this.messageId === undefined ? undefined : this.#owner.answerId(this.messageId);
    const answer = messages.find(({ id }) => id === answerId);
    const error = answer?.error ?? messages.find(({ id }) => id === this.messageId)?.error;
    if (error !== undefined) {
      throw error.cause ?? new AgentwireError("agent-failed", `${error.message} (${error.code})`);
    }
    return answer === undefined ? "" : messageText(answer);
  }

  get #isOver(): boolean {
    return this.messageId === undefined || this.#owner.isOver(this.messageId);
  }

  #changed(): Promise<void> {
    return new Promise((resolve) => {
      const leave = this.#owner.subscribe(() => {
        leave();
        resolve();
      });
    });
  }
}
