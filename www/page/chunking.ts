// Demonstrates that the boundaries of network chunks do not matter: reads the recorded bytes again
// in other pieces.

import { Decoder, type Json, type Outcome, stringifyJson } from "agentwire";
import { byId, setAttribute } from "./dom.js";
import type { Playback } from "./playback.js";
import type { ProtocolOption } from "./protocols.js";
import type { Recording } from "./recording.js";
import { bytesText, countText, timeText } from "./words.js";

const RANDOM = "random";
/** The stops of the slider: sizes of chunks, and chunks of random sizes. */
const SIZES: readonly (number | typeof RANDOM)[] = [
  Infinity,
  65536,
  16384,
  4096,
  1024,
  256,
  64,
  16,
  7,
  3,
  2,
  1,
  RANDOM,
];
/** Milliseconds of reading before the page yields to the event loop. */
const PATIENCE = 12;

export class Chunking {
  readonly #playback: Playback;
  readonly #slider = byId<HTMLInputElement>("cut");
  readonly #size = byId("cut-size");
  readonly #verdict = byId("cut-verdict");
  #of: Recording | null = null;
  /** The number of the latest attempt: earlier ones report nothing. */
  #attempt = 0;

  constructor(playback: Playback) {
    this.#playback = playback;
    this.#slider.max = String(SIZES.length - 1);
    this.#slider.addEventListener("input", () => void this.#compare());
    this.render();
  }

  /** Starts again when the recording has changed. */
  render(): void {
    const { recording } = this.#playback;
    const whole = recording?.finished ? recording : null;
    if (whole === this.#of && whole !== null) {
      return;
    }
    this.#of = whole;
    this.#slider.disabled = whole === null;
    this.#slider.value = "0";
    this.#report(
      "whole",
      whole === null
        ? "Once a stream is complete, read it again in any pieces."
        : "Drag to read the recorded bytes again in smaller chunks.",
    );
  }

  async #compare(): Promise<void> {
    const recording = this.#of;
    const size = SIZES[Number(this.#slider.value)]!;
    const attempt = ++this.#attempt;
    if (recording === null) {
      return;
    }
    this.#report(nameOf(size), "reading…");
    const whole = await readAgain(recording, Infinity, () => attempt === this.#attempt);
    const cut = await readAgain(recording, size, () => attempt === this.#attempt);
    if (whole === null || cut === null) {
      return;
    }
    const same = cut.text === whole.text;
    const work = `${countText(cut.chunks, "chunk")} in ${timeText(cut.time)}`;
    const outcome = same
      ? `Same answer, same violations · ${digestOf(cut.text)} · ${work}`
      : `The result differs: ${digestOf(whole.text)} whole, ${digestOf(cut.text)} cut · ${work}`;
    this.#report(nameOf(size), outcome, same ? "same" : "different");
  }

  #report(size: string, verdict: string, outcome?: "same" | "different"): void {
    this.#size.textContent = size;
    this.#verdict.textContent = verdict;
    this.#slider.setAttribute("aria-valuetext", size);
    setAttribute(this.#verdict, "data-outcome", outcome);
  }
}

interface Reading {
  /** The complete result of the core, as one text. */
  readonly text: string;
  readonly chunks: number;
  readonly time: number;
}

/**
 * Reads a recording in chunks of a size; returns null if `wants` reports that the result is
 * obsolete.
 */
async function readAgain(
  recording: Recording,
  size: number | typeof RANDOM,
  wanted: () => boolean,
): Promise<Reading | null> {
  const { bytes } = recording;
  const decoder = new Decoder({ protocol: recording.protocolOption });
  let [chunks, time, at] = [0, 0, 0];
  while (at < bytes.length) {
    const began = performance.now();
    do {
      const length = size === RANDOM ? 1 + Math.floor(Math.random() ** 4 * 2000) : size;
      decoder.push(bytes.subarray(at, at + length));
      at += length;
      chunks++;
    } while (at < bytes.length && ((chunks & 63) !== 0 || performance.now() - began < PATIENCE));
    time += performance.now() - began;
    if (at < bytes.length) {
      await new Promise((resolve) => setTimeout(resolve));
      if (!wanted()) {
        decoder.free();
        return null;
      }
    }
  }
  return { text: textOf(recording.endOf(decoder)), chunks, time };
}

function textOf({ protocol, snapshot, toolCalls, report }: Outcome<ProtocolOption>): string {
  return [
    protocol,
    ...[snapshot, toolCalls, report].map((part) => stringifyJson(part as unknown as Json)),
  ].join("\n");
}

function nameOf(size: number | typeof RANDOM): string {
  return size === Infinity
    ? "whole"
    : size === RANDOM
      ? RANDOM
      : size >= 1024
        ? `${size / 1024} KiB`
        : bytesText(size);
}

/** Returns a short digest for display. The texts themselves have been compared. */
function digestOf(text: string): string {
  let [high, low] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at++) {
    high = Math.imul(high ^ text.charCodeAt(at), 0x01000193);
    low = Math.imul(low + text.charCodeAt(at), 0x85ebca6b) ^ (low >>> 13);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
