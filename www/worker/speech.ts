// Writes text in the pieces in which a model would stream it.

import type { AgentWriter, TextWriter } from "agentwire/server";
import type { Ask } from "./ask.js";

/** Writes one text message. */
export async function writeMessage(out: AgentWriter, ask: Ask, text: string): Promise<void> {
  await write(out, ask, out.message().text(), text);
}

/** Writes a text in pieces. */
export async function write(
  { signal }: AgentWriter,
  { delay }: Ask,
  to: TextWriter,
  text: string,
): Promise<void> {
  for (const token of tokensOf(text)) {
    if (delay > 0) {
      await pause(delay, signal);
    }
    await to.delta(token);
  }
}

/**
 * Splits a text: words with the space after them, one or two Chinese characters, other characters
 * by code point. An emoji of several code points is split, as models do it.
 */
export function tokensOf(text: string): string[] {
  return (
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}|[\p{L}\p{N}'’_]+\s?|\s+|./gsu,
    ) ?? []
  );
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
}
