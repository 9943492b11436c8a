// A running task. The events of the agent are stored in the task and sent to all followers.
//
// In edge runtimes a request cannot use objects of another request, including streams, timers and
// signals. So a request that follows or cancels the task of another request shares plain data with
// it and polls that data.

import type { A2aTask, Json } from "../agentwire.js";
import { AnyDecoder } from "../read/decoder.js";
import { jsonOf, jsonText } from "../core/json.js";
import { pause } from "../core/timers.js";
import { Sender } from "../emit/sender.js";
import { toolkit } from "../core/wasm.js";
import type { Outbox, Outgoing } from "./outbox.js";
import { A2A } from "./protocol.js";
import { type TaskStore, owned } from "./tasks.js";

/** The form of a reply. The core creates and reads it. */
export interface TaskReply {
  readonly version: string;
  readonly binding?: string;
  readonly id: unknown;
  readonly isStream?: boolean;
}

/**
 * The text before and after the payload in the agent's events. The JSON-RPC id in it is a
 * placeholder.
 */
export const BEFORE = 'data: {"jsonrpc":"2.0","id":1,"result":';
export const AFTER = "}\n\n";

/** The polling interval, in milliseconds. */
const LOOK = 25;
/** The time within which a canceled task must end, in milliseconds. */
const PATIENCE = 10_000;
/** The error of a task that could not be stored. */
const STORE_FAILED = { code: "TASK_STORE_FAILED", message: "the task could not be stored" };
/** The maximum number of characters that wait for a follower that does not read. */
const WAITING = 4 * 1024 * 1024;

/** The events that wait for a follower. Followers share their texts. */
interface EventQueue {
  readonly events: string[];
  length: number;
  /** Whether the follower was too slow, and receives no more events. */
  isLate: boolean;
}

/** The owner, the store and the limits of a task. */
export interface TaskHome {
  /** The user that the task belongs to; empty without users. */
  readonly user: string;
  readonly store: TaskStore;
  /** What is sent to followers. */
  readonly outbox: Outbox;
  /** The maximum number of followers. */
  readonly followers: number;
  /** Receives the errors of the store. Never throws. */
  readonly report: (error: unknown) => void;
}

/** A running task. */
export class RunningTask {
  /**
   * Resolves when the agent sends no more events: the task has ended, or waits. Never rejects. Only
   * for the request that started it.
   */
  readonly over: Promise<void>;
  /** Resolves when the task exists. Only for the request that started it. */
  readonly begun: Promise<void>;
  /** Whether the agent sends no more events. */
  isOver = false;
  readonly #abort = new AbortController();
  readonly #decoder = new AnyDecoder<"a2a">([A2A], {});
  readonly #home: TaskHome;
  readonly #mailboxes = new Set<EventQueue>();
  #followers = 0;
  /** The event of the task, of that time, while it has followers. */
  #first: { readonly task: A2aTask | undefined; readonly text: string } | undefined;
  #own:
    | { readonly sender: Sender; readonly framed: (event: string) => string; waiting: number }
    | undefined;
  #isCanceled = false;
  #task: A2aTask | undefined;
  #begin!: () => void;

