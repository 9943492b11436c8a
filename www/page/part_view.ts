// One content of a message, by its type.

import { stringifyJson } from "agentwire";
import type { Content } from "agentwire/agent-api";
import { drawOnce, el, fill, setAttribute, setText } from "./dom.js";
import { setMarkdown } from "./markdown.js";
import { prettyJson } from "./json_view.js";
import { pictureOf } from "./picture.js";
import { ToolCard } from "./tool_card.js";
import type { ToolCards } from "./tool_cards.js";

export class PartView {
  readonly type: string;
  readonly element: HTMLElement;
  #card: ToolCard | undefined;

  constructor(type: string) {
    this.type = type;
    this.element = el("div", { class: "part", "data-type": type });
  }

  /** Shows the content in its present state; `writing` is whether it is still growing. */
  render(part: Content, writing: boolean, tools: ToolCards): void {
    setAttribute(this.element, "data-writing", writing);
    switch (part.type) {
      case "text":
        setAttribute(this.element, "dir", "auto");
        return setMarkdown(this.element, part.text ?? "");
      case "refusal":
        setAttribute(this.element, "dir", "auto");
        return setText(this.element, part.refusal ?? "");
      case "data":
        return this.#data(part, tools);
      case "image":
        // An incomplete address must not be loaded.
        return drawOnce(this.element, `${writing} ${part.image_url}`, () =>
          pictureOf(writing ? null : part.image_url),
        );
      case "video":
        return drawOnce(this.element, part.video_url, () => factOf("video", part.video_url));
      case "audio":
        return drawOnce(this.element, part.data, () =>
          factOf(`audio ${part.format ?? ""}`, part.data),
        );
      case "file":
        return drawOnce(this.element, part, () =>
          factOf(part.filename ?? "file", part.file_url ?? part.file_id ?? part.file_data),
        );
      default:
        return drawOnce(this.element, part, () => el("pre", { class: "json" }, prettyJson(part)));
    }
  }

  #data(part: Content & { readonly type: "data" }, tools: ToolCards): void {
    const card = tools.of(part);
    if (card === undefined) {
      return drawOnce(this.element, part.data, () =>
        el("pre", { class: "json" }, prettyJson(part.data)),
      );
    }
    if (this.#card === undefined) {
      this.#card = new ToolCard();
      fill(this.element, this.#card.element);
    }
    // The data of an approval may differ from the arguments.
    const args =
      part.data === null || "arguments" in part.data
        ? card.args
        : { raw: stringifyJson(part.data), value: part.data };
    this.#card.render({ ...card, args });
  }
}

function factOf(what: string, value: string | null): HTMLElement {
  const short =
    value !== null && value.length > 120
      ? `${value.slice(0, 120)}… (${value.length} characters)`
      : value;
  return el("p", { class: "fact" }, el("b", {}, what.trim()), " ", short);
}
