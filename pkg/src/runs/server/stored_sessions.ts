// The sessions of AgentScope, as its own service has them: `POST /chat/` only starts a reply, and the
// stream of the session has the events of all replies. A session is a conversation.

import type { AgentScopeBlock, AgentScopeReply, Json } from "../../agentwire.js";
import { SESSION_ACTIONS, sessionsPath } from "../../agentscope/session_paths.js";
import { stringifyJson } from "../../core/json.js";
import type { Adapter } from "../../server/adapter.js";
import { runsRefusal } from "../service.js";
import {
  type AnswerRequest,
  type AnswerService,
  IDLE,
  STREAM_HEADERS,
  inputOf,
  missing,
} from "./answer_service.js";
import type { RunsRefusal } from "./refusal.js";
import {
  afterFirst,
  answeredIn,
  frameOf,
  isAnswer,
  isStart,
  replyIn,
  resultsOf,
  stamp,
  startOf,
} from "./session_events.js";
import { type StoredMessage, messagesOfRows, messagesOfInput } from "./session_messages.js";
import { hashOf } from "./signing.js";
import { requestIn } from "./stored_request.js";
import type { StoredConversations } from "./stored_conversations.js";
import { membersOf } from "./turns.js";
import { created } from "./while_running.js";

const encoder = new TextEncoder();
/** The number of messages in an answer, by default and at most. */
const PAGE = { usual: 50, most: 200 };
/** The number of characters of the latest turns that are read at first. */
const FIRST_READ = 1 << 16;

/** The state of a session. */
interface Session {
  /**
   * The latest messages, or all if less are asked for; those of a reply that is being written
   * without the reply.
   */
  readonly messages: readonly StoredMessage[];
  /** The id of the last run whose messages are among them. */
  readonly cursor: string | null;
  readonly isRunning: boolean;
  /** The last reply, if it waits for the client, and its calls that wait. */
  readonly waiting: { readonly reply: AgentScopeReply; readonly calls: readonly Waiting[] };
}

/** A call that waits. */
type Waiting = Extract<AgentScopeBlock, { readonly type: "tool_call" }>;

/** The sessions of a service. */
export class StoredSessions<Env> {
  readonly #answers: AnswerService<Env>;
  readonly #conversations: StoredConversations<Env>;

