// A tool call as a card: its name, its arguments while they arrive, its output.

import { type Json, stringify } from "agentwire";
import { el, fill, setAttribute, setText } from "./dom.js";
import { prettyJson } from "./json_view.js";
import type { Card } from "./tool_cards.js";

export class ToolCard {
  readonly element = el("section", { class: "tool" });
  readonly #name = el("b");
  readonly #id = el("span", { class: "id" });
  readonly #state = el("span", { class: "state" });
  readonly #arguments = el("pre", { class: "arguments", "aria-label": "arguments" });
  readonly #output = el("pre", { class: "output", "aria-label": "output" });
  #drawn = { args: "", output: "" };

  constructor() {
    const head = el("header", {}, this.#name, this.#id, this.#state);
    fill(this.element, head, this.#arguments, this.#output);
  }

  /** Shows the call as it is now. */
  render({ call, args, output }: Card): void {
    setAttribute(this.element, "data-state", call.state);
    setAttribute(this.element, "aria-label", `tool call ${call.name ?? ""}`);
    setText(this.#name, call.name ?? "unnamed");
    setText(this.#id, [call.type.replaceAll("_", " "), call.callId].filter(Boolean).join(" · "));
    setText(this.#state, call.state);
    const argsLook = `${call.state} ${args.raw}`;
    if (this.#drawn.args !== argsLook) {
      this.#drawn.args = argsLook;
      fill(this.#arguments, laidOut(call.state === "streaming" ? args.partial : args.value, args.raw));
    }
    const outputLook = output === undefined ? "" : `${call.state} ${output.raw || stringify(output.data)}`;
    this.#output.hidden = output === undefined;
    if (output !== undefined && this.#drawn.output !== outputLook) {
      this.#drawn.output = outputLook;
      fill(this.#output, laidOut(output.raw === "" ? output.data : output.value, output.raw));
    }
  }
}

/** JSON laid out, or the text as it came where it is none. */
function laidOut(value: Json | undefined, raw: string): Node | string {
  return typeof value === "object" && value !== null ? prettyJson(value) : raw;
}
