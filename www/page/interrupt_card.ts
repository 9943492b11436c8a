// An interrupt of a run: its question, and the buttons that answer it.

import { type Json, stringifyJson } from "agentwire";
import type { InterruptPart as AgKitInterruptPart } from "agentwire/ag-kit";
import { el, fill, setText } from "./dom.js";
import { prettyJson } from "./json_view.js";

export class InterruptCard {
  readonly element = el("section", { class: "interrupt", role: "group" });
  readonly #head = el("header");
  readonly #question = el("p", { class: "asked", dir: "auto" });
  readonly #payload = el("pre", { class: "json", "aria-label": "payload" });
  readonly #approve = el("button", { type: "button", class: "main" }, "Approve");
  readonly #decline = el("button", { type: "button" }, "Decline");
  readonly #buttons = el("div", { class: "actions" }, this.#approve, this.#decline);
  readonly #decision = el("p", { class: "decision", role: "status" });
  #payloadDrawn: Json | undefined;
  #answer: ((approved: boolean) => void) | undefined;

  constructor() {
    this.#approve.addEventListener("click", () => this.#answer?.(true));
    this.#decline.addEventListener("click", () => this.#answer?.(false));
    fill(this.element, this.#head, this.#question, this.#payload, this.#buttons, this.#decision);
  }

  /**
   * Shows the interrupt; `answer` resumes the run, and is undefined if the run cannot be resumed.
   */
  render(
    { id, reason, payload }: AgKitInterruptPart,
    decision: string | undefined,
    answer?: (approved: boolean) => void,
  ): void {
    this.#answer = answer;
    fill(this.#head, el("b", {}, "interrupt"), el("span", { class: "id" }, id));
    const question = questionOf(payload);
    setText(this.#question, question ?? reason ?? "The run waits for an answer.");
    this.element.setAttribute("aria-label", `interrupt: ${this.#question.textContent}`);
    this.#payload.hidden = payload === null || (question !== null && isOnlyText(payload));
    if (this.#payloadDrawn !== payload) {
      this.#payloadDrawn = payload;
      fill(this.#payload, prettyJson(payload));
    }
    this.#buttons.hidden = answer === undefined;
    setText(this.#decision, decision ?? (answer === undefined ? "waits for an answer" : ""));
    this.#decision.hidden = this.#decision.textContent === "";
  }
}

/** Returns the text in a payload that is meant for people. */
function questionOf(payload: Json): string | null {
  if (typeof payload === "string") {
    return payload;
  }
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    return null;
  }
  const members = payload as { readonly [key: string]: Json };
  const text = members["question"] ?? members["message"] ?? members["q"];
  return text === undefined || text === null
    ? null
    : typeof text === "string"
      ? text
      : stringifyJson(text);
}

function isOnlyText(payload: Json): boolean {
  return typeof payload === "string" || Object.keys(payload as object).length === 1;
}
