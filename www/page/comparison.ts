// Two runs, or one run in two protocols, as a difference of lines.

import { Decoder, EventDecoder, type WritableProtocol } from "agentwire";
import { diffLines } from "diff";
import { Converted } from "./conversion.js";
import { prettyJson } from "./json_view.js";
import type { Recording } from "./recording.js";

/** The compared part of two runs: the answers, or all events. */
export type Aspect = "answer" | "events";

/** Lines of both texts, of the first one only (`-`) or of the second one only (`+`). */
export interface DiffPart {
  readonly sign: " " | "-" | "+";
  readonly lines: readonly string[];
}

/** The search for the difference takes time that grows with the square of this number. */
const MOST_CHANGES = 4000;
/** Longer texts are not compared. */
const LONGEST = 2_000_000;

/** Returns the difference of two texts; null if they are too long or differ too much. */
export function differenceOf(first: string, second: string): DiffPart[] | null {
  if (first.length + second.length > LONGEST) {
    return null;
  }
  const parts = diffLines(first, second, { maxEditLength: MOST_CHANGES });
  return (
    parts?.map(({ value, added, removed }) => ({
      sign: added ? "+" : removed ? "-" : " ",
      lines: value.replace(/\n$/, "").split("\n"),
    })) ?? null
  );
}

/** Returns a finished recording as text, in its own protocol or converted to another one. */
export function textOfRun(
  recording: Recording,
  to: WritableProtocol | null,
  aspect: Aspect,
  ignoresIds: boolean,
): string {
  const bytes = to === null ? recording.bytes : convertedTo(recording, to);
  const protocol = to ?? recording.protocolOption;
  const text = aspect === "answer" ? answerOf(bytes, protocol) : eventsOf(bytes, protocol);
  return ignoresIds ? text.replaceAll(VARYING, "$1…") : text;
}

/** Ids and times, which differ in every run. */
const VARYING =
  /("(?:[A-Za-z_]*(?:_id|Id)|id|timestamp|[a-z_]*(?:_at|At))": )(?:"[^"\n]*"|\d[\d.]*)/g;

function answerOf(bytes: Uint8Array, protocol: Recording["protocolOption"]): string {
  const decoder = new Decoder({ protocol });
  decoder.push(bytes);
  return `${prettyJson(decoder.finish().snapshot).textContent}\n`;
}

function eventsOf(bytes: Uint8Array, protocol: Recording["protocolOption"]): string {
  const decoder = new EventDecoder({ protocol });
  const entries = [...decoder.push(bytes), ...decoder.finish()];
  return entries
    .map((entry) => (entry.kind === "event" ? `${prettyJson(entry.event).textContent}\n` : ""))
    .join("");
}

function convertedTo(recording: Recording, to: WritableProtocol): Uint8Array {
  const converted = new Converted(recording, to);
  converted.grow();
  const bytes = new TextEncoder().encode(converted.output);
  converted.free();
  return bytes;
}
