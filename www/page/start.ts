// The answer pane before the first stream.

import { el } from "./dom.js";

/** A suggestion for the start. */
export interface Suggestion {
  readonly text: string;
  readonly act: () => void;
}

/** Further samples for a page without a worker. */
export const RECORDED = [
  { text: "OpenAI Responses: two calls at once", file: "parallel_tool_calls.sse" },
  { text: "AG-UI: a state, and patches to it", file: "u36_state_snapshot_delta.sse" },
  { text: "A2A: a task that waits for input", file: "v03_input_required.sse" },
];

/** A short introduction and a few things to try. */
export function startPage(suggestions: readonly Suggestion[]): HTMLElement {
  const buttons = suggestions.map(({ text, act }) => {
    const button = el("button", { type: "button" }, text);
    button.addEventListener("click", act);
    return button;
  });
  return el(
    "div",
    { class: "start" },
    el("p", { class: "lead" }, "Inspect the stream of an agent, event by event."),
    el(
      "p",
      {},
      "Its events and bytes, the answer, and each violation of the protocol. The WebAssembly of agentwire reads it in this tab; a recording is not uploaded.",
    ),
    el("div", { class: "suggestions" }, ...buttons),
  );
}
