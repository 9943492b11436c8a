// One stream of a conversation in the answer pane: what was said, what came, how it ended.

import { type Json, stringify } from "agentwire";
import type { Answer } from "./cursor.js";
import { el, fill, setAttribute } from "./dom.js";
import type { Recording } from "./recording.js";
import { ResponseView } from "./response_view.js";
import { statusChip } from "./status_chip.js";
import { type Question, ThreadView } from "./thread_view.js";
import { TurnView } from "./turn_view.js";
import { countText } from "./words.js";

/** Where the stream is shown. */
export interface Place {
  /** It is the one that the other panes show. */
  readonly isCurrent: boolean;
  /** It comes after that one. */
  readonly isLater: boolean;
  /** It is the only one. */
  readonly isAlone: boolean;
  /** The reader is at its end. */
  readonly isAtEnd: boolean;
}

export class StreamSection {
  readonly element: HTMLElement;
  readonly #recording: Recording;
  readonly #number: number;
  readonly #head = el("button", { type: "button", class: "stream" });
  readonly #view = el("div");
  readonly #ending = el("div", { class: "ending" });
  readonly #response = new ResponseView();
  readonly #turn = new TurnView();
  readonly #thread = new ThreadView();
  #drawn: readonly unknown[] = [];

  /** `choose` is called when the reader wants to see this stream in the other panes. */
  constructor(recording: Recording, number: number, choose: () => void) {
    this.#recording = recording;
    this.#number = number;
    this.#head.addEventListener("click", choose);
    const { question } = recording.origin;
    this.element = el(
      "section",
      { class: "turn" },
      question === undefined ? null : el("p", { class: "question", dir: "auto" }, question),
      this.#head,
      this.#view,
      this.#ending,
    );
  }

  /** Shows an answer of the stream. */
  render(answer: Answer, place: Place): void {
    const { conversation } = this.#recording.origin;
    const waits = conversation?.waitsAt(this.#recording) ?? false;
    const reply = conversation?.replyTo(this.#recording);
    const { events, finished, trouble } = this.#recording;
    const drawn = [answer.response, waits, reply, ...Object.values(place), events, finished, trouble];
    if (drawn.every((part, at) => part === this.#drawn[at]) && drawn.length === this.#drawn.length) {
      return;
    }
    this.#drawn = drawn;
    this.#renderHead(place);
    const resume = waits ? (question: Question, approved: boolean) => conversation?.resume(this.#recording, question.id, approved) : undefined;
    if (answer.protocol === "agent-api") {
      this.#response.render(answer);
      this.#show(this.#response.element);
    } else if (answer.protocol === "ag-kit") {
      this.#turn.render(answer, { reply, resume });
      this.#show(this.#turn.element);
    } else if (answer.protocol === "ag-ui") {
      this.#thread.render(answer, { reply, resume });
      this.#show(this.#thread.element);
    } else if (answer.protocol !== undefined) {
      // A protocol without a view of its own.
      fill(this.#view, el("pre", {}, stringify(answer.response as unknown as Json)));
    } else {
      fill(this.#view);
    }
    fill(this.#ending, ...this.#endingOf(answer, place.isAtEnd));
  }

  #renderHead({ isCurrent, isLater, isAlone }: Place): void {
    this.#head.hidden = isAlone;
    setAttribute(this.#head, "aria-current", isCurrent ? "true" : null);
    if (!isAlone) {
      fill(this.#head, el("b", {}, `stream ${this.#number}`), el("span", {}, countText(this.#recording.events, "event")));
    }
    setAttribute(this.element, "data-later", isLater);
  }

  #show(view: HTMLElement): void {
    if (this.#view.firstChild !== view) {
      fill(this.#view, view);
    }
  }

  #endingOf(answer: Answer, isAtEnd: boolean): HTMLElement[] {
    const lines = answer.protocol === "agent-api" ? ResponseView.endingOf(answer) : [];
    if (answer.protocol === "ag-ui" && answer.response.error !== null) {
      const { code, message } = answer.response.error;
      lines.push(el("p", { class: "failure", role: "note" }, el("b", {}, code ?? "error"), " ", message));
    }
    if (this.#recording.trouble && isAtEnd) {
      lines.push(el("p", { class: "failure", role: "note" }, this.#recording.trouble));
    }
    return lines;
  }
}

/** The chip that says what became of an answer. */
export function answerChip(recording: Recording, answer: Answer, isAtEnd: boolean): HTMLElement | null {
  if (isAtEnd && recording.report?.ended === "refused") {
    return statusChip("refused");
  }
  const status = statusOf(answer);
  return status === undefined ? null : statusChip(status);
}

/** How far the answer says that it has come; a task of A2A in the words of the others. */
function statusOf(answer: Answer): string | undefined {
  if (answer.protocol === "a2a") {
    return answer.response.task?.status?.state?.replace("TASK_STATE_", "").toLowerCase();
  }
  return answer.response?.status;
}
