// The questions of an agent below its answer.

import type { Json } from "agentwire";
import type { Reply } from "./conversation.js";
import { el, fill } from "./dom.js";
import { InterruptCard } from "./interrupt_card.js";

/** A question of the agent. */
export interface Question {
  readonly id: string;
  readonly reason: string | null;
  readonly payload: Json;
}

export class QuestionsView {
  readonly element = el("div", { class: "messages questions" });
  readonly #cards = new Map<string, InterruptCard>();

  /**
   * Shows these questions. `resume` answers one; undefined if this page cannot answer, or not any
   * more.
   */
  render(
    questions: readonly Question[],
    reply: Reply | undefined,
    resume: ((question: Question, approved: boolean) => void) | undefined,
  ): void {
    const cards = questions.map((question) => {
      const card = this.#cards.get(question.id) ?? new InterruptCard();
      this.#cards.set(question.id, card);
      const answer = resume && ((approved: boolean) => resume(question, approved));
      card.render({ type: "interrupt", ...question }, reply?.decisions[question.id], answer);
      return card.element;
    });
    // Replacing the same elements would remove the focus from their buttons.
    if (
      cards.length !== this.element.children.length ||
      cards.some((card, at) => card !== this.element.children[at])
    ) {
      fill(this.element, ...cards);
    }
  }
}
