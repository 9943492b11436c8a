// An answer of the Agent API: its messages.

import type { Json } from "agentwire";
import type { RunStatus } from "agentwire/agent-api";
import type { Reply } from "./conversation.js";
import { el, renderEach } from "./dom.js";
import type { AnswerOf } from "./cursor.js";
import { MessageView } from "./message_view.js";
import { ToolCards } from "./tool_cards.js";

export class ResponseView {
  readonly element = el("div", { class: "messages" });
  readonly #views = new Map<string, MessageView>();

  /** Shows the response in its present state. */
  render({ snapshot: response, toolCalls }: AnswerOf<"agent-api">, reply: Reply | undefined): void {
    const tools = new ToolCards(response, toolCalls, reply);
    const over = !UNDER_WAY.includes(response.status);
    const viewOf = (): MessageView => new MessageView();
    renderEach(
      this.element,
      this.#views,
      response.output,
      ({ id }) => id,
      viewOf,
      (view, message) => view.render(message, tools, over),
    );
  }

  /** Returns the lines below the messages: the failure, the usage. */
  static endingOf({ snapshot: { error, output, usage } }: AnswerOf<"agent-api">): HTMLElement[] {
    const lines: HTMLElement[] = [];
    // A message that failed with the run shows the error already.
    const isShown = output.some(
      (message) => (message.error?.message ?? message.message) === error?.message,
    );
    if (error !== null && !isShown) {
      lines.push(
        el("p", { class: "failure", role: "note" }, el("b", {}, error.code), " ", error.message),
      );
    }
    return [...lines, ...usageLine(usage)];
  }
}

/** Returns a line with the used tokens, if there are any. */
export function usageLine(usage: Json | undefined): HTMLElement[] {
  const parts =
    typeof usage === "object" && usage !== null
      ? Object.entries(usage).filter(([, value]) => typeof value === "number")
      : [];
  const text = parts.map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`).join(" · ");
  return text === "" ? [] : [el("p", { class: "usage" }, text)];
}

const UNDER_WAY: readonly RunStatus[] = ["queued", "created", "in_progress"];
