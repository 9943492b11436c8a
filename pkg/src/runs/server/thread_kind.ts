// The kinds of threads: a conversation, whose runs have AG-UI events, and an answer, whose log has the frames of any protocol.

import type { RunInput } from "../../agentwire.js";
import { parseJson } from "../../core/json.js";
import { EventScript, type RunScript } from "./driver.js";
import { type RunForm, eventForm } from "./followers.js";
import { historyOf, messagesIn, messagesOf } from "./messages.js";
import { retain } from "./retention.js";
import type { Awaitable, NewEvent, NewMessage, StoredRun, ThreadState, ThreadStore, UserStore } from "./store.js";
import type { FollowedRun, ThreadOptions } from "./thread_options.js";

/** The content of a thread. */
export interface ThreadKind {
  /** The number of entries at the end of a run that are not sent. */
  readonly unsent: number;
  /** Returns the id of the run that the body of a request starts. */
  runIdIn(body: string): string;
  /** Returns the messages of the body that are stored with the run. */
  messagesIn(body: string, at: number): Promise<readonly NewMessage[]>;
  /** Returns the messages that are stored with the end of a run; `latest` are the entries that are stored with them. */
  messagesOf(runId: string, latest: readonly NewEvent[]): Promise<readonly NewMessage[]>;
  /** Returns the rules for the entries of a run. */
  script(run: StoredRun, hasBegun: boolean): Promise<RunScript>;
  /** Starts the agent. */
  start(run: StoredRun, thread: ThreadState): Promise<(signal: AbortSignal) => AsyncIterable<string>>;
  /** Returns the form in which a run is read. */
  form(run: StoredRun, generation: string, followed: FollowedRun): RunForm;
  /** Reports a run that is about to start, or has ended, to the store of users. */
  report(owner: string): Awaitable<void>;
  /** Removes from the store of users what was reported, before the thread is deleted. */
  withdraw(owner: string): Awaitable<void>;
  /** Keeps the log within its limits; returns the time at which to continue, if there is one. */
  retain(now: number, isRead: () => boolean, owner: string): Promise<number | undefined>;
}

/** A conversation. */
export class Conversation implements ThreadKind {
  readonly unsent = 0;
  readonly #id: string;
  readonly #store: ThreadStore;
  readonly #users: UserStore;
  readonly #options: ThreadOptions;

  constructor(threadId: string, store: ThreadStore, users: UserStore, options: ThreadOptions) {
    [this.#id, this.#store, this.#users, this.#options] = [threadId, store, users, options];
  }

  runIdIn(body: string): string {
    return inputIn(body).runId;
  }

  messagesIn(body: string, at: number): Promise<NewMessage[]> {
    return messagesIn(this.#store, inputIn(body), at);
  }

  messagesOf(runId: string, latest: readonly NewEvent[]): Promise<readonly NewMessage[]> {
    return messagesOf(this.#store, runId, latest, Date.now());
  }

  async script({ runId }: StoredRun, hasBegun: boolean): Promise<RunScript> {
    return new EventScript(this.#id, runId, hasBegun);
  }

  async start(run: StoredRun, { owner: user, base }: ThreadState): Promise<(signal: AbortSignal) => AsyncIterable<string>> {
    const input = inputIn(run.input);
    const started = { input, history: await historyOf(this.#store, input), user, base };
    return (signal) => this.#options.agent(started, signal);
  }

  form(_: StoredRun, generation: string): RunForm {
    return eventForm(generation);
  }

  /** Makes the thread the latest of its user. */
  async report(owner: string): Promise<void> {
    if ((await this.#store.active()) !== undefined) {
      await this.#users.setLatestThread(owner, this.#id);
    }
  }

  withdraw(): void {}

  retain(now: number, isRead: () => boolean): Promise<number | undefined> {
    return retain(this.#store, this.#options.retention, now, isRead);
  }
}

function inputIn(body: string): RunInput {
  return parseJson(body) as unknown as RunInput;
}
