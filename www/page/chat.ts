// Talking to the demo agent: a question, the streams that answer it, and what the agent asks this page in between.

import { AgentwireError, type Outcome, PROTOCOLS, type Protocol, read } from "agentwire";
import { workerUrl } from "./agent_address.js";
import { Conversation } from "./conversation.js";
import { DIALOGUES, type Dialogue } from "./dialogue.js";
import { byId, el, fill } from "./dom.js";
import { PATHS, headersOf, variantsOf } from "./endpoints.js";
import type { Playback } from "./playback.js";
import { titleOf } from "./protocols.js";
import type { RequestSource } from "./source.js";
import { type Origin, Recording } from "./recording.js";

/** An agent that asks for tools again and again is stopped here. */
const MOST_ROUNDS = 8;

const PLACEHOLDER = "Weather in Paris, “delete all files”…";

export class Chat {
  readonly #playback: Playback;
  readonly #question = byId<HTMLInputElement>("question");
  readonly #endpoint = byId<HTMLSelectElement>("endpoint");
  readonly #variant = byId<HTMLSelectElement>("variant");
  readonly #send = byId<HTMLButtonElement>("send");
  readonly #stop = byId<HTMLButtonElement>("stop");
  #run: AbortController | null = null;
  #recording: Recording | null = null;

  constructor(playback: Playback) {
    this.#playback = playback;
    this.#endpoint.append(...PROTOCOLS.map((value) => el("option", { value }, `${titleOf(value)} ${PATHS[value]}`)));
    this.#endpoint.addEventListener("change", () => this.#choose(this.#protocol, this.#variant.value));
    this.#question.placeholder = PLACEHOLDER;
    this.#choose("agent-api", "");
    byId("ask").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.ask(this.#question.value.trim() || "What is the weather like in Hangzhou?");
    });
    this.#stop.addEventListener("click", () => this.#run?.abort());
    // Another stream has taken the place of the one that is arriving.
    playback.subscribe(() => this.#isElsewhere() && this.#run?.abort());
  }

  /** Asks the demo agent and shows the answer as it arrives. */
  async ask(question: string, variant = this.#variant.value, protocol = this.#protocol): Promise<void> {
    this.#question.value = question;
    this.#choose(protocol, variant);
    const conversation = new Conversation((...answer) => void this.#resume(dialogue, conversation, ...answer));
    const dialogue = DIALOGUES[protocol](conversation, variant);
    return this.#whileRunning((run) => this.#converse(run, dialogue, conversation, dialogue.ask(question), question));
  }

  /** Answers a question of the agent's, and goes on. */
  #resume(dialogue: Dialogue, conversation: Conversation, recording: Recording, interruptId: string, approved: boolean): Promise<void> {
    conversation.note(recording, { decisions: { [interruptId]: approved ? "approved by you" : "declined by you" } });
    // The button that had the focus goes.
    byId("chat").focus();
    return this.#whileRunning((run) => this.#converse(run, dialogue, conversation, dialogue.resume(interruptId, approved)));
  }

  /** Sends a request, and as long as its answer asks for tools, runs them and sends what they came to. */
  async #converse(run: AbortController, dialogue: Dialogue, conversation: Conversation, request: string, question?: string): Promise<void> {
    let body: string | null = request;
    for (let round = 0; body !== null; round++) {
      const source: RequestSource = { kind: "request", url: workerUrl(PATHS[dialogue.protocol]), method: "POST", headers: Object.entries(headersOf(dialogue.protocol)), body };
      const origin = { conversation, source, question: round === 0 ? question : undefined };
      const { recording, outcome } = await this.#stream(run, dialogue.protocol, body, origin);
      body = null;
      const answered = outcome === null || run.signal.aborted ? null : dialogue.goOn(outcome);
      if (answered === null) {
        return;
      }
      if (round === MOST_ROUNDS) {
        recording.trouble = `The agent has asked for tools ${round + 1} times; this page does not go on with that.`;
        this.#playback.grown();
        return;
      }
      conversation.note(recording, { toolAnswers: answered.answers });
      body = answered.body;
    }
  }

  /** One request and its stream; without an outcome if it could not be read. */
  async #stream(run: AbortController, protocol: Protocol, body: string, origin: Origin): Promise<Streamed> {
    const recording = new Recording(origin);
    origin.conversation?.streams.push(recording);
    this.#recording = recording;
    this.#playback.load(recording);
    let outcome: Outcome<Protocol> | null = null;
    try {
      outcome = await this.#read(recording, protocol, body, run.signal);
    } catch (error) {
      recording.trouble = troubleOf(error);
      recording.finish(false);
    }
    this.#playback.grown();
    return { recording, outcome };
  }

  async #read(recording: Recording, protocol: Protocol, body: string, signal: AbortSignal): Promise<Outcome<Protocol>> {
    const began = performance.now();
    const response = fetch(workerUrl(PATHS[protocol]), { method: "POST", headers: headersOf(protocol), body, signal });
    const run = read(response.then((answer) => tapped(answer, recording, began)), { signal, protocol });
    for await (const update of run) {
      if (update.changes.length > 0) {
        this.#playback.grown();
      }
    }
    const outcome = await run.finished();
    recording.finish(outcome.report.endReason === "aborted", performance.now() - began);
    return outcome;
  }

  async #whileRunning(work: (run: AbortController) => Promise<void>): Promise<void> {
    this.#run?.abort();
    const run = new AbortController();
    this.#run = run;
    this.#recording = null;
    this.#send.hidden = true;
    this.#stop.hidden = false;
    await work(run);
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

  /** The reader looks at a stream that has nothing to do with the one that is arriving. */
  #isElsewhere(): boolean {
    const { recording } = this.#playback;
    const mine = this.#recording;
    const conversation = mine?.origin.conversation;
    return mine !== null && recording !== mine && (conversation === undefined || recording?.origin.conversation !== conversation);
  }

  get #protocol(): Protocol {
    return PROTOCOLS.find((protocol) => protocol === this.#endpoint.value) ?? "agent-api";
  }

  #choose(protocol: Protocol, variant: string): void {
    this.#endpoint.value = protocol;
    fill(this.#variant, ...variantsOf(protocol).map(({ name, text }) => el("option", { value: name }, text)));
    this.#variant.value = variant;
    if (this.#variant.selectedIndex < 0) {
      this.#variant.value = "";
    }
  }
}

interface Streamed {
  readonly recording: Recording;
  readonly outcome: Outcome<Protocol> | null;
}

/** Records the bytes of a response as they pass. The body of a refused request is not a stream to record. */
function tapped(response: Response, recording: Recording, began: number): Response {
  if (!response.ok) {
    return response;
  }
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      recording.push(chunk, performance.now() - began);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(tap) ?? null, response);
}

function troubleOf(error: unknown): string {
  if (error instanceof AgentwireError) {
    return error.message;
  }
  return `The agent could not be reached: ${error instanceof Error ? error.message : String(error)}`;
}
