// The menu of mutations for the present stream.

import { BREAKAGES, type Breakage } from "./breakage.js";
import { byId } from "./dom.js";
import { setUpMenu } from "./menu.js";
import type { Playback } from "./playback.js";
import { Recording } from "./recording.js";

export class BreakMenu {
  readonly #playback: Playback;
  readonly #button = byId<HTMLButtonElement>("break");
  readonly #complain: (what: string) => void;

  /** @param complain shows an error */
  constructor(playback: Playback, complain: (what: string) => void) {
    this.#playback = playback;
    this.#complain = complain;
    const items = BREAKAGES.map((breakage) => ({ name: breakage.name, hint: breakage.hint, act: () => this.#apply(breakage) }));
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
      this.#complain(`“${name}” does not fit: this stream has nothing of the kind.`);
    } else {
      const { origin, protocolOption } = recording;
      this.#playback.load(Recording.of({ question: origin.question }, bytes, protocolOption));
    }
  }
}
