// A tool call as a card: its name, its arguments while they arrive, its output.

import type { Json } from "agentwire";
import { el, fill, setAttribute, setText } from "./dom.js";
import { prettyJson } from "./json_view.js";

/** The content of a card. */
export interface Card {
  readonly name: string | null;
  /** Its kind and its id. */
  readonly about: string;
  readonly state: "streaming" | "called" | "awaiting-approval" | "answered";
  /** The shown text of the state, if it differs from the state. */
  readonly stateText?: string | undefined;
  readonly args: CardText;
  /** The reason why the arguments cannot be used. */
  readonly argsError?: string | null;
  readonly output?: CardText | undefined;
}

/** A text, and its JSON value if it is valid JSON. */
export interface CardText {
  readonly raw: string;
  readonly value: Json | undefined;
}

export class ToolCard {
  readonly element = el("section", { class: "tool" });
  readonly #name = el("b");
  readonly #id = el("span", { class: "id" });
  readonly #state = el("span", { class: "state" });
  readonly #arguments = el("pre", { class: "arguments", "aria-label": "arguments" });
  readonly #complaint = el("p", { class: "complaint" });
  readonly #output = el("pre", { class: "output", "aria-label": "output" });
  #drawn = { args: "", output: "" };

  constructor() {
    const head = el("header", {}, this.#name, this.#id, this.#state);
    fill(this.element, head, this.#arguments, this.#complaint, this.#output);
  }

  /** Shows the call in its present state. */
  render({ name, about, state, stateText, args, argsError, output }: Card): void {
    setAttribute(this.element, "data-state", state);
    setAttribute(this.element, "aria-label", `tool call ${name ?? ""}`);
    setText(this.#name, name ?? "unnamed");
    setText(this.#id, about);
    setText(this.#state, stateText ?? state);
    const argsLook = `${state} ${args.raw}`;
    if (this.#drawn.args !== argsLook) {
      this.#drawn.args = argsLook;
      fill(this.#arguments, formattedJson(args));
    }
    this.#complaint.hidden = !argsError;
    setText(this.#complaint, argsError ?? "");
    const outputLook = output === undefined ? "" : `${state} ${output.raw}`;
    this.#output.hidden = output === undefined;
    if (output !== undefined && this.#drawn.output !== outputLook) {
      this.#drawn.output = outputLook;
      fill(this.#output, formattedJson(output));
    }
  }
}

/** Returns formatted JSON, or the text unchanged if it is not an object or a list. */
function formattedJson({ raw, value }: CardText): Node | string {
  return typeof value === "object" && value !== null ? prettyJson(value) : raw;
}