  /**
   * @param run runs the agent until the signal aborts, and returns its events as A2A 1.0 in
   * JSON-RPC with the id 1
   * @param home its store receives the task at its start, at each change of its state and at its
   * end, and the events in between if it has `append`
   */
  constructor(run: (signal: AbortSignal) => Response, home: TaskHome) {
    this.#home = home;
    this.begun = new Promise((resolve) => (this.#begin = resolve));
    this.over = this.#pump(run(this.#abort.signal).body!.getReader()).catch(home.report);
  }

  /** The current task. */
  get task(): A2aTask | undefined {
    return this.#task;
  }

  /** The user that the task belongs to. */
  get user(): string {
    return this.#home.user;
  }

  /**
   * Returns the events from the start, in the form of the reply, for the request that started the
   * task. The agent waits for this reader, unless the store has `append`: then a reader that is too
   * slow is disconnected, and can follow the task.
   */
  stream(reply: TaskReply, heartbeat: number): ReadableStream<Uint8Array<ArrayBuffer>> {
    const leave = (): void => void (this.#own = undefined);
    const sender = new Sender({ heartbeat, onGone: leave, onError: leave });
    this.#own = { sender, framed: frames(reply), waiting: 0 };
    return sender.stream;
  }

  /**
   * Returns the current task and the following events, in the form of the reply; undefined if the
   * task has too many followers, or they have too much to read. A reader that is too slow is
   * disconnected.
   */
  follow(reply: TaskReply, heartbeat: number): ReadableStream<Uint8Array<ArrayBuffer>> | undefined {
    const { user, outbox, followers } = this.#home;
    const { payloadOf, before, after } = formOf(reply);
    let first =
      this.#followers < followers ? outbox.take(user, payloadOf(this.#firstEvent())) : undefined;
    if (first === undefined) {
      return undefined;
    }
    const mailbox: EventQueue = { events: [], length: 0, isLate: false };
    let isLeft = false;
    const leave = (): void => {
      isLeft = true;
      this.#mailboxes.delete(mailbox);
    };
    const sender = new Sender({ heartbeat, onGone: leave, onError: leave });
    this.#mailboxes.add(mailbox);
    this.#followers++;
    const forward = async (): Promise<void> => {
      await sent(sender, before, first!, after);
      // It is not held any longer than it takes to send it.
      first = undefined;
      while (!isLeft && !mailbox.isLate && (mailbox.events.length > 0 || !this.isOver)) {
        if (mailbox.events.length === 0) {
          await pause(LOOK);
          continue;
        }
        const outgoing = outbox.take(user, payloadOf(mailbox.events[0]!));
        if (outgoing === undefined) {
          break;
        }
        mailbox.length -= mailbox.events.shift()!.length;
        await sent(sender, before, outgoing, after);
      }
      leave();
      this.#followers--;
      this.#first = this.#followers === 0 ? undefined : this.#first;
      sender.close();
    };
    void forward();
    return sender.stream;
  }

  /** Returns the event of the current task. Followers share its text. */
  #firstEvent(): string {
    if (this.#first?.task !== this.#task) {
      this.#first = { task: this.#task, text: jsonText({ task: this.#task }) };
    }
    return this.#first!.text;
  }

  /** Stops the agent and waits until the task has ended. Any request can call it. */
  async cancel(): Promise<void> {
    this.#isCanceled = true;
    for (const start = Date.now(); !this.isOver && Date.now() - start < PATIENCE; ) {
      await pause(LOOK);
    }
  }

  async #pump(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const looking = setInterval(() => this.#isCanceled && this.#abort.abort(), LOOK);
    try {
      await this.#read(reader);
    } catch (error) {
      this.#home.report(error);
      this.#abort.abort();
      reader.cancel().catch(() => {});
      await this.#fail();
    } finally {
      clearInterval(looking);
      this.isOver = true;
      this.#begin();
      this.#own?.sender.close();
    }
  }

  /** Reads the events of the agent. Rejects if the store fails. */
  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const text = new TextDecoder();
    let rest = "";
    let state: string | undefined;
    let isSaved = false;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        break;
      }
      this.#decoder.push(value);
      this.#task = this.#decoder.snapshot?.task ?? undefined;
      rest += text.decode(value, { stream: true });
      // Only complete events are sent.
      const end = rest.lastIndexOf(AFTER) + AFTER.length;
      const events = eventsIn(rest.slice(0, end));
      rest = rest.slice(end);
      const news = this.#task?.status?.state;
      if (this.#task !== undefined && news !== state) {
        state = news;
        await this.#save(this.#task);
        isSaved = true;
      } else if (events.length > 0 && this.#task?.id !== undefined) {
        await this.#home.store.append?.(this.#task.id, events);
        isSaved = false;
      }
      await this.#send(events);
      this.#begin();
    }
    this.#task = this.#decoder.finish().snapshot?.task ?? this.#task;
    if (this.#task !== undefined && !isSaved) {
      await this.#save(this.#task);
    }
  }

  async #save(task: A2aTask): Promise<void> {
    const { user, store } = this.#home;
    await store.save(owned(task, user));
  }

  /**
   * Ends the task after a failure of the store. Stores the failed task, or only its status if that
   * fails too, and informs the followers.
   */
  async #fail(): Promise<void> {
    const { id: taskId, contextId } = this.#task ?? {};
    if (taskId === undefined) {
      return;
    }
    const status = failedStatus(taskId, contextId, STORE_FAILED);
    this.#task = { ...this.#task, status } as A2aTask;
    for (const task of [this.#task, { id: taskId, contextId, status } as A2aTask]) {
      try {
        await this.#save(task);
        break;
      } catch (error) {
        this.#home.report(error);
      }
    }
    await this.#send([JSON.stringify({ statusUpdate: { taskId, contextId, status } })]);
  }

  async #send(events: readonly string[]): Promise<void> {
    for (const mailbox of this.#mailboxes) {
      mailbox.events.push(...events);
      mailbox.length += events.reduce((sum, { length }) => sum + length, 0);
      if (mailbox.length > WAITING) {
        mailbox.isLate = true;
        mailbox.events.length = 0;
        this.#mailboxes.delete(mailbox);
      }
    }
    const own = this.#own;
    if (own === undefined) {
      return;
    }
    const text = events.map(own.framed).join("");
    const room = own.sender.send(text);
    if (this.#home.store.append === undefined) {
      return room;
    }
    own.waiting += text.length;
    void room.then(() => (own.waiting = 0));
    if (own.waiting > WAITING) {
      this.#own = undefined;
      own.sender.close();
    }
  }
}

