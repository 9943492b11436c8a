// The sessions of AgentScope's service: a request only starts a reply, and the stream of the session
// has the events of all replies, without an end. From it this makes the stream of one reply.

import type { AgentScopeReply, Json } from "../agentwire.js";
import { valueOf } from "../core/json.js";
import { pause, within } from "../core/timers.js";
import { absolute, requestTo, segment } from "../http/address.js";
import { type PostOptions, getStream, post } from "../http/post.js";
import type { InputValue } from "./create_request.js";
import { type SessionAction, sessionsPath } from "./session_paths.js";

/** Sends a request of the chat, with its headers. */
type Send = (request: Request) => Promise<Response>;

/** The time after the last event at which the service is asked whether the reply waits. */
const QUIET = 250;
/** How long a reply that is stopped may take to end, in milliseconds. */
const STOPPING = 10_000;
/** A reply starts when the one before is stored: the number of attempts, and the wait between. */
const ATTEMPTS = 40;
const BUSY = 100;
/** The number of attempts to continue a lost stream, and the wait before the first; then doubled. */
const RECONNECTIONS = 5;
const LOST = 200;
/** The number of characters that one event may have. */
const LONGEST = 64 * 1024 * 1024;

/** The addresses of a session. */
class Addresses {
  readonly sessions: string;
  readonly #agent: string;

  /** @param url the address of `POST /chat/` */
  constructor(url: string | URL, agentId: string) {
    const { origin, pathname } = absolute(url);
    this.sessions = origin + sessionsPath(pathname);
    this.#agent = `?agent_id=${encodeURIComponent(agentId)}`;
  }

  of(session: string, action: SessionAction): string {
    return `${this.sessions}${segment("the id of the session", session)}/${action}${this.#agent}`;
  }
}

/** What a request to the service is made of. */
export interface ServiceRequest {
  /** The address of `POST /chat/`. */
  readonly url: string | URL;
  readonly agentId: string;
  /** The properties of the session that is created; undefined for one that exists. */
  readonly create: object | undefined;
  /** The id of the session that exists. */
  readonly session: string;
  /** The last reply. */
  readonly last: AgentScopeReply | undefined;
  /** The ids of all earlier replies. */
  readonly known: ReadonlySet<string>;
  /** The events with the answers to the last reply. */
  readonly events: readonly InputValue[];
  /** The messages of the user. */
  readonly messages: readonly InputValue[];
  readonly body: object | undefined;
}

/**
 * Returns the first request to the service: the one that creates the session, the one for the
 * messages of a session that the chat joins, or the one for its stream, which is read before the
 * reply starts. Otherwise its first events could be gone.
 */
export function firstRequest(asked: ServiceRequest, how: PostOptions): Request {
  const addresses = new Addresses(asked.url, asked.agentId);
  if (asked.create !== undefined) {
    const body = { ...asked.create, agent_id: asked.agentId };
    return post(addresses.sessions, body, how, { accept: "application/json" });
  }
  return asked.last === undefined
    ? plain(addresses.of(asked.session, "messages"), how)
    : getStream(addresses.of(asked.session, "stream"), how);
}

/** Returns the request that stops a reply. */
export function interruption(
  url: string | URL,
  agentId: string,
  session: string,
  how: PostOptions,
): Request {
  return plain(new Addresses(url, agentId).of(session, "interrupt"), how, "POST");
}

/** Returns a request without a body. */
function plain(url: string, how: PostOptions, method = "GET"): Request {
  return requestTo(url, {
    method,
    ...(how.headers && { headers: how.headers }),
    signal: how.signal ?? null,
    redirect: "manual",
  });
}

