// Streams from elsewhere: samples, files, the clipboard.

import { byId, el } from "./dom.js";
import type { Playback } from "./playback.js";
import { Recording } from "./recording.js";

/** A sample, as `samples/index.json` lists it. */
interface Sample {
  readonly file: string;
  readonly title: string;
  /** The samples of a protocol stand together. */
  readonly group: string;
}

/** Reading a file larger than this would only make the page stand still. */
const LARGEST = 64 * 1024 * 1024;

export class Streams {
  readonly #playback: Playback;
  readonly #sample = byId<HTMLSelectElement>("sample");
  readonly #dialog = byId<HTMLDialogElement>("paste-dialog");
  readonly #text = byId<HTMLTextAreaElement>("paste-text");
  readonly #complain: (what: string) => void;

  /** `complain` tells the reader what went wrong. */
  constructor(playback: Playback, complain: (what: string) => void) {
    this.#playback = playback;
    this.#complain = complain;
    this.#sample.addEventListener("change", () => void this.#loadSample());
    this.#setUpPaste();
    this.#setUpFiles();
    void this.#listSamples();
  }

  /** Shows bytes as a stream. */
  open(bytes: Uint8Array): void {
    this.#playback.load(Recording.of({}, bytes));
  }

  async #listSamples(): Promise<void> {
    try {
      const samples = (await (await fetch("samples/index.json")).json()) as Sample[];
      for (const [label, members] of Map.groupBy(samples, ({ group }) => group)) {
        this.#sample.append(el("optgroup", { label }, ...members.map(({ file, title }) => el("option", { value: file }, title))));
      }
    } catch {
      this.#sample.disabled = true;
    }
  }

  async #loadSample(): Promise<void> {
    const file = this.#sample.value;
    if (file === "") {
      return;
    }
    try {
      const response = await fetch(`samples/${encodeURIComponent(file)}`);
      if (!response.ok) {
        throw new Error(`status ${response.status}`);
      }
      this.open(new Uint8Array(await response.arrayBuffer()));
    } catch (error) {
      this.#complain(`The sample ${file} could not be loaded: ${String(error)}`);
    }
  }

  #setUpPaste(): void {
    byId("paste").addEventListener("click", () => {
      this.#dialog.showModal();
      this.#text.select();
    });
    this.#dialog.addEventListener("close", () => {
      if (this.#dialog.returnValue === "read" && this.#text.value !== "") {
        this.open(new TextEncoder().encode(this.#text.value));
      }
      this.#dialog.returnValue = "";
    });
    // Pasting anywhere else than into a field means the same.
    document.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text !== "" && !(event.target as Element).closest("input, textarea")) {
        event.preventDefault();
        this.open(new TextEncoder().encode(text));
      }
    });
  }

  #setUpFiles(): void {
    const input = byId<HTMLInputElement>("file-input");
    byId("file").addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      void this.#openFile(input.files?.[0]);
      input.value = "";
    });
    const drag = (event: DragEvent, over: boolean) => {
      event.preventDefault();
      document.body.classList.toggle("dropping", over);
    };
    document.addEventListener("dragover", (event) => drag(event, true));
    document.addEventListener("dragleave", (event) => drag(event, event.relatedTarget !== null));
    document.addEventListener("drop", (event) => {
      drag(event, false);
      void this.#openFile(event.dataTransfer?.files[0]);
    });
  }

  async #openFile(file: File | undefined): Promise<void> {
    if (file === undefined) {
      return;
    }
    if (file.size > LARGEST) {
      this.#complain(`${file.name} is larger than 64 MB.`);
      return;
    }
    this.open(new Uint8Array(await file.arrayBuffer()));
  }
}