/** Sends a text. Resolves when the consumer has room for more. */
async function sent(
  sender: Sender,
  before: string,
  outgoing: Outgoing,
  after: string,
): Promise<void> {
  await sender.sendBetween(before, outgoing.pieces, after);
  outgoing.release();
}

/** Returns the status of a task that has failed. */
export function failedStatus(
  taskId: string,
  contextId: string | undefined,
  failure: { readonly code: string; readonly message: string },
): A2aTask["status"] {
  const parts = [{ text: failure.message }, { data: { ...failure } }];
  const message = { messageId: `${taskId}_error`, contextId, taskId, role: "ROLE_AGENT", parts };
  return {
    state: "TASK_STATE_FAILED",
    message,
    timestamp: new Date().toISOString(),
  } as A2aTask["status"];
}

/** Returns the payloads of complete events of the agent. */
function eventsIn(text: string): string[] {
  const frames = text.split("\n\n").filter((frame) => frame.startsWith(BEFORE));
  return frames.map((frame) => frame.slice(BEFORE.length, -1));
}

/** The form of the events in a reply. */
interface EventForm {
  /** Returns the payload of an event of version 1.0. It does not depend on the id of the reply. */
  readonly payloadOf: (event: string) => string;
  /** The text before and after a payload. */
  readonly before: string;
  readonly after: string;
}

function formOf(reply: TaskReply): EventForm {
  const isRest = reply.binding === "rest";
  const [before, after] = isRest
    ? ["data: ", "\n\n"]
    : [`data: {"jsonrpc":"2.0","id":${idOf(reply)},"result":`, AFTER];
  if (reply.version === "1.0") {
    return { before, after, payloadOf: (event) => event };
  }
  const json = JSON.stringify({ ...reply, id: 1 });
  const [start, end] = isRest ? [before, after] : [BEFORE, AFTER];
  return {
    before,
    after,
    payloadOf: (event) => toolkit().call("a2aEvent", json, event).slice(start.length, -end.length),
  };
}

/** Returns the id of a reply as JSON. It can be an integer that a number does not hold. */
export function idOf({ id }: TaskReply): string {
  return jsonOf((id ?? null) as Json);
}

/** Returns a function that writes an event of version 1.0 in the form of the reply. */
export function frames(reply: TaskReply): (event: string) => string {
  const { before, after, payloadOf } = formOf(reply);
  return (event) => before + payloadOf(event) + after;
}
