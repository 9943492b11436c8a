// Mutations of a stream, to demonstrate the verdict.

import type { Protocol } from "agentwire";
import { joinBytes } from "./ndjson.js";
import type { Recording, Row } from "./recording.js";

/** One mutation; null if it does not apply to the stream. */
export interface Breakage {
  readonly name: string;
  /** The expected result. */
  readonly hint: string;
  readonly apply: (recording: Recording) => Uint8Array | null;
}

/** The mutations of a recorded stream. */
export const BREAKAGES: readonly Breakage[] = [
  {
    name: "CRLF line ends",
    hint: "valid: nothing changes",
    apply: ({ bytes }) => replaceLines(bytes, "\r\n"),
  },
  { name: "Heartbeats everywhere", hint: "valid: comments are not events", apply: withHeartbeats },
  {
    name: "Drop the last blank line",
    hint: "a browser would lose the event",
    apply: ({ bytes }) => bytes.slice(0, trimmedLength(bytes)),
  },
  {
    name: "Cut it off in the middle",
    hint: "the received part stays",
    apply: ({ bytes }) => bytes.slice(0, Math.floor(bytes.length * 0.6)),
  },
  {
    name: "Drop the last event",
    hint: "the stream has no end event",
    apply: (recording) => without(recording, lastEvent(recording)),
  },
  {
    name: "Duplicate a delta",
    hint: "the completed text wins, if one comes",
    apply: duplicateDelta,
  },
  { name: "Swap two deltas", hint: "the order of arrival counts", apply: swapDeltas },
  {
    name: "Never end a tool call",
    hint: "it must not be executed",
    apply: (recording) => without(recording, endOfCall(recording)),
  },
  { name: "Go on after the end", hint: "ignored", apply: continueAfterEnd },
  { name: "Make one event no JSON", hint: "dropped, the rest is read", apply: breakEvent },
];

/** An event that is too late at the end; other protocols repeat their first event. */
const LATE: Partial<Record<Protocol, string>> = {
  "agent-api": '{"object":"message","status":"in_progress","id":"msg_late"}',
  "ag-kit": '{"type":"text","content":"late"}',
  "ag-ui": '{"type":"TEXT_MESSAGE_START","messageId":"late"}',
};

function continueAfterEnd({ bytes, protocol = "agent-api", rows }: Recording): Uint8Array | null {
  const late = LATE[protocol];
  const [first] = events(rows);
  return late !== undefined
    ? joinBytes([bytes, frame(late)])
    : first === undefined
      ? null
      : joinBytes([bytes, bytes.subarray(first.start, first.end)]);
}

function replaceLines(bytes: Uint8Array, end: string): Uint8Array {
  // Bytes as characters, so that bytes that are not UTF-8 do not change.
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return Uint8Array.from(text.replace(/\r\n|\r|\n/g, end), (character) => character.charCodeAt(0));
}

function withHeartbeats({ rows, bytes }: Recording): Uint8Array {
  const heartbeat = encode(": heartbeat\n\n");
  return joinBytes(
    events(rows).flatMap(({ start, end }) => [bytes.subarray(start, end), heartbeat]),
  );
}

function duplicateDelta({ rows, bytes }: Recording): Uint8Array | null {
  const deltas = deltasOf(rows);
  const delta = deltas[Math.floor(deltas.length / 2)];
  return delta ? joinBytes([bytes.subarray(0, delta.end), bytes.subarray(delta.start)]) : null;
}

function swapDeltas({ rows, bytes }: Recording): Uint8Array | null {
  const deltas = deltasOf(rows);
  const at = deltas.findIndex((row, place) => deltas[place + 1]?.start === row.end);
  const [one, other] = [deltas[at], deltas[at + 1]];
  return one && other
    ? joinBytes([
        bytes.subarray(0, one.start),
        bytes.subarray(other.start, other.end),
        bytes.subarray(one.start, one.end),
        bytes.subarray(other.end),
      ])
    : null;
}

function without({ bytes }: Recording, row: Row | undefined): Uint8Array | null {
  return row ? joinBytes([bytes.subarray(0, row.start), bytes.subarray(row.end)]) : null;
}

function breakEvent({ rows, bytes }: Recording): Uint8Array | null {
  const list = events(rows);
  const row = list[Math.floor(list.length / 2)];
  return row
    ? joinBytes([
        bytes.subarray(0, row.start),
        frame('{"object":"content","delta":tru'),
        bytes.subarray(row.end),
      ])
    : null;
}

function events(rows: readonly Row[]): Row[] {
  return rows.filter((row) => row.event !== null);
}

function deltasOf(rows: readonly Row[]): Row[] {
  return rows.filter((row) => row.label.isDelta === true);
}

/** Returns the event that makes the arguments of a call final. */
function endOfCall({ rows }: Recording): Row | undefined {
  return rows.find(({ label }) => label.object === "tool-call" && label.detail === "end");
}

function lastEvent({ rows }: Recording): Row | undefined {
  return events(rows).at(-1);
}

/** Returns the length of the bytes without the line ends after them. */
function trimmedLength(bytes: Uint8Array): number {
  return bytes.findLastIndex((byte) => byte !== 0x0a && byte !== 0x0d) + 1;
}

function frame(data: string): Uint8Array {
  return encode(`data: ${data}\n\n`);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
