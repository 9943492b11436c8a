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
 * ({@link resumeRequest}). An interaction without ids is not resumed: its stream ends where it was
 * cut.
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
  for (;;) {
    const before = seen.events;
    let cause: unknown;
    try {
      if (current !== undefined)
        yield* seen.events === 0 && !current.ok ? all(current) : seen.follow(current);
    } catch (error) {
      cause = error;
    }
    if (seen.isOver || signal?.aborted === true || !seen.canResume) {
      if (cause !== undefined) throw cause;
      yield seen.rest();
      return;
    }
    failures = seen.events > before ? 0 : failures + 1;
    if (failures >= attempts) {
      if (cause !== undefined) throw cause;
      return;
    }
    if (failures > 0) await pause(delay, signal);
    const request = resumeRequest(url, seen.cut(), { headers, signal });
    current = await ask(request).catch(() => undefined);
    if (current?.ok === false) {
      // The server does not have the interaction any more.
      if (current.status < 500) return;
      current = undefined;
    }
  }
}

async function* all({ body }: Response): AsyncGenerator<Uint8Array, void, undefined> {
  if (body !== null) yield* body as unknown as AsyncIterable<Uint8Array>;
}

const [LF, CR] = [10, 13];
const NOTHING = new Uint8Array();
/** The size of an event in bytes above which it is passed on before it is whole. */
const LONGEST = 2 ** 25;

/** What was received of an interaction. */
class Place {
  id = "";
  last_event_id: string | undefined;
  /** The number of whole events. */
  events = 0;
  isOver = false;
  /** The chunks of the event that is not whole, and their size. */
  #tail: Uint8Array[] = [];
  #size = 0;
  /** The last bytes. */
  #last: readonly number[] = [];

  /** Whether the interaction has no id, or its events have none: nothing can be resumed. */
  get #isFinal(): boolean {
    return this.events > 0 && !this.canResume;
  }

  get canResume(): boolean {
    return this.id !== "" && this.last_event_id !== undefined;
  }

  /** Returns where the stream was cut. */
  cut(): Parameters<typeof resumeRequest>[1] {
    const { id, last_event_id } = this;
    return { id, ...(last_event_id !== undefined && { last_event_id }) };
  }

  /** Returns the bytes that belong to no whole event. */
  rest(): Uint8Array {
    const rest = joined(this.#tail, this.#size);
    [this.#tail, this.#size] = [[], 0];
    return rest;
  }

  /** Yields the whole events of a connection. */
  async *follow(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
    this.rest();
    this.#last = [];
    for await (const chunk of all(response)) {
      if (this.#size > LONGEST || this.#isFinal) {
        yield this.rest();
        yield chunk;
        continue;
      }
      const end = lastEnd(this.#last, chunk);
      this.#last = [...this.#last, ...chunk.subarray(-3)].slice(-3);
      this.#keep(chunk.subarray(0, end));
      if (end > 0) {
        const whole = this.rest();
        this.#note(new TextDecoder().decode(whole));
        yield whole;
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

  /** Notes the ids of events. */
  #note(text: string): void {
    for (const line of text.split(/\r\n|\r|\n/)) {
      if (line.startsWith("data:")) this.#noteData(line.slice("data:".length).trim());
    }
  }

  #noteData(data: string): void {
    this.events++;
    this.isOver ||= data === "[DONE]";
    let event: { readonly [member: string]: Json | undefined };
    try {
      event = Object(JSON.parse(data));
    } catch {
      return;
    }
    const { event_type: type, event_id: id, interaction, interaction_id: other } = event;
    const { id: own = other } = Object(interaction) as { readonly id?: Json };
    if (typeof own === "string" && own !== "") this.id = own;
    if (typeof id === "string" && id !== "") this.last_event_id = id;
    this.isOver ||= type === "interaction.completed" || type === "error";
  }
}

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