/** Starts the reply, and returns its stream. `first` is the response to {@link firstRequest}. */
export async function replyOf(
  first: Response,
  asked: ServiceRequest,
  how: PostOptions,
  send: Send,
): Promise<Response> {
  const addresses = new Addresses(asked.url, asked.agentId);
  const known = new Set(asked.known);
  let [stream, session] = [first, asked.session];
  if (asked.last === undefined) {
    if (!first.ok) {
      return first;
    }
    const answer = Object(await first.json());
    if (asked.create !== undefined) {
      session = String(answer.session_id);
    } else if (Array.isArray(answer.messages)) {
      // The stream repeats the last reply.
      answer.messages.forEach((message: unknown) => known.add(String(Object(message).id)));
    }
    stream = await send(getStream(addresses.of(session, "stream"), how));
  }
  if (!stream.ok || stream.body === null) {
    return stream;
  }
  const events = new SessionEvents(stream.body);
  try {
    const waits = asked.last?.status === "waiting";
    if (waits && asked.events.length === 0) {
      // The service takes no message while a reply waits.
      const stopped = await send(interruption(asked.url, asked.agentId, session, how));
      await stopped.body?.cancel();
      await events.until(
        ({ type, reply_id }) => type === "REPLY_END" && reply_id === asked.last!.id,
        STOPPING,
      );
    }
    const inputs: readonly Json[] =
      asked.events.length > 0
        ? asked.events
        : [asked.messages.length === 1 ? asked.messages[0]! : [...asked.messages]];
    for (const input of inputs) {
      const body = { ...asked.body, agent_id: asked.agentId, session_id: session, input };
      const started = await start(
        () => post(asked.url, body, how, { accept: "application/json" }),
        send,
        how,
      );
      if (!started.ok) {
        await events.cancel();
        return started;
      }
      await started.body?.cancel();
    }
  } catch (error) {
    await events.cancel();
    throw error;
  }
  const ids = new Set(asked.events.map(({ id }) => id));
  const begins = ({ id, type, reply_id }: SessionEvent): boolean =>
    ids.size > 0 ? ids.has(id ?? null) : type === "REPLY_START" && !known.has(String(reply_id));
  const isWaiting = async (): Promise<boolean> => {
    const response = await send(plain(addresses.of(session, "status"), how));
    // An error, and any other status, end the polling.
    return !response.ok || Object(await response.json()).status !== "running";
  };
  const reopened = async (attempt: number): Promise<SessionEvents | undefined> => {
    await pause(LOST * 2 ** attempt, how.signal);
    const again = await send(getStream(addresses.of(session, "stream"), how));
    return again.ok && again.body !== null ? new SessionEvents(again.body) : undefined;
  };
  const { status, statusText, headers } = stream;
  const body = replyStream(events, {
    ...{ begins, answers: ids.size, isWaiting, reopened },
    signal: how.signal,
  });
  return new Response(body, { status, statusText, headers });
}

/** Sends a request again while the reply before is being stored. */
async function start(request: () => Request, send: Send, how: PostOptions): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await send(request());
    if (response.status !== 409 || attempt === ATTEMPTS) {
      return response;
    }
    await response.body?.cancel();
    await pause(BUSY, how.signal);
  }
}

/** An event of a session. */
interface SessionEvent {
  readonly type?: Json;
  readonly id?: Json;
  readonly reply_id?: Json;
}

/** A frame of the stream, and its event; a comment has none. */
interface SessionFrame {
  readonly text: string;
  readonly event: SessionEvent | undefined;
}

/** The events of a session as they arrive. */
class SessionEvents {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #frames: SessionFrame[] = [];
  #reading: Promise<boolean> | undefined;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  /** Returns the next frame; undefined at the end of the stream, and `late` if it takes longer. */
  async next<L>(milliseconds: number, late: L): Promise<SessionFrame | undefined | L> {
    while (this.#frames.length === 0) {
      this.#reading ??= this.#read();
      const more = Number.isFinite(milliseconds)
        ? await within(this.#reading, milliseconds, () => undefined)
        : await this.#reading;
      if (more === undefined) {
        return late;
      }
      this.#reading = undefined;
      if (!more) {
        return undefined;
      }
    }
    return this.#frames.shift();
  }

  /** Whether an event arrives within this time. */
  async arrives(milliseconds: number): Promise<boolean> {
    const frame = await this.next(milliseconds, LATE);
    if (frame === LATE || frame === undefined) {
      return false;
    }
    this.#frames.unshift(frame as SessionFrame);
    return true;
  }

  /** Reads as far as an event. */
  async until(is: (event: SessionEvent) => boolean, milliseconds: number): Promise<void> {
    const deadline = Date.now() + milliseconds;
    for (;;) {
      const frame = await this.next(Math.max(deadline - Date.now(), 0), undefined);
      if (frame === undefined || (frame.event !== undefined && is(frame.event))) {
        return;
      }
    }
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }

  /** Reads more bytes. Returns false at the end. */
  async #read(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (done) {
      return false;
    }
    this.#rest += this.#decoder.decode(value, { stream: true }).replaceAll("\r\n", "\n");
    const texts = this.#rest.split("\n\n");
    this.#rest = texts.pop()!;
    if (this.#rest.length > LONGEST) {
      throw new TypeError("an event of the session is too long");
    }
    this.#frames = texts.map((text) => ({ text, event: eventIn(text) }));
    return true;
  }
}

