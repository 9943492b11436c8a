// Streams from samples, files and the clipboard.

import { byId, complain, el, fill } from "./dom.js";
import { type ArchivedResponse, responsesOfHar } from "./har.js";
import { toServerSentEvents, joinBytes } from "./ndjson.js";
import type { Playback } from "./playback.js";
import { Recording } from "./recording.js";
import type { Source } from "./source.js";
import { bytesText } from "./words.js";

/** A sample of `samples/index.json`. */
interface Sample {
  readonly file: string;
  readonly title: string;
  /** The heading of its protocol's samples. */
  readonly group: string;
}

/** The maximum size of a file in bytes: larger ones would block the page. */
const LARGEST = 64 * 1024 * 1024;

export class Streams {
  readonly #playback: Playback;
  readonly #sample = byId<HTMLSelectElement>("sample");
  readonly #dialog = byId<HTMLDialogElement>("paste-dialog");
  readonly #text = byId<HTMLTextAreaElement>("paste-text");
  /** Resolves when the samples are listed. */
  readonly #listed: Promise<void>;

  constructor(playback: Playback) {
    this.#playback = playback;
    this.#sample.addEventListener(
      "change",
      () => this.#sample.value === "" || void this.openSample(this.#sample.value),
    );
    this.#setUpPaste();
    this.#setUpFiles();
    this.#listed = this.#listSamples();
  }

  /**
   * Shows the stream in some bytes: server-sent events, lines of JSON, an archive of responses, or
   * one of them compressed with gzip.
   */
  async open(content: Uint8Array<ArrayBuffer>, source: Source): Promise<void> {
    const bytes = await inflated(content);
    const responses = responsesOfHar(new TextDecoder().decode(bytes));
    if (responses === null) {
      this.#show(bytes, source);
    } else if (responses.length === 0) {
      complain(
        "This archive has no response with a body. In the network panel, save it with content.",
      );
    } else if (responses.length === 1) {
      this.#show(responses[0]!.bytes, responses[0]!.source);
    } else {
      this.#choose(responses);
    }
  }

  #show(bytes: Uint8Array, source: Source): void {
    this.#playback.load(Recording.of({ source }, toServerSentEvents(bytes)));
  }

  /** Opens a dialog to choose a response of an archive. */
  #choose(responses: readonly ArchivedResponse[]): void {
    const dialog = byId<HTMLDialogElement>("har-dialog");
    const items = responses.map(({ bytes, status, type, source }) => {
      const button = el(
        "button",
        { type: "button" },
        el("b", { dir: "auto" }, `${source.method} ${source.url}`),
        el("span", {}, `${status} · ${type || "no type"} · ${bytesText(bytes.length)}`),
      );
      button.addEventListener("click", () => {
        dialog.close();
        this.#show(bytes, source);
      });
      return el("li", {}, button);
    });
    fill(byId("har-responses"), ...items);
    dialog.showModal();
  }

  async #listSamples(): Promise<void> {
    try {
      const samples = (await (await fetch("samples/index.json")).json()) as Sample[];
      for (const [label, members] of Map.groupBy(samples, ({ group }) => group)) {
        this.#sample.append(
          el(
            "optgroup",
            { label },
            ...members.map(({ file, title }) => el("option", { value: file }, title)),
          ),
        );
      }
    } catch {
      this.#sample.disabled = true;
    }
  }

  /** Shows a sample, by the name of its file. */
  async openSample(file: string): Promise<void> {
    try {
      await this.#listed;
      this.#sample.value = file;
      const response = await fetch(`samples/${encodeURIComponent(file)}`);
      if (!response.ok) {
        throw new Error(`status ${response.status}`);
      }
      await this.open(new Uint8Array(await response.arrayBuffer()), { kind: "sample", file });
    } catch (error) {
      complain(`The sample ${file} could not be loaded: ${String(error)}`);
    }
  }

  #setUpPaste(): void {
    byId("paste").addEventListener("click", () => {
      this.#dialog.showModal();
      this.#text.select();
    });
    this.#dialog.addEventListener("close", () => {
      if (this.#dialog.returnValue === "read" && this.#text.value !== "") {
        void this.open(new TextEncoder().encode(this.#text.value), PASTED);
      }
      this.#dialog.returnValue = "";
    });
    // Pasting outside of a field opens the stream, too.
    document.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text !== "" && !(event.target as Element).closest("input, textarea")) {
        event.preventDefault();
        void this.open(new TextEncoder().encode(text), PASTED);
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
      complain(`${file.name} is larger than 64 MB.`);
      return;
    }
    await this.open(new Uint8Array(await file.arrayBuffer()), { kind: "file", name: file.name });
  }
}

const PASTED: Source = { kind: "file", name: "pasted text" };

/**
 * Decompresses gzip, up to the maximum size. Other bytes, and gzip that is cut off, do not change.
 */
async function inflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    return bytes;
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of new Blob([bytes])
      .stream()
      .pipeThrough(new DecompressionStream("gzip"))) {
      parts.push(part);
      length += part.length;
      if (length > LARGEST) {
        break;
      }
    }
  } catch {
    return parts.length === 0 ? bytes : joinBytes(parts);
  }
  return joinBytes(parts);
}
