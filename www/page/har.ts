// Parses HTTP archives, as the network panel of a browser saves them, and returns the responses
// that may be streams.

import type { RequestSource } from "./source.js";

/** A response of an archive. */
export interface ArchivedResponse {
  readonly bytes: Uint8Array;
  readonly status: number;
  readonly type: string;
  readonly source: RequestSource;
}

/**
 * The members of an entry that are read. Archives are untrusted: each may be missing or of another
 * type.
 */
interface Entry {
  readonly request?: {
    readonly method?: unknown;
    readonly url?: unknown;
    readonly headers?: unknown;
    readonly postData?: { readonly text?: unknown };
  };
  readonly response?: {
    readonly status?: unknown;
    readonly content?: {
      readonly mimeType?: unknown;
      readonly text?: unknown;
      readonly encoding?: unknown;
    };
  };
  readonly timings?: Readonly<Record<string, unknown>>;
  readonly time?: unknown;
}

const STREAM = /event-stream|ndjson|jsonl/i;

/**
 * Returns the responses of an archive that have a body, only the streams if it has any; null if the
 * text is not an archive.
 */
export function responsesOfHar(text: string): ArchivedResponse[] | null {
  if (!/^\s*\{\s*"log"\s*:/.test(text)) {
    return null;
  }
  let entries: unknown;
  try {
    entries = JSON.parse(text)?.log?.entries;
  } catch {
    return null;
  }
  if (!Array.isArray(entries)) {
    return null;
  }
  const responses = entries.flatMap((entry) => responseOf(Object(entry) as Entry));
  const streams = responses.filter(({ type }) => STREAM.test(type));
  return streams.length > 0 ? streams : responses;
}

function responseOf({ request, response, timings, time }: Entry): ArchivedResponse[] {
  const { mimeType, text, encoding } = response?.content ?? {};
  if (typeof text !== "string" || text === "") {
    return [];
  }
  const bytes = encoding === "base64" ? bytesOfBase64(text) : new TextEncoder().encode(text);
  const source: RequestSource = {
    kind: "request",
    url: textOr(request?.url, ""),
    method: textOr(request?.method, "GET"),
    headers: headersOf(request?.headers),
    body: textOr(request?.postData?.text, ""),
    timing: timingOf(timings, time),
  };
  return bytes === null
    ? []
    : [{ bytes, status: Number(response?.status), type: textOr(mimeType, ""), source }];
}

/** Headers of the client. The others are those of the browser and the connection. */
const OWN =
  /^(accept|authorization|content-type|a2a-.*|x-.*|openai-.*|last-event-id|prefer|idempotency-key)$/i;

function headersOf(list: unknown): [string, string][] {
  return (Array.isArray(list) ? list : []).flatMap((header): [string, string][] => {
    const { name, value } = Object(header) as { name?: unknown; value?: unknown };
    return typeof name === "string" && typeof value === "string" && OWN.test(name)
      ? [[name, value]]
      : [];
  });
}

/** Returns the times of the first and the last byte: archives have no times of chunks. */
function timingOf(timings: Entry["timings"], time: unknown): RequestSource["timing"] {
  const before = ["blocked", "dns", "connect", "send", "wait"]
    .map((name) => Number(timings?.[name] ?? 0))
    .filter((value) => value > 0);
  return timings === undefined || typeof time !== "number"
    ? undefined
    : { firstByte: before.reduce((sum, value) => sum + value, 0), total: time };
}

function bytesOfBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
