// JSON formatted for reading, with the last changes marked.

import { el } from "./dom.js";

/** The maximum number of characters of a value on one line. */
const LINE = 64;
/** The maximum number of shown characters of a string: an image is a string, too. */
const LONGEST = 4000;

/**
 * Formats JSON with line breaks. Marks the objects and values that differ from `before`: unchanged
 * ones are identical in successive snapshots.
 */
export function prettyJson(value: unknown, before: unknown = value): DocumentFragment {
  const fragment = document.createDocumentFragment();
  write(fragment, value, before, "");
  return fragment;
}

function write(out: Node, value: unknown, before: unknown, indent: string): void {
  if (Array.isArray(value)) {
    const items = value.map(
      (item, at) => ["", item, (before as unknown[] | undefined)?.[at]] as const,
    );
    return block(out, "[", "]", items, value === before, indent);
  }
  if (typeof value === "object" && value !== null) {
    const earlier = (before ?? {}) as Record<string, unknown>;
    const items = Object.entries(value).map(
      ([key, member]) => [key, member, earlier[key]] as const,
    );
    return block(out, "{", "}", items, value === before, indent);
  }
  const scalar = el("span", { class: typeof value === "string" ? "string" : "atom" });
  const text = scalarText(value);
  // Of a text that has grown, only the new part is marked.
  const old =
    value === before
      ? text.length
      : typeof before === "string"
        ? commonLength(text, scalarText(before))
        : 0;
  scalar.append(text.slice(0, old));
  if (old < text.length) {
    scalar.append(el("mark", {}, text.slice(old)));
  }
  out.appendChild(scalar);
}

type Item = readonly [key: string, value: unknown, before: unknown];

function block(
  out: Node,
  open: string,
  close: string,
  items: readonly Item[],
  same: boolean,
  indent: string,
): void {
  if (items.length === 0) {
    out.appendChild(document.createTextNode(open + close));
    return;
  }
  const inner = `${indent}  `;
  const [between, last] = fitsLine(items)
    ? [open === "{" ? " " : "", open === "{" ? " " : ""]
    : [`\n${inner}`, `\n${indent}`];
  out.appendChild(document.createTextNode(open));
  items.forEach(([key, value, before], at) => {
    out.appendChild(document.createTextNode(at === 0 ? between : `,${between || " "}`));
    if (open === "{") {
      out.appendChild(el("span", { class: "key" }, JSON.stringify(key)));
      out.appendChild(document.createTextNode(": "));
    }
    write(out, value, same ? value : before, inner);
  });
  out.appendChild(document.createTextNode(last + close));
}

function fitsLine(items: readonly Item[]): boolean {
  let length = 0;
  for (const [key, value] of items) {
    if ((typeof value === "object" && value !== null) || length > LINE) {
      return false;
    }
    length += key.length + scalarText(value).length + 6;
  }
  return length <= LINE;
}

/**
 * Returns the length of the earlier text within a text, if it only grew; without the closing quote.
 */
function commonLength(text: string, earlier: string): number {
  const start = earlier.slice(0, -1);
  return text.startsWith(start) ? start.length : 0;
}

function scalarText(value: unknown): string {
  if (typeof value === "bigint") {
    return value.toString();
  }
  const text = JSON.stringify(value) ?? "null";
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… ${text.length - LONGEST} more"` : text;
}