  constructor(answers: AnswerService<Env>, conversations: StoredConversations<Env>) {
    [this.#answers, this.#conversations] = [answers, conversations];
  }

  /**
   * Returns the answer to a request for sessions, or to one that only starts a reply; undefined for
   * others, such as those that accept a stream, or a resumable one.
   */
  async answer(asked: AnswerRequest<Env>, isResumable: boolean): Promise<Response | undefined> {
    const { request, pathname, adapter } = asked;
    if (adapter?.protocol !== "agentscope") {
      return undefined;
    }
    if (pathname === adapter.path) {
      const accepted = request.headers.get("accept") ?? "";
      const isStream = isResumable || accepted.includes("text/event-stream");
      return request.method !== "POST" || isStream ? undefined : this.#start(asked);
    }
    return this.#below(asked, pathname.slice(sessionsPath(adapter.path).length).split("/"));
  }

  async #below(asked: AnswerRequest<Env>, parts: readonly string[]): Promise<Response> {
    const { request, user } = asked;
    const [id = "", action = "", ...more] = parts.map(decoded);
    if (id === "" && action === "" && request.method === "POST") {
      await this.#answers.bodyOf(asked);
      return Response.json({ session_id: crypto.randomUUID() }, { status: 201 });
    }
    const method = METHODS[action as keyof typeof METHODS];
    const name =
      id === "" || method === undefined || more.length > 0
        ? undefined
        : await this.#answers.conversationOf(user, id);
    if (name === undefined) {
      return this.#answers.refuse(asked, notFound(id));
    }
    if (request.method === "OPTIONS") {
      return new Response(null, { status: 204, headers: { allow: `${method}, OPTIONS` } });
    }
    if (request.method !== method) {
      const detail = `use ${method} for the ${action || "session"}`;
      const refused = { refused: "AGENT_METHOD_NOT_ALLOWED", detail };
      const response = this.#answers.refuse(asked, refused);
      response.headers.set("allow", `${method}, OPTIONS`);
      return response;
    }
    switch (action) {
      case "stream":
        return this.#stream(asked, name);
      case "interrupt":
        return this.#interrupt(asked, name, id);
      case "":
        await this.#answers.threads.call(name, "delete", user);
        return new Response(null, { status: 204 });
    }
    return action === "status"
      ? Response.json({ session_id: id, status: statusOf(await this.#load(user, name)) })
      : this.#messages(asked, name);
  }

  /** Starts a reply. */
  async #start(asked: AnswerRequest<Env>): Promise<Response | undefined> {
    const { adapter, request, user, options } = asked;
    const body = options.body ?? (await adapter!.readBody!(request, options));
    const read = { ...asked, options: { ...options, body } };
    const id = adapter!.conversation!(body, request);
    const name = id === undefined ? undefined : await this.#answers.conversationOf(user, id);
    if (name === undefined) {
      return this.#answers.refuse(asked, notFound(String(id ?? "")));
    }
    const { input } = membersOf(body);
    const rest = isAnswer(input) ? await this.#unanswered(user, name, input) : [];
    const started = await this.#conversations.start(read, body, name, {
      // The events that answer a reply wait for it to be stored.
      whileRunning: isAnswer(input) ? "enqueue" : undefined,
      // The agent continues when all calls that wait have their answers.
      frames: rest.length > 0 ? [startOf(input!)] : undefined,
    });
    return started instanceof Response
      ? started
      : Response.json({ status: "started", session_id: id });
  }

