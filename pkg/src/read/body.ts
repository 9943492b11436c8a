// The sources of bytes: streams, async iterables, and the bodies of HTTP responses, which are
// checked.

import { AgentwireError, HttpError, must } from "../core/errors.js";
import { isRedirect, refusedRedirect } from "../core/redirect.js";
import type { CommonOptions } from "../generated/contract.js";

/**
 * A source of a stream's bytes. A `Response` must be successful, and its first bytes must be those
 * of events or of JSON, whatever its content type is. Pass its `body` to skip that check. A
 * response with the content type of a protocol's binary streams is read as such.
 */
export type AgentwireSource = Response | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** The chunk with which a source starts its stream again: the data before it is discarded. */
export const RESTART = new Uint8Array(0);

/** A pull source of chunks. */
export interface Chunks<T = Uint8Array> {
  next(): Promise<IteratorResult<T, unknown>>;
  /** Cancels the source. */
  cancel(reason: unknown): void;
  /** Releases the source after its end. */
  release(): void;
  /**
   * Returns the error for a whole body of JSON in which no protocol was recognized. Absent for
   * other sources.
   */
  unrecognized?(): HttpError | undefined;
}

/** The length and the milliseconds after which the rest of an error page is ignored. */
const MAX_ERROR_PAGE_LENGTH = 64 * 1024;
const PATIENCE = 5000;

/** The framing of the events in a stream. */
export type StreamFraming = NonNullable<CommonOptions["framing"]>;

/** The content types of streams by framing. No type is registered for JSON lines. */
const TYPES = {
  sse: /^\s*text\/event-stream\s*(;|$)/i,
  ndjson:
    /^\s*(text\/(event-stream|plain)|application\/(x-)?(ndjson|jsonl|jsonlines|json))\s*(;|$)/i,
  "length-prefixed": /^\s*application\/(\S+\+proto|octet-stream)\s*(;|$)/i,
};

/**
 * Opens a source when it is available. The content type of a response can determine another framing
 * than the requested one, which `reframed` receives. `binary` are the content types of binary
 * streams.
 */
export async function openWhenReady(
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  requested: StreamFraming | undefined,
  binary: readonly (string | undefined)[],
  reframed: (framing: StreamFraming) => void,
): Promise<Chunks> {
  const ready = await source;
  const framing = framingOf(ready, requested, binary);
  if (framing !== (requested ?? "sse")) {
    reframed(framing);
  }
  return open(ready, framing);
}

export function isPromise<T extends object>(source: T | PromiseLike<T>): source is PromiseLike<T> {
  return typeof source === "object" && source !== null && "then" in source;
}

/** Returns the framing of a source: the option, or that of the response's content type. */
function framingOf(
  source: AgentwireSource,
  requested: StreamFraming | undefined,
  binary: readonly (string | undefined)[],
): StreamFraming {
  const type =
    source instanceof Object && "ok" in source
      ? source.headers.get("content-type")?.split(";", 1)[0]!.trim().toLowerCase()
      : undefined;
  return requested ?? (type !== undefined && binary.includes(type) ? "length-prefixed" : "sse");
}

/**
 * Opens a source. The bytes of a successful response determine what it is, because servers also
 * send streams and whole answers under another content type: text in the form of events or of JSON
 * is read. For other content, another status and a redirect, reading the first chunk rejects with
 * an `HttpError` or an `AgentwireError`.
 */
export function open(source: AgentwireSource, framing: StreamFraming = "sse"): Chunks {
  mustBeSource(source);
  if (!("ok" in source)) {
    return chunksOf(source);
  }
  const { body, bodyUsed, headers, ok } = source;
  if (bodyUsed) {
    throw used();
  }
  const chunks = body === null ? NOTHING : chunksOf(body);
  const contentType = headers.get("content-type");
  const isExpected = contentType === null || TYPES[framing].test(contentType);
  if (!ok || (framing === "length-prefixed" && !isExpected)) {
    return { ...chunks, next: async () => Promise.reject(await refusalOf(source, chunks)) };
  }
  return framing === "length-prefixed" ? chunks : new LookedAt(chunks, source, isExpected);
}

