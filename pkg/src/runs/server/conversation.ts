// A thread with a conversation: its runs have AG-UI events, and its messages are stored.

import type { RunInput } from "../../agentwire.js";
import { parseJson } from "../../core/json.js";
import { EventScript, type RunScript } from "./driver.js";
import { type RunForm, eventForm } from "./followers.js";
import { historyOf, messagesIn, messagesOf, textOf } from "./messages.js";
import { retain } from "./retention.js";
import type { NewEvent, NewStoredMessage, StoredRun, ThreadState } from "./store.js";
import { addThread, removeThread, useThread } from "./thread_list.js";
import { ThreadKind } from "./thread_kind.js";

/** A thread with a conversation. */
export class Conversation extends ThreadKind {
  readonly unsent = 0;

  runIdIn(body: string): string {
    return inputIn(body).runId;
  }

  messagesIn(body: string, at: number): Promise<NewStoredMessage[]> {
    return messagesIn(this.store, inputIn(body), at);
  }

  messagesOf(runId: string, latest: readonly NewEvent[]): Promise<readonly NewStoredMessage[]> {
    return messagesOf(this.store, runId, latest, Date.now());
  }

  script({ runId }: StoredRun, hasBegun: boolean): RunScript {
    return new EventScript(this.threadId, runId, hasBegun);
  }

  async start(
    run: StoredRun,
    { owner: user, base }: ThreadState,
  ): Promise<(signal: AbortSignal) => AsyncIterable<string>> {
    const input = inputIn(await this.store.input(run.runId));
    const started = { input, ...(await historyOf(this.store, input)), user, base };
    return (signal) => this.options.agent(started, signal);
  }

  form(_: StoredRun, generation: string): RunForm {
    return eventForm(generation);
  }

  /** Makes the thread the latest of its user, and adds a new one to the user's list. */
  async report(owner: string): Promise<void> {
    const run = this.store.active();
    if (run === undefined) {
      return;
    }
    await this.users.setLatestThread(owner, this.threadId);
    if (run.created) {
      const { messages } = inputIn(await this.store.input(run.runId));
      const question = messages.find(({ role }) => role === "user");
      await addThread(this.users, owner, this.threadId, question ? textOf(question) : "");
    }
    await useThread(this.users, owner, this.threadId, run.at);
  }

  withdraw(owner: string): Promise<void> {
    return removeThread(this.users, owner, this.threadId);
  }

  retain(now: number, isRead: () => boolean): Promise<number | undefined> {
    return retain(this.store, this.options.retention, now, isRead);
  }
}

function inputIn(body: string): RunInput {
  return parseJson(body) as unknown as RunInput;
}
