// Navigation in the stream: the wire, the step buttons, the keys, and the playback.

import { byId, el, fill } from "./dom.js";
import type { Playback } from "./playback.js";
import { Wire } from "./wire.js";

/** Milliseconds of playback per event, and at most in total. */
const STEP = 60;
const LONGEST = 12_000;

export class Scrubber {
  readonly #playback: Playback;
  readonly #wire = new Wire();
  readonly #position = byId<HTMLInputElement>("position");
  readonly #where = byId("where");
  readonly #play = byId<HTMLButtonElement>("play");
  readonly #back = [byId<HTMLButtonElement>("first"), byId<HTMLButtonElement>("previous")];
  readonly #on = [byId<HTMLButtonElement>("next"), byId<HTMLButtonElement>("last")];
  #playing = 0;

  constructor(playback: Playback) {
    this.#playback = playback;
    this.#position.addEventListener("input", () => this.#seek(Number(this.#position.value)));
    this.#play.addEventListener("click", () =>
      this.#playing === 0 ? this.#start() : this.#pause(),
    );
    const [first, previous] = this.#back;
    const [next, last] = this.#on;
    first!.addEventListener("click", () => this.#seek(0));
    previous!.addEventListener("click", () => this.#seek(playback.position - 1));
    next!.addEventListener("click", () => this.#seek(playback.position + 1));
    last!.addEventListener("click", () => this.#seek(playback.length));
    document.addEventListener("keydown", (event) => this.#key(event));
    this.render();
  }

  /** Shows the present state of the playback. */
  render(): void {
    const { position, length, row, recording } = this.#playback;
    this.#position.max = String(length);
    this.#position.value = String(position);
    this.#position.disabled = this.#play.disabled = length === 0;
    this.#back.forEach((button) => (button.disabled = position === 0));
    this.#on.forEach((button) => (button.disabled = position === length));
    const name =
      row === undefined ? "before the start" : `${row.label.object} ${row.label.detail}`.trim();
    this.#position.setAttribute("aria-valuetext", `${position} of ${length}: ${name}`);
    fill(
      this.#where,
      el(
        "b",
        {},
        row === undefined ? "start" : row.event === null ? row.label.object : `event ${row.event}`,
      ),
      recording === null ? null : el("span", {}, `${position} / ${length}`),
    );
    this.#wire.render(recording, position);
  }

  /** Stops the playback. */
  #pause(): void {
    cancelAnimationFrame(this.#playing);
    this.#playing = 0;
    this.#showPlaying();
  }

  #start(): void {
    const { length } = this.#playback;
    const from = this.#playback.position === length ? 0 : this.#playback.position;
    const step = Math.min(STEP, LONGEST / length);
    let began: number | undefined;
    const advance = (now: number) => {
      // The first frame shows the start, however late a busy page draws it.
      began ??= now;
      const position = from + Math.floor((now - began) / step);
      this.#playback.seek(position);
      if (position < this.#playback.length) {
        this.#playing = requestAnimationFrame(advance);
      } else {
        this.#pause();
      }
    };
    this.#playing = requestAnimationFrame(advance);
    this.#showPlaying();
  }

  #showPlaying(): void {
    this.#play.classList.toggle("playing", this.#playing !== 0);
    this.#play.setAttribute("aria-label", this.#playing === 0 ? "Play" : "Pause");
  }

  #seek(position: number): void {
    this.#pause();
    this.#playback.seek(position);
  }

  #key(event: KeyboardEvent): void {
    const target = event.target as Element;
    // Elements with their own arrow keys keep them.
    if (
      event.defaultPrevented ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      target.closest(TAKES_ARROWS)
    ) {
      return;
    }
    const { position, length } = this.#playback;
    const stride = event.shiftKey ? 10 : 1;
    if ((event.key === "Home" || event.key === "End") && target.closest(SCROLLS)) {
      return;
    }
    const to = {
      ArrowLeft: position - stride,
      ArrowRight: position + stride,
      Home: 0,
      End: length,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.#seek(to);
    }
  }
}

const TAKES_ARROWS = "input, select, textarea, dialog, [role=tablist], [role=menu]";
const SCROLLS = ".scroll, .losses, pre";