  /** Returns the calls that wait after these answers. */
  async #unanswered(user: string, name: string, input: Json): Promise<readonly Waiting[]> {
    for (;;) {
      const session = await this.#load(user, name);
      if (!session.isRunning) {
        const answered = new Set(answeredIn(input));
        return session.waiting.calls.filter(({ id }) => !answered.has(id));
      }
      await this.#answers.threads.call(name, "entries", user, null, "end");
    }
  }

  /** Returns the stream of the session: its latest reply, unless it is known, and the next ones. */
  async #stream(asked: AnswerRequest<Env>, name: string): Promise<Response> {
    const { request } = asked;
    const after = new URL(request.url).searchParams.get("after");
    const first = await this.#answers.threads.call(name, "next", asked.user, after, 0);
    if ("refused" in first) {
      return this.#answers.refuse(asked, missing(first));
    }
    const left = new AbortController();
    const leave = (): void => left.abort();
    request.signal.addEventListener("abort", leave, { once: true });
    const frames = this.#frames(asked, name, after, left.signal);
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const { done, value } = await frames.next();
          if (done) {
            request.signal.removeEventListener("abort", leave);
            controller.close();
          } else {
            controller.enqueue(value);
          }
        },
        cancel() {
          request.signal.removeEventListener("abort", leave);
          leave();
          void frames.return();
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: STREAM_HEADERS });
  }

  async *#frames(
    { user }: AnswerRequest<Env>,
    name: string,
    from: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { threads, limits } = this.#answers;
    let [after, idle] = [from, 0];
    while (!signal.aborted && idle < IDLE) {
      const next = await threads.call(name, "next", user, after, limits.keepAliveMs);
      if ("refused" in next) {
        return;
      }
      if (next.runId === null) {
        idle++;
        yield encoder.encode(":\n\n");
        continue;
      }
      after = next.runId;
      idle = 0;
      const begun = await threads.call(name, "entries", user, after, "first");
      if ("refused" in begun) {
        continue;
      }
      const { body, frames } = requestIn(begun.input);
      const { input, session_id } = membersOf(body);
      let results = "";
      if (isAnswer(input) && frames !== undefined && isStart(frames)) {
        // The agent continues when the other calls have their answers, too.
        const start = { ...stamp(), type: "REPLY_START", session_id, reply_id: replyIn(input) };
        const told = { ...start, name: "agent", role: "assistant" };
        yield encoder.encode(startOf(input) + frameOf(told) + resultsOf(input));
        continue;
      }
      if (isAnswer(input) && frames === undefined) {
        // As the service: what continues a reply, and its results after the start.
        yield encoder.encode(startOf(input));
        results = resultsOf(input);
      }
      const followed = { owner: user, runId: after, cursor: null, after: 0, idleLimit: IDLE };
      const { status, body: events } = await threads.events(name, followed, signal);
      if (status === 200 && events !== null) {
        yield* chunksOf(results === "" ? events : events.pipeThrough(afterFirst(results)));
      }
    }
  }

  /** Stops the reply, or ends one that waits. */
  async #interrupt(asked: AnswerRequest<Env>, name: string, id: string): Promise<Response> {
    const { user, request, adapter } = asked;
    const { threads } = this.#answers;
    await this.#answers.bodyOf(asked);
    const { isRunning, waiting } = await this.#load(user, name);
    if (isRunning) {
      await threads.call(name, "cancel", user, null);
    } else if (waiting.calls.length > 0) {
      const { reply, calls } = waiting;
      const body = stringifyJson({ agent_id: "", session_id: id, input: cancelling(reply, calls) });
      const runId = await hashOf(crypto.randomUUID());
      const end = { ...stamp(), type: "REPLY_END", reply_id: reply.id, session_id: id };
      const stored = {
        ...{ body, runId, requestId: asked.requestId, conversation: name },
        frames: [frameOf({ ...end, finished_reason: "interrupted" })],
      };
      const input = inputOf(new Request(new URL(adapter!.path, request.url)), stored);
      const run = { owner: user, base: "", input, hash: runId, key: null };
      const ended = await created(threads, name, run, "enqueue", request.signal);
      if ("refused" in ended) {
        return this.#answers.refuse(asked, ended);
      }
      await threads.call(name, "entries", user, runId, "end");
    }
    return Response.json({ session_id: id }, { status: 202 });
  }

  /** Returns a page of messages, the latest ones by default. */
  async #messages({ request, user }: AnswerRequest<Env>, name: string): Promise<Response> {
    const query = new URL(request.url).searchParams;
    const before = query.get("before");
    const asks = Math.trunc(Number(query.get("limit") ?? PAGE.usual)) || PAGE.usual;
    const limit = Math.min(Math.max(asks, 1), PAGE.most);
    const endOf = (messages: readonly StoredMessage[]): number =>
      before === null ? -1 : messages.findIndex(({ id }) => id === before);
    const { messages, cursor, isRunning } = await this.#load(user, name, (read) => {
      const end = endOf(read);
      return (before === null ? read.length : end) > limit;
    });
    const end = endOf(messages);
    const all = end < 0 ? messages : messages.slice(0, end);
    const page = all.slice(-limit);
    return Response.json({
      messages: page,
      event_cursor: before === null ? cursor : null,
      is_running: isRunning,
      has_more: page.length < all.length,
    });
  }

  /** @param isEnough whether no messages before these are needed, of which there is at least one */
  async #load(
    user: string,
    name: string,
    isEnough: (messages: readonly StoredMessage[]) => boolean = () => true,
  ): Promise<Session> {
    const latest = present(await this.#answers.threads.call(name, "entries", user, null, "now"));
    const { messages, cursor } = await this.#latest(user, name, isEnough);
    const request = latest === undefined || latest.hasEnded ? undefined : requestIn(latest.input);
    // A reply that has ended since is among the messages.
    const running = request?.runId === cursor ? undefined : request;
    const isRunning = running !== undefined;
    const last = messages.at(-1);
    const reply = last?.role === "assistant" ? (last as unknown as AgentScopeReply) : undefined;
    return {
      messages: [...messages, ...messagesOfInput(running?.body ?? "")],
      cursor,
      isRunning,
      waiting: { reply: reply!, calls: isRunning ? [] : waitingIn(reply?.content ?? []) },
    };
  }

  /** Reads the latest messages until they are enough. */
  async #latest(
    user: string,
    name: string,
    isEnough: (messages: readonly StoredMessage[]) => boolean,
  ): Promise<ReturnType<typeof messagesOfRows>> {
    for (let limit = FIRST_READ; ; limit *= 8) {
      const read = present(await this.#answers.threads.call(name, "turns", user, limit));
      const { messages, cursor } = messagesOfRows(read?.messages ?? []);
      if (read === undefined || !read.isCut) {
        return { messages, cursor };
      }
      // A reply before the first message of the user may be there in part.
      const begin = messages.findIndex(({ role }) => role === "user");
      const whole = begin < 0 ? [] : messages.slice(begin);
      if (whole.length > 0 && isEnough(whole)) {
        return { messages: whole, cursor };
      }
    }
  }
}

