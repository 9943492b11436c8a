// The menu of ways to break the stream that is shown.

import { BREAKAGES, type Breakage } from "./breakage.js";
import { byId, el } from "./dom.js";
import type { Playback } from "./playback.js";
import { Recording } from "./recording.js";

export class BreakMenu {
  readonly #playback: Playback;
  readonly #button = byId<HTMLButtonElement>("break");
  readonly #menu = byId("break-menu");
  readonly #complain: (what: string) => void;

  /** `complain` tells the reader what went wrong. */
  constructor(playback: Playback, complain: (what: string) => void) {
    this.#playback = playback;
    this.#complain = complain;
    this.#menu.append(...BREAKAGES.map((breakage) => this.#item(breakage)));
    this.#menu.addEventListener("toggle", (event) => {
      if ((event as ToggleEvent).newState === "open") {
        this.#place();
        this.#menu.querySelector("button")?.focus();
      }
    });
    this.#menu.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Shows the playback as it is now. */
  render(): void {
    this.#button.disabled = this.#playback.recording?.finished !== true;
  }

  #item(breakage: Breakage): HTMLElement {
    const attributes = { type: "button", role: "menuitem" };
    const item = el("button", attributes, el("b", {}, breakage.name), el("span", {}, breakage.hint));
    item.addEventListener("click", () => {
      this.#menu.hidePopover();
      this.#apply(breakage);
    });
    return item;
  }

  #apply({ name, apply }: Breakage): void {
    const { recording } = this.#playback;
    const bytes = recording && apply(recording);
    if (recording === null || bytes === null) {
      this.#complain(`“${name}” does not fit: this stream has nothing of the kind.`);
    } else {
      const { origin, protocolOption } = recording;
      this.#playback.load(Recording.of({ question: origin.question }, bytes, protocolOption));
    }
  }

  /** Below its button, at the same right edge. */
  #place(): void {
    const { bottom, right } = this.#button.getBoundingClientRect();
    const { width } = this.#menu.getBoundingClientRect();
    this.#menu.style.top = `${bottom + 6}px`;
    this.#menu.style.left = `${Math.max(8, Math.min(right, innerWidth - 8) - width)}px`;
  }

  #key(event: KeyboardEvent): void {
    const items = [...this.#menu.querySelectorAll("button")];
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      items[(to + items.length) % items.length]!.focus();
    }
  }
}
