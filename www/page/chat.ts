// The conversation with the demo agent: a question, the streams that answer it, and the agent's
// requests to this page in between.

import { AgentwireError, type ToolPart, type ConnectableProtocol } from "agentwire";
import { Answers, clientTools, nameOf } from "./client_tools.js";
import { Conversation } from "./conversation.js";
import { type DemoAgent, demoAgent } from "./demo_agent.js";
import { byId, el, fill } from "./dom.js";
import { CONNECTABLE, PATHS, variantsOf } from "./endpoints.js";
import type { Playback } from "./playback.js";
import { titleOf } from "./protocols.js";
import type { RequestSource } from "./source.js";
import { Recording } from "./recording.js";

/** The maximum number of requests for tools in one answer. */
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
  /** The number of requests of the answer that is arriving. */
  #requests = 0;

  constructor(playback: Playback) {
    this.#playback = playback;
    this.#endpoint.append(
      ...CONNECTABLE.map((value) => el("option", { value }, `${titleOf(value)} ${PATHS[value]}`)),
    );
    this.#endpoint.addEventListener("change", () =>
      this.#choose(this.#protocol, this.#variant.value),
    );
    this.#question.placeholder = PLACEHOLDER;
    this.#choose(CONNECTABLE[0]!, "");
    byId("ask").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.ask(this.#question.value.trim() || "What is the weather like in Hangzhou?");
    });
    this.#stop.addEventListener("click", () => this.#run?.abort());
    // Aborts the run when the page shows an unrelated stream.
    playback.subscribe(() => this.#isElsewhere() && this.#run?.abort());
  }

  /** Asks the demo agent and shows the answer as it arrives. */
  async ask(
    question: string,
    variant = this.#variant.value,
    protocol = this.#protocol,
  ): Promise<void> {
    this.#question.value = question;
    this.#choose(protocol, variant);
    const answers = new Answers();
    const conversation = new Conversation((recording, interruptId, approved) => {
      // The focused button is removed.
      byId("chat").focus();
      conversation.note(recording, {
        decisions: { [interruptId]: approved ? "approved by you" : "declined by you" },
      });
      void this.#whileRunning((run) =>
        this.#converse(run, agent, answers, conversation, () => {
          // One request answers all that is pending; another interrupt of the same answer is
          // declined.
          for (const { approval } of agent.getSnapshot().pending) {
            if (approval !== undefined) {
              if (approval.id === interruptId && approved) {
                agent.approve(approval.id);
              } else {
                agent.decline(approval.id);
              }
            }
          }
          refuse(agent, answers);
        }),
      );
    });
    answers.tools = clientTools((color) => (conversation.tint = color));
    const agent: DemoAgent = demoAgent(protocol, variant, answers.noted(), (request) =>
      this.#sent(request, agent, answers, conversation, question),
    );
    return this.#whileRunning((run) =>
      this.#converse(run, agent, answers, conversation, () => agent.send(question)),
    );
  }

  /** Reads the answer to a request, and to the requests that return results of tools. */
  async #converse(
    run: AbortController,
    agent: DemoAgent,
    answers: Answers,
    { streams }: Conversation,
    begin: () => void,
  ): Promise<void> {
    this.#requests = 0;
    run.signal.addEventListener("abort", agent.stop);
    const leave = agent.subscribe(() => this.#playback.grown());
    begin();
    for (;;) {
      const { error, pending } = await agent.finished();
      const recording = streams.at(-1);
      recording?.finish(run.signal.aborted);
      if (recording === undefined || this.#run !== run) {
        return leave();
      }
      const calls = pending.filter(isCall);
      const isTooMuch =
        this.#requests > MOST_ROUNDS || calls.some((call) => answers.hasToolFor(call));
      const isWaiting = !run.signal.aborted && error === undefined && calls.length > 0;
      recording.trouble =
        error?.cause !== undefined
          ? troubleOf(error.cause)
          : isWaiting && isTooMuch
            ? `The agent has asked for tools ${this.#requests} times; this page does not go on with that.`
            : null;
      this.#playback.grown();
      if (!isWaiting || isTooMuch || calls.length < pending.length) {
        return leave();
      }
      refuse(agent, answers);
    }
  }

  /** Sends a request of the agent, and records the response. */
  async #sent(
    request: Request,
    agent: DemoAgent,
    answers: Answers,
    conversation: Conversation,
    question: string,
  ): Promise<Response> {
    if (!agent.getSnapshot().isBusy) {
      // Cancels the run at the server.
      return fetch(request);
    }
    const last = conversation.streams.at(-1);
    last?.finish(false);
    if (last !== undefined && conversation.replyTo(last) === undefined) {
      conversation.note(last, { toolAnswers: answers.taken() });
    }
    const { url, method, headers, signal } = request;
    const body = await request.text();
    const source: RequestSource = { kind: "request", url, method, headers: [...headers], body };
    const recording = new Recording({
      conversation,
      source,
      question: last === undefined ? question : undefined,
    });
    conversation.streams.push(recording);
    this.#recording = recording;
    this.#requests += 1;
    this.#playback.load(recording);
    const began = performance.now();
    return recordBody(await fetch(url, { method, headers, body, signal }), recording, began);
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

  /** Returns whether the page shows a stream that does not belong to the one that is arriving. */
  #isElsewhere(): boolean {
    const { recording } = this.#playback;
    const mine = this.#recording;
    const conversation = mine?.origin.conversation;
    return (
      mine !== null &&
      recording !== mine &&
      (conversation === undefined || recording?.origin.conversation !== conversation)
    );
  }

  get #protocol(): ConnectableProtocol {
    return CONNECTABLE.find((protocol) => protocol === this.#endpoint.value) ?? CONNECTABLE[0]!;
  }

  #choose(protocol: ConnectableProtocol, variant: string): void {
    this.#endpoint.value = protocol;
    fill(
      this.#variant,
      ...variantsOf(protocol).map(({ name, text }) => el("option", { value: name }, text)),
    );
    this.#variant.value = variant;
    if (this.#variant.selectedIndex < 0) {
      this.#variant.value = "";
    }
  }
}

/** Answers calls of tools that this page does not have. */
function refuse(agent: DemoAgent, answers: Answers): void {
  for (const call of agent.getSnapshot().pending.filter(isCall)) {
    if (!answers.hasToolFor(call)) {
      agent.answer(
        call.toolCallId,
        answers.note(
          call.toolCallId,
          `Error: this page has no tool ${JSON.stringify(nameOf(call))}.`,
        ),
      );
    }
  }
}

/** Returns whether a part waits for the result of a call. */
function isCall({ state }: ToolPart): boolean {
  return state === "input-available";
}

/**
 * Records the bytes of a response as they pass. The body of a refused request is not a stream to
 * record.
 */
function recordBody(response: Response, recording: Recording, began: number): Response {
  if (!response.ok) {
    return response;
  }
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      recording.push(chunk, performance.now() - began);
      controller.enqueue(chunk);
    },
    flush: () => recording.finish(false, performance.now() - began),
  });
  return new Response(response.body?.pipeThrough(tap) ?? null, response);
}

function troubleOf(error: unknown): string {
  if (error instanceof AgentwireError) {
    return error.message;
  }
  return `The agent could not be reached: ${error instanceof Error ? error.message : String(error)}`;
}
