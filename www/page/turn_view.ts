// An AG-Kit answer: the parts of a turn. Their elements are kept while they grow.

import { parseJson } from "agentwire";
import type {
  InterruptPart as AgKitInterruptPart,
  Part as AgKitPart,
  Snapshot as AgKitTurn,
  ToolCallPart as AgKitToolCallPart,
} from "agentwire/ag-kit";
import type { Reply } from "./conversation.js";
import type { AnswerOf } from "./cursor.js";
import { el, fill, setAttribute } from "./dom.js";
import { InterruptCard } from "./interrupt_card.js";
import { setMarkdown } from "./markdown.js";
import { type Card, type CardText, ToolCard } from "./tool_card.js";

/** The state of a turn that is not in its stream. */
export interface TurnFrame {
  /** The answers of this page to the stream. */
  readonly reply: Reply | undefined;
  /** Answers an interrupt; undefined if this page cannot answer, or not any more. */
  readonly resume: ((interrupt: AgKitInterruptPart, approved: boolean) => void) | undefined;
}

export class TurnView {
  readonly element = el("div", { class: "messages parts" });
  #views: AnyPartView[] = [];

  /** Shows the turn in its present state. */
  render({ snapshot: turn }: AnswerOf<"ag-kit">, frame: TurnFrame): void {
    turn.parts.forEach((part, at) => {
      let view = this.#views[at];
      if (view === undefined || view.type !== part.type) {
        view = viewOf(part);
        this.#views[at] = view;
        if (this.element.children[at] === undefined) {
          this.element.append(view.element);
        } else {
          this.element.children[at]!.replaceWith(view.element);
        }
      }
      view.render(part, turn, frame, at === turn.parts.length - 1);
    });
    this.#views.length = turn.parts.length;
    while (this.element.children.length > turn.parts.length) {
      this.element.lastElementChild!.remove();
    }
  }
}

interface AnyPartView {
  readonly type: string;
  readonly element: HTMLElement;
  render(part: AgKitPart, turn: AgKitTurn, frame: TurnFrame, isLast: boolean): void;
}

function viewOf(part: AgKitPart): AnyPartView {
  const type = part.type;
  const element = el("div", { class: "part", "data-type": type });
  switch (type) {
    case "text":
      setAttribute(element, "dir", "auto");
      return {
        type,
        element,
        render(part, { status }, _, isLast) {
          setAttribute(element, "data-writing", isLast && status === "streaming");
          setMarkdown(element, part.type === "text" ? part.text : "");
        },
      };
    case "tool-call": {
      const card = new ToolCard();
      element.append(card.element);
      return {
        type,
        element,
        render: (part, turn, { reply }) =>
          part.type === "tool-call" && card.render(cardOf(part, turn, reply)),
      };
    }
    case "interrupt": {
      const card = new InterruptCard();
      element.append(card.element);
      return {
        type,
        element,
        render(part, { status }, { reply, resume }) {
          if (part.type === "interrupt") {
            const answer =
              status === "interrupted" && resume
                ? (approved: boolean) => resume(part, approved)
                : undefined;
            card.render(part, reply?.decisions[part.id], answer);
          }
        },
      };
    }
    case "error":
      return {
        type,
        element,
        render(part) {
          const { message, details } = part as AgKitPart & { type: "error" };
          fill(
            element,
            el(
              "p",
              { class: "failure", role: "note" },
              el("b", {}, message),
              details && ` ${details}`,
            ),
          );
        },
      };
  }
}

function cardOf(part: AgKitToolCallPart, turn: AgKitTurn, reply: Reply | undefined): Card {
  const { state, result, parsedArguments, argumentsError } = part;
  const answer = reply?.toolAnswers[part.toolCallId];
  const pending = turn.pendingToolCallIds.includes(part.toolCallId);
  return {
    name: part.toolCallName,
    about: part.toolCallId,
    state:
      state === "input-streaming"
        ? "streaming"
        : result === null && answer === undefined
          ? "called"
          : "answered",
    stateText:
      answer !== undefined && result === null
        ? "answered by this page"
        : pending
          ? "waits for the client"
          : state.replaceAll("-", " "),
    args: {
      raw: part.arguments,
      value: state === "input-streaming" || argumentsError !== null ? undefined : parsedArguments,
    },
    argsError: argumentsError && `no JSON: ${argumentsError}`,
    output: outputOf(result ?? answer),
  };
}

/** Returns the output of a result. Results are texts, but most of them are JSON. */
function outputOf(raw: string | undefined): CardText | undefined {
  if (raw === undefined) {
    return undefined;
  }
  try {
    return { raw, value: parseJson(raw) };
  } catch {
    return { raw, value: undefined };
  }
}
