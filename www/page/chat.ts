// Talking to the demo agent: one question, one run, read while it arrives.

import { AgentwireError, read } from "agentwire";
import { byId, el } from "./dom.js";
import type { Playback } from "./playback.js";
import { Recording } from "./recording.js";

/** How a run can be asked to go; the worker's demo agent knows these names. */
const VARIANTS: readonly (readonly [name: string, text: string])[] = [
  ["", "As it should"],
  ["slow", "Slow, with heartbeats"],
  ["long", "Long: 2,000 tokens"],
  ["failure", "Fails in the middle"],
  ["cancel", "Is canceled"],
  ["incomplete", "Stops at a limit"],
  ["reject", "Is rejected"],
  ["echo", "Echoes you"],
];

export class Chat {
  readonly #playback: Playback;
  readonly #question = byId<HTMLInputElement>("question");
  readonly #variant = byId<HTMLSelectElement>("variant");
  readonly #send = byId<HTMLButtonElement>("send");
  readonly #stop = byId<HTMLButtonElement>("stop");
  readonly #session = crypto.randomUUID();
  #run: AbortController | null = null;
  #recording: Recording | null = null;

  constructor(playback: Playback) {
    this.#playback = playback;
    this.#variant.append(...VARIANTS.map(([value, text]) => el("option", { value }, text)));
    byId("ask").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.ask(this.#question.value.trim() || "What is the weather like in Hangzhou?");
    });
    this.#stop.addEventListener("click", () => this.#run?.abort());
    // Another stream has taken the place of the one that is arriving.
    playback.subscribe(() => playback.recording !== this.#recording && this.#run?.abort());
  }

  /** Asks the demo agent and shows the answer as it arrives. */
  async ask(question: string, variant = this.#variant.value): Promise<void> {
    this.#run?.abort();
    const run = new AbortController();
    const recording = new Recording({ name: `run ${Date.now()}`, question });
    this.#question.value = question;
    this.#variant.value = variant;
    this.#start(run, recording);
    this.#playback.load(recording);
    try {
      await this.#read(recording, requestOf(question, variant, this.#session), run.signal);
    } catch (error) {
      recording.trouble = troubleOf(error);
      recording.finish(false);
    }
    if (this.#playback.recording === recording) {
      this.#playback.grown();
    }
    this.#finish(run);
  }

  async #read(recording: Recording, body: string, signal: AbortSignal): Promise<void> {
    const response = fetch("/process", { method: "POST", headers: { "content-type": "application/json" }, body, signal });
    const run = read(response.then((answer) => tapped(answer, recording)), { signal });
    for await (const update of run) {
      if (this.#playback.recording === recording && update.changes.length > 0) {
        this.#playback.grown();
      }
    }
    const { report } = await run.done;
    recording.finish(report.ended === "aborted");
  }

  #start(run: AbortController, recording: Recording): void {
    this.#run = run;
    this.#recording = recording;
    this.#send.hidden = true;
    this.#stop.hidden = false;
  }

  #finish(run: AbortController): void {
    if (this.#run !== run) {
      return;
    }
    this.#run = null;
    const focused = document.activeElement === this.#stop;
    this.#stop.hidden = true;
    this.#send.hidden = false;
    if (focused) {
      this.#send.focus();
    }
  }
}

/** The same response, whose bytes are also recorded as they pass. */
function tapped(response: Response, recording: Recording): Response {
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      recording.push(chunk);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(tap) ?? null, response);
}

function requestOf(question: string, variant: string, session: string): string {
  return JSON.stringify({
    input: [{ type: "message", role: "user", content: [{ type: "text", text: question }] }],
    stream: true,
    session_id: session,
    user_id: "playground",
    ...(variant === "" ? {} : { biz_params: { demo: variant } }),
  });
}

function troubleOf(error: unknown): string {
  if (error instanceof AgentwireError) {
    return error.message;
  }
  return `The agent could not be reached: ${error instanceof Error ? error.message : String(error)}`;
}
