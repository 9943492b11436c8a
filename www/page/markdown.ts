// Markdown as elements. Each is created from a token of the parser: markup is never parsed from
// text, so HTML in it stays text.

import type { Token, Tokens } from "marked";
import { type Child, el, setText } from "./dom.js";
import { tokensOf } from "./markdown_tokens.js";
import { pictureOf } from "./picture.js";

/** The blocks that an element shows, to keep the elements of those that did not change. */
const shown = new WeakMap<Element, readonly string[]>();

/**
 * Shows a Markdown text. Blocks that did not change keep their elements and the reader's selection.
 */
export function setMarkdown(element: Element, text: string): void {
  const tokens = tokensOf(text);
  if (tokens === null) {
    shown.delete(element);
    element.removeAttribute("data-markdown");
    return setText(element, text);
  }
  const before = shown.get(element);
  if (before === undefined) {
    element.replaceChildren();
    element.setAttribute("data-markdown", "");
  }
  const raws = tokens.map(({ raw }) => raw);
  const differs = raws.findIndex((raw, at) => raw !== before?.[at]);
  const same = differs < 0 ? raws.length : differs;
  while (element.childNodes.length > same) {
    element.lastChild!.remove();
  }
  element.append(...tokens.slice(same).map(blockOf));
  shown.set(element, raws);
}

/** Returns one node. White space between blocks stays in the text, so that a copy contains it. */
function blockOf(token: Token): Node {
  switch (token.type) {
    case "heading":
      return el(
        `h${Math.min(6, (token as Tokens.Heading).depth + 2)}` as "h3",
        {},
        ...inlinesOf(token),
      );
    case "paragraph":
      return el("p", {}, ...inlinesOf(token), /\n*$/.exec(token.raw)![0]);
    case "code":
      return el("pre", { tabindex: 0 }, el("code", {}, (token as Tokens.Code).text));
    case "blockquote":
      return el("blockquote", {}, ...blocksOf(token));
    case "list": {
      const { ordered, start, items } = token as Tokens.List;
      return el(
        ordered ? "ol" : "ul",
        { start: ordered && start !== 1 ? start : null },
        ...items.map((item) => el("li", {}, ...blocksOf(item))),
      );
    }
    case "table": {
      const { header, rows } = token as Tokens.Table;
      const row = (cells: readonly Tokens.TableCell[], tag: "th" | "td"): HTMLElement =>
        el("tr", {}, ...cells.map((cell) => el(tag, {}, ...cell.tokens.map(inlineOf))));
      return el(
        "table",
        {},
        el("thead", {}, row(header, "th")),
        el("tbody", {}, ...rows.map((cells) => row(cells, "td"))),
      );
    }
    case "hr":
      return el("hr");
    case "checkbox":
      return document.createTextNode((token as Tokens.Checkbox).checked ? "☑ " : "☐ ");
    case "text":
      return el("span", {}, ...inlinesOf(token));
    default:
      return document.createTextNode(token.raw);
  }
}

function blocksOf(token: Token): Child[] {
  return ((token as Tokens.Blockquote).tokens ?? []).map(blockOf);
}

function inlinesOf(token: Token): Child[] {
  const { tokens, text } = token as Tokens.Text;
  return tokens?.map(inlineOf) ?? [text];
}

function inlineOf(token: Token): Child {
  switch (token.type) {
    case "strong":
    case "em":
    case "del":
      return el(token.type, {}, ...inlinesOf(token));
    case "codespan":
      return el("code", {}, (token as Tokens.Codespan).text);
    case "br":
      return el("br");
    case "link": {
      const { href } = token as Tokens.Link;
      return isWebAddress(href)
        ? el(
            "a",
            { href, target: "_blank", rel: "noopener noreferrer nofollow" },
            ...inlinesOf(token),
          )
        : token.raw;
    }
    case "image": {
      const { href } = token as Tokens.Image;
      return /^(https:|data:image\/)/i.test(href) ? pictureOf(href) : token.raw;
    }
    case "text":
    case "escape":
      return el("span", {}, ...inlinesOf(token));
    default:
      return token.raw;
  }
}

function isWebAddress(address: string): boolean {
  return /^(https?|mailto):/i.test(address) && URL.canParse(address);
}
