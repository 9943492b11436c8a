// The first answer of a process meets code that is not compiled yet. A sample answer that is read before, while there is
// something to wait for, has that done.

import { Fold } from "./fold.js";
import { PROTOCOLS } from "./generated.js";
import type { Protocol } from "./outcome.js";
import { core, ready } from "./wasm.js";

/** An event of the Agent API: what most events have, and the rest. */
const event = (object: string, status: string, rest: object): string =>
  `data: ${JSON.stringify({ sequence_number: 0, object, status, error: null, ...rest })}\n\n`;

const message = (id: string, type: string, part: object, last: object, pieces: number): string => {
  const head = { id, type, role: "assistant", content: null, usage: null };
  const content = { index: 0, msg_id: id };
  const delta = event("content", "in_progress", { ...part, ...content, delta: true });
  return [
    event("message", "in_progress", head),
    delta.repeat(pieces),
    event("content", "completed", { ...last, ...content, delta: false }),
    event("message", "completed", { ...head, content: [{ ...last, ...content }] }),
  ].join("");
};

const data = { type: "data", data: { call_id: "c", name: "n", arguments: "{}" } };

/** A short answer in each protocol, with what answers usually have: texts, not only of ASCII, and a tool call. */
const SAMPLES: { readonly [P in Protocol]?: () => string } = {
  "agent-api": () =>
    [
      event("response", "created", { id: "r", output: [] }),
      message("m", "message", { type: "text", text: "é a" }, { type: "text", text: "é a".repeat(24) }, 24),
      message("c", "plugin_call", data, data, 1),
      event("response", "completed", { id: "r", output: [], usage: {} }),
    ].join(""),
  "ag-kit": () =>
    [
      `data: {"type":"text","content":"é a"}\n\n`.repeat(24),
      `data: {"type":"tool-call-start","toolCallId":"c","toolCallName":"n"}\n\n`,
      `data: {"type":"tool-call-args","toolCallId":"c","delta":"{}"}\n\n`,
      `data: {"type":"tool-call-end","toolCallId":"c"}\n\ndata: [DONE]\n\n`,
    ].join(""),
};

/**
 * Reads a short sample answer, so that the first real one does not wait until the code is compiled: some ten milliseconds
 * of work, to be done while there is something to wait for. `read(fetch(…))` does it by itself; what has another way to its
 * bytes may call it beside its request. It does nothing where an answer has been read before, and before `init()`.
 *
 * @param protocol what will be read: `agent-api` if nothing is said
 */
export function warm(protocol?: Protocol | "auto"): void {
  const sample = SAMPLES[protocol as Protocol] ?? SAMPLES[PROTOCOLS[0]];
  if (sample === undefined || !ready() || core().kept !== undefined) {
    return;
  }
  const bytes = new TextEncoder().encode(sample());
  try {
    for (const size of [300, 2000]) {
      const fold = new Fold({ protocol });
      for (let from = 0; from < bytes.length; from += size) {
        fold.push(bytes.subarray(from, from + size));
        fold.update();
      }
      fold.end(false);
      void fold.outcome();
    }
  } catch {
    // There is no memory for it; whoever reads will be told.
  }
}
