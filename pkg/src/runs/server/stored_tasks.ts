// The tasks of A2A: each is a thread, and each of its turns is a run, whose log begins with the
// whole task.

import type { A2aTask } from "../../agentwire.js";
import {
  type OperationCall,
  CONTEXT_MISSING,
  type CallRefusal,
  INVALID_PARAMS,
  type SendCall,
  UNSUPPORTED,
  acceptMessage,
  acceptedIn,
  callIn,
  isCard,
  operate,
  refuseCall,
  replyAt,
  resultResponse,
  stillRunning,
  taskNotFound,
  taskView,
} from "../../a2a/calls.js";
import { type TaskReply, frames as eventsAs } from "../../a2a/running_task.js";
import { PAGE_SIZE } from "../../a2a/tasks.js";
import { Decoder } from "../../convert/read_as.js";
import { jsonText, parseJson } from "../../core/json.js";
import { framesIn } from "./answer_log.js";
import type { StoredRequest } from "./stored_request.js";
import {
  type AnswerRequest,
  type AnswerService,
  IDLE,
  MAX_STORED_REQUEST_BYTES,
  STREAM_HEADERS,
  missing,
  refusalIn,
} from "./answer_service.js";
import type { RunsRefusal } from "./refusal.js";
import { StoreError } from "../../stores/store_error.js";
import { taskFrame } from "./task_frames.js";
import { hashOf } from "./signing.js";
import { type Listed, type ListedTask, byChange, listOfTask, tasksIn } from "./user_list.js";

const encoder = new TextEncoder();

/** A task in its present state. */
interface PresentTask {
  readonly task: A2aTask;
  /** Whether its agent is running. */
  readonly isRunning: boolean;
  /** The number of the last entry of its log. */
  readonly last: number;
}

/** A call, and the request in which it was sent. */
interface TaskCall<Env> extends AnswerRequest<Env> {
  readonly reply: TaskReply;
  readonly body: string;
  /** The task in the call; empty if it starts one. */
  readonly taskId: string;
  readonly isResumable: boolean;
}

/** The stored tasks of a service. */
export class StoredTasks<Env> {
  readonly #answers: AnswerService<Env>;

  constructor(answers: AnswerService<Env>) {
    this.#answers = answers;
  }

  /** Answers a request at the path of A2A, or below it. */
  async answer(asked: AnswerRequest<Env>, isResumable: boolean): Promise<Response> {
    const { request, pathname } = asked;
    const below = pathname.slice(asked.adapter!.path.length);
    if (
      request.method === "OPTIONS" ||
      isCard(below) ||
      isCard(pathname) ||
      (below === "" && request.method !== "POST")
    ) {
      return this.#answers.pass(asked);
    }
    let reply = replyAt(below, request.headers);
    let body = "";
    try {
      body = await this.#answers.bodyOf(asked);
      const call = callIn(request, below, body, {});
      if (call instanceof Response) {
        return call;
      }
      reply = call.reply;
      const taskId = "request" in call ? (call.taskId ?? "") : "id" in call ? call.id : "";
      return await this.#perform(call, { ...asked, reply, body, taskId, isResumable });
    } catch (error) {
      return this.#answers.refuse(asked, await this.#answers.refusalOf(error), body);
    }
  }

