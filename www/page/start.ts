// What the answer pane says before there is a stream.

import { el } from "./dom.js";

/** Something to begin with. */
export interface Suggestion {
  readonly text: string;
  readonly act: () => void;
}

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
    el("p", { class: "lead" }, "See what an agent streams, event by event."),
    el("p", {}, "Its bytes, the answer they add up to, and every rule they break: worked out in this tab, by the same WebAssembly core that runs on the edge."),
    el("div", { class: "suggestions" }, ...buttons),
  );
}
