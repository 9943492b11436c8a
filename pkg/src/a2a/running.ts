// A task at work: what the agent says goes into the task, and to everybody who follows it.
//
// Edge runtimes let no request touch what belongs to another one, streams, timers and signals among them. So a request that follows or
// cancels the task of another shares plain data with it, and looks from time to time.

import type { A2aTask } from "../agentwire.js";
import { AnyDecoder } from "../decoder.js";
import { Sender } from "../emit/sender.js";
import { toolkit } from "../wasm.js";
import { A2A } from "./protocol.js";
import type { TaskStore } from "./tasks.js";

/** How an answer is shaped: made and read by the core. */
export interface Reply {
  readonly version: string;
  readonly binding?: string;
  readonly id: unknown;
  readonly isStream?: boolean;
}

class Decoder extends AnyDecoder<"a2a"> {
  constructor() {
    super([A2A], {});
  }
}

/** What is before and after the payload in the events of the agent's answer, which nobody has asked for by an id. */
const BEFORE = 'data: {"jsonrpc":"2.0","id":1,"result":';
const AFTER = "}\n\n";

/** Milliseconds between two looks. */
const LOOK = 25;
/** How long a task that is canceled may take to end. */
const PATIENCE = 10_000;
/** Why a task has failed that could not be stored. */
const STORE_FAILED = { code: "TASK_STORE_FAILED", message: "the task could not be stored" };
/** How many characters wait at most for somebody who follows and does not read. */
const WAITING = 4 * 1024 * 1024;

/** What waits for somebody who follows. */
interface Mailbox {
  readonly events: string[];
  length: number;
}

/** A task at work. */
export class RunningTask {
  /** When nothing is said any more: the task has come to its end, or waits. For the request that began it. */
  readonly over: Promise<void>;
  /** When the task is there. For the request that began it. */
  readonly begun: Promise<void>;
  /** Nothing is said any more. */
  isOver = false;
  readonly #abort = new AbortController();
  readonly #decoder = new Decoder();
  readonly #store: TaskStore;
  readonly #mailboxes = new Set<Mailbox>();
  #own: { readonly sender: Sender; readonly framed: (event: string) => string; waiting: number } | undefined;
  #isCanceled = false;
  #task: A2aTask | undefined;
  #begin!: () => void;

