// A task at work: what the agent says goes into the task, and to everybody who follows it.

import type { A2aTask } from "../agentwire.js";
import { Sender } from "../emit/sender.js";
import { AnyDecoder } from "../decoder.js";
import { toolkit } from "../wasm.js";
import { A2A } from "./protocol.js";

/** How an answer is shaped: made and read by the core. */
export interface Reply {
  readonly version: string;
  readonly binding?: string;
  readonly id: unknown;
}

class Decoder extends AnyDecoder<"a2a"> {
  constructor() {
    super([A2A], {});
  }
}

/** What is before and after the payload in the events that the agent's answer consists of, which nobody has asked for by an id. */
const BEFORE = 'data: {"jsonrpc":"2.0","id":1,"result":';
const AFTER = "}\n\n";

/** How long the agent waits for somebody who follows and does not read. */
const PATIENCE = 10_000;

/** A task at work. */
export class RunningTask {
  /** When nothing is said any more: the task has come to its end, or waits. */
  readonly over: Promise<void>;
  /** When the task is there. */
  readonly begun: Promise<void>;
  readonly #abort = new AbortController();
  readonly #decoder = new Decoder();
  readonly #followers = new Map<Sender, (event: string) => string>();
  readonly #save: (task: A2aTask) => unknown;
  #task: A2aTask | undefined;
  #begin!: () => void;

  /**
   * @param run runs the agent until the signal aborts; gives its answer as A2A 1.0 by JSON-RPC, with the id 1
   * @param save keeps the task: at its beginning, in each new state, and at the end
   */
  constructor(run: (signal: AbortSignal) => Response, save: (task: A2aTask) => unknown) {
    this.#save = save;
    this.begun = new Promise((resolve) => (this.#begin = resolve));
    this.over = this.#pump(run(this.#abort.signal).body!.getReader());
  }

  /** The task as it stands. */
  get task(): A2aTask | undefined {
    return this.#task;
  }

  /** Stops the agent. */
  cancel(): void {
    this.#abort.abort();
  }

  /** A stream of what is said from now on, in that shape; with `whole` it begins with the task as it stands. */
  follow(reply: Reply, heartbeat: number, whole: boolean): ReadableStream<Uint8Array<ArrayBuffer>> {
    const framed = frames(reply);
    const leave = (): void => void this.#followers.delete(sender);
    const sender = new Sender({ heartbeat, onGone: leave, onError: leave });
    this.#followers.set(sender, framed);
    if (whole && this.#task !== undefined) {
      void sender.send(framed(JSON.stringify({ task: this.#task })));
    }
    return sender.stream;
  }

  async #pump(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const text = new TextDecoder();
    let rest = "";
    let state: string | undefined;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          break;
        }
        this.#decoder.push(value);
        this.#task = this.#decoder.snapshot?.task ?? undefined;
        const news = this.#task?.status?.state;
        if (this.#task !== undefined && news !== state) {
          state = news;
          await this.#save(this.#task);
        }
        rest += text.decode(value, { stream: true });
        // Events are sent whole.
        const end = rest.lastIndexOf(AFTER) + AFTER.length;
        await this.#send(rest.slice(0, end));
        rest = rest.slice(end);
        this.#begin();
      }
    } finally {
      this.#task = this.#decoder.finish().snapshot?.task ?? this.#task;
      if (this.#task !== undefined) {
        await this.#save(this.#task);
      }
      this.#begin();
      for (const sender of this.#followers.keys()) {
        sender.close();
      }
    }
  }

  /** Those who are slow are waited for, and let go when that takes too long. */
  async #send(said: string): Promise<void> {
    const events = said.split("\n\n").filter((event) => event.startsWith(BEFORE));
    const sent = [...this.#followers].map(async ([sender, framed]) => {
      const room = sender.send(events.map((event) => framed(event.slice(BEFORE.length, -1))).join(""));
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(true), PATIENCE)));
      const isLate = await Promise.race([room.then(() => false), late]);
      clearTimeout(timer);
      if (isLate) {
        this.#followers.delete(sender);
        sender.close();
      }
    });
    await Promise.all(sent);
  }
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
