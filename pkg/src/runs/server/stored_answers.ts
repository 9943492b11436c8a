// Answers of the protocols that outlive their connection: `Prefer: resumable` at the protocol's own
// path, and the frames after a cursor at the address in `Content-Location`, or at that of their
// chat. OpenAI responses, A2A tasks, and the answers of conversations are stored by default.

import { must } from "../../core/errors.js";
import { Converter } from "../../convert/converter.js";
import { Decoder } from "../../convert/read_as.js";
import { RequestError } from "../../http/request.js";
import { REQUEST_ID, addWork, markStored } from "../../http/context.js";
import { acceptedIn } from "../../a2a/calls.js";
import type { AgentRequest } from "../../agentwire.js";
import { type Adapter, type AdapterOptions, refusal } from "../../server/adapter.js";
import { meantBy } from "../../server/handler.js";
import { LOSSES } from "../../emit/run_losses.js";
import type { ServiceHost } from "../../server/service.js";
import { isAnswerId } from "./answer_thread.js";
import { outcomeEntry, wholeFrames, withLosses } from "./answer_log.js";
import {
  type AnswerRequest,
  AnswerService,
  checkKey,
  missing,
  noAnswer,
} from "./answer_service.js";
import type { ConversationTurn } from "./conversation_turns.js";
import { checkUser } from "./refusal.js";
import { StoredChats } from "./stored_chats.js";
import { StoredConversations } from "./stored_conversations.js";
import { StoredSessions, withSessions } from "./stored_sessions.js";
import { StoredResponses } from "./stored_responses.js";
import { StoredTasks } from "./stored_tasks.js";
import type { StoredRequest } from "./stored_request.js";
import { withTurns } from "./turns.js";

/** The answers of a service. */
export class StoredAnswers<Env> extends AnswerService<Env> {
  readonly #responses = new StoredResponses<Env>(this);
  readonly #tasks = new StoredTasks<Env>(this);
  readonly #chats = new StoredChats<Env>(this);
  readonly #conversations = new StoredConversations<Env>(this);
  readonly #sessions = new StoredSessions<Env>(this, this.#conversations);

  /** Returns an adapter whose answers are stored. */
  storing(adapter: Adapter): Adapter {
    return {
      ...withSessions(adapter),
      answer: (request, _, options = {}) => this.#answer(request, adapter, options),
    };
  }

  /** The adapter at the path of stored answers. */
  get adapter(): Adapter {
    const { path } = this;
    return {
      path: path.slice(0, -1),
      handles: (pathname) => pathname.startsWith(path),
      answer: (request, _, options = {}) => this.#answer(request, undefined, options),
    };
  }

  async #answer(
    request: Request,
    adapter: Adapter | undefined,
    options: AdapterOptions<any, any>,
  ): Promise<Response> {
    const { pathname } = new URL(request.url);
    const { user = "", requestId = crypto.randomUUID() } = options;
    const env = options.env as Env;
    const asked = { request, env, user, pathname, requestId, adapter, options };
    const response = await this.#respond(asked).catch(async (error: unknown) =>
      this.refuse(asked, await this.refusalOf(error)),
    );
    if (!response.headers.has(REQUEST_ID)) {
      response.headers.set(REQUEST_ID, requestId);
    }
    return response;
  }

  async #respond(asked: AnswerRequest<Env>): Promise<Response> {
    const { request, user, pathname, adapter } = asked;
    checkUser(user);
    if (adapter === undefined) {
      return this.#resume(asked);
    }
    const isPosted = request.method === "POST";
    const isResponses = adapter.protocol === "responses";
    if (isResponses && pathname !== adapter.path) {
      return this.#responses.below(asked);
    }
    const isResumable = isPosted && prefersResumable(request);
    if (isResumable) {
      checkKey(asked);
    }
    if (adapter.protocol === "a2a") {
      return this.#tasks.answer(asked, isResumable);
    }
    if (isResponses && isPosted) {
      return this.#responses.create(asked, isResumable);
    }
    const inSession = await this.#readable(asked, () => this.#sessions.answer(asked, isResumable));
    if (inSession !== undefined) {
      return inSession;
    }
    if (isPosted && adapter.conversation !== undefined && adapter.readBody !== undefined) {
      return this.#converse(asked, isResumable);
    }
    return isResumable
      ? this.#start(asked)
      : ((await this.#chats.running(asked)) ?? this.pass(asked));
  }

  /** Answers a request of a client that may send only its new messages. */
  async #converse(asked: AnswerRequest<Env>, isResumable: boolean): Promise<Response> {
    const answered = await this.#readable(asked, () =>
      this.#conversations.answer(asked, isResumable),
    );
    if (answered instanceof Response) {
      return answered;
    }
    if ("response" in answered) {
      return answered.response;
    }
    const read = { ...asked, options: { ...asked.options, body: answered.body } };
    return isResumable ? this.#start(read) : this.pass(read);
  }

  /** Returns the refusal of a body that cannot be read, as without a store. */
  async #readable<T>(asked: AnswerRequest<Env>, answer: () => Promise<T>): Promise<T | Response> {
    try {
      return await answer();
    } catch (error) {
      if (!(error instanceof RequestError) || error.problems[0]?.path !== "body") {
        throw error;
      }
      const context = { id: asked.requestId, http: asked.request, env: asked.env, ctx: undefined };
      return refusal(error, undefined, context, 400, "", asked.adapter!.convertError);
    }
  }

  async #start(asked: AnswerRequest<Env>): Promise<Response> {
    const id = await this.idOf(asked);
    const body = await this.bodyOf(asked);
    const started = await this.ask(asked, id, {
      body,
      chat: await this.#chats.nameIn(asked, body),
    });
    return "response" in started ? started.response : this.frames(asked, id, null, started);
  }

  /** Returns the frames after a cursor, or stops the agent. */
  async #resume(asked: AnswerRequest<Env>): Promise<Response> {
    const { request, user, pathname } = asked;
    const id = pathname.slice(this.path.length);
    if (!isAnswerId(id)) {
      return this.refuse(asked, noAnswer);
    }
    const turn = new URL(request.url).searchParams.get("turn") ?? undefined;
    switch (request.method) {
      case "GET":
        return this.frames(asked, id, turn ?? null, turn === undefined ? {} : { turn });
      case "DELETE": {
        await this.bodyOf(asked);
        const stopped = await this.threads.call(id, "cancel", user, turn ?? null);
        return "refused" in stopped
          ? this.refuse(asked, missing(stopped))
          : new Response(null, { status: 202 });
      }
      case "OPTIONS":
        return new Response(null, { status: 204, headers: { allow: METHODS } });
      default: {
        const response = this.refuse(asked, {
          refused: "AGENT_METHOD_NOT_ALLOWED",
          detail: "use GET to read an answer and DELETE to stop it",
        });
        response.headers.set("allow", METHODS);
        return response;
      }
    }
  }
}

