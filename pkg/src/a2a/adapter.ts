// The adapter of A2A: JSON-RPC at a path, REST below it, and the agent card.

import type { A2aTask, AgentRequest } from "../agentwire.js";
import { knownOptions } from "../core/arguments.js";
import {
  type Adapter,
  type AgentFunction,
  type AdapterOptions,
  bounds,
  inConversation,
  note,
  recorderOf,
} from "../server/adapter.js";
import { type RespondOptions, respondFrom } from "../emit/emit.js";
import { Conversation } from "../conversation/conversation.js";
import { sseHeaders } from "../http/headers.js";
import type { AgentWriter } from "../emit/out.js";
import { RunLosses } from "../emit/run_losses.js";
import { AgentError, type OnError, errorInfoFor } from "../emit/agent_error.js";
import { mustBeHandler } from "../core/error_handler.js";
import { Budget } from "../core/budget.js";
import { isA, must } from "../core/errors.js";
import { jsonText, parseJson } from "../core/json.js";
import { RequestError } from "../http/request.js";
import { BODY_OPTIONS, type BodyOptions, bodyOptions, readBody } from "../http/request_body.js";
import {
  REQUEST_ID,
  type RequestContext,
  type StoredAnswer,
  contextOf,
  outlive,
  storedAnswer,
} from "../http/context.js";
import { toolkit } from "../core/wasm.js";
import {
  BUSY_STATUS,
  type OperationCall,
  CONTEXT_MISSING,
  type CallRefusal,
  INTERNAL,
  INVALID,
  INVALID_PARAMS,
  type SendCall,
  acceptMessage,
  acceptedIn,
  callIn,
  isCard,
  operate,
  refuseBusy,
  refuseCall,
  replyAt,
  sharedResponse,
  statusResponse,
  stillRunning,
  taskNotFound,
  taskView,
} from "./calls.js";
import { type A2aLimits, limitsOf, memoryOf } from "./limits.js";
import { Outbox } from "./outbox.js";
import { type TaskReply, RunningTask, frames } from "./running_task.js";
import { MemoryTaskStore, PAGE_SIZE, type StoredTask, type TaskStore, owned } from "./tasks.js";

/** A skill of the agent, for its card. */
export interface A2aSkill {
  /** The id, unique in the card. */
  readonly id: string;
  /** The name, for people. */
  readonly name: string;
  /** The purpose, for people and for other agents. */
  readonly description: string;
  /** Keywords for discovery. */
  readonly tags: readonly string[];
  /** Sample requests, as text. */
  readonly examples?: readonly string[] | undefined;
}

/** The options of {@link a2aAdapter}. */
export interface A2aAdapterDefinition extends BodyOptions {
  /** The agent's name, for its card. `Agent` by default. */
  readonly name?: string | undefined;
  /** The agent's purpose, for its card. */
  readonly description?: string | undefined;
  /** The agent's version, for its card. `1.0.0` by default. */
  readonly version?: string | undefined;
  /** The agent's skills, for its card. By default one skill: the agent's purpose. */
  readonly skills?: readonly A2aSkill[] | undefined;
  /**
   * Whether each request needs a key, in the header `Authorization: Bearer …`: the card declares it.
   * `false` by default. The option `authenticate` of `createHandler` checks the key.
   */
  readonly needsKey?: boolean | undefined;
  /** The path of JSON-RPC; REST is below it. `/a2a` by default. */
  readonly path?: string | undefined;
  /**
   * The address in the card. Set it if clients reach the server under an address that differs from
   * the request's.
   */
  readonly url?: string | undefined;
  /**
   * The store of the tasks. By default the last 1,000 tasks, of 64 MiB at most, are kept in memory.
   */
  readonly tasks?: TaskStore | undefined;
  /** The limits on running tasks, and on what clients do not read. */
  readonly limits?: A2aLimits | undefined;
  /** Returns the options of `respond` for a request, except the protocol. */
  readonly options?:
    | ((request: AgentRequest, http: Request) => Partial<RespondOptions>)
    | undefined;
  /** Receives the errors that the agent throws, like the option of `respond`. */
  readonly onError?: OnError | undefined;
}

