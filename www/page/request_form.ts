// A request to an address of the user, sent by this page, or by the worker if the server does not
// allow other pages.

import { type Target, requestOf } from "./agent_address.js";
import { byId, oncePerFrame } from "./dom.js";
import { LineFraming } from "./ndjson.js";
import type { Playback } from "./playback.js";
import { Recording } from "./recording.js";
import type { RequestSource } from "./source.js";

/** The maximum number of bytes of a response that are read. */
const LARGEST = 64 * 1024 * 1024;
/** The maximum number of characters of an error that are shown. */
const LONGEST_ERROR = 500;

export class RequestForm {
  readonly #playback: Playback;
  readonly #url = byId<HTMLInputElement>("request-url");
  readonly #method = byId<HTMLSelectElement>("request-method");
  readonly #headers = byId<HTMLTextAreaElement>("request-headers");
  readonly #body = byId<HTMLTextAreaElement>("request-body");
  readonly #proxy = byId<HTMLInputElement>("request-proxy");
  readonly #send = byId<HTMLButtonElement>("request-send");
  readonly #stop = byId<HTMLButtonElement>("request-stop");
  #running: AbortController | null = null;

  constructor(playback: Playback) {
    this.#playback = playback;
    const dialog = byId<HTMLDialogElement>("request-dialog");
    byId("request-more").addEventListener("click", () => dialog.showModal());
    byId("request").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.send();
    });
    this.#stop.addEventListener("click", () => this.#running?.abort());
  }

  /** Fills the form, for example from a permalink. Nothing is sent. */
  show({ url, method, headers, body }: RequestSource): void {
    this.#url.value = url;
    this.#method.value = method === "GET" ? "GET" : "POST";
    this.#headers.value = headers.map(([name, value]) => `${name}: ${value}`).join("\n");
    this.#body.value = body;
  }

  /** Offers the proxy, if the worker has one. */
  offerProxy(isOffered: boolean): void {
    byId("request-proxy-label").hidden = !isOffered;
  }

  /** Sends the request and shows its response as it arrives. */
  async send(): Promise<void> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.#setRunning(true);
    const source: RequestSource = {
      kind: "request",
      url: new URL(this.#url.value, location.href).href,
      method: this.#method.value,
      headers: headersOf(this.#headers.value),
      body: this.#method.value === "GET" ? "" : this.#body.value,
    };
    const recording = new Recording({ source });
    this.#playback.load(recording);
    try {
      await this.#read(source, recording, running.signal);
    } catch (error) {
      recording.trouble = running.signal.aborted
        ? null
        : reasonOf(error, source.url, this.#isProxied);
      recording.finish(running.signal.aborted);
    }
    this.#playback.grown();
    if (this.#running === running) {
      this.#running = null;
      this.#setRunning(false);
    }
  }

  get #isProxied(): boolean {
    return this.#proxy.checked;
  }

  async #read(source: RequestSource, recording: Recording, signal: AbortSignal): Promise<void> {
    const began = performance.now();
    const since = (): number => performance.now() - began;
    const target: Target = { ...source, isProxied: this.#isProxied };
    const response = await fetch(requestOf(target), {
      signal,
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok) {
      const text = (await response.text()).slice(0, LONGEST_ERROR);
      throw new Error(`the server answered ${response.status} ${text}`);
    }
    const lines = /ndjson|jsonl|application\/json/i.test(type) ? new LineFraming() : null;
    const grow = oncePerFrame(() => this.#playback.grown());
    let length = 0;
    for await (const chunk of response.body ?? []) {
      recording.push(lines === null ? chunk : lines.push(chunk), since());
      grow();
      length += chunk.length;
      if (length > LARGEST) {
        throw new Error("the response is longer than 64 MB");
      }
    }
    if (lines) {
      recording.push(lines.finish(), since());
    }
    recording.finish(false, since());
  }

  #setRunning(isRunning: boolean): void {
    this.#send.hidden = isRunning;
    this.#stop.hidden = !isRunning;
  }
}

/** Parses lines of `name: value`. */
function headersOf(text: string): [string, string][] {
  return text.split("\n").flatMap((line): [string, string][] => {
    const at = line.indexOf(":");
    return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()]] : [];
  });
}

function reasonOf(error: unknown, url: string, isProxied: boolean): string {
  const message = error instanceof Error ? error.message : String(error);
  const isHidden = error instanceof TypeError && !isProxied;
  return isHidden
    ? `${url} could not be read (${message}). The server is not reachable, or it does not allow requests of other pages (CORS).`
    : message;
}
