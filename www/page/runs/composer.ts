// The user's input: a text, images that are uploaded, and voice notes that become text.

import type { RunAttachment, RunsClient } from "agentwire/runs";
import { byId, complain, el, fill } from "../dom.js";
import { Voice } from "./voice.js";

/** The variants of a run. */
const VARIANTS: readonly (readonly [value: string, text: string])[] = [
  ["", "Normal run"],
  ["long", "Long text"],
  ["slow", "Slow"],
  ["failure", "Fails"],
];

/** The input to send. */
export interface Draft {
  readonly text: string;
  readonly images: readonly RunAttachment[];
  readonly variant: string;
}

export class Composer {
  readonly #runs: RunsClient;
  readonly #question = byId<HTMLInputElement>("question");
  readonly #variant = byId<HTMLSelectElement>("variant");
  readonly #image = byId<HTMLInputElement>("image");
  readonly #voice = byId<HTMLButtonElement>("voice");
  readonly #attachments = byId("attachments");
  #images: readonly RunAttachment[] = [];
  #recording: Voice | null = null;

  /** @param threadOf returns the thread of an image */
  constructor(runs: RunsClient, threadOf: () => string, send: (draft: Draft) => void) {
    this.#runs = runs;
    this.#variant.append(...VARIANTS.map(([value, text]) => el("option", { value }, text)));
    byId("ask").addEventListener("submit", (event) => {
      event.preventDefault();
      send(this.#take());
    });
    byId("attach").addEventListener("click", () => this.#image.click());
    this.#image.addEventListener("change", () => void this.#upload(threadOf()));
    this.#voice.addEventListener("click", () => void this.#toggleRecording());
  }

  /** Removes the attached images, which belong to another thread. */
  clear(): void {
    this.#images = [];
    this.#show();
  }

  #take(): Draft {
    const draft = {
      text: this.#question.value.trim() || "Tell me a long story",
      images: this.#images,
      variant: this.#variant.value,
    };
    this.#question.value = "";
    this.clear();
    return draft;
  }

  async #upload(threadId: string): Promise<void> {
    const [file] = this.#image.files ?? [];
    this.#image.value = "";
    if (file === undefined) {
      return;
    }
    const progress = el("progress", { max: 1, value: 0, "aria-label": `uploading ${file.name}` });
    this.#attachments.append(progress);
    try {
      const image = await this.#runs.upload(threadId, file, {
        onProgress: (share) => (progress.value = share),
      });
      this.#images = [...this.#images, image];
      complain(null);
    } catch (error) {
      complain(`The image was not taken: ${reasonOf(error)}`);
    }
    this.#show();
  }

  /** Starts a recording, or ends it and writes the transcript into the message. */
  async #toggleRecording(): Promise<void> {
    const recording = this.#recording;
    this.#voice.disabled = true;
    try {
      if (recording === null) {
        this.#recording = await Voice.begin();
      } else {
        this.#recording = null;
        const transcript = await this.#runs.transcribe(await recording.end());
        this.#question.value = [this.#question.value, transcript].filter(Boolean).join(" ");
        this.#question.focus();
      }
      complain(null);
    } catch (error) {
      complain(`The voice note was not taken: ${reasonOf(error)}`);
    }
    this.#voice.disabled = false;
    const isRecording = this.#recording !== null;
    this.#voice.setAttribute("aria-pressed", String(isRecording));
    this.#voice.textContent = isRecording ? "End" : "Voice";
  }

  #show(): void {
    fill(this.#attachments, ...this.#images.map((image) => this.#figure(image)));
  }

  #figure(image: RunAttachment): HTMLElement {
    const remove = el("button", { type: "button", class: "small" }, "Remove");
    remove.addEventListener("click", () => {
      this.#images = this.#images.filter((other) => other !== image);
      this.#show();
    });
    return el(
      "figure",
      {},
      el("img", { src: image.url, alt: "attached image" }),
      el("figcaption", {}, image.mimeType),
      remove,
    );
  }
}

/** Returns the message of an error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
