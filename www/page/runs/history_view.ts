// The stored messages of a thread, day by day.

import type { HistoryOptions, RunHistoryMessage, RunHistoryPage, RunsClient } from "agentwire/runs";
import { byId, el, fill } from "../dom.js";
import { prettyJson } from "../json_view.js";
import { setMarkdown } from "../markdown.js";

export class HistoryView {
  readonly #runs: RunsClient;
  readonly #element = byId("history");
  readonly #earlier = byId<HTMLButtonElement>("earlier");
  readonly #actions = byId("actions");
  readonly #send: (text: string) => void;
  /** The days that were read, or parts of them, the latest last. */
  #days: readonly RunHistoryPage[] = [];
  #hidden: ReadonlySet<string> = new Set();
  /**
   * The number of threads that were asked for: a response that is late belongs to an earlier one.
   */
  #loads = 0;

  /** @param send receives a suggested message that the user has chosen */
  constructor(runs: RunsClient, send: (text: string) => void) {
    this.#runs = runs;
    this.#send = send;
    this.#earlier.addEventListener("click", () => void this.#before());
  }

  /** Whether the history is empty. */
  get isEmpty(): boolean {
    return this.#days.length === 0;
  }

  /** Reads the latest day of a thread; null for a thread that is not started yet. */
  async load(threadId: string | null): Promise<void> {
    const load = ++this.#loads;
    const days = threadId === null ? [] : await this.#day({ threadId });
    if (load === this.#loads) {
      this.#days = days;
      this.#render();
    }
  }

  /** Hides messages that are shown elsewhere, by their ids. */
  hide(ids: ReadonlySet<string>): void {
    if (ids.size !== this.#hidden.size || [...ids].some((id) => !this.#hidden.has(id))) {
      this.#hidden = ids;
      this.#render();
    }
  }

  async #before(): Promise<void> {
    const [first] = this.#days;
    if (first?.threadId != null && first.day !== null) {
      const { threadId, day, beforeSeq } = first;
      const earlier = await this.#day({
        threadId,
        ...(beforeSeq === undefined ? { before: day } : { beforeSeq }),
      });
      if (this.#days[0] === first) {
        this.#days = [...earlier, ...this.#days];
        this.#render();
      }
    }
  }

  async #day(which: HistoryOptions): Promise<RunHistoryPage[]> {
    const page = await this.#runs.history(which);
    return page.day === null ? [] : [page];
  }

  #render(): void {
    this.#earlier.hidden = this.#days[0]?.hasMore !== true;
    const last = this.#days.at(-1)?.messages.at(-1);
    fill(this.#actions, ...(last?.suggestedActions ?? []).map((text) => this.#action(text)));
    fill(
      this.#element,
      ...this.#days.flatMap(({ day, messages }, at) => [
        this.#days.length > 1 && day !== this.#days[at - 1]?.day
          ? el("p", { class: "day" }, day ?? "")
          : null,
        ...messages.filter(({ id }) => !this.#hidden.has(id)).map(messageElement),
      ]),
    );
  }

  #action(text: string): HTMLElement {
    const button = el("button", { type: "button", class: "small" }, text);
    button.addEventListener("click", () => this.#send(text));
    return button;
  }
}

function messageElement({ id, role, content, attachments }: RunHistoryMessage): HTMLElement {
  const attributes = { "data-role": role, "data-id": id, dir: "auto" };
  if (role === "tool") {
    return el(
      "pre",
      { ...attributes, class: "result json", "aria-label": "result of a tool" },
      resultOf(content),
    );
  }
  const images = (attachments ?? [])
    .filter(({ url }) => isOwn(url))
    .map(({ url }) => el("img", { src: url, alt: "attached image" }));
  if (role === "user") {
    return el("div", { ...attributes, class: "said" }, content, ...images);
  }
  const text = el("div", { class: "part", "data-type": "text" });
  setMarkdown(text, content);
  return el("div", { ...attributes, class: "answered" }, text, ...images);
}

/** Returns whether an image is of this service: images of other servers are not loaded. */
function isOwn(url: string): boolean {
  return URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin;
}

function resultOf(content: string): Node | string {
  try {
    return prettyJson(JSON.parse(content));
  } catch {
    return content;
  }
}