const METHODS = "GET, DELETE, OPTIONS";

function prefersResumable({ headers }: Request): boolean {
  const preferences = (headers.get("prefer") ?? "")
    .split(",")
    .map((one) => one.split(";", 1)[0]!.trim().toLowerCase());
  return preferences.includes("resumable");
}

/** Yields the frames of the protocols' answer to a stored request, or its outcome. */
export async function* answerOf<Env>(
  host: ServiceHost<Env>,
  stored: StoredRequest,
  user: string,
  signal: AbortSignal,
  turn: ConversationTurn | undefined,
): AsyncGenerator<string, void, undefined> {
  const { url, headers: requestHeaders, requestId, before, responseId, accepted, frames } = stored;
  if (stored.turn !== undefined) {
    yield outcomeEntry({ status: 204, headers: [], body: "" });
    return;
  }
  if (frames !== undefined) {
    return yield* frames;
  }
  const body = withTurns(stored.body, before);
  const request = new Request(url, { method: "POST", headers: requestHeaders, body, signal });
  markStored(request, { responseId, accepted, turn });
  const { env, onError, onLosses, strict } = host;
  const adapter = adapterOf(host, request, body);
  const response = await adapter.answer(request, host.agent, {
    ...{ env, onError, onLosses, strict, body, requestId, user: user || undefined },
    ctx: { waitUntil: (work: Promise<unknown>): void => addWork(signal, work) },
  });
  const { status, headers } = response;
  if (
    response.body === null ||
    headers.get("content-type")?.startsWith("text/event-stream") !== true
  ) {
    yield outcomeEntry({ status, headers: [...headers], body: await response.text() });
    return;
  }
  let isFirst = true;
  for await (const frame of wholeFrames(response.body.pipeThrough(new TextDecoderStream()))) {
    const hasId = !isFirst || responseId === undefined || frame.includes(`"${responseId}"`);
    must(hasId, "wrong-option", "with a store, the Responses adapter sets no `responseId`");
    yield isFirst ? withLosses(frame, headers.get(LOSSES)) : frame;
    isFirst = false;
  }
}

/** Returns the adapter of a stored request. */
function adapterOf({ adapters }: ServiceHost, request: Request, body: string): Adapter {
  const { pathname } = new URL(request.url);
  const other = adapters.find(({ handles }) => handles?.(pathname));
  const here = other === undefined ? adapters.filter(({ path }) => path === pathname) : [other];
  must(
    here.length > 0,
    "wrong-option",
    `the store has an answer of the path ${pathname}, and the handler has no adapter for it`,
  );
  return meantBy(body, request, here);
}

/** Completes a turn whose answer has only these frames, of the protocol of its client. */
export async function recover(
  host: ServiceHost,
  { url, headers, body, accepted }: StoredRequest,
  frames: readonly string[],
  turn: ConversationTurn,
): Promise<void> {
  const request = new Request(url, { method: "POST", headers, body });
  const adapter = adapterOf(host, request, body);
  const received = await requestIn(adapter, accepted, body, request);
  if (received === undefined) {
    return;
  }
  turn.begin(received.input);
  const converter = new Converter({ from: adapter.protocol ?? "auto", to: "agent-api" });
  const reader = new Decoder({ protocol: "agent-api" });
  frames.forEach((frame) => reader.push(converter.push(encoder.encode(frame))));
  reader.push(converter.finish());
  turn.end(reader.finish().snapshot);
}

/** Returns the request for the agent; undefined if it is not valid. */
async function requestIn(
  adapter: Adapter,
  accepted: string | undefined,
  body: string,
  request: Request,
): Promise<AgentRequest | undefined> {
  try {
    return accepted === undefined
      ? await adapter.convertRequest!(body, request)
      : acceptedIn(accepted).request;
  } catch {
    return undefined;
  }
}

const encoder = new TextEncoder();
