// An answer: a thread with one run, whose log has the frames of a protocol as they are sent, and one entry after them.

import type { A2aTask, Json } from "../../agentwire.js";
import { acceptedIn } from "../../a2a/calls.js";
import { type Reply, frames as eventsAs } from "../../a2a/running_task.js";
import { parseJson, stringifyJson } from "../../core/json.js";
import type { Answers } from "../../core/outcome.js";
import { Decoder } from "../../convert/read_as.js";
import { type RunLogEntry, runErrorEvent } from "../service.js";
import type { RunFailure, RunScript } from "./driver.js";
import type { RunForm } from "./followers.js";
import { AGAIN } from "./retention.js";
import { hashOf } from "./signing.js";
import type { NewMessage, StoredRun, ThreadState, ThreadStore, UserStore } from "./store.js";
import type { ThreadKind } from "./thread_kind.js";
import type { FollowedRun, StoredRequest, ThreadOptions } from "./thread_options.js";

/** The id of the one run of an answer that is not a task. */
export const ANSWER = "answer";

/** Returns whether a thread is an answer. The names of conversations are UUIDs. */
export function isAnswerId(threadId: string): boolean {
  return /^[0-9a-f]{64}$/.test(threadId);
}

function requestIn(input: string): StoredRequest {
  return JSON.parse(input) as StoredRequest;
}

/** The entry of a task in the list of its user. */
export interface ListedTask {
  readonly contextId: string;
  readonly state: string;
  /** The time of its last change, in milliseconds since 1970. */
  readonly at: number;
}

/** Returns the name of the list with a task. Without a user, the tasks of a context have a list, and the id of the context is its credential. */
export async function listOf(user: string, contextId: string): Promise<string> {
  return user || hashOf(JSON.stringify(["tasks", contextId]));
}

/** The number of entries at the end of a run that are searched for the status of its task. */
const LAST = 16;
/** The kinds of entries. The last one is not sent. An outcome is instead of frames. */
const FRAME = "frame";
const OUTCOME = "outcome";
const END = "end";

/** The outcome of a request that has no frames: a response, or the failure of the service. */
export type AnswerOutcome =
  | { readonly status: number; readonly headers: readonly (readonly [name: string, value: string])[]; readonly body: string }
  | { readonly failure: RunFailure };

/** Returns the last entry of an answer, which has the time of its end. */
function endEntry(): string {
  return JSON.stringify({ ended: Date.now() });
}

/** Returns the entry of an outcome. */
export function outcomeEntry(outcome: AnswerOutcome): string {
  return JSON.stringify(outcome);
}

/** Returns the outcome in the first entry of an answer, unless it is a frame. */
export function outcomeIn(entry: string): AnswerOutcome | undefined {
  // A frame begins with the name of a field.
  return entry.startsWith("{") ? (JSON.parse(entry) as AnswerOutcome) : undefined;
}

const encoder = new TextEncoder();

/** The kind of a thread with an answer. */
export class Answer implements ThreadKind {
  readonly unsent = 1;
  readonly #id: string;
  readonly #store: ThreadStore;
  readonly #users: UserStore;
  readonly #options: ThreadOptions;

