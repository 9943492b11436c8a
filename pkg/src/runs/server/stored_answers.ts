// Answers of the protocols that outlive their connection: `Prefer: resumable` at the protocol's own
// path, and the frames after a cursor at the address in `Content-Location`, or at that of their
// chat. OpenAI responses are stored by default.

import { isCard } from "../../a2a/calls.js";
import { must } from "../../core/errors.js";
import { addWork, markStored } from "../../http/context.js";
import { isAnswerId } from "./answer_thread.js";
import { outcomeEntry, wholeFrames } from "./answer_log.js";
import { isAt } from "./answer_refusal.js";
import {
  type AnswerRequest,
  AnswerService,
  type AnswersOptions,
  checkKey,
  missing,
  noAnswer,
} from "./answer_service.js";
import { checkUser, refuseUnless } from "./refusal.js";
import { StoredChats } from "./stored_chats.js";
import { StoredResponses } from "./stored_responses.js";
import { StoredTasks } from "./stored_tasks.js";
import type { StoredRequest } from "./stored_request.js";
import { withTurns } from "./turns.js";

/** The answers of a service. */
export class StoredAnswers<Env> extends AnswerService<Env> {
  readonly #responses = new StoredResponses<Env>(this);
  readonly #tasks = new StoredTasks<Env>(this);
  readonly #chats = new StoredChats<Env>(this);

  /** Answers a request that is not for the endpoints of runs. */
  async answer(
    request: Request,
    env: Env,
    ctx: unknown,
    authenticate: () => Promise<string | undefined>,
  ): Promise<Response> {
    const { pathname } = new URL(request.url);
    try {
      // A card describes the service to clients that have no token yet.
      const isOpen = request.method === "OPTIONS" || isCard(pathname);
      const user = isOpen ? "" : await authenticate();
      refuseUnless(
        user || isOpen || this.options.isPublic === true,
        "AUTH_UNAUTHORIZED",
        "the request has no valid token",
      );
      checkUser(user ?? "");
      const asked = { request, env, ctx, user: user ?? "", pathname };
      if (pathname.startsWith(this.path)) {
        return await this.#resume(asked);
      }
      const isResponses = isAt(pathname, this.paths.responses);
      if (isResponses && !this.paths.responses.includes(pathname)) {
        return await this.#responses.below(asked);
      }
      const isResumable = request.method === "POST" && prefersResumable(request);
      if (isResumable) {
        checkKey(asked);
      }
      if (isAt(pathname, [this.paths.a2a])) {
        return await this.#tasks.answer(asked, isResumable);
      }
      if (isResponses && request.method === "POST") {
        return await this.#responses.create(asked, isResumable);
      }
      return isResumable
        ? await this.#start(asked)
        : ((await this.#chats.running(asked)) ?? (await this.pass(asked)));
    } catch (error) {
      return this.refuse(pathname, await this.refusalOf(error));
    }
  }

  async #start(asked: AnswerRequest<Env>): Promise<Response> {
    const id = await this.idOf(asked);
    const body = await this.bodyOf(asked.request);
    const started = await this.ask(asked, id, {
      body,
      chat: await this.#chats.nameIn(asked, body),
    });
    return "response" in started ? started.response : this.frames(asked, id);
  }

  /** Returns the frames after a cursor, or stops the agent. */
  async #resume(asked: AnswerRequest<Env>): Promise<Response> {
    const { request, user, pathname } = asked;
    const id = pathname.slice(this.path.length);
    if (!isAnswerId(id)) {
      return this.refuse(pathname, noAnswer);
    }
    switch (request.method) {
      case "GET":
        return this.frames(asked, id);
      case "DELETE": {
        await this.bodyOf(request);
        const stopped = await this.threads.call(id, "cancel", user, null);
        return "refused" in stopped
          ? this.refuse(pathname, missing(stopped))
          : new Response(null, { status: 202 });
      }
      case "OPTIONS":
        return new Response(null, { status: 204, headers: { allow: METHODS } });
      default: {
        const response = this.refuse(pathname, {
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
  { handler }: AnswersOptions<Env>,
  stored: StoredRequest,
  user: string,
  env: Env,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const { url, headers: requestHeaders, body, before, responseId, accepted, frames } = stored;
  if (frames !== undefined) {
    return yield* frames;
  }
  const request = new Request(url, {
    method: "POST",
    headers: requestHeaders,
    body: withTurns(body, before),
    signal,
  });
  markStored(request, { responseId, accepted });
  const response = await handler(request, env, {
    user: user || undefined,
    waitUntil: (work) => addWork(signal, work),
  });
  const { status, headers } = response;
  if (
    response.body === null ||
    headers.get("content-type")?.startsWith("text/event-stream") !== true
  ) {
    yield outcomeEntry({ status, headers: [...headers], body: await response.text() });
    return;
  }
  let isFirst = responseId !== undefined;
  for await (const frame of wholeFrames(response.body.pipeThrough(new TextDecoderStream()))) {
    const hasId = !isFirst || frame.includes(`"${responseId}"`);
    must(
      hasId,
      "wrong-option",
      "the option `answers.handler` passes the same `Request` to the handler of `createHandler`, and its Responses adapter sets no `responseId`",
    );
    isFirst = false;
    yield frame;
  }
}
