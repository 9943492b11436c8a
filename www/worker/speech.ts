// How the demo agent says something: in the pieces that a model would stream it in.

import type { AgentWriter, TextWriter } from "agentwire/server";
import type { Ask } from "./ask.js";
import { pause, tokensOf } from "./tokens.js";

/** One message of text. */
export async function say(out: AgentWriter, ask: Ask, text: string): Promise<void> {
  await write(out, ask, out.message().text(), text);
}

/** A text, piece by piece. */
export async function write({ signal }: AgentWriter, { delay }: Ask, to: TextWriter, text: string): Promise<void> {
  for (const token of tokensOf(text)) {
    if (delay > 0) {
      await pause(delay, signal);
    }
    await to.delta(token);
  }
}