  /**
   * @param run runs the agent until the signal aborts; gives its answer as A2A 1.0 by JSON-RPC, with the id 1
   * @param store keeps the task: at its beginning, in each new state, and at the end; and what is said in between, if it can
   */
  constructor(run: (signal: AbortSignal) => Response, store: TaskStore) {
    this.#store = store;
    this.begun = new Promise((resolve) => (this.#begin = resolve));
    this.over = this.#pump(run(this.#abort.signal).body!.getReader());
  }

  /** The task as it stands. */
  get task(): A2aTask | undefined {
    return this.#task;
  }

  /**
   * What is said from the beginning, in that shape: for the request that began the task. The agent waits for its reader, unless the
   * store keeps what is said: then whoever reads too slowly is let go, and can follow the task.
   */
  stream(reply: Reply, heartbeat: number): ReadableStream<Uint8Array<ArrayBuffer>> {
    const leave = (): void => void (this.#own = undefined);
    const sender = new Sender({ heartbeat, onGone: leave, onError: leave });
    this.#own = { sender, framed: frames(reply), waiting: 0 };
    return sender.stream;
  }

  /** The task as it stands, and what is said from now on, in that shape. Whoever reads too slowly is let go. */
  follow(reply: Reply, heartbeat: number): ReadableStream<Uint8Array<ArrayBuffer>> {
    const framed = frames(reply);
    const mailbox: Mailbox = { events: [JSON.stringify({ task: this.#task })], length: 0 };
    let isLeft = false;
    const leave = (): void => {
      isLeft = true;
      this.#mailboxes.delete(mailbox);
    };
    const sender = new Sender({ heartbeat, onGone: leave, onError: leave });
    this.#mailboxes.add(mailbox);
    const forward = async (): Promise<void> => {
      while (!isLeft && (mailbox.events.length > 0 || !this.isOver) && mailbox.length <= WAITING) {
        mailbox.length = 0;
        const events = mailbox.events.splice(0);
        await (events.length > 0 ? sender.send(events.map(framed).join("")) : sleep(LOOK));
      }
      leave();
      sender.close();
    };
    void forward();
    return sender.stream;
  }

  /** Has the agent stopped, and waits until the task has ended. For any request. */
  async cancel(): Promise<void> {
    this.#isCanceled = true;
    for (const start = Date.now(); !this.isOver && Date.now() - start < PATIENCE; ) {
      await sleep(LOOK);
    }
  }

  async #pump(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const looking = setInterval(() => this.#isCanceled && this.#abort.abort(), LOOK);
    try {
      await this.#read(reader);
    } catch (error) {
      console.error(error);
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

  /** Rejects when the store fails. */
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
      // Events are sent whole.
      const end = rest.lastIndexOf(AFTER) + AFTER.length;
      const events = eventsIn(rest.slice(0, end));
      rest = rest.slice(end);
      const news = this.#task?.status?.state;
      if (this.#task !== undefined && news !== state) {
        state = news;
        await this.#store.save(this.#task);
        isSaved = true;
      } else if (events.length > 0 && this.#task?.id !== undefined) {
        await this.#store.append?.(this.#task.id, events);
        isSaved = false;
      }
      await this.#send(events);
      this.#begin();
    }
    this.#task = this.#decoder.finish().snapshot?.task ?? this.#task;
    if (this.#task !== undefined && !isSaved) {
      await this.#store.save(this.#task);
    }
  }

  /** Ends the task because the store has failed: for its followers, and in the store, if that takes as much as the status. */
  async #fail(): Promise<void> {
    const { id: taskId, contextId } = this.#task ?? {};
    if (taskId === undefined) {
      return;
    }
    const parts = [{ text: STORE_FAILED.message }, { data: STORE_FAILED }];
    const message = { messageId: `${taskId}_error`, contextId, taskId, role: "ROLE_AGENT", parts };
    const status = { state: "TASK_STATE_FAILED", message, timestamp: new Date().toISOString() } as A2aTask["status"];
    this.#task = { ...this.#task, status } as A2aTask;
    for (const task of [this.#task, { id: taskId, contextId, status } as A2aTask]) {
      try {
        await this.#store.save(task);
        break;
      } catch (error) {
        console.error(error);
      }
    }
    await this.#send([JSON.stringify({ statusUpdate: { taskId, contextId, status } })]);
  }

  async #send(events: readonly string[]): Promise<void> {
    for (const mailbox of this.#mailboxes) {
      mailbox.events.push(...events);
      mailbox.length += events.reduce((sum, { length }) => sum + length, 0);
    }
    const own = this.#own;
    if (own === undefined) {
      return;
    }
    const text = events.map(own.framed).join("");
    const room = own.sender.send(text);
    if (this.#store.append === undefined) {
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

/** The payloads of whole events of the agent's answer. */
function eventsIn(said: string): string[] {
  const frames = said.split("\n\n").filter((frame) => frame.startsWith(BEFORE));
  return frames.map((frame) => frame.slice(BEFORE.length, -1));
}

/** How an event of 1.0 is written in that shape. */
export function frames(reply: Reply): (event: string) => string {
  if (reply.version !== "1.0") {
    const json = JSON.stringify(reply);
    return (event) => toolkit().call("a2aEvent", json, event);
  }
  const [before, after] = reply.binding === "rest" ? ["data: ", "\n\n"] : [`data: {"jsonrpc":"2.0","id":${JSON.stringify(reply.id)},"result":`, AFTER];
  return (event) => before + event + after;
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