/** Returns the answer of a thread; undefined for a session that has not begun. */
function present<T extends object>(answer: RunsRefusal | T): T | undefined {
  if (!("refused" in answer)) {
    return answer;
  }
  if (!NONE.includes(answer.refused)) {
    throw runsRefusal(answer.refused, answer.detail);
  }
  return undefined;
}

/** Returns the adapter with the paths of the sessions. */
export function withSessions(adapter: Adapter): Adapter {
  const path = sessionsPath(adapter.path);
  return adapter.protocol === "agentscope"
    ? { ...adapter, handles: (pathname) => pathname.startsWith(path) }
    : adapter;
}

/** The refusals of a session that has not begun. */
const NONE: readonly string[] = ["AGENT_SESSION_NOT_FOUND", "AGENT_RUN_NOT_FOUND"];

const METHODS = {
  stream: "GET",
  status: "GET",
  messages: "GET",
  interrupt: "POST",
  "": "DELETE",
} satisfies { readonly [action in (typeof SESSION_ACTIONS)[number] | ""]: string };

function notFound(id: string): RunsRefusal {
  const detail = `Session '${id.slice(0, 100)}' not found.`;
  return { refused: "AGENT_SESSION_NOT_FOUND", detail };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the calls of a reply that wait for the client. */
function waitingIn(content: readonly AgentScopeBlock[]): Waiting[] {
  const done = new Set(
    content.flatMap((block) =>
      block.type === "tool_result" && block.state !== "running" ? [block.id] : [],
    ),
  );
  return content.flatMap((block) =>
    block.type === "tool_call" && WAITING.includes(block.state) && !done.has(block.id)
      ? [block]
      : [],
  );
}

const WAITING: readonly string[] = ["asking", "submitted"];

/** Returns the status of a session, as the service names it. */
function statusOf({ isRunning, waiting: { calls } }: Session): string {
  const isAsking = calls.some(({ state }) => state === "asking");
  const waits = isAsking ? "awaiting_permission" : "awaiting_external_result";
  return isRunning ? "running" : calls.length > 0 ? waits : "idle";
}

/** Returns the answers of a user who stops a reply that waits. */
function cancelling({ id: reply_id }: AgentScopeReply, calls: readonly Waiting[]): Json {
  const named = ({ id, name, input }: Waiting) => ({ type: "tool_call", id, name, input });
  const of = (state: string) =>
    calls.filter((call) => (call.state === "asking") === (state === "asking"));
  const output = [{ type: "text", text: "The user has stopped the call." }];
  return [
    {
      ...{ type: "USER_CONFIRM_RESULT", reply_id },
      confirm_results: of("asking").map((call) => ({ confirmed: false, tool_call: named(call) })),
    },
    {
      ...{ type: "EXTERNAL_EXECUTION_RESULT", reply_id },
      execution_results: of("submitted").map(({ id, name }) => ({
        ...{ type: "tool_result", id, name, output },
        state: "interrupted",
      })),
    },
  ];
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      yield read.value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
