// The menu of mutations for the present stream.

import { BREAKAGES, type Breakage } from "./breakage.js";
import { byId, complain } from "./dom.js";
import { setUpMenu } from "./menu.js";
import type { Playback } from "./playback.js";
import { Recording } from "./recording.js";

export class BreakMenu {
  readonly #playback: Playback;
  readonly #button = byId<HTMLButtonElement>("break");

  constructor(playback: Playback) {
    this.#playback = playback;
    const items = BREAKAGES.map((breakage) => ({
      name: breakage.name,
      hint: breakage.hint,
      act: () => this.#apply(breakage),
    }));
    setUpMenu(this.#button, byId("break-menu"), items);
  }

  /** Shows the present state of the playback. */
  render(): void {
    this.#button.disabled = this.#playback.recording?.finished !== true;
  }

  #apply({ name, apply }: Breakage): void {
    const { recording } = this.#playback;
    const bytes = recording && apply(recording);
    if (recording === null || bytes === null) {
      complain(`“${name}” does not fit: this stream has nothing of the kind.`);
    } else {
      const { origin, protocolOption } = recording;
      this.#playback.load(Recording.of({ question: origin.question }, bytes, protocolOption));
    }
  }
}
