// An answer as a list of articles: items of OpenAI Responses, messages and artifacts of A2A. Their
// elements are kept while they grow.

import type { Json } from "agentwire";
import { drawOnce, el, fill, renderEach, setAttribute, setText } from "./dom.js";
import { prettyJson } from "./json_view.js";
import { setMarkdown } from "./markdown.js";
import { pictureOf } from "./picture.js";
import { statusChip } from "./status_chip.js";
import { type Card, ToolCard } from "./tool_card.js";

/** One item, message or artifact. */
export interface Article {
  /** A stable key, unique in the answer. */
  readonly key: string;
  readonly title: string;
  /** `thought` and `aside` can be closed; an `aside` is closed at first. */
  readonly form: "plain" | "thought" | "aside";
  /** A status that is shown as a chip. */
  readonly status?: string | undefined;
  readonly parts: readonly ArticlePart[];
}

/** The parts of an article. */
export type ArticlePart =
  | { readonly type: "text" | "refusal"; readonly text: string; readonly isGrowing?: boolean }
  | { readonly type: "picture"; readonly address: string | null }
  | { readonly type: "fact"; readonly name: string; readonly text: string }
  | { readonly type: "json"; readonly value: Json }
  | { readonly type: "call"; readonly card: Card };

/** The reason why an answer failed. */
export interface Failure {
  readonly code?: string | undefined;
  readonly text: string;
}

export class ArticlesView {
  readonly element = el("div", { class: "messages" });
  readonly #views = new Map<string, ArticleView>();

  /** Shows these articles, in this order. */
  render(articles: readonly Article[]): void {
    const viewOf = ({ form }: Article): ArticleView => new ArticleView(form);
    renderEach(
      this.element,
      this.#views,
      articles,
      ({ key }) => key,
      viewOf,
      (view, article) => view.render(article),
    );
  }
}

class ArticleView {
  readonly element = el("article", { class: "message" });
  readonly #head = el("header");
  readonly #parts = el("div", { class: "parts" });
  #views: PartView[] = [];

  constructor(form: Article["form"]) {
    if (form === "plain") {
      fill(this.element, this.#head, this.#parts);
    } else {
      fill(
        this.element,
        el("details", { open: form === "thought" }, el("summary", {}, this.#head), this.#parts),
      );
    }
    setAttribute(
      this.element,
      "data-type",
      { plain: "message", thought: "reasoning", aside: "aside" }[form],
    );
  }

  render({ title, form, status, parts }: Article): void {
    // A card has its own title.
    this.#head.hidden =
      form === "plain" &&
      status === undefined &&
      parts.length > 0 &&
      parts.every(({ type }) => type === "call");
    fill(
      this.#head,
      el("span", { class: "type" }, title),
      status === undefined ? null : statusChip(status),
    );
    parts.forEach((part, at) => {
      let view = this.#views[at];
      if (view?.type !== part.type) {
        view = new PartView(part.type);
        this.#views[at]?.element.replaceWith(view.element);
        this.#views[at] = view;
      }
      view.render(part);
      if (view.element.parentElement === null) {
        this.#parts.append(view.element);
      }
    });
    this.#views.splice(parts.length).forEach(({ element }) => element.remove());
  }
}

class PartView {
  readonly type: ArticlePart["type"];
  readonly element: HTMLElement;
  #card: ToolCard | undefined;

  constructor(type: ArticlePart["type"]) {
    this.type = type;
    this.element = el("div", { class: "part", "data-type": type });
  }

  render(part: ArticlePart): void {
    switch (part.type) {
      case "text":
      case "refusal":
        setAttribute(this.element, "dir", "auto");
        setAttribute(this.element, "data-writing", part.isGrowing === true);
        return part.type === "text"
          ? setMarkdown(this.element, part.text)
          : setText(this.element, part.text);
      case "picture":
        return drawOnce(this.element, part.address, () => pictureOf(part.address));
      case "fact":
        return drawOnce(this.element, part.text, () =>
          el("p", { class: "fact" }, el("b", {}, part.name), " ", part.text),
        );
      case "json":
        return drawOnce(this.element, part.value, () =>
          el("pre", { class: "json" }, prettyJson(part.value)),
        );
      case "call":
        if (this.#card === undefined) {
          this.#card = new ToolCard();
          fill(this.element, this.#card.element);
        }
        return this.#card.render(part.card);
    }
  }
}
