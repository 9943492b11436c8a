// Streams that go on in another connection if theirs is cut.

import type { Json } from "../agentwire.js";
import { knownOptions } from "../core/arguments.js";
import { pause } from "../core/timers.js";
import { POST_OPTIONS, type PostOptions } from "../http/post.js";
import { resumeRequest } from "./create_request.js";

/** The options of {@link resumable}. */
export interface ResumableOptions extends PostOptions {
  /** The function that sends requests; `fetch` by default. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** The number of connections in a row that may bring no event, 3 by default. */
  readonly attempts?: number | undefined;
  /** The pause before a connection that follows one without an event, 500 ms by default. */
  readonly pause?: number | undefined;
}

/**
 * Returns the events of an interaction, for `read`. If the connection is cut before the end, the
 * stream goes on with the events after the last one that was received whole
 * ({@link resumeRequest}); events that the server repeats are left out. An interaction without ids
 * is not resumed. A stream that cannot be resumed ends as its connection did: with its error, if it
 * has failed.
 *
 * ```js
 * const request = { model, input: "Weather in Beijing?", background: true };
 * const stream = read(resumable(url, fetch(createRequest(url, request, { headers })), { headers }));
 * ```
 *
 * @param url the address of `createRequest`
 * @param response the response of the first request, or a promise of it
 */
export async function* resumable(
  url: string | URL,
  response: Response | Promise<Response>,
  options: ResumableOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  knownOptions("resumable()", options, ["fetch", "attempts", "pause", ...POST_OPTIONS]);
  const { fetch: ask = fetch, attempts = 3, pause: delay = 500, headers, signal } = options;
  const seen = new Place();
  let [current, failures]: [Response | undefined, number] = [await response, 0];
  let cause: unknown;
  for (;;) {
    const before = seen.events;
    let error: unknown;
    try {
      if (current !== undefined)
        yield* seen.events === 0 && !current.ok ? all(current) : seen.follow(current);
    } catch (thrown) {
      error = thrown;
    }
    const hasNews = seen.events > before;
    failures = hasNews ? 0 : failures + 1;
    // A connection without an event does not hide why the stream was cut.
    cause = hasNews ? error : (cause ?? error);
    if (seen.hasEnded() || signal?.aborted === true || !seen.canResume || failures >= attempts)
      break;
    if (failures > 0) await pause(delay, signal);
    const request = resumeRequest(url, seen.cut(), { headers, signal });
    current = await ask(request).catch(() => undefined);
    if (current?.ok === false) {
      // The server does not have the interaction any more.
      if (current.status < 500) break;
      current = undefined;
    }
  }
  const rest = seen.rest();
  if (rest.length > 0) yield rest;
  if (cause !== undefined) throw cause;
}

async function* all({ body }: Response): AsyncGenerator<Uint8Array, void, undefined> {
  if (body !== null) yield* body as unknown as AsyncIterable<Uint8Array>;
}

const [LF, CR] = [10, 13];
const NOTHING = new Uint8Array();
/** The size of an event in bytes above which it is passed on before it is whole. */
const LONGEST = 2 ** 25;

/** The number of events whose ids are known. */
const KNOWN = 2 ** 16;
/** The number of events without an id after the last one with an id. */
const UNNAMED = 2 ** 10;

/** What was received of an interaction. */
class Place {
  id = "";
  last_event_id: string | undefined;
  /** The number of whole events that were passed on. */
  events = 0;
  #isOver = false;
  /** Nothing can be resumed: the interaction or its events have no id. */
  #isFinal = false;
  /** The chunks of the event that is not whole, and their size. */
  #tail: Uint8Array[] = [];
  #size = 0;
  /** The longest event that was not whole in the connections before, since the last whole one. */
  #cut: Uint8Array = NOTHING;
  /** The last bytes. */
  #last: readonly number[] = [];
  /** The ids of events, the first one and the last ones. */
  readonly #known = new Set<string>();
  /** The data of the events without an id that follow the last one with an id. */
  #unnamed: string[] = [];
  /**
   * Which events of the connection another one has had: none any more, still unknown, all up to the
   * last one with an id, or those without an id after it.
   */
  #repeats: "none" | "unknown" | "until-last" | "after" = "none";
  /** How many events without an id were repeated, and how many can be. */
  #repeated = 0;
  #repeatable = 0;

  get canResume(): boolean {
    return !this.#isFinal && this.id !== "" && this.last_event_id !== undefined;
  }

  /** Returns where the stream was cut. */
  cut(): Parameters<typeof resumeRequest>[1] {
    const { id, last_event_id } = this;
    return { id, ...(last_event_id !== undefined && { last_event_id }) };
  }