function eventIn(frame: string): SessionEvent | undefined {
  const data = frame
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trimStart());
  return data.length === 0 ? undefined : (Object(valueOf(data.join("\n"))) as SessionEvent);
}

/** What is known of a reply. */
interface ReplyOptions {
  /** Whether the reply begins with an event. */
  readonly begins: (event: SessionEvent) => boolean;
  /** The number of events that continue the reply. */
  readonly answers: number;
  /** Whether the session waits for the client. */
  readonly isWaiting: () => Promise<boolean>;
  /** Opens the stream again, which repeats the events of the reply. */
  readonly reopened: (attempt: number) => Promise<SessionEvents | undefined>;
  /** Stops the reading. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns the stream of a reply: from the event at which it begins until it ends or waits. It
 * continues after a lost connection.
 */
function replyStream(
  first: SessionEvents,
  { begins, answers, isWaiting, reopened, signal }: ReplyOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let events = first;
  let [begun, waits, starts, reply] = [false, false, 0, undefined as Json | undefined];
  let attempts = 0;
  // The last event with an id, and the number of events after it: events of pieces can have none.
  let known: { id: Json | undefined; after: number } = { id: undefined, after: 0 };
  /** What is repeated of the known events; undefined if nothing is. */
  let repeated: { isFound: boolean; left: number } | undefined;
  let isCancelled = false;
  const isFinal = (): boolean =>
    isCancelled || signal?.aborted === true || attempts >= RECONNECTIONS;
  const next = async (): Promise<SessionFrame | undefined | typeof LATE> => {
    for (;;) {
      try {
        const quiet = waits || repeated !== undefined ? QUIET : Number.POSITIVE_INFINITY;
        const frame = await events.next(quiet, LATE);
        if (frame !== undefined || isFinal()) {
          return frame as SessionFrame | typeof LATE | undefined;
        }
      } catch (error) {
        if (isFinal()) {
          throw error;
        }
      }
      const opened = await reopened(attempts++).catch(() => undefined);
      if (opened !== undefined) {
        events = opened;
        repeated = begun ? { isFound: known.id === undefined, left: known.after } : undefined;
      }
    }
  };
  /** Whether an event was sent before the connection was lost. */
  const isRepeated = ({ id }: SessionEvent): boolean => {
    if (repeated === undefined) {
      return false;
    }
    if (!repeated.isFound) {
      repeated.isFound = id === known.id;
      return true;
    }
    if (repeated.left-- > 0) {
      return true;
    }
    repeated = undefined;
    return false;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        for (;;) {
          const frame = await next();
          if (frame === LATE) {
            // Several answers continue a reply one after the other. A stream that repeats nothing
            // has ended.
            const isOver = repeated !== undefined || starts >= answers;
            if (isOver && (await isWaiting()) && !(await events.arrives(QUIET))) {
              break;
            }
            continue;
          }
          if (frame === undefined) {
            out.close();
            return;
          }
          const { event, text } = frame;
          if (event === undefined) {
            out.enqueue(encoder.encode(`${text}\n\n`));
            return;
          }
          begun ||= begins(event);
          if (!begun) {
            continue;
          }
          reply ??= event.reply_id;
          // Events of the session, and of replies that it starts by itself.
          if (event.reply_id !== reply && event.type !== "CUSTOM") {
            continue;
          }
          if (isRepeated(event)) {
            continue;
          }
          attempts = 0;
          known =
            event.id === undefined
              ? { id: known.id, after: known.after + 1 }
              : { id: event.id, after: 0 };
          starts += Number(event.type === "REPLY_START");
          waits ||= WAITS.has(String(event.type)) || answers > 0;
          out.enqueue(encoder.encode(`${text}\n\n`));
          if (event.type === "REPLY_END") {
            break;
          }
          return;
        }
        out.close();
        await events.cancel();
      },
      cancel() {
        isCancelled = true;
        return events.cancel();
      },
    },
    { highWaterMark: 0 },
  );
}

const LATE = Symbol("late");
const WAITS: ReadonlySet<string> = new Set(["REQUIRE_USER_CONFIRM", "REQUIRE_EXTERNAL_EXECUTION"]);