/** Throws the error of a response that is not successful, with the start of its body. */
export async function mustSucceed(response: Response): Promise<void> {
  if (!response.ok) {
    const chunks = response.body === null ? NOTHING : chunksOf(response.body);
    const refusal = await refusalOf(response, chunks);
    chunks.cancel(refusal);
    throw refusal;
  }
}

async function refusalOf(response: Response, chunks: Chunks): Promise<AgentwireError> {
  if (isRedirect(response)) {
    chunks.cancel("the redirect is not followed");
    return refusedRedirect(response, response.url);
  }
  return new HttpError(response.status, response.headers, await readStart(chunks), response.url);
}

/** The chunks of a successful response. Its first bytes determine whether they can be read. */
class LookedAt implements Chunks {
  readonly #chunks: Chunks;
  readonly #response: Response;
  readonly #isExpected: boolean;
  /** The bytes that were read and not returned. */
  #start: Uint8Array = NO_BYTES;
  #isKnown = false;
  #isOver = false;
  /** The start of a body of JSON under another content type; undefined for other bodies. */
  #json: string | undefined;
  readonly #decoder = new TextDecoder();

  /** @param isExpected whether the content type is that of a stream */
  constructor(chunks: Chunks, response: Response, isExpected: boolean) {
    this.#chunks = chunks;
    this.#response = response;
    this.#isExpected = isExpected;
  }

  next(): Promise<IteratorResult<Uint8Array, unknown>> {
    return this.#isKnown && this.#start.length === 0 && this.#json === undefined && !this.#isOver
      ? this.#chunks.next()
      : this.#nextOfStart();
  }

  async #nextOfStart(): Promise<IteratorResult<Uint8Array, unknown>> {
    // Blank lines at the start of a stream are returned at once: servers send them to keep a
    // connection open.
    while (!this.#isKnown && !this.#isOver && (this.#start.length === 0 || !this.#isExpected)) {
      const { done, value } = await this.#chunks.next();
      if (done === true) {
        this.#isOver = true;
      } else {
        mustBeBytes(value);
        this.#start = concatenated(this.#start, value);
      }
      await this.#judge();
    }
    if (this.#start.length > 0) {
      const value = this.#start;
      this.#start = NO_BYTES;
      return { done: false, value };
    }
    if (this.#isOver) {
      return { done: true, value: undefined };
    }
    const chunk = await this.#chunks.next();
    if (
      this.#json !== undefined &&
      this.#json.length < MAX_ERROR_PAGE_LENGTH &&
      chunk.done !== true
    ) {
      mustBeBytes(chunk.value);
      this.#json += this.#decoder.decode(chunk.value, { stream: true });
    }
    return chunk;
  }

  unrecognized(): HttpError | undefined {
    const { status, headers } = this.#response;
    return this.#json === undefined
      ? undefined
      : new HttpError(status, headers, this.#json.slice(0, MAX_ERROR_PAGE_LENGTH));
  }

  cancel(reason: unknown): void {
    this.#chunks.cancel(reason);
  }

  release(): void {
    this.#chunks.release();
  }

  /** Throws an `HttpError` if the start is not that of a stream or of a whole answer. */
  async #judge(): Promise<void> {
    const form = formOf(this.#start);
    const isOpen = form === undefined || form === "field";
    if (
      isOpen &&
      !this.#isExpected &&
      !this.#isOver &&
      this.#start.length < MAX_ERROR_PAGE_LENGTH
    ) {
      return;
    }
    const { status, headers, url } = this.#response;
    // Platforms that decompress a body keep the header.
    const coding = headers.get("content-encoding") ?? "identity";
    if (coding !== "identity" && form === "binary") {
      this.#chunks.cancel("the body is compressed");
      throw new HttpError(
        status,
        headers,
        "",
        url,
        `the answer is compressed (${coding.slice(0, 20)}): the replacement of \`fetch\` has to decompress it`,
      );
    }
    if (!this.#isExpected && form !== "events" && form !== "json") {
      throw new HttpError(
        status,
        headers,
        await readStart(this.#isOver ? NOTHING : this.#chunks, this.#start),
      );
    }
    this.#json =
      form === "json" && !this.#isExpected
        ? this.#decoder.decode(this.#start, { stream: true })
        : undefined;
    this.#isKnown = form !== undefined;
  }
}

/**
 * What a body is, by its first bytes: events, JSON, the start of the name of a field, other text,
 * or no text; undefined if it is blank so far.
 */
function formOf(bytes: Uint8Array): "events" | "field" | "json" | "text" | "binary" | undefined {
  // A byte is a character here: only ASCII matters.
  const text = String.fromCharCode(...bytes.subarray(0, 1024)).replace(
    /^(\xef(\xbb(\xbf)?)?)?\s*/,
    "",
  );
  if (text === "") {
    return bytes.length < 1024 ? undefined : "text";
  }
  if (/^(:|(data|event|id|retry)(:|[\r\n]))/.test(text)) {
    return "events";
  }
  if (text.startsWith("{") || text.startsWith("[")) {
    return "json";
  }
  return FIELDS.some((field) => field.startsWith(text))
    ? "field"
    : isText(bytes.subarray(0, 1024))
      ? "text"
      : "binary";
}

function isText(bytes: Uint8Array): boolean {
  try {
    return !/[\0-\x08\x0e-\x1f]/.test(
      new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true }),
    );
  } catch {
    return false;
  }
}

