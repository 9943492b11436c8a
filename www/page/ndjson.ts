// Newline-delimited JSON as server-sent events: the panes support one framing.

const LF = 10;
const PREFIX = new TextEncoder().encode("data: ");
const END = new TextEncoder().encode("\n\n");

/** Frames the lines of a stream that arrives in chunks. Empty lines are dropped. */
export class LineFraming {
  #rest = new Uint8Array(0);

  /** Returns the events of the lines that end in this chunk. */
  push(chunk: Uint8Array): Uint8Array {
    const from = chunk.lastIndexOf(LF) + 1;
    if (from === 0) {
      this.#rest = joinBytes([this.#rest, chunk]);
      return new Uint8Array(0);
    }
    const lines = linesOf(joinBytes([this.#rest, chunk.subarray(0, from)]));
    this.#rest = chunk.slice(from);
    return joinBytes(lines.flatMap((line) => [PREFIX, line, END]));
  }

  /** Returns the event of a last line without an end. */
  finish(): Uint8Array {
    return this.push(Uint8Array.of(LF));
  }
}

/** Returns the bytes of server-sent events, from either framing. */
export function toServerSentEvents(bytes: Uint8Array): Uint8Array {
  if (!isNdjson(bytes)) {
    return bytes;
  }
  const lines = new LineFraming();
  return joinBytes([lines.push(bytes), lines.finish()]);
}

/**
 * Returns whether bytes are newline-delimited JSON: server-sent events never begin with a brace.
 */
export function isNdjson(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 64)).trimStart().startsWith("{");
}

function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (
    let start = 0, end = bytes.indexOf(LF);
    end >= 0;
    start = end + 1, end = bytes.indexOf(LF, start)
  ) {
    const line = bytes.subarray(start, bytes[end - 1] === 13 && end > start ? end - 1 : end);
    if (line.length > 0) {
      lines.push(line);
    }
  }
  return lines;
}

/** Returns the bytes of all parts in one array. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
