// Writes text in the pieces in which a model would stream it.

import type { AgentWriter, TextWriter } from "agentwire/server";
import type { Ask } from "./ask.js";
import { pause, tokensOf } from "./tokens.js";

/** Writes one text message. */
export async function say(out: AgentWriter, ask: Ask, text: string): Promise<void> {
  await write(out, ask, out.message().text(), text);
}

/** Writes a text in pieces. */
export async function write({ signal }: AgentWriter, { delay }: Ask, to: TextWriter, text: string): Promise<void> {
  for (const token of tokensOf(text)) {
    if (delay > 0) {
      await pause(delay, signal);
    }
    await to.delta(token);
  }
}
