// Where bytes come from: streams, async iterables, and the bodies of HTTP responses that are what they should be.

import { AgentwireError, HttpError } from "./errors.js";
import type { CommonOptions } from "./generated.js";

/**
 * Something to read a stream from. A `Response` must be a success with content type `text/event-stream` (or none), with
 * `framing: "ndjson"` one of JSON or text; to skip that check, give its `body`. If its content type is that of a protocol's
 * binary streams, it is read as one.
 */
export type AgentwireSource = Response | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A source that gives this chunk begins its stream anew: what was read before is to be forgotten. */
export const ANEW = new Uint8Array(0);

/** Bytes that can be asked for. */
export interface Chunks {
  next(): Promise<IteratorResult<Uint8Array, unknown>>;
  /** Nobody wants to read on. */
  cancel(reason: unknown): void;
  /** The end was reached. */
  release(): void;
}

/** How much of an error page is read, and for how long. */
const MOST = 64 * 1024;
const PATIENCE = 5000;

/** How a stream is cut into events. */
export type Framing = NonNullable<CommonOptions["framing"]>;

/** The content types of streams, by their framing; JSON lines have none that is registered. */
const TYPES = {
  sse: /^\s*text\/event-stream\s*(;|$)/i,
  ndjson: /^\s*(text\/(event-stream|plain)|application\/(x-)?(ndjson|jsonl|jsonlines|json))\s*(;|$)/i,
  "length-prefixed": /^\s*application\/(\S+\+proto|octet-stream)\s*(;|$)/i,
};

/** How a source is cut into events: as was asked, or as the content type of a response says. `binary` are those of binary streams. */
export function framingOf(source: AgentwireSource, asked: Framing | undefined, binary: readonly (string | undefined)[]): Framing {
  const type = source instanceof Object && "ok" in source ? source.headers.get("content-type")?.split(";", 1)[0]!.trim().toLowerCase() : undefined;
  return asked ?? (type !== undefined && binary.includes(type) ? "length-prefixed" : "sse");
}

/** Opens a source. For a response of the wrong kind, asking for the first bytes gives an `HttpError`. */
export function open(source: AgentwireSource, framing: Framing = "sse"): Chunks {
  mustBeSource(source);
  if (!("ok" in source)) {
    return chunksOf(source);
  }
  const { body, bodyUsed, headers, ok, status } = source;
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
      throw new HttpError(status, headers, await beginning(chunks));
    },
  };
}

/** Refuses what cannot be read. */
export function mustBeSource(source: AgentwireSource): void {
  const can = (name: PropertyKey): boolean => typeof (source as unknown as Record<PropertyKey, unknown>)[name] === "function";
  const isOne = typeof source === "object" && source !== null && ("ok" in source || can("getReader") || can(Symbol.asyncIterator));
  if (!isOne) {
    throw new AgentwireError("wrong-source", "what is read is a Response, a stream of bytes or an async iterable of them");
  }
}

const NOTHING: Chunks = {
  next: async () => ({ done: true, value: undefined }),
  cancel() {},
  release() {},
};

function chunksOf(source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): Chunks {
  // A reader, and not the stream's own iterator, which Safari does not have.
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

/** As much of a body as says what went wrong. */
async function beginning(chunks: Chunks): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  // A server that keeps the connection open must not keep the error.
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
    // A body that breaks off has said what it could.
  } finally {
    clearTimeout(timer);
  }
  return text.slice(0, MOST);
}

/** Refuses a chunk that is none. */
export function mustBeBytes(chunk: Uint8Array): void {
  // Also those of another realm are bytes.
  if (!(chunk instanceof Uint8Array) && !(ArrayBuffer.isView(chunk) && "BYTES_PER_ELEMENT" in chunk && chunk["BYTES_PER_ELEMENT"] === 1)) {
    throw new AgentwireError("wrong-chunk", "a chunk is a Uint8Array: encode text with TextEncoder");
  }
}

function used(): AgentwireError {
  return new AgentwireError("body-used", "this body is being read, or was read, by somebody else");
}

function ignore(): void {}