  async #perform(call: OperationCall, asked: TaskCall<Env>): Promise<Response> {
    const { reply, user } = asked;
    if (call.method === "list") {
      return this.#list(call, asked);
    }
    if ("request" in call) {
      return this.#send(call, asked);
    }
    const thread = await threadOf(user, call.id);
    let stored = await this.#load(user, thread);
    if ("refused" in stored) {
      return this.#refuse(asked, stored);
    }
    const checked = operate(call.method, call.id, stored.task);
    if (typeof checked !== "string") {
      return refuseCall(reply, checked, {});
    }
    switch (call.method) {
      case "get":
        return resultResponse(reply, taskView(checked, call.historyLength, true), {});
      case "cancel":
        stored = await this.#cancel(
          asked,
          thread,
          stored,
          parseJson(checked) as unknown as A2aTask,
        );
        return "refused" in stored
          ? this.#refuse(asked, stored)
          : resultResponse(reply, jsonText(stored.task), {});
      case "subscribe":
        return this.#subscribe(asked, thread, stored);
    }
  }

  /**
   * Returns a page of tasks, the last changed first. Without a user, tasks are listed only by their
   * context.
   */
  async #list(
    call: Extract<OperationCall, { readonly method: "list" }>,
    { reply, user }: TaskCall<Env>,
  ): Promise<Response> {
    const { contextId, status, pageToken, historyLength, includeArtifacts } = call;
    const pageSize = call.pageSize ?? PAGE_SIZE;
    if (user === "" && !contextId) {
      return refuseCall(reply, CONTEXT_MISSING, {});
    }
    const list = await listOfTask(user, contextId ?? "");
    const entries = await this.#entries(list);
    if (entries === undefined) {
      return refuseCall(
        reply,
        { code: UNSUPPORTED, message: "The store of this service does not list tasks." },
        {},
      );
    }
    const all = entries.filter(
      (entry) =>
        (contextId || entry.contextId) === entry.contextId &&
        (status || entry.state) === entry.state,
    );
    const [, at = "0", after = ""] = /^(\d{1,15})\.([0-9a-f]{64})$/.exec(pageToken ?? "") ?? [];
    const last = { at: Number(at), thread: after };
    if (pageToken && after === "") {
      return refuseCall(
        reply,
        { code: INVALID_PARAMS, message: "The `pageToken` is not one of this list." },
        {},
      );
    }
    const rest = after === "" ? all : all.filter((entry) => byChange(last, entry) < 0);
    const page = rest.slice(0, pageSize);
    const stored = await Promise.all(page.map(({ thread }) => this.#load(user, thread)));
    // A process may be killed after it has deleted a task.
    const gone = page.filter(
      (_, number) => "refused" in stored[number]! && stored[number].refused === noTask.refused,
    );
    await Promise.all(gone.map(({ thread }) => this.#answers.threads.setTask(list, thread, null)));
    const failure = stored.find((one) => "refused" in one && one.refused !== noTask.refused);
    if (failure !== undefined) {
      throw new StoreError((failure as RunsRefusal).detail);
    }
    const tasks = stored.flatMap((one) =>
      "task" in one ? [taskView(jsonText(one.task), historyLength, includeArtifacts)] : [],
    );
    const end = rest.length > pageSize ? page.at(-1) : undefined;
    const nextPageToken = end === undefined ? "" : `${end.at}.${end.thread}`;
    const totalSize = all.length - gone.length;
    return resultResponse(
      reply,
      `{"tasks":[${tasks.join()}],"nextPageToken":${JSON.stringify(nextPageToken)},"pageSize":${pageSize},"totalSize":${totalSize}}`,
      {},
    );
  }

  /**
   * Returns the entries of a list of tasks, the last changed first; undefined if the store has no
   * lists.
   */
  async #entries(list: string): Promise<Listed<ListedTask>[] | undefined> {
    const entries = await this.#answers.threads.tasks(list);
    return entries && tasksIn(entries);
  }

  /**
   * Deletes the tasks that changed first, except those whose agent is running, so that a list has
   * room for one more.
   */
  async #makeRoom(user: string, contextId: string): Promise<void> {
    const { threads, limits } = this.#answers;
    const entries = (await this.#entries(await listOfTask(user, contextId))) ?? [];
    const remove = async ({ thread }: Listed<ListedTask>): Promise<void> => {
      const stored = await this.#load(user, thread);
      if ("task" in stored && !stored.isRunning) {
        await threads.call(thread, "delete", user);
      }
    };
    await Promise.all(entries.slice(limits.userTasks - 1).map(remove));
  }

  /** Starts a task, or continues one that waits. */
  async #send(call: SendCall, asked: TaskCall<Env>): Promise<Response> {
    const { reply, user, request, body, pathname, isResumable } = asked;
    await this.#answers.admit(asked);
    const runId = await this.#answers.idOf(asked);
    const named = call.taskId;
    const taskId = named ?? uuidOf(runId);
    const thread = await threadOf(user, taskId);
    // A repeated request has the task that it has started.
    const isRepeated =
      request.headers.has("idempotency-key") &&
      !("refused" in (await this.#answers.threads.call(thread, "entries", user, runId, "now")));
    const stored = named === undefined || isRepeated ? undefined : await this.#load(user, thread);
    if (stored !== undefined && "refused" in stored) {
      return this.#refuse(asked, stored);
    }
    if (stored?.isRunning) {
      return refuseCall(reply, stillRunning(taskId), {});
    }
    let accepted: string | CallRefusal = "";
    let contextId = "";
    if (!isRepeated) {
      accepted = acceptMessage(call.request, stored?.task);
      if (typeof accepted !== "string") {
        return refuseCall(reply, accepted, {});
      }
      // The id of a new task is that of its thread.
      const message = acceptedIn(accepted);
      accepted = accepted.replaceAll(message.taskId, taskId);
      contextId = message.contextId;
      if (named === undefined) {
        await this.#makeRoom(user, contextId);
      }
    }
    const kept: StoredRequest = {
      url: request.url,
      headers: {},
      body: "",
      runId,
      requestId: asked.requestId,
      accepted,
      contextId,
      conversation: await this.#answers.conversationOf(user, contextId),
      reply,
    };
    const input = jsonText(kept);
    if (encoder.encode(input).length > MAX_STORED_REQUEST_BYTES) {
      return refuseCall(
        reply,
        {
          code: UNSUPPORTED,
          message: `The task and its message have more than ${MAX_STORED_REQUEST_BYTES} bytes.`,
        },
        {},
      );
    }
    const hash = await hashOf(`${pathname}\n${body}`);
    const created = await this.#answers.threads.call(thread, "create", {
      owner: user,
      base: "",
      input,
      hash,
      key: null,
    });
    if ("refused" in created) {
      return created.refused === "AGENT_SESSION_RUN_LIMIT_EXCEEDED"
        ? refuseCall(reply, stillRunning(taskId), {})
        : this.#refuse(asked, created);
    }
    if (call.method === "stream") {
      return isResumable
        ? this.#answers.frames(asked, thread, runId)
        : this.#follow(asked, thread, runId, 0);
    }
    const { configuration } = call;
    const begun = await this.#load(
      user,
      thread,
      runId,
      configuration?.returnImmediately === true ? "first" : "end",
    );
    return "refused" in begun
      ? this.#refuse(asked, begun)
      : resultResponse(
          reply,
          `{"task":${taskView(jsonText(begun.task), configuration?.historyLength, true)}}`,
          {},
        );
  }

  /** Stops the agent, or ends a task that waits; returns the task after its end. */
  async #cancel(
    { user, request }: TaskCall<Env>,
    thread: string,
    stored: PresentTask,
    cancelled: A2aTask,
  ): Promise<RunsRefusal | PresentTask> {
    const { threads } = this.#answers;
    if (stored.isRunning) {
      const stopped = await threads.call(thread, "cancel", user, null);
      return "refused" in stopped ? stopped : this.#load(user, thread, null, "end");
    }
    if (cancelled.status?.state === stored.task.status?.state) {
      return stored;
    }
    const runId = await hashOf(crypto.randomUUID());
    const kept: StoredRequest = {
      url: request.url,
      headers: {},
      body: "",
      runId,
      contextId: cancelled.contextId ?? "",
      frames: [taskFrame(cancelled)],
    };
    const created = await threads.call(thread, "create", {
      owner: user,
      base: "",
      input: JSON.stringify(kept),
      hash: runId,
      key: null,
    });
    return "refused" in created ? created : this.#load(user, thread, runId, "end");
  }

  /** Returns the current task, and the events after it. */
  async #subscribe(
    asked: TaskCall<Env>,
    thread: string,
    { task, isRunning, last }: PresentTask,
  ): Promise<Response> {
    const first = encoder.encode(eventsAs(asked.reply)(jsonText({ task })));
    const rest = isRunning ? await this.#follow(asked, thread, null, last) : undefined;
    if (rest !== undefined && rest.status >= 400) {
      return rest;
    }
    return new Response(rest?.body == null ? first : rest.body.pipeThrough(preceded(first)), {
      headers: STREAM_HEADERS,
    });
  }

  async #follow(
    asked: TaskCall<Env>,
    thread: string,
    runId: string | null,
    after: number,
  ): Promise<Response> {
    const { user, request, reply } = asked;
    const response = await this.#answers.threads.events(
      thread,
      { owner: user, runId, cursor: null, after, idleLimit: IDLE, reply },
      request.signal,
    );
    return response.status >= 400
      ? this.#refuse(asked, await refusalIn(response))
      : new Response(response.body, {
          status: response.status === 204 ? 200 : response.status,
          headers: STREAM_HEADERS,
        });
  }

  /** Reads a task, as of a run: the latest by default. */
  async #load(
    user: string,
    thread: string,
    runId: string | null = null,
    until: "first" | "end" = "first",
  ): Promise<RunsRefusal | PresentTask> {
    const { threads } = this.#answers;
    const awaited = await threads.call(thread, "entries", user, runId, until);
    // The first entry is waited for, and the later ones are read with it.
    const read =
      "refused" in awaited || until === "end"
        ? awaited
        : await threads.call(thread, "entries", user, runId, "now");
    if ("refused" in read) {
      return missing(read);
    }
    const reader = new Decoder({ protocol: "a2a" });
    framesIn(read.entries).forEach((frame) => reader.push(encoder.encode(frame)));
    const { snapshot } = reader.finish();
    const task = snapshot.task as unknown as A2aTask | null | undefined;
    return task ? { task, isRunning: !read.hasEnded, last: read.entries.at(-1)!.number } : noTask;
  }

  #refuse(asked: TaskCall<Env>, refusal: RunsRefusal): Response {
    const { reply, body, taskId } = asked;
    return missing(refusal).refused === "AGENT_NOT_FOUND"
      ? refuseCall(reply, taskNotFound(taskId), {})
      : this.#answers.refuse(asked, refusal, body);
  }
}

const noTask: RunsRefusal = { refused: "AGENT_NOT_FOUND", detail: "there is no such task" };

/**
 * Returns the name of the thread of a user's task. Without a user the id of the task is its
 * credential.
 */
function threadOf(user: string, taskId: string): Promise<string> {
  return hashOf(JSON.stringify(["task", user, taskId]));
}

/** Returns a UUID with the first digits of a hash. */
function uuidOf(hash: string): string {
  return hash.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}

/** Returns a stream that begins with these bytes. */
function preceded(bytes: Uint8Array): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({ start: (controller) => controller.enqueue(bytes) });
}
