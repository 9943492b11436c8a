// A thread with an answer: its log has the frames of a protocol. It has one run, or one for each
// message of an A2A task.

import type { RunLogEntry } from "../service.js";
import { END, FRAME, FrameScript, endIn, frameIn, framesIn } from "./answer_log.js";
import { ConversationTurn, HISTORY, messagesOfTurn } from "./conversation_turns.js";
import type { RunScript } from "./driver.js";
import type { RunForm } from "./followers.js";
import { RETRY_MS } from "./retention.js";
import type {
  LatestMessages,
  NewEvent,
  NewStoredMessage,
  StoredRun,
  ThreadState,
} from "./store.js";
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

/** A thread with an answer, or with a conversation of answers. */
export class AnswerThread extends ThreadKind {
  readonly unsent = 1;
  /** The turn that is being written, or was written last. */
  #turn: { readonly runId: string; readonly turn: ConversationTurn } | undefined;

  runIdIn(body: string): string {
    return requestIn(body).runId ?? ANSWER;
  }

  async messagesIn(): Promise<readonly []> {
    return [];
  }

  override isLimited(body: string): boolean {
    return requestIn(body).turn === undefined;
  }

  /**
   * Returns the messages of a turn, if this thread is its conversation; otherwise stores them
   * there.
   */
  async messagesOf(
    runId: string,
    latest: readonly NewEvent[],
  ): Promise<readonly NewStoredMessage[]> {
    const run = this.store.run(runId);
    const request = run && (await this.#request(runId));
    if (request?.conversation === undefined) {
      return [];
    }
    const rows = request.turn ?? (await this.#rowsOf(runId, request, latest));
    if (request.conversation === this.threadId) {
      return messagesOfTurn(rows, Date.now());
    }
    const owner = (await this.store.state())?.owner;
    if (owner !== undefined && rows.length > 0) {
      await this.options.conversations.record(owner, request.conversation, runId, rows);
    }
    return [];
  }

  /**
   * Returns the rows of a turn, also of one that was cut off or that another process has begun;
   * no rows for a request that was refused.
   */
  async #rowsOf(
    runId: string,
    request: StoredRequest,
    latest: readonly NewEvent[],
  ): Promise<readonly string[]> {
    const stored = await this.store.read(
      runId,
      0,
      Number.MAX_SAFE_INTEGER,
      Number.MAX_SAFE_INTEGER,
    );
    const frames = framesIn([...stored, ...latest]);
    if (frames.length === 0) {
      return [];
    }
    const known = this.#turn?.runId === runId ? this.#turn.turn : undefined;
    if (known !== undefined && (known.hasEnded || !known.hasBegun)) {
      return known.rows;
    }
    const turn = new ConversationTurn(runId, await this.#earlier(request.conversation!));
    await this.options.conversations.recover(request, frames, turn);
    return turn.rows;
  }

  /** Returns the rows of the earlier turns of a conversation. */
  async #earlier(conversation: string): Promise<LatestMessages> {
    const owner = (await this.store.state())?.owner ?? "";
    return conversation === this.threadId
      ? this.store.latestMessages(HISTORY)
      : this.options.conversations.earlier(owner, conversation);
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
    const { conversation } = request;
    const turn =
      conversation === undefined || request.turn !== undefined || request.frames !== undefined
        ? undefined
        : new ConversationTurn(runId, await this.#earlier(conversation));
    this.#turn = turn && { runId, turn };
    return (signal) => this.options.answer(request, user, signal, turn);
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
      `${hasCursors ? `id: ${generation}-${number}\n` : ""}${event(frameIn(data))}`;
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
    const { conversation, contextId } = await this.#request(latest.runId);
    if (conversation === this.threadId) {
      return this.#retainTurns(now, isRead, owner);
    }
    const ended = await this.store.read(latest.runId, latest.terminal - 1, latest.terminal, 1);
    const { answerMs, taskMs } = this.options.retention;
    const end = endIn(ended) + (contextId === undefined ? answerMs : taskMs);
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

  /**
   * Deletes the logs of a conversation at the end of their life. Its messages stay, if it has a
   * user.
   */
  async #retainTurns(
    now: number,
    isRead: () => boolean,
    owner: string,
  ): Promise<number | undefined> {
    const { answerMs, taskMs } = this.options.retention;
    const ended = this.store.ended();
    for (const [index, { runId, at }] of ended.entries()) {
      const isWhole = owner === "" && index === ended.length - 1;
      const end = at + (isWhole ? taskMs : answerMs);
      if (end > now) {
        return end;
      }
      if (isRead()) {
        return now + RETRY_MS;
      }
      await (isWhole ? this.store.delete() : this.store.expire(runId));
    }
    return undefined;
  }
}
