// One message of the answer. Its elements are kept while it grows, so that selections and open
// sections survive.

import type { Content, Message } from "agentwire/agent-api";
import { el, fill, setAttribute, setText } from "./dom.js";
import { PartView } from "./part_view.js";
import { statusChip } from "./status_chip.js";
import type { ToolCards } from "./tool_cards.js";

export class MessageView {
  readonly element = el("article", { class: "message" });
  readonly #head = el("header");
  readonly #parts = el("div", { class: "parts" });
  readonly #failure = el("p", { class: "failure" });
  #views: PartView[] = [];
  #form: Form | undefined;
  #fold: HTMLDetailsElement | undefined;

  /** Shows the message in its present state; `over` is whether its response has ended. */
  render(message: Message, tools: ToolCards, over: boolean): void {
    const hidden = tools.areShownElsewhere(message);
    this.#take(hidden ? "hidden" : formOf(message));
    if (hidden) {
      return;
    }
    const open = message.status === "in_progress" || message.status === "created";
    // An open message has a cursor, and `completed` is the normal case: neither needs a chip.
    const chip = open
      ? over
        ? statusChip("unfinished")
        : null
      : message.status === "completed"
        ? null
        : statusChip(message.status);
    setAttribute(this.element, "data-type", message.type);
    setAttribute(this.element, "data-role", message.role ?? undefined);
    // The card of a tool call has all information.
    this.#head.hidden = tools.areCards(message);
    fill(this.#head, el("span", { class: "type" }, titleOf(message)), chip);
    this.#renderParts(message.content, open && !over, tools);
    const failure =
      message.error ??
      (message.code || message.message ? { code: message.code, message: message.message } : null);
    this.#failure.hidden = failure === null;
    setText(
      this.#failure,
      failure === null ? "" : `${failure.code ?? ""} ${failure.message ?? ""}`.trim(),
    );
  }

  #renderParts(parts: readonly Content[], open: boolean, tools: ToolCards): void {
    parts.forEach((part, at) => {
      let view = this.#views[at];
      if (view === undefined || view.type !== part.type) {
        view = new PartView(part.type);
        this.#views[at] = view;
      }
      view.render(part, open && part.status === "in_progress", tools);
      if (this.#parts.children[at] !== view.element) {
        if (this.#parts.children[at] === undefined) {
          this.#parts.append(view.element);
        } else {
          this.#parts.children[at]!.replaceWith(view.element);
        }
      }
    });
    this.#views.length = parts.length;
    while (this.#parts.children.length > parts.length) {
      this.#parts.lastElementChild!.remove();
    }
  }

  #take(form: Form): void {
    if (form === this.#form) {
      return;
    }
    this.#form = form;
    this.element.hidden = form === "hidden";
    if (form === "reasoning" || form === "note") {
      this.#fold ??= el("details", { open: form === "reasoning" });
      fill(this.#fold, el("summary", {}, this.#head), this.#parts);
      fill(this.element, this.#fold, this.#failure);
    } else {
      fill(this.element, this.#head, this.#parts, this.#failure);
    }
  }
}

type Form = "plain" | "reasoning" | "note" | "hidden";

/**
 * Returns the form of a message. States, activities and steps of this package's servers are notes,
 * which are closed.
 */
function formOf({ type }: Message): Form {
  return type === "reasoning" ? "reasoning" : type.startsWith("agentwire.") ? "note" : "plain";
}

function titleOf({ type, role, id }: Message): string {
  const name = type === "message" ? (role ?? "message") : type.replaceAll("_", " ");
  return id === "" ? `${name} (no id)` : name;
}
