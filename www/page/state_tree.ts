// JSON as a tree that can be folded, with the last changes marked. Its elements are kept while it
// changes, so that folded branches stay folded.

import { el, fill, renderEach, setAttribute, setText } from "./dom.js";

/** Longer strings are cut. */
const LONGEST = 400;

export class StateTree {
  readonly element = el("div", { class: "tree" });
  readonly #root: Branch;

  constructor(name: string) {
    this.#root = new Branch(name);
    this.element.append(this.#root.element);
  }

  /** Shows a value, and marks the changes. */
  render(value: unknown): void {
    this.#root.render(value);
  }
}

/** A member or an item. */
class Branch {
  readonly element = el("div", { class: "branch" });
  readonly #name: string;
  readonly #leaf = el("span", { class: "leaf" });
  readonly #count = el("span", { class: "count" });
  readonly #children = el("div", { class: "branches" });
  readonly #branches = new Map<string, Branch>();
  #drawn: unknown = NEVER;
  #isOpen: boolean | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  render(value: unknown): void {
    const isNew = this.#drawn === NEVER;
    if (this.#drawn === value) {
      setAttribute(this.element, "data-changed", false);
      this.#branches.forEach((branch) => branch.settle());
      return;
    }
    this.#drawn = value;
    const isObject = typeof value === "object" && value !== null;
    if (this.#isOpen !== isObject) {
      this.#isOpen = isObject;
      const name = el("span", { class: "key" }, this.#name);
      fill(
        this.element,
        isObject
          ? el("details", { open: true }, el("summary", {}, name, this.#count), this.#children)
          : name,
      );
      if (!isObject) {
        this.element.append(this.#leaf);
      }
    }
    setAttribute(this.element, "data-changed", !isNew && !isObject);
    if (!isObject) {
      setText(this.#leaf, textOf(value));
      return;
    }
    const members = Object.entries(value);
    setText(this.#count, Array.isArray(value) ? `[${members.length}]` : `{${members.length}}`);
    const branchOf = ([key]: readonly [string, unknown]): Branch => new Branch(key);
    renderEach(
      this.#children,
      this.#branches,
      members,
      ([key]) => key,
      branchOf,
      (branch, [, member]) => {
        const isFresh = branch.#drawn === NEVER;
        branch.render(member);
        setAttribute(
          branch.element,
          "data-changed",
          (isFresh && !isNew) || branch.element.hasAttribute("data-changed"),
        );
      },
    );
  }

  /** Removes the marks: its value has not changed. */
  settle(): void {
    setAttribute(this.element, "data-changed", false);
    this.#branches.forEach((branch) => branch.settle());
  }
}

const NEVER = Symbol("nothing has been drawn");

function textOf(value: unknown): string {
  const text = typeof value === "bigint" ? value.toString() : (JSON.stringify(value) ?? "null");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… ${text.length - LONGEST} more` : text;
}
