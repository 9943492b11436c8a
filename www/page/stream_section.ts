// One stream of a conversation in the answer pane: the question, the answer, and the end.

import { ArticlesView, type Failure } from "./articles_view.js";
import { questionsOf } from "./call_cards.js";
import type { Answer } from "./cursor.js";
import { el, fill, setAttribute } from "./dom.js";
import { articlesOfModel, failureOfModel } from "./model_parts.js";
import type { Recording } from "./recording.js";
import { type Question, QuestionsView } from "./questions_view.js";
import { articlesOfResponse, failureOfResponse } from "./response_items.js";
import { ResponseView, usageLine } from "./response_view.js";
import { statusChip, statusOf } from "./status_chip.js";
import { articlesOfTask, failureOfTask } from "./task_parts.js";
import { ThreadView } from "./thread_view.js";
import { TurnView } from "./turn_view.js";
import { countText } from "./words.js";

/** The position of the stream in the pane. */
export interface Place {
  /** Whether the other panes show it. */
  readonly isCurrent: boolean;
  /** Whether it is after that stream. */
  readonly isLater: boolean;
  /** Whether it is the only stream. */
  readonly isAlone: boolean;
  /** Whether the playback is at its end. */
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
  readonly #articles = new ArticlesView();
  readonly #questions = new QuestionsView();
  #drawn: readonly unknown[] = [];

  /** @param choose shows this stream in the other panes */
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
      this.#questions.element,
      this.#ending,
    );
  }

  /** Shows an answer of the stream. */
  render(answer: Answer, place: Place): void {
    const { conversation } = this.#recording.origin;
    const waits = conversation?.waitsAt(this.#recording) ?? false;
    const reply = conversation?.replyTo(this.#recording);
    const { events, finished, trouble } = this.#recording;
    const drawn = [
      answer.snapshot,
      waits,
      reply,
      ...Object.values(place),
      events,
      finished,
      trouble,
    ];
    if (
      drawn.every((part, at) => part === this.#drawn[at]) &&
      drawn.length === this.#drawn.length
    ) {
      return;
    }
    this.#drawn = drawn;
    this.#renderHead(place);
    const resume = waits
      ? (question: Question, approved: boolean) =>
          conversation?.resume(this.#recording, question.id, approved)
      : undefined;
    const { protocol } = answer;
    if (protocol === "agent-api") {
      this.#response.render(answer, reply);
      this.#show(this.#response.element);
    } else if (protocol === "ag-kit") {
      this.#turn.render(answer, { reply, resume });
      this.#show(this.#turn.element);
    } else if (protocol === "ag-ui") {
      this.#thread.render(answer, { reply, resume });
      this.#show(this.#thread.element);
    } else if (protocol === "responses") {
      this.#articles.render(articlesOfResponse(answer.snapshot, reply));
      this.#show(this.#articles.element);
    } else if (protocol === "a2a") {
      this.#articles.render(articlesOfTask(answer.snapshot, conversation !== undefined, reply));
      this.#show(this.#articles.element);
    } else if (protocol !== undefined) {
      this.#articles.render(articlesOfModel(answer, reply));
      this.#show(this.#articles.element);
    } else {
      fill(this.#view);
    }
    // The other views show questions themselves.
    const hasOwn = protocol === undefined || protocol === "ag-kit" || protocol === "ag-ui";
    this.#questions.render(hasOwn ? [] : questionsOf(answer.snapshot), reply, resume);
    fill(this.#ending, ...this.#endingOf(answer, place.isAtEnd));
  }

  #renderHead({ isCurrent, isLater, isAlone }: Place): void {
    this.#head.hidden = isAlone;
    setAttribute(this.#head, "aria-current", isCurrent ? "true" : null);
    if (!isAlone) {
      fill(
        this.#head,
        el("b", {}, `stream ${this.#number}`),
        el("span", {}, countText(this.#recording.events, "event")),
      );
    }
    setAttribute(this.element, "data-later", isLater);
  }

  #show(view: HTMLElement): void {
    if (this.#view.firstChild !== view) {
      fill(this.#view, view);
    }
  }

  #endingOf(answer: Answer, isAtEnd: boolean): HTMLElement[] {
    const { events, trouble } = this.#recording;
    const troubleLines =
      trouble && isAtEnd ? [el("p", { class: "failure", role: "note" }, trouble)] : [];
    if (events === 0 && troubleLines.length > 0) {
      // A page in place of a stream: its text is the error of the answer as well.
      return troubleLines;
    }
    const lines: HTMLElement[] = [];
    if (answer.protocol === "agent-api") {
      lines.push(...ResponseView.endingOf(answer));
    }
    const failure = failureOf(answer);
    if (failure !== null) {
      const { code, text } = failure;
      lines.push(
        el("p", { class: "failure", role: "note" }, code && el("b", {}, code), code && " ", text),
      );
    }
    if (answer.protocol === "responses") {
      lines.push(...usageLine(answer.snapshot.usage));
    }
    return [...lines, ...troubleLines];
  }
}

/** Returns the failure of an answer, if it has one that its view does not show. */
function failureOf(answer: Answer): Failure | null {
  switch (answer.protocol) {
    case undefined:
    case "agent-api":
    case "ag-kit":
      return null;
    case "ag-ui": {
      const { error } = answer.snapshot;
      return error && { code: error.code ?? "error", text: error.message };
    }
    case "responses":
      return failureOfResponse(answer.snapshot);
    case "a2a":
      return failureOfTask(answer.snapshot);
    default:
      return failureOfModel(answer.snapshot);
  }
}

/** Returns the chip with the status of an answer. */
export function answerChip(
  recording: Recording,
  answer: Answer,
  isAtEnd: boolean,
): HTMLElement | null {
  if (recording.finished && recording.events === 0) {
    return statusChip("no answer");
  }
  if (isAtEnd && recording.report?.endReason === "refused") {
    return statusChip("refused");
  }
  const status = statusOf(answer);
  // In some protocols an answer without an end keeps the status of its last event.
  if (isAtEnd && recording.finished && status !== undefined && UNDER_WAY.has(status)) {
    return statusChip(recording.report?.endReason === "aborted" ? "stopped" : "truncated");
  }
  return status === undefined ? null : statusChip(status);
}

const UNDER_WAY: ReadonlySet<string> = new Set([
  "queued",
  "created",
  "in_progress",
  "streaming",
  "running",
  "submitted",
  "working",
]);