  constructor(threadId: string, store: ThreadStore, users: UserStore, options: ThreadOptions) {
    [this.#id, this.#store, this.#users, this.#options] = [threadId, store, users, options];
  }

  runIdIn(body: string): string {
    return requestIn(body).runId ?? ANSWER;
  }

  async messagesIn(): Promise<readonly NewMessage[]> {
    return [];
  }

  async messagesOf(): Promise<readonly NewMessage[]> {
    return [];
  }

  async script({ runId, input }: StoredRun): Promise<RunScript> {
    return new FrameScript(framesIn(await this.#store.read(runId, 0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)), requestIn(input));
  }

  async start({ input }: StoredRun, { owner: user }: ThreadState): Promise<(signal: AbortSignal) => AsyncIterable<string>> {
    return (signal) => this.#options.answer(requestIn(input), user, signal);
  }

  form({ input }: StoredRun, generation: string, { after, reply = requestIn(input).reply }: FollowedRun): RunForm {
    const hasCursors = after === undefined;
    const event = reply === undefined ? (frame: string) => frame : convertedTo(reply);
    const frameOf = ({ number, data }: RunLogEntry): string => (hasCursors ? `id: ${generation}-${number}\n${event(data)}` : event(data));
    return {
      name: `frames ${hasCursors ? generation : ""} ${JSON.stringify(reply)}`,
      write: (_, __, entries) => ({
        text: entries.filter(({ kind }) => kind === FRAME).map(frameOf).join(""),
        isOver: entries.some(({ kind }) => kind === END),
      }),
    };
  }

  /** Writes the task, if it is one, to the list of its user. */
  async report(owner: string): Promise<void> {
    const run = await this.#latest();
    const { contextId } = run === undefined ? {} : requestIn(run.input);
    if (contextId === undefined) {
      return;
    }
    const { runId, terminal, at: begun } = run!;
    const last = terminal === null ? undefined : await this.#store.read(runId, Math.max(0, terminal - LAST), terminal, LAST);
    const { state, at } = last === undefined ? { state: "TASK_STATE_WORKING", at: begun } : { state: stateIn(framesIn(last)), at: endIn(last) };
    await this.#users.setTask?.(await listOf(owner, contextId), this.#id, JSON.stringify({ contextId, state, at } satisfies ListedTask));
  }

  async withdraw(owner: string): Promise<void> {
    const run = await this.#latest();
    const { contextId } = run === undefined ? {} : requestIn(run.input);
    if (contextId !== undefined) {
      await this.#users.setTask?.(await listOf(owner, contextId), this.#id, null);
    }
  }

  async #latest(): Promise<StoredRun | undefined> {
    const active = await this.#store.active();
    const ended = active === undefined ? (await this.#store.ended()).at(-1) : undefined;
    return ended === undefined ? active : this.#store.run(ended.runId);
  }

  /** Deletes the answer at the end of its life. */
  async retain(now: number, isRead: () => boolean, owner: string): Promise<number | undefined> {
    const latest = await this.#latest();
    if (latest === undefined || latest.terminal === null) {
      return undefined;
    }
    const ended = await this.#store.read(latest.runId, latest.terminal - 1, latest.terminal, 1);
    const { answerMs, taskMs } = this.#options.retention;
    const end = endIn(ended) + (requestIn(latest.input).contextId === undefined ? answerMs : taskMs);
    if (end > now) {
      return end;
    }
    if (isRead()) {
      return now + AGAIN;
    }
    await this.withdraw(owner);
    await this.#store.delete();
    return undefined;
  }
}

/** Returns the last state of a task in the last frames of a run. */
function stateIn(frames: readonly string[]): string {
  const events = frames.map((frame) => (dataIn(frame) as { readonly result?: { readonly task?: A2aTask; readonly statusUpdate?: A2aTask } }).result);
  const states = events.map((event) => (event?.task ?? event?.statusUpdate)?.status?.state);
  return states.reverse().find((state) => state != null) ?? "";
}

/** Returns the time in the last entry of an answer. */
function endIn(entries: readonly Pick<RunLogEntry, "data">[]): number {
  return (JSON.parse(entries.at(-1)!.data) as { readonly ended: number }).ended;
}

/** Returns the frames in the entries of an answer. */
export function framesIn(entries: readonly Pick<RunLogEntry, "data">[]): string[] {
  // An outcome, and the end, are JSON.
  return entries.map(({ data }) => data).filter((data) => !data.startsWith("{"));
}

/** Splits a text into its whole frames, without comments. */
export function framesOf(text: string): string[] {
  return text.split(/(?<=\n\n)/).filter((one) => one.endsWith("\n\n") && !one.startsWith(":"));
}

/** The rules for the entries of an answer. */
export class FrameScript implements RunScript {
  /** All frames: the end of an answer that was cut off depends on them. */
  #frames: string[];
  readonly #request: StoredRequest;
  #hasOutcome = false;
  isOver = false;

  /**
   * @param frames the frames of the log
   * @param request the request of the answer
   */
  constructor(frames: readonly string[], request: StoredRequest) {
    [this.#frames, this.#request] = [[...frames], request];
  }

  append(data: string): string {
    if (data.startsWith("{")) {
      this.isOver = data.startsWith(ENDED);
      this.#hasOutcome ||= !this.isOver;
      return this.isOver ? END : OUTCOME;
    }
    this.#frames.push(data);
    return FRAME;
  }

  ending(failure: RunFailure | undefined, hasEnded: boolean): readonly string[] {
    // An adapter that has ended has written the end of its protocol, also after a cancellation.
    if (this.#hasOutcome || (this.#frames.length > 0 && (hasEnded || failure === undefined))) {
      return [endEntry()];
    }
    const end = failure ?? NOTHING;
    const { accepted } = this.#request;
    if (this.#frames.length === 0) {
      return [accepted ? failedFrame(accepted, end) : outcomeEntry({ failure: end }), endEntry()];
    }
    return [...endFrames(this.#frames, end), endEntry()];
  }

  free(): void {
    this.#frames = [];
  }
}

/** The start of the last entry of an answer. */
const ENDED = '{"ended":';
const NOTHING: RunFailure = { code: "AGENT_FAILED", message: "the agent has sent nothing" };

/** Returns the frames that end an answer with these frames, valid in its protocol. A protocol that is not one of this package gets none. */
function endFrames(frames: readonly string[], { code, message }: RunFailure): string[] {
  const reader = new Decoder({ protocol: "auto" });
  reader.push(encoder.encode(frames.join("")));
  const isOwn = reader.protocol !== undefined;
  const { protocol, snapshot } = reader.finish();
  switch (isOwn ? protocol : undefined) {
    case "ag-ui":
      return [frame(runErrorEvent(code, message))];
    case "ag-kit":
      return [frame(JSON.stringify({ type: "error", error: message })), frame("[DONE]")];
    case "ai-sdk":
      return [{ type: "error", errorText: message }, { type: "finish", finishReason: "error" }].map((part) => frame(JSON.stringify(part))).concat(frame("[DONE]"));
    case "agent-api": {
      const { output, ...response } = snapshot as Answers["agent-api"]["answer"];
      const { sequence_number: last = -1 } = dataIn(frames.at(-1)!);
      const event = { ...response, sequence_number: Number(last) + 1, object: "response", status: "failed", error: { code, message }, output: incomplete(output) };
      return [frame(stringifyJson(event as unknown as Json))];
    }
    case "responses": {
      const { output, ...own } = snapshot as Answers["responses"]["answer"];
      const response = { ...own, status: "failed", error: { code, message }, output: output && incomplete(output) };
      const data = stringifyJson({ type: "response.failed", sequence_number: frames.length, response } as unknown as Json);
      return [`event: response.failed\n${frame(data)}`];
    }
    case "a2a": {
      const { id: taskId = "", contextId = "" } = (snapshot as Answers["a2a"]["answer"]).task ?? {};
      return [eventFrame({ statusUpdate: { taskId, contextId, status: failedStatus(taskId, contextId, { code, message }) } })];
    }
    default:
      return [];
  }
}

/** Returns the items; those in progress are incomplete. */
function incomplete(items: readonly object[]): object[] {
  return items.map((item) => ((item as { status?: unknown }).status === "in_progress" ? { ...item, status: "incomplete" } : item));
}

/** Returns the status of an A2A task that has failed. */
function failedStatus(taskId: string, contextId: string, failure: RunFailure): Json {
  const parts = [{ text: failure.message }, { data: { ...failure } }];
  const message = { messageId: `${taskId}_error`, contextId, taskId, role: "ROLE_AGENT", parts };
  return { state: "TASK_STATE_FAILED", message, timestamp: new Date().toISOString() };
}

/** Returns the frame of a task whose agent has failed before its first event. */
function failedFrame(accepted: string, failure: RunFailure): string {
  const { message, task } = acceptedIn(accepted);
  const [id, contextId] = [message.taskId!, message.contextId!];
  return eventFrame({ task: { ...Object(task), id, contextId, status: failedStatus(id, contextId, failure) } as Json });
}

/** Returns a task as the frame of a log. */
export function taskFrame(task: A2aTask): string {
  return eventFrame({ task: task as unknown as Json });
}

/** The text around an event of A2A in a log. */
const [BEFORE, AFTER] = ['data: {"jsonrpc":"2.0","id":1,"result":', "}\n\n"] as const;

function eventFrame(event: Json): string {
  return BEFORE + stringifyJson(event) + AFTER;
}

/** Returns a function that writes a frame of a log in the form of a reply. */
function convertedTo(reply: Reply): (frame: string) => string {
  const write = eventsAs(reply);
  return (frame) => (frame.startsWith(BEFORE) ? write(frame.slice(BEFORE.length, -AFTER.length)) : frame);
}

/** Parses the data of a frame. */
function dataIn(frame: string): { readonly [key: string]: Json } {
  return parseJson(frame.slice(frame.indexOf("data: ") + "data: ".length)) as { readonly [key: string]: Json };
}

const frame = (data: string): string => `data: ${data}\n\n`;
