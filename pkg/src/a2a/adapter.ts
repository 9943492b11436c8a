// The adapter of A2A: JSON-RPC at a path, REST below it, and the agent card.

import type { AgentRequest } from "../agentwire.js";
import { knownOptions } from "../core/arguments.js";
import { type Adapter, type AgentFunction, type AdapterOptions, bounds } from "../server/adapter.js";
import { type RespondOptions, respond } from "../emit/emit.js";
import { sseHeaders } from "../http/headers.js";
import { type OnError } from "../emit/agent_error.js";
import { mustBeHandler } from "../core/error_handler.js";
import { isA, must } from "../core/errors.js";
import { jsonText } from "../core/json.js";
import { RequestError } from "../http/request.js";
import { BODY_OPTIONS, type BodyOptions, bodyOptions, readBody } from "../http/request_body.js";
import { REQUEST_ID, type RequestContext, contextOf, outlive, storedAnswer } from "../http/context.js";
import { toolkit } from "../core/wasm.js";
import { type Call, INTERNAL, INVALID, acceptMessage, acceptedIn, callIn, isCard, operate, refuseCall, replyAt, resultResponse, stillRunning, taskView } from "./calls.js";
import { type Reply, RunningTask, frames } from "./running_task.js";
import { MemoryTaskStore, PAGE_SIZE, type TaskStore } from "./tasks.js";

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
  /** The path of JSON-RPC; REST is below it. `/a2a` by default. */
  readonly path?: string | undefined;
  /** The address in the card. Set it if clients reach the server under an address that differs from the request's. */
  readonly url?: string | undefined;
  /** The store of the tasks. By default the last 1,000 tasks are kept in memory. */
  readonly tasks?: TaskStore | undefined;
  /** Returns the options of `respond` for a request, except the protocol. */
  readonly options?: ((request: AgentRequest, http: Request) => Partial<RespondOptions>) | undefined;
  /** Receives the errors that the agent throws, like the option of `respond`. */
  readonly onError?: OnError | undefined;
}

const DEFINITION: readonly string[] = ["name", "description", "version", "skills", "path", "url", "tasks", "options", "onError"];

/**
 * Creates an adapter that serves A2A 0.3 and 1.0: JSON-RPC at `/a2a` by default, REST below it (version 0.3 at `/a2a/v1`), and the agent
 * card at `/.well-known/agent-card.json` and `/.well-known/agent.json`.
 *
 * A message starts a task, or continues the waiting task that it names. A task continues after its connection is lost: `SubscribeToTask`
 * follows it, `GetTask` and `ListTasks` read it, and `CancelTask` ends it. Push notifications are not supported.
 *
 * ```js
 * createHandler({ adapters: [a2aAdapter({ name: "Weather", description: "Knows the weather." })], agent });
 * ```
 */
export function a2aAdapter(definition: A2aAdapterDefinition = {}): Adapter {
  knownOptions("a2aAdapter()", definition, [...DEFINITION, ...BODY_OPTIONS]);
  const { path = "/a2a", tasks = new MemoryTaskStore(), name = NAME, description = DESCRIPTION } = definition;
  must(typeof path === "string" && path.startsWith("/") && !path.endsWith("/"), "wrong-option", "`path` begins with a slash, and does not end with one");
  must(typeof name === "string" && typeof description === "string", "wrong-option", "`name` and `description` are strings for the agent card");
  mustBeHandler("a2aAdapter()", definition.onError);
  bodyOptions(definition);
  const server = new Server(definition, path, tasks);
  return {
    path,
    handles: (pathname) => pathname === path || pathname.startsWith(`${path}/`) || isCard(pathname),
    answer: (http, agent, options = {}) => server.answer(http, agent as AgentFunction, options as AdapterOptions<any, any>),
  };
}

/** The name and the description in the card of an agent without them. */
const NAME = "Agent";
const DESCRIPTION = "An agent.";

/** An HTTP request, and the agent that answers it. */
interface HttpCall {
  readonly http: Request;
  readonly agent: AgentFunction;
  readonly given: AdapterOptions<any, any>;
  readonly context: RequestContext;
  /** The headers of each response. */
  readonly headers: Record<string, string>;
}

class Server {
  readonly #definition: A2aAdapterDefinition;
  readonly #path: string;
  readonly #tasks: TaskStore;
  readonly #running = new Map<string, RunningTask>();

  constructor(definition: A2aAdapterDefinition, path: string, tasks: TaskStore) {
    this.#definition = definition;
    this.#path = path;
    this.#tasks = tasks;
  }

