// OpenAI Responses that are stored: created by POST, read by id, whole or after an event,
// continued, cancelled and deleted.

import type { Json } from "../../agentwire.js";
import { excerpt } from "../../core/excerpt.js";
import { parseJson, stringifyJson } from "../../core/json.js";
import { Decoder } from "../../convert/read_as.js";
import { markStored } from "../../http/context.js";
import { ANSWER } from "./answer_thread.js";
import { framesIn } from "./answer_log.js";
import { type StoredRequest, requestIn } from "./stored_request.js";
import { refuseResponse } from "./answer_refusal.js";
import {
  type AnswerRequest,
  type AnswerService,
  IDLE,
  MAX_STORED_REQUEST_BYTES,
  STREAM_HEADERS,
  lossHeader,
  missing,
  refusalIn,
} from "./answer_service.js";
import type { RunsRefusal } from "./refusal.js";
import { hashOf } from "./signing.js";
import { inputItemsOf, membersOf, pageOf, withTurns } from "./turns.js";

/** The id of a response, which contains the name of its thread. */
const ID = /^resp_([0-9a-f]{64})$/;
/** The start of an event's data in a frame. */
const DATA = "\ndata: ";

const encoder = new TextEncoder();

/** A response in its present state. */
interface StoredResponse {
  readonly request: StoredRequest;
  readonly hasEnded: boolean;
  readonly frames: readonly string[];
}

/** A request for one response: its name is that of the thread. */
interface ResponseRequest<Env> extends AnswerRequest<Env> {
  readonly name: string;
}

/** The stored responses of a service. */
export class StoredResponses<Env> {
  readonly #answers: AnswerService<Env>;

  constructor(answers: AnswerService<Env>) {
    this.#answers = answers;
  }

