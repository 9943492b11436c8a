// Talking to the demo agent: a question, the streams that answer it, and what the agent asks this page in between.

import { type AgKitInterruptPart, AgentwireError, type Outcome, type Protocol, type SendMessageInput, read, resuming, toolAnswers } from "agentwire";
import { CLIENT_TOOLS, runPending } from "./client_tools.js";
import { Conversation } from "./conversation.js";
import { byId, el, fill } from "./dom.js";
import { PATHS, agKitRequestBody, agentRequestBody, variantsOf } from "./endpoints.js";
import type { Playback } from "./playback.js";
import { PROTOCOLS, PROTOCOL_NAMES, type Served } from "./protocols.js";
import { type Origin, Recording } from "./recording.js";

/** An agent that asks for tools again and again is stopped here. */
const MOST_ROUNDS = 8;

const PLACEHOLDERS: Readonly<Record<Served, string>> = {
  "agent-api": "Ask about the weather in a city…",
  "ag-kit": "The weather in a city, “change the background to teal”, “delete all files”…",
};

export class Chat {
  readonly #playback: Playback;
  readonly #question = byId<HTMLInputElement>("question");
  readonly #endpoint = byId<HTMLSelectElement>("endpoint");
  readonly #variant = byId<HTMLSelectElement>("variant");
  readonly #send = byId<HTMLButtonElement>("send");
  readonly #stop = byId<HTMLButtonElement>("stop");
  readonly #session = crypto.randomUUID();
  #run: AbortController | null = null;
  #recording: Recording | null = null;

  constructor(playback: Playback) {
    this.#playback = playback;
    this.#endpoint.append(...PROTOCOLS.map((value) => el("option", { value }, `${PROTOCOL_NAMES[value]} ${PATHS[value]}`)));
    this.#endpoint.addEventListener("change", () => this.#choose(this.#protocol, this.#variant.value));
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
    if (protocol === "ag-kit") {
      const conversation = new Conversation((...answer) => void this.#resume(conversation, variant, ...answer));
      const messages = [{ role: "user" as const, content: question }];
      return this.#whileRunning((run) =>
        this.#converse(run, conversation, { conversationId: conversation.id, messages }, variant, question),
      );
    }
    const body = agentRequestBody(question, this.#session, variant);
    return this.#whileRunning(async (run) => void (await this.#stream(run, protocol, body, { question })));
  }

  /** Answers an interrupt, and goes on. */
  #resume(conversation: Conversation, variant: string, recording: Recording, interrupt: AgKitInterruptPart, approved: boolean): Promise<void> {
    conversation.note(recording, { decisions: { [interrupt.id]: approved ? "approved by you" : "declined by you" } });
    // The button that had the focus goes.
    byId("chat").focus();
    return this.#whileRunning((run) => this.#converse(run, conversation, resuming(conversation.id, interrupt, { approved }), variant));
  }

  /** Sends a request, and as long as its answer asks for tools, runs them and sends what they came to. */
  async #converse(run: AbortController, conversation: Conversation, request: SendMessageInput, variant: string, question?: string): Promise<void> {
    let next: SendMessageInput | null = request;
    for (let round = 0; next !== null; round++) {
      const body = agKitRequestBody({ ...next, tools: CLIENT_TOOLS }, variant);
      const origin = { conversation, question: round === 0 ? question : undefined };
      const { recording, outcome } = await this.#stream(run, "ag-kit", body, origin);
      next = null;
      if (outcome?.protocol !== "ag-kit" || outcome.snapshot.status !== "awaiting-tool-results" || run.signal.aborted) {
        return;
      }
      if (round === MOST_ROUNDS) {
        recording.trouble = `The agent has asked for tools ${round + 1} times; this page does not go on with that.`;
        this.#playback.grown();
        return;
      }
      const answers = runPending(outcome.snapshot, conversation);
      conversation.note(recording, { toolAnswers: answers });
      next = toolAnswers(conversation.id, outcome.snapshot, answers);
    }
  }

  /** One request and its stream; without an outcome if it could not be read. */
  async #stream(run: AbortController, protocol: Served, body: string, origin: Origin): Promise<Streamed> {
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

  async #read(recording: Recording, protocol: Served, body: string, signal: AbortSignal): Promise<Outcome<Protocol>> {
    const response = fetch(PATHS[protocol], { method: "POST", headers: { "content-type": "application/json" }, body, signal });
    const run = read(response.then((answer) => tapped(answer, recording)), { signal, protocol });
    for await (const update of run) {
      if (update.changes.length > 0) {
        this.#playback.grown();
      }
    }
    const outcome = await run.finished();
    recording.finish(outcome.report.ended === "aborted");
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

  get #protocol(): Served {
    return PROTOCOLS.find((protocol) => protocol === this.#endpoint.value) ?? "agent-api";
  }

  #choose(protocol: Served, variant: string): void {
    this.#endpoint.value = protocol;
    fill(this.#variant, ...variantsOf(protocol).map(({ name, text }) => el("option", { value: name }, text)));
    this.#variant.value = variant;
    if (this.#variant.selectedIndex < 0) {
      this.#variant.value = "";
    }
    this.#question.placeholder = PLACEHOLDERS[protocol];
  }
}

interface Streamed {
  readonly recording: Recording;
  readonly outcome: Outcome<Protocol> | null;
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

function troubleOf(error: unknown): string {
  if (error instanceof AgentwireError) {
    return error.message;
  }
  return `The agent could not be reached: ${error instanceof Error ? error.message : String(error)}`;
}
