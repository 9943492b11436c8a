// The menu with links and exports of the present stream.

import { byId, complain } from "./dom.js";
import { corpusCaseOf } from "./corpus_case.js";
import { curlOf, requestOf, rustOf, typescriptOf } from "./exports.js";
import { type MenuItem, setUpMenu } from "./menu.js";
import { linkTo, linkToRequest } from "./permalink.js";
import type { Playback } from "./playback.js";
import type { Recording } from "./recording.js";
import { bytesText } from "./words.js";

export class ShareMenu {
  readonly #playback: Playback;
  readonly #button = byId<HTMLButtonElement>("share");
  readonly #status = byId("shared");
  /** The buttons that need a request. */
  readonly #ofRequests: readonly HTMLButtonElement[];

  constructor(playback: Playback) {
    this.#playback = playback;
    const item = (
      name: string,
      hint: string,
      act: (recording: Recording) => void | Promise<void>,
    ): MenuItem => ({
      name,
      hint,
      act: () => void (playback.recording && act(playback.recording)),
    });
    const buttons = setUpMenu(this.#button, byId("share-menu"), [
      item("Copy link", "the stream and the position", (recording) =>
        this.#link(linkTo(recording, playback.position), recording),
      ),
      item("Copy as TypeScript", "a module that reads it", (recording) =>
        this.#copy(typescriptOf(recording)),
      ),
      item("Copy as Rust", "a program that reads it", (recording) => this.#copy(rustOf(recording))),
      item("Copy as curl", "the request again", (recording) =>
        this.#copy(curlOf(requestOf(recording)!)),
      ),
      item("Copy link to the request", "without credentials", (recording) =>
        this.#link(linkToRequest(requestOf(recording)!), recording),
      ),
      item("Download stream", "stream.sse", ({ bytes }) => download("stream.sse", bytes.slice())),
      item("Download corpus case", "for tests/data/corpus", (recording) =>
        this.#downloadCase(recording),
      ),
    ]);
    this.#ofRequests = buttons.slice(3, 5);
  }

  /** Shows the present state of the playback. */
  render(): void {
    const { recording } = this.#playback;
    this.#button.disabled = recording?.finished !== true;
    const hasRequest = recording !== null && requestOf(recording) !== null;
    this.#ofRequests.forEach((button) => (button.disabled = !hasRequest));
  }

  async #link(made: Promise<string | null>, { bytes }: Recording): Promise<void> {
    const link = await made;
    if (link === null) {
      complain(
        `This stream is too large for a link (${bytesText(bytes.length)}): download it, and send the file.`,
      );
      return;
    }
    history.replaceState(null, "", link);
    await this.#copy(link);
  }

  async #copy(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.#show("Copied");
    } catch {
      complain("The browser does not allow this page to write to the clipboard.");
    }
  }

  #downloadCase(recording: Recording): void {
    const archive = corpusCaseOf(recording);
    if (archive === null) {
      complain("A corpus case needs a stream with events.");
    } else {
      download("case.tar", archive);
    }
  }

  #show(text: string): void {
    this.#status.textContent = text;
    setTimeout(() => (this.#status.textContent = ""), 2000);
  }
}

function download(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const href = URL.createObjectURL(new Blob([bytes]));
  const link = document.createElement("a");
  Object.assign(link, { href, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(href));
}