  /** Answers a request that creates a response. */
  async create(asked: AnswerRequest<Env>, isResumable: boolean): Promise<Response> {
    const { request, pathname } = asked;
    const body = await this.#answers.bodyOf(asked);
    const { store, background, stream } = membersOf(body);
    const isStored = store !== false;
    if (!isStored && background === true) {
      return refuseResponse(
        400,
        "background responses are stored: leave `store` out, or set it to true",
        "invalid_value",
        "background",
      );
    }
    const before = await this.#earlierTurns(asked.user, body);
    if (before instanceof Response) {
      return before;
    }
    if (!isStored && !isResumable) {
      // The turns before it are in its body now.
      markStored(request, {});
      return this.#answers.pass(asked, withTurns(body, before));
    }
    // Without a user the id is the only credential of a response, so it must not be guessable.
    const id = isResumable ? await this.#answers.idOf(asked) : await hashOf(crypto.randomUUID());
    const started = await this.#answers.ask(asked, id, {
      body,
      before,
      ...(isStored && { responseId: `resp_${id}` }),
    });
    if ("response" in started) {
      return started.response;
    }
    if (isStored && stream !== true) {
      const read = await this.#read(id, asked.user, background === true ? "first" : "end");
      return this.#result(read, id, started.losses);
    }
    return isResumable
      ? this.#answers.frames(asked, id, null, started)
      : this.#events({ ...asked, name: id, pathname }, -1, started.losses);
  }

  /** Answers a request to the path of a response, or below it. */
  async below(asked: AnswerRequest<Env>): Promise<Response> {
    const { pathname } = asked;
    const { path } = asked.adapter!;
    const [id = "", operation = "", ...more] = pathname.slice(path.length + 1).split("/");
    const name = ID.exec(id)?.[1];
    const operations: {
      readonly [operation: string]: readonly [
        allow: string,
        answer: (asked: ResponseRequest<Env>) => Promise<Response>,
      ];
    } = {
      "": ["GET, HEAD, DELETE", (asked) => this.#one(asked)],
      cancel: ["POST", (asked) => this.#cancel(asked)],
      input_items: ["GET, HEAD", (asked) => this.#inputItems(asked)],
    };
    const found = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
    if (id === "" || found === undefined || more.length > 0) {
      return refuseResponse(
        404,
        `there is nothing at ${excerpt(pathname)}: responses are at ${path}`,
        "not_found",
      );
    }
    const [methods, answer] = found;
    const { method } = asked.request;
    const allow = `${methods}, OPTIONS`;
    if (method === "OPTIONS") {
      return new Response(null, { status: 204, headers: { allow } });
    }
    if (!methods.split(", ").includes(method)) {
      return refuseResponse(405, `this path takes ${allow}`, "method_not_allowed", null, { allow });
    }
    if (method !== "GET" && method !== "HEAD") {
      await this.#answers.bodyOf(asked);
    }
    return name === undefined ? notFound(id) : answer({ ...asked, name });
  }

  /** Returns a response in its present state, or its events; or deletes it. */
  async #one(asked: ResponseRequest<Env>): Promise<Response> {
    const { request, name, user } = asked;
    if (request.method === "DELETE") {
      const stopped = await this.#stop(asked);
      const deleted =
        "refused" in stopped ? stopped : await this.#answers.threads.call(name, "delete", user);
      return "refused" in deleted
        ? refusalResponse(deleted, name)
        : Response.json({ id: `resp_${name}`, object: "response", deleted: true });
    }
    const query = new URL(request.url).searchParams;
    if (query.get("stream") !== "true") {
      return this.#result(await this.#read(name, user, "now"), name);
    }
    const after = query.get("starting_after") ?? "-1";
    return /^(-1|\d{1,15})$/.test(after)
      ? this.#events(asked, Number(after))
      : refuseResponse(
          400,
          "`starting_after` is the `sequence_number` of an event",
          "invalid_value",
          "starting_after",
        );
  }

  async #cancel(asked: ResponseRequest<Env>): Promise<Response> {
    return this.#result(await this.#stop(asked), asked.name);
  }

  /** Returns the input items of a response, with the earlier ones. */
  async #inputItems({ request, name, user }: ResponseRequest<Env>): Promise<Response> {
    const read = await this.#read(name, user, "now");
    if ("refused" in read) {
      return refusalResponse(read, name);
    }
    const page = pageOf(
      inputItemsOf(read.request.body, read.request.before, name),
      new URL(request.url).searchParams,
    );
    return "wrong" in page
      ? refuseResponse(
          400,
          `\`${page.wrong}\` of a list: \`limit\` is 1 to 100, \`order\` is asc or desc, \`after\` is the id of an item`,
          "invalid_value",
          String(page.wrong),
        )
      : new Response(stringifyJson(page), { headers: JSON_HEADERS });
  }

  /** Stops the agent of a response; returns the response after its end. */
  async #stop({ name, user }: ResponseRequest<Env>): Promise<RunsRefusal | StoredResponse> {
    const read = await this.#read(name, user, "now");
    const stopped =
      "refused" in read ? read : await this.#answers.threads.call(name, "cancel", user, ANSWER);
    return "refused" in stopped ? stopped : this.#read(name, user, "end");
  }

  async #events(
    { request, name, user }: ResponseRequest<Env>,
    after: number,
    losses?: string,
  ): Promise<Response> {
    const read = await this.#read(name, user, "first");
    if ("refused" in read) {
      return refusalResponse(read, name);
    }
    // The numbers of a response's events start at 0, those of the log at 1, and each event is an
    // entry.
    const response = await this.#answers.threads.events(
      name,
      { owner: user, runId: ANSWER, cursor: null, after: after + 1, idleLimit: IDLE },
      request.signal,
    );
    if (response.status >= 400) {
      return refusalResponse(await refusalIn(response), name);
    }
    // The stream after the last event is empty.
    return new Response(response.status === 204 ? "" : response.body, {
      headers: { ...STREAM_HEADERS, ...lossHeader(losses) },
    });
  }

  /** Reads a response. Other answers are not responses. */
  async #read(
    name: string,
    user: string,
    until: "now" | "first" | "end",
  ): Promise<RunsRefusal | StoredResponse> {
    const read = await this.#answers.threads.call(name, "entries", user, ANSWER, until);
    if ("refused" in read) {
      return missing(read);
    }
    const request = requestIn(read.input);
    const frames = framesIn(read.entries);
    const isResponse = request.responseId !== undefined && (frames.length > 0 || !read.hasEnded);
    // A response exists when its first event is stored.
    return !isResponse
      ? missing(noResponse)
      : frames.length > 0
        ? { request, hasEnded: read.hasEnded, frames }
        : this.#read(name, user, "first");
  }

  /**
   * Returns the items before a request as a JSON list, if it continues a response; or the refusal.
   */
  async #earlierTurns(user: string, body: string): Promise<string | undefined | Response> {
    const { previous_response_id: id } = membersOf(body);
    if (typeof id !== "string" || id === "") {
      return undefined;
    }
    const refuse = (message: string, code: string): Response =>
      refuseResponse(400, message, code, "previous_response_id");
    const name = ID.exec(id)?.[1];
    const read = name === undefined ? missing(noResponse) : await this.#read(name, user, "now");
    if ("refused" in read && read.refused !== missing(noResponse).refused) {
      return refusalResponse(read, name!);
    }
    if ("refused" in read) {
      return refuse(
        `Previous response with id '${excerpt(id)}' not found.`,
        "previous_response_not_found",
      );
    }
    if (!read.hasEnded) {
      return refuse(
        `Previous response with id '${excerpt(id)}' is still in progress.`,
        "previous_response_in_progress",
      );
    }
    const { output = [] } = parseJson(responseIn(read.frames)) as { readonly output?: Json[] };
    const items = stringifyJson([
      ...inputItemsOf(read.request.body, read.request.before, name!),
      ...output,
    ]);
    const bytes = encoder.encode(body + items).length;
    return bytes > MAX_STORED_REQUEST_BYTES
      ? refuse(
          `The earlier turns and this request have ${bytes} bytes together, of ${MAX_STORED_REQUEST_BYTES} at most.`,
          "context_length_exceeded",
        )
      : items;
  }

  #result(read: RunsRefusal | StoredResponse, name: string, losses?: string): Response {
    return "refused" in read
      ? refusalResponse(read, name)
      : new Response(responseIn(read.frames), {
          headers: { ...JSON_HEADERS, ...lossHeader(losses) },
        });
  }
}