  /** Returns whether the stream has ended with its connection, and not only that. */
  hasEnded(): boolean {
    // The last event may have no blank line after it.
    if (!this.#isOver && eventOf(textOf(joined(this.#tail, this.#size)))?.isEnd === true) {
      [this.#isOver, this.#cut] = [true, NOTHING];
    }
    return this.#isOver;
  }

  /** Returns the bytes of the event that has not arrived whole. */
  rest(): Uint8Array {
    const [cut, tail] = [this.#cut, this.#taken()];
    this.#cut = NOTHING;
    return tail.length >= cut.length ? tail : cut;
  }

  #taken(): Uint8Array {
    const taken = joined(this.#tail, this.#size);
    [this.#tail, this.#size] = [[], 0];
    return taken;
  }

  /** Yields the whole events of a connection that are new. */
  async *follow(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.events > 0) {
      const tail = this.#taken();
      if (tail.length > this.#cut.length) this.#cut = tail;
      [this.#repeats, this.#repeated, this.#repeatable] = ["unknown", 0, this.#unnamed.length];
    }
    this.#last = [];
    for await (const chunk of all(response)) {
      // A stream cannot be resumed inside of an event.
      this.#isFinal ||= this.#size > LONGEST;
      if (this.#isFinal) {
        if (this.#size > 0) yield this.#taken();
        yield chunk;
        continue;
      }
      const end = lastEnd(this.#last, chunk);
      this.#last = [...this.#last, ...chunk.subarray(-3)].slice(-3);
      this.#keep(chunk.subarray(0, end));
      if (end > 0) {
        const whole = this.#new(this.#taken());
        if (whole.length > 0) yield whole;
      }
      this.#keep(chunk.slice(end));
    }
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length > 0) {
      this.#tail.push(bytes);
      this.#size += bytes.length;
    }
  }

  /** Notes whole events. Returns those that no other connection has had. */
  #new(bytes: Uint8Array): Uint8Array {
    let text = "";
    const isChanged = this.#repeats !== "none";
    for (const block of textOf(bytes).match(/[^]*?(?:\n\r?\n|\r\r|$)/g) ?? []) {
      const event = eventOf(block);
      if (event !== undefined && !event.isEnd && this.#wasReceived(event)) continue;
      if (event !== undefined) this.#note(event);
      if (isChanged) text += block;
    }
    return isChanged ? new TextEncoder().encode(text) : bytes;
  }

  /** Returns whether another connection has had an event. */
  #wasReceived({ data, event_id: id }: PlacedEvent): boolean {
    const repeats = this.#repeats;
    if (repeats === "none") return false;
    if (id === undefined) {
      if (repeats === "until-last") return true;
      const at = this.#repeated;
      const isRepeated = at < this.#repeatable && this.#unnamed[at] === data;
      if (isRepeated) [this.#repeats, this.#repeated] = ["after", at + 1];
      else if (repeats === "after") this.#repeats = "none";
      // The next event with an id may still be a repeated one.
      else this.#repeatable = 0;
      return isRepeated;
    }
    if (id === this.last_event_id) {
      [this.#repeats, this.#repeated] = ["after", 0];
      return true;
    }
    const isForgotten = repeats === "until-last" && this.#known.size >= KNOWN;
    const isKnown = this.#known.has(id) || isForgotten;
    this.#repeats = isKnown ? "until-last" : "none";
    return isKnown;
  }

  /** Notes an event that is passed on. */
  #note({ data, id, event_id, isEnd }: PlacedEvent): void {
    this.events++;
    this.#cut = NOTHING;
    this.#isOver ||= isEnd;
    if (id !== undefined) this.id = id;
    if (event_id === undefined) {
      this.#unnamed.push(data);
    } else {
      [this.last_event_id, this.#unnamed] = [event_id, []];
      this.#known.add(event_id);
      const [, oldest] = this.#known;
      if (this.#known.size > KNOWN) this.#known.delete(oldest as string);
    }
    this.#isFinal ||= isEnd || !this.canResume || this.#unnamed.length > UNNAMED;
  }
}

/** An event, as far as its place matters. */
interface PlacedEvent {
  readonly data: string;
  /** The id of the interaction. */
  readonly id: string | undefined;
  readonly event_id: string | undefined;
  /** Nothing follows it. */
  readonly isEnd: boolean;
}

/** Returns the event of a block. An error may be sent without its frame. */
function eventOf(block: string): PlacedEvent | undefined {
  const lines = block.split(/\r\n|\r|\n/).filter((line) => line.startsWith("data:"));
  const data = lines.map((line) => line.slice("data:".length)).join("\n") || loose(block);
  if (data.trim() === "") return undefined;
  let event: { readonly [member: string]: Json | undefined } = {};
  try {
    event = Object(JSON.parse(data));
  } catch {
    // It has no ids.
  }
  const { event_type: type, event_id, interaction, interaction_id: other, error } = event;
  const { id = other } = Object(interaction) as { readonly id?: Json };
  const isDone = data.trim() === "[DONE]" || type === "interaction.completed" || type === "error";
  const isEnd = isDone || (type === undefined && error != null);
  return { data, id: named(id), event_id: named(event_id), isEnd };
}

const loose = (block: string): string => (block.trim().startsWith("{") ? block : "");

const named = (id: Json | undefined): string | undefined =>
  typeof id === "string" && id !== "" ? id : undefined;

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Returns the end of the last blank line of a chunk, which may begin in the bytes before. */
function lastEnd(before: readonly number[], chunk: Uint8Array): number {
  const byte = (at: number): number | undefined => (at < 0 ? before.at(at) : chunk[at]);
  for (let end = chunk.length; end > 0; end--) {
    const [last, previous] = [byte(end - 1), byte(end - 2)];
    const isEnd =
      (last === LF && (previous === LF || (previous === CR && byte(end - 3) === LF))) ||
      (last === CR && previous === CR);
    if (isEnd) return end;
  }
  return 0;
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only = NOTHING, ...others] = chunks;
  if (others.length === 0) return only;
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
