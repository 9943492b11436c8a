// Selects the protocol in which the stream is read: automatically by its first event, or by the
// user.

import { byId, el } from "./dom.js";
import type { Playback } from "./playback.js";
import { ORDERED, nameOf, protocolOptionOf, titleOf } from "./protocols.js";

export class ProtocolPicker {
  readonly #playback: Playback;
  readonly #select = byId<HTMLSelectElement>("protocol");
  readonly #auto = el("option", { value: "auto" });

  constructor(playback: Playback) {
    this.#playback = playback;
    this.#select.append(
      this.#auto,
      ...ORDERED.map((value) => el("option", { value }, titleOf(value))),
    );
    this.#select.addEventListener("change", () => this.#readAgain());
  }

  /** Shows the present state of the playback. */
  render(): void {
    const { recording } = this.#playback;
    this.#select.value = recording?.protocolOption ?? "auto";
    this.#select.disabled = recording?.finished !== true;
    const detected = this.#select.value === "auto" && recording !== null ? nameOf(recording) : null;
    const text = detected === null ? "Auto" : `Auto: ${detected}`;
    // Setting the text again would close the open list.
    if (this.#auto.text !== text) {
      this.#auto.text = text;
    }
  }

  #readAgain(): void {
    const { recording } = this.#playback;
    if (recording !== null) {
      this.#playback.load(recording.readAs(protocolOptionOf(this.#select.value)));
    }
  }
}
