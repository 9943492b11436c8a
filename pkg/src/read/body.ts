// The sources of bytes: streams, async iterables, and the bodies of HTTP responses, which are checked.

import { AgentwireError, HttpError, must } from "../core/errors.js";
import type { CommonOptions } from "../generated/contract.js";

/**
 * A source of a stream's bytes. A `Response` must be successful and have the content type `text/event-stream` or none;
 * with `framing: "ndjson"`, one of JSON or text. Pass its `body` to skip that check. A response with the content type
 * of a protocol's binary streams is read as such.
 */
export type AgentwireSource = Response | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** The chunk with which a source starts its stream again: the data before it is discarded. */
export const RESTART = new Uint8Array(0);

/** A pull source of chunks. */
export interface Chunks {
  next(): Promise<IteratorResult<Uint8Array, unknown>>;
  /** Cancels the source. */
  cancel(reason: unknown): void;
  /** Releases the source after its end. */
  release(): void;
}

/** The length and the milliseconds after which the rest of an error page is ignored. */
const MOST = 64 * 1024;
const PATIENCE = 5000;

/** The framing of the events in a stream. */
export type Framing = NonNullable<CommonOptions["framing"]>;

/** The content types of streams by framing. No type is registered for JSON lines. */
const TYPES = {
  sse: /^\s*text\/event-stream\s*(;|$)/i,
  ndjson: /^\s*(text\/(event-stream|plain)|application\/(x-)?(ndjson|jsonl|jsonlines|json))\s*(;|$)/i,
  "length-prefixed": /^\s*application\/(\S+\+proto|octet-stream)\s*(;|$)/i,
};

/**
 * Opens a source when it is available. The content type of a response can determine another framing than the requested
 * one, which `reframed` receives. `binary` are the content types of binary streams.
 */
export async function openWhenReady(
  source: AgentwireSource | PromiseLike<AgentwireSource>,
  requested: Framing | undefined,
  binary: readonly (string | undefined)[],
  reframed: (framing: Framing) => void,
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
function framingOf(source: AgentwireSource, requested: Framing | undefined, binary: readonly (string | undefined)[]): Framing {
  const type = source instanceof Object && "ok" in source ? source.headers.get("content-type")?.split(";", 1)[0]!.trim().toLowerCase() : undefined;
  return requested ?? (type !== undefined && binary.includes(type) ? "length-prefixed" : "sse");
}

/**
 * Opens a source. For a response with another status or content type, reading the first chunk rejects with an
 * `HttpError`.
 */
export function open(source: AgentwireSource, framing: Framing = "sse"): Chunks {
  mustBeSource(source);
  if (!("ok" in source)) {
    return chunksOf(source);
  }
  const { body, bodyUsed, headers, ok, status, url } = source;
  if (bodyUsed) {
    throw used();
  }
  const contentType = headers.get("content-type");
  const chunks = body === null ? NOTHING : chunksOf(body);
  if (ok && (contentType === null || TYPES[framing].test(contentType))) {
    return chunks;
  }
  return {
    ...chunks,
    async next() {
      throw new HttpError(status, headers, await readStart(chunks), url);
    },
  };
}

/** Throws unless a value can be read as a source. */
export function mustBeSource(source: AgentwireSource): void {
  const can = (name: PropertyKey): boolean => typeof (source as unknown as Record<PropertyKey, unknown>)[name] === "function";
  const isOne = typeof source === "object" && source !== null && ("ok" in source || can("getReader") || can(Symbol.asyncIterator));
  must(isOne, "wrong-source", "the source must be a Response, a byte stream or an async iterable of bytes");
}

const NOTHING: Chunks = {
  next: async () => ({ done: true, value: undefined }),
  cancel() {},
  release() {},
};

function chunksOf(source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): Chunks {
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

/** Reads the start of a body, for an error message. */
async function readStart(chunks: Chunks): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  // The error must not wait for a server that keeps the connection open.
  const timer = setTimeout(() => chunks.cancel("an error page is not waited for"), PATIENCE);
  try {
    while (text.length < MOST) {
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
  return text.slice(0, MOST);
}

/** Throws unless a chunk consists of bytes. */
export function mustBeBytes(chunk: Uint8Array): void {
  // Accepts byte arrays of other realms.
  if (!(chunk instanceof Uint8Array) && !(ArrayBuffer.isView(chunk) && "BYTES_PER_ELEMENT" in chunk && chunk["BYTES_PER_ELEMENT"] === 1)) {
    throw new AgentwireError("wrong-chunk", "a chunk is a Uint8Array: encode text with TextEncoder");
  }
}

function used(): AgentwireError {
  return new AgentwireError("body-used", "this body was read before, or is being read");
}

function ignore(): void {}