const DEFINITION: readonly string[] = [
  "name",
  "description",
  "version",
  "skills",
  "needsKey",
  "path",
  "url",
  "tasks",
  "limits",
  "options",
  "onError",
];

/**
 * Creates an adapter that serves A2A 0.3 and 1.0: JSON-RPC at `/a2a` by default, REST below it
 * (version 0.3 at `/a2a/v1`), and the agent card at `/.well-known/agent-card.json` and
 * `/.well-known/agent.json`.
 *
 * A message starts a task, or continues the waiting task that it names. A task continues after its
 * connection is lost: `SubscribeToTask` follows it, `GetTask` and `ListTasks` read it, and
 * `CancelTask` ends it. Push notifications are not supported.
 *
 * With `authenticate` of `createHandler`, a task belongs to its user, and does not exist for
 * others. Without it, its id grants access to it, and its context to the list of the tasks in it:
 * both are random, unless a client chooses its context.
 *
 * ```js
 * createHandler({ adapters: [a2aAdapter({ name: "Weather", description: "Knows the weather." })], agent });
 * ```
 */
export function a2aAdapter(definition: A2aAdapterDefinition = {}): Adapter {
  knownOptions("a2aAdapter()", definition, [...DEFINITION, ...BODY_OPTIONS]);
  const {
    path = "/a2a",
    tasks = new MemoryTaskStore(),
    name = NAME,
    description = DESCRIPTION,
  } = definition;
  must(
    typeof path === "string" && path.startsWith("/") && !path.endsWith("/"),
    "wrong-option",
    "`path` begins with a slash, and does not end with one",
  );
  must(
    typeof name === "string" && typeof description === "string",
    "wrong-option",
    "`name` and `description` are strings for the agent card",
  );
  mustBeHandler("a2aAdapter()", definition.onError);
  bodyOptions(definition);
  const server = new Server(definition, path, tasks, limitsOf(definition.limits));
  return {
    path,
    protocol: "a2a",
    refuse: (http, { status, message }, headers) =>
      statusResponse(
        replyAt(new URL(http.url).pathname.slice(path.length), http.headers),
        status,
        status < 500 ? INVALID : INTERNAL,
        message,
        headers,
      ),
    handles: (pathname) => pathname === path || pathname.startsWith(`${path}/`) || isCard(pathname),
    isPublic: ({ url }) => server.isCard(new URL(url).pathname),
    answer: (http, agent, options = {}) =>
      server.answer(http, agent as AgentFunction, options as AdapterOptions<any, any>),
  };
}

/** The name and the description in the card of an agent without them. */
const NAME = "Agent";
const DESCRIPTION = "An agent.";

/** A task whose agent is running. */
interface StartedTask {
  readonly running: RunningTask;
  readonly losses: RunLosses;
  readonly heartbeat: number;
}

/** An HTTP request, and the agent that answers it. */
interface HttpCall {
  readonly http: Request;
  readonly agent: AgentFunction;
  readonly callOptions: AdapterOptions<any, any>;
  readonly context: RequestContext;
  /** The user; empty without one. */
  readonly user: string;
  /** The headers of each response. */
  readonly headers: Record<string, string>;
}

class Server {
  readonly #definition: A2aAdapterDefinition;
  readonly #path: string;
  readonly #tasks: TaskStore;
  readonly #running = new Map<string, RunningTask>();
  readonly #followers: number;
  readonly #outbox: Outbox;
  /** The tasks that are running, and the memory of their messages. */
  readonly #count: Budget;
  readonly #memory: Budget;

  constructor(
    definition: A2aAdapterDefinition,
    path: string,
    tasks: TaskStore,
    limits: ReturnType<typeof limitsOf>,
  ) {
    this.#definition = definition;
    this.#path = path;
    this.#tasks = tasks;
    this.#followers = limits.followers;
    this.#outbox = new Outbox(limits.unreadBytes);
    this.#count = new Budget(limits.runningTasks);
    this.#memory = new Budget(limits.runningBytes);
  }

