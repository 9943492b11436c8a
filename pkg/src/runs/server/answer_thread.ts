// A thread with an answer: its log has the frames of a protocol. It has one run, or one for each
// message of an A2A task.

import type { RunLogEntry } from "../service.js";
import { END, FRAME, FrameScript, endIn, framesIn } from "./answer_log.js";
import type { RunScript } from "./driver.js";
import type { RunForm } from "./followers.js";
import { RETRY_MS } from "./retention.js";
import type { StoredRun, ThreadState } from "./store.js";
import { type StoredRequest, requestIn } from "./stored_request.js";
import { convertedTo, stateIn } from "./task_frames.js";
import { ThreadKind } from "./thread_kind.js";
import type { FollowedRun } from "./thread_options.js";
import {
  type ListedAnswer,
  type ListedTask,
  answersIn,
  listOfChat,
  listOfTask,
} from "./user_list.js";

/** The id of the one run of an answer that is not a task. */
export const ANSWER = "answer";

/** Returns whether a thread is an answer. The names of conversations are UUIDs. */
export function isAnswerId(threadId: string): boolean {
  return /^[0-9a-f]{64}$/.test(threadId);
}

/** The number of entries at the end of a run that are searched for the status of its task. */
const SEARCHED_ENTRIES = 16;

/** A thread with an answer. */
export class AnswerThread extends ThreadKind {
  readonly unsent = 1;

  runIdIn(body: string): string {
    return requestIn(body).runId ?? ANSWER;
  }

  async messagesIn(): Promise<readonly []> {
    return [];
  }

  async messagesOf(): Promise<readonly []> {
    return [];
  }

  async script({ runId }: StoredRun): Promise<RunScript> {
    return new FrameScript(
      () => this.store.read(runId, 0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
      await this.#request(runId),
    );
  }

  async start(
    { runId }: StoredRun,
    { owner: user }: ThreadState,
  ): Promise<(signal: AbortSignal) => AsyncIterable<string>> {
    const request = await this.#request(runId);
    return (signal) => this.options.answer(request, user, signal);
  }

  async form(
    { runId }: StoredRun,
    generation: string,
    { after, reply: asked }: FollowedRun,
  ): Promise<RunForm> {
    const reply = asked ?? (await this.#request(runId)).reply;
    const hasCursors = after === undefined;
    const event = reply === undefined ? (frame: string) => frame : convertedTo(reply);
    const frameOf = ({ number, data }: RunLogEntry): string =>
      hasCursors ? `id: ${generation}-${number}\n${event(data)}` : event(data);
    return {
      name: `frames ${hasCursors ? generation : ""} ${JSON.stringify(reply)}`,
      write: (_, __, entries) => ({
        text: entries
          .filter(({ kind }) => kind === FRAME)
          .map(frameOf)
          .join(""),
        isOver: entries.some(({ kind }) => kind === END),
      }),
    };
  }

  /** Writes a task, or a running answer of a chat, to the list of its user. */
  async report(owner: string): Promise<void> {
    const run = this.#latest();
    const { contextId, chat } =
      run === undefined ? ({} as Partial<StoredRequest>) : await this.#request(run.runId);
    if (contextId !== undefined) {
      await this.#reportTask(owner, contextId, run!);
    } else if (chat !== undefined) {
      await this.#reportAnswer(owner, chat, run!);
    }
  }

  async #reportTask(
    owner: string,
    contextId: string,
    { runId, terminal, at: begun }: StoredRun,
  ): Promise<void> {
    const last =
      terminal === null
        ? undefined
        : await this.store.read(
            runId,
            Math.max(0, terminal - SEARCHED_ENTRIES),
            terminal,
            SEARCHED_ENTRIES,
          );
    const { state, at } =
      last === undefined
        ? { state: "TASK_STATE_WORKING", at: begun }
        : { state: stateIn(framesIn(last)), at: endIn(last) };
    await this.users.setTask(
      await listOfTask(owner, contextId),
      this.threadId,
      JSON.stringify({ contextId, state, at } satisfies ListedTask),
    );
  }

  /** The list has only the latest answer of a chat, and only while it is running. */
  async #reportAnswer(owner: string, chat: string, { terminal, at }: StoredRun): Promise<void> {
    const list = listOfChat(owner, chat);
    const others =
      terminal === null
        ? answersIn(await this.users.tasks(list), chat).filter(
            ({ thread }) => thread !== this.threadId,
          )
        : [];
    const isLatest = terminal === null && others.every((other) => other.at <= at);
    await this.users.setTask(
      list,
      this.threadId,
      isLatest ? JSON.stringify({ chat, at } satisfies ListedAnswer) : null,
    );
    await Promise.all(
      others
        .filter((other) => other.at < at)
        .map(({ thread }) => this.users.setTask(list, thread, null)),
    );
  }

  async withdraw(owner: string): Promise<void> {
    const run = this.#latest();
    const { contextId, chat } =
      run === undefined ? ({} as Partial<StoredRequest>) : await this.#request(run.runId);
    const list =
      contextId !== undefined
        ? await listOfTask(owner, contextId)
        : chat !== undefined
          ? listOfChat(owner, chat)
          : undefined;
    if (list !== undefined) {
      await this.users.setTask(list, this.threadId, null);
    }
  }

  #latest(): StoredRun | undefined {
    return this.store.active() ?? this.store.ended().at(-1);
  }

  async #request(runId: string): Promise<StoredRequest> {
    return requestIn(await this.store.input(runId));
  }

  /** Deletes the answer at the end of its life. */
  async retain(now: number, isRead: () => boolean, owner: string): Promise<number | undefined> {
    const latest = this.#latest();
    if (latest === undefined || latest.terminal === null) {
      return undefined;
    }
    const ended = await this.store.read(latest.runId, latest.terminal - 1, latest.terminal, 1);
    const { answerMs, taskMs } = this.options.retention;
    const end =
      endIn(ended) +
      ((await this.#request(latest.runId)).contextId === undefined ? answerMs : taskMs);
    if (end > now) {
      return end;
    }
    if (isRead()) {
      return now + RETRY_MS;
    }
    await this.withdraw(owner);
    await this.store.delete();
    return undefined;
  }
}