const FIELDS = ["data", "event", "id", "retry"];
const NO_BYTES: Uint8Array = /* @__PURE__ */ new Uint8Array();

function concatenated(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

/** Throws unless a value can be read as a source. */
export function mustBeSource(source: AgentwireSource): void {
  const can = (name: PropertyKey): boolean =>
    typeof (source as unknown as Record<PropertyKey, unknown>)[name] === "function";
  const isOne =
    typeof source === "object" &&
    source !== null &&
    ("ok" in source || can("getReader") || can(Symbol.asyncIterator));
  must(
    isOne,
    "wrong-source",
    "the source must be a Response, a byte stream or an async iterable of bytes",
  );
}

const NOTHING: Chunks = {
  next: async () => ({ done: true, value: undefined }),
  cancel() {},
  release() {},
};

/** Returns the chunks of a source, which is not read yet. */
export function chunksOf<T>(source: ReadableStream<T> | AsyncIterable<T>): Chunks<T> {
  // Uses `getReader` because Safari's streams are not async iterable.
  if ("getReader" in source) {
    if (source.locked) {
      throw used();
    }
    const reader = source.getReader();
    return {
      next: () => reader.read(),
      cancel: (reason) => void reader.cancel(reason).catch(ignore),
      release: () => reader.releaseLock(),
    };
  }
  const iterator = source[Symbol.asyncIterator]();
  return {
    next: () => iterator.next(),
    cancel: () => void (async () => iterator.return?.())().catch(ignore),
    release() {},
  };
}

/** Reads the start of a body, for an error message. `start` was read already. */
async function readStart(chunks: Chunks, start = NO_BYTES): Promise<string> {
  const decoder = new TextDecoder();
  let text = decoder.decode(start, { stream: true });
  // The error must not wait for a server that keeps the connection open.
  const timer = setTimeout(() => chunks.cancel("an error page is not waited for"), PATIENCE);
  try {
    while (text.length < MAX_ERROR_PAGE_LENGTH) {
      const { done, value } = await chunks.next();
      if (done) {
        return text + decoder.decode();
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The part before the failure is still used for the error.
  } finally {
    clearTimeout(timer);
  }
  return text.slice(0, MAX_ERROR_PAGE_LENGTH);
}

/** Throws unless a chunk consists of bytes. */
export function mustBeBytes(chunk: Uint8Array): void {
  // Accepts byte arrays of other realms.
  if (
    !(chunk instanceof Uint8Array) &&
    !(ArrayBuffer.isView(chunk) && "BYTES_PER_ELEMENT" in chunk && chunk["BYTES_PER_ELEMENT"] === 1)
  ) {
    throw new AgentwireError(
      "wrong-chunk",
      "a chunk is a Uint8Array: encode text with TextEncoder",
    );
  }
}

function used(): AgentwireError {
  return new AgentwireError("body-used", "this body was read before, or is being read");
}

function ignore(): void {}