  /** Returns whether a path is that of the agent card. */
  isCard(pathname: string): boolean {
    return (
      isCard(pathname) ||
      (pathname.startsWith(this.#path) && isCard(pathname.slice(this.#path.length)))
    );
  }

  /** Never rejects. */
  async answer(
    http: Request,
    agent: AgentFunction,
    callOptions: AdapterOptions<any, any>,
  ): Promise<Response> {
    const context = contextOf(http, callOptions);
    const headers = { [REQUEST_ID]: context.id };
    const { pathname } = new URL(http.url);
    const httpCall: HttpCall = {
      http,
      agent,
      callOptions,
      context,
      headers,
      user: callOptions.user ?? "",
    };
    const stored = storedAnswer(http);
    if (stored?.accepted !== undefined) {
      const message = acceptedIn(stored.accepted);
      const losses = new RunLosses(callOptions.strict);
      const request = inConversation(message.request, stored, losses);
      const options = this.#options(request, http);
      if (request !== message.request) {
        note(message.request, losses);
      }
      return this.#run({ ...message, request }, httpCall, options, losses, stored)(http.signal);
    }
    if (http.method === "OPTIONS") {
      return new Response(null, { status: 204, headers: { allow: "GET, POST, OPTIONS" } });
    }
    const below = pathname.slice(this.#path.length);
    if (this.isCard(pathname)) {
      return this.#card(http, headers);
    }
    // Replaced when the id of the request is known.
    let reply = replyAt(below, http.headers);
    if (below === "" && http.method !== "POST") {
      return refuseCall(
        reply,
        { code: INVALID, message: "Use POST for JSON-RPC." },
        { ...headers, allow: "POST, OPTIONS" },
        405,
      );
    }
    try {
      const body =
        callOptions.body ?? (await readBody(http, bounds(this.#definition, callOptions)));
      const call = callIn(http, below, body, headers);
      if (call instanceof Response) {
        return call;
      }
      reply = call.reply;
      return await this.#perform(call, httpCall);
    } catch (error) {
      if (isA(error, RequestError)) {
        return refuseCall(
          reply,
          { code: INVALID, message: `${error.message}.` },
          headers,
          error.status,
        );
      }
      if (isA(error, AgentError) && error.status !== undefined) {
        return refuseCall(
          reply,
          { code: INVALID_PARAMS, message: error.message },
          headers,
          error.status,
        );
      }
      const { message } = await errorInfoFor(
        error,
        this.#onError(callOptions),
        "an internal error happened",
        context,
      );
      return refuseCall(reply, { code: INTERNAL, message }, headers);
    }
  }

  async #perform(call: OperationCall, httpCall: HttpCall): Promise<Response> {
    const { reply } = call;
    const { http, headers, user } = httpCall;
    if (call.method === "list") {
      return this.#list(call, httpCall);
    }
    if ("request" in call) {
      return this.#send(call, httpCall);
    }
    const running = this.#runningOf(user, call.id);
    if (call.method === "subscribe" && running?.task !== undefined && !running.isOver) {
      const body = running.follow(reply, this.#options(undefined, http).heartbeatMs ?? HEARTBEAT);
      return body === undefined
        ? refuseBusy(reply, "The task has too many followers. Try again later.", headers)
        : new Response(body, { headers: { ...sseHeaders(), ...headers } });
    }
    if (call.method === "cancel" && running !== undefined) {
      await running.cancel();
    }
    const stored = running?.task ?? (await this.#load(user, call.id));
    if (stored === undefined) {
      return refuseCall(reply, taskNotFound(call.id), headers);
    }
    const task = operate(call.method, call.id, stored);
    if (typeof task !== "string") {
      return refuseCall(reply, task, headers);
    }
    switch (call.method) {
      case "get":
        return sharedResponse(
          reply,
          taskView(task, call.historyLength, true),
          headers,
          this.#outbox,
          user,
        );
      case "cancel": {
        const canceled = parseJson(task) as unknown as A2aTask;
        if (canceled.status?.state !== stored.status?.state) {
          await this.#tasks.save(owned(canceled, user));
        }
        return sharedResponse(reply, task, headers, this.#outbox, user);
      }
      case "subscribe":
        // The task waits for its client.
        return new Response(frames(reply)(`{"task":${task}}`), {
          headers: { ...sseHeaders(), ...headers },
        });
    }
  }

  /**
   * Returns a page of the user's tasks. Without a user, tasks are listed only by their context,
   * which grants access to them.
   */
  async #list(
    {
      reply,
      historyLength,
      includeArtifacts,
      ...call
    }: Extract<OperationCall, { readonly method: "list" }>,
    { headers, user }: HttpCall,
  ): Promise<Response> {
    if (user === "" && !call.contextId) {
      return refuseCall(reply, CONTEXT_MISSING, headers);
    }
    const { contextId, status, pageSize, pageToken } = call;
    const page = await this.#tasks.list({
      contextId,
      status,
      pageSize,
      pageToken,
      ...(user !== "" && { user }),
    });
    const tasks = page.tasks.map((task) => {
      must(
        isOf(user, task),
        "wrong-option",
        "the option `tasks` of a2aAdapter() is a store that lists only the tasks of the `user` in the query",
      );
      return taskView(jsonText(withoutUser(task)), historyLength, includeArtifacts);
    });
    const { nextPageToken, totalSize } = page;
    const result = `{"tasks":[${tasks.join()}],"nextPageToken":${JSON.stringify(nextPageToken)},"pageSize":${pageSize ?? PAGE_SIZE},"totalSize":${totalSize}}`;
    return sharedResponse(reply, result, headers, this.#outbox, user);
  }

  /**
   * Whether a task of the user in a conversation has been completed. A message that follows a
   * failed task repeats its message.
   */
  async #hasCompleted(user: string, contextId: string | undefined): Promise<boolean> {
    if (contextId === undefined) {
      return false;
    }
    const { tasks } = await this.#tasks.list({
      contextId,
      status: "TASK_STATE_COMPLETED",
      pageSize: 1,
      ...(user !== "" && { user }),
    });
    return tasks.length > 0;
  }

  async #send(call: SendCall, httpCall: HttpCall): Promise<Response> {
    const { reply, method, configuration } = call;
    const { context, headers, user } = httpCall;
    const named = call.taskId;
    const stored = named === undefined ? undefined : await this.#load(user, named);
    if (named !== undefined && this.#runningOf(user, named) !== undefined) {
      return refuseCall(reply, stillRunning(named), headers);
    }
    if (named !== undefined && stored === undefined) {
      return refuseCall(reply, taskNotFound(named), headers);
    }
    const continues = stored !== undefined || (await this.#hasCompleted(user, call.contextId));
    const started = this.#start(acceptMessage(call.request, stored, continues), httpCall);
    if ("refused" in started) {
      return started.refused === undefined
        ? refuseBusy(reply, "Too many tasks are running. Try again later.", headers)
        : refuseCall(reply, started.refused, headers);
    }
    const { running, heartbeat, losses } = started;
    const shownHeaders = (): Headers => {
      const all = new Headers(headers);
      losses.show(all);
      return all;
    };
    outlive(context.ctx, running.over);
    if (method === "stream") {
      const all = shownHeaders();
      Object.entries(sseHeaders()).forEach(([name, value]) => all.set(name, value));
      return new Response(running.stream(reply, heartbeat), { headers: all });
    }
    await (configuration?.returnImmediately === true ? running.begun : running.over);
    const current = running.task;
    if (current === undefined) {
      return refuseCall(
        reply,
        { code: INTERNAL, message: "the agent has sent no events" },
        headers,
      );
    }
    const shown = (historyLength: number | null | undefined): Response =>
      sharedResponse(
        reply,
        `{"task":${taskView(jsonText(current), historyLength, true)}}`,
        shownHeaders(),
        this.#outbox,
        user,
      );
    const response = shown(configuration?.historyLength);
    // The agent has done its work: a client that is refused would let it do that again. The history
    // repeats what the client has sent.
    return response.status === BUSY_STATUS ? shown(0) : response;
  }

  /**
   * Starts the agent for a message that was accepted, and nothing else: the values of the message
   * are released with this call.
   */
  #start(
    accepted: string | CallRefusal,
    httpCall: HttpCall,
  ): StartedTask | { readonly refused: CallRefusal | undefined } {
    const { http, callOptions, context, user } = httpCall;
    if (typeof accepted !== "string") {
      return { refused: accepted };
    }
    const [task, memory] = [this.#count.take(user, 1), this.#memory.take(user, memoryOf(accepted))];
    const giveBack = (): void => {
      task?.();
      return memory?.();
    };
    if (task === undefined || memory === undefined) {
      giveBack();
      return { refused: undefined };
    }
    const report = (error: unknown): void =>
      void errorInfoFor(error, this.#onError(callOptions), "the task failed", context);
    const home = {
      user,
      store: this.#tasks,
      outbox: this.#outbox,
      followers: this.#followers,
      report,
    };
    try {
      const message = acceptedIn(accepted);
      const { taskId, request } = message;
      const options = this.#options(request, http);
      const losses = new RunLosses(callOptions.strict);
      const running = new RunningTask(this.#run(message, httpCall, options, losses), home);
      this.#running.set(taskId, running);
      running.over.then(() => void this.#running.delete(taskId)).finally(giveBack);
      return { running, losses, heartbeat: options.heartbeatMs ?? HEARTBEAT };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  /**
   * Returns a function that runs the agent of a message that was accepted, and returns its events
   * as A2A 1.0 in JSON-RPC with the id 1.
   */
  #run(
    { taskId, contextId, request, task }: ReturnType<typeof acceptedIn>,
    { agent, callOptions, context }: HttpCall,
    options: Partial<RespondOptions>,
    losses = new RunLosses(callOptions.strict),
    stored: StoredAnswer | undefined = undefined,
  ): (signal: AbortSignal) => Response {
    const { env, ctx } = context;
    // The body is released while the task runs.
    const conversation = new Conversation(request, { user: context.user });
    losses.register(conversation);
    note(request, losses);
    const own = {
      responseId: taskId,
      sessionId: contextId,
      echo: { task, timestamps: true },
      heartbeatMs: 0,
      protocol: "a2a",
    } as const;
    const answer = answering(agent, conversation, context);
    return (signal) =>
      respondFrom(
        { losses, record: recorderOf(stored) },
        { signal },
        {
          onError: this.#onError(callOptions),
          onLosses: callOptions.onLosses,
          ...options,
          ...own,
          requestId: context.id,
          env,
          ctx,
        },
        answer,
      );
  }

  #onError(callOptions: AdapterOptions<any, any>): OnError | undefined {
    return this.#definition.onError ?? callOptions.onError;
  }

  #runningOf(user: string, id: string): RunningTask | undefined {
    const running = this.#running.get(id);
    return running?.user === user ? running : undefined;
  }

  /** Loads a task; that of another user does not exist. */
  async #load(user: string, id: string): Promise<A2aTask | undefined> {
    const stored = await this.#tasks.load(id);
    return stored !== undefined && isOf(user, stored) ? withoutUser(stored) : undefined;
  }

  #options(request: AgentRequest | undefined, http: Request): Partial<RespondOptions> {
    return this.#definition.options?.(request ?? { input: [] }, http) ?? {};
  }

  #card(http: Request, headers: Record<string, string>): Response {
    if (http.method !== "GET" && http.method !== "HEAD") {
      const rest: TaskReply = { version: "1.0", binding: "rest", id: null };
      return refuseCall(
        rest,
        { code: INVALID, message: "Use GET for the agent card." },
        { ...headers, allow: "GET, OPTIONS" },
        405,
      );
    }
    const {
      name = NAME,
      description = DESCRIPTION,
      version = "1.0.0",
      skills = [],
      needsKey = false,
      url = new URL(this.#path, http.url).href,
    } = this.#definition;
    const members = { name, description, version, url, skills, needsKey };
    const card = toolkit().call("a2aCard", jsonText(members));
    return new Response(card, { headers: { ...headers, "content-type": "application/json" } });
  }
}

/** Returns the agent with its request. A closure of its own holds no more than that. */
function answering(
  agent: AgentFunction,
  request: Conversation,
  context: RequestContext,
): (out: AgentWriter) => unknown {
  return (out) => agent(out, request, context as RequestContext<any, any, Request>);
}

function isOf(user: string, task: StoredTask): boolean {
  return (task.user ?? "") === user;
}

/** Returns a task for its client. */
function withoutUser({ user: _, ...task }: StoredTask): A2aTask {
  return task;
}

/**
 * The time without events, in milliseconds, after which a comment is sent to keep the connection
 * alive.
 */
const HEARTBEAT = 15_000;