  /** Never rejects. */
  async answer(http: Request, agent: AgentFunction, given: AdapterOptions<any, any>): Promise<Response> {
    const context = contextOf(http, given);
    const headers = { [REQUEST_ID]: context.id };
    const { pathname } = new URL(http.url);
    const accepted = storedAnswer(http)?.accepted;
    if (accepted !== undefined) {
      return this.#run(accepted, { http, agent, given, context, headers })(http.signal);
    }
    if (http.method === "OPTIONS") {
      return new Response(null, { status: 204, headers: { allow: "GET, POST, OPTIONS" } });
    }
    const below = pathname.slice(this.#path.length);
    if (isCard(pathname) || (pathname.startsWith(this.#path) && isCard(below))) {
      return this.#card(http, headers);
    }
    // Replaced when the id of the request is known.
    let reply = replyAt(below, http.headers);
    if (below === "" && http.method !== "POST") {
      return refuseCall(reply, { code: INVALID, message: "Use POST for JSON-RPC." }, { ...headers, allow: "POST, OPTIONS" }, 405);
    }
    try {
      const body = given.body ?? (await readBody(http, bounds(this.#definition, given)));
      const call = callIn(http, below, body, headers);
      if (call instanceof Response) {
        return call;
      }
      reply = call.reply;
      return await this.#perform(call, { http, agent, given, context, headers });
    } catch (error) {
      if (isA(error, RequestError)) {
        return refuseCall(reply, { code: INVALID, message: `${error.message}.` }, headers, error.status);
      }
      console.error(error);
      return refuseCall(reply, { code: INTERNAL, message: `an internal error happened, its id is ${context.id}` }, headers);
    }
  }

  async #perform(call: Call, httpCall: HttpCall): Promise<Response> {
    const { reply } = call;
    const { http, headers } = httpCall;
    if (call.method === "list") {
      const { tasks, nextPageToken, totalSize } = await this.#tasks.list(call);
      const shown = tasks.map((task) => taskView(task, call.historyLength, call.includeArtifacts));
      return resultResponse(reply, { tasks: shown, nextPageToken, pageSize: call.pageSize ?? PAGE_SIZE, totalSize }, headers);
    }
    if ("request" in call) {
      return this.#send(call, httpCall);
    }
    const running = this.#running.get(call.id);
    if (call.method === "cancel" && running !== undefined) {
      await running.cancel();
    }
    const stored = running?.task ?? (await this.#tasks.load(call.id));
    const checked = operate(call.method, call.id, stored);
    if (!Array.isArray(checked)) {
      return refuseCall(reply, checked, headers);
    }
    const [task] = checked;
    switch (call.method) {
      case "get":
        return resultResponse(reply, taskView(task, call.historyLength, true), headers);
      case "cancel":
        if (task.status?.state !== stored?.status?.state) {
          await this.#tasks.save(task);
        }
        return resultResponse(reply, task, headers);
      case "subscribe": {
        const heartbeat = this.#options(undefined, http).heartbeatMs ?? HEARTBEAT;
        const body = (running?.isOver === false ? running.follow(reply, heartbeat) : undefined) ?? frames(reply)(jsonText({ task }));
        return new Response(body, { headers: { ...sseHeaders(), ...headers } });
      }
    }
  }

  async #send(call: Extract<Call, { readonly request: object }>, { http, agent, given, context, headers }: HttpCall): Promise<Response> {
    const { reply } = call;
    const { taskId } = call.request.message;
    const stored = taskId ? await this.#tasks.load(taskId) : undefined;
    if (taskId && this.#running.has(taskId)) {
      return refuseCall(reply, stillRunning(taskId), headers);
    }
    const accepted = acceptMessage(call.request, stored);
    if (typeof accepted !== "string") {
      return refuseCall(reply, accepted, headers);
    }
    const { message, request } = acceptedIn(accepted);
    const id = message.taskId!;
    const { configuration } = call.request;
    const options = this.#options(request, http);
    const run = this.#run(accepted, { http, agent, given, context, headers });
    const running = new RunningTask(run, this.#tasks);
    this.#running.set(id, running);
    const left = running.over.catch((error: unknown) => console.error(error)).then(() => void this.#running.delete(id));
    outlive(context.ctx, left);
    if (call.method === "stream") {
      const body = running.stream(reply, options.heartbeatMs ?? HEARTBEAT);
      return new Response(body, { headers: { ...sseHeaders(), ...headers } });
    }
    await (configuration?.returnImmediately === true ? running.begun : left);
    const current = running.task;
    if (current === undefined) {
      return refuseCall(reply, { code: INTERNAL, message: "the agent has sent no events" }, headers);
    }
    return resultResponse(reply, { task: taskView(current, configuration?.historyLength, true) }, headers);
  }

  /** Returns a function that runs the agent of a message that was accepted, and returns its events as A2A 1.0 in JSON-RPC with the id 1. */
  #run(accepted: string, { http, agent, given, context }: HttpCall): (signal: AbortSignal) => Response {
    const { message, request, task } = acceptedIn(accepted);
    const { env, ctx } = context;
    const own = { responseId: message.taskId!, sessionId: message.contextId!, echo: { task, timestamps: true }, heartbeatMs: 0, protocol: "a2a" } as const;
    const onError = this.#definition.onError ?? given.onError;
    const options = this.#options(request, http);
    return (signal) =>
      respond({ signal }, { onError, ...options, ...own, requestId: context.id, env, ctx }, (out) =>
        agent(out, request, context as RequestContext<any, any, Request>),
      );
  }

  #options(request: AgentRequest | undefined, http: Request): Partial<RespondOptions> {
    return this.#definition.options?.(request ?? { input: [] }, http) ?? {};
  }

  #card(http: Request, headers: Record<string, string>): Response {
    if (http.method !== "GET" && http.method !== "HEAD") {
      const rest: Reply = { version: "1.0", binding: "rest", id: null };
      return refuseCall(rest, { code: INVALID, message: "Use GET for the agent card." }, { ...headers, allow: "GET, OPTIONS" }, 405);
    }
    const { name = NAME, description = DESCRIPTION, version = "1.0.0", skills = [], url = new URL(this.#path, http.url).href } = this.#definition;
    const card = toolkit().call("a2aCard", jsonText({ name, description, version, url, skills }));
    return new Response(card, { headers: { ...headers, "content-type": "application/json" } });
  }
}

/** The time without events, in milliseconds, after which a comment is sent to keep the connection alive. */
const HEARTBEAT = 15_000;