const JSON_HEADERS = { "content-type": "application/json", "cache-control": "no-store" };
const noResponse: RunsRefusal = {
  refused: "AGENT_RUN_NOT_FOUND",
  detail: "there is no such response",
};

/** Returns the Response object after these frames, as JSON. */
export function responseIn(frames: readonly string[]): string {
  const last = frames.at(-1)!;
  const { response } = parseJson(last.slice(last.indexOf(DATA) + DATA.length)) as {
    readonly response?: Json;
  };
  // Lifecycle events contain the whole object.
  if (response !== undefined) {
    return stringifyJson(response);
  }
  const reader = new Decoder({ protocol: "responses" });
  frames.forEach((frame) => reader.push(encoder.encode(frame)));
  return stringifyJson(reader.finish().snapshot as unknown as Json);
}

function refusalResponse(refusal: RunsRefusal, name: string): Response {
  const { refused, detail, retryAfter = 5 } = missing(refusal);
  const later = { "retry-after": String(retryAfter) };
  switch (refused) {
    case "AGENT_NOT_FOUND":
      return notFound(`resp_${name}`);
    case "AGENT_INVALID_LAST_EVENT_ID":
      return refuseResponse(
        400,
        "there is no event of that number yet",
        "invalid_value",
        "starting_after",
      );
    case "AGENT_STORAGE_UNAVAILABLE":
      return refuseResponse(503, detail, "server_error", null, later);
    default:
      return refuseResponse(429, detail, "rate_limit_exceeded", null, later);
  }
}

function notFound(id: string): Response {
  return refuseResponse(404, `Response with id '${excerpt(id)}' not found.`, "not_found");
}
