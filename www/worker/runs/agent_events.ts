// The demo agent as the source of a run's events: what it writes, as AG-UI has it.

import type { Json, Out, RunInput } from "agentwire";
import { askOf } from "../ask.js";
import { demoAgent } from "../demo_agent.js";

/** The events of a run, as JSON, from the first to the terminal one. */
export async function* demoEvents(body: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
  const input = JSON.parse(body) as RunInput;
  const events = new EventWriter(input, signal);
  let failure: unknown;
  const agent = demoAgent(events.out(), ask(input)).then(
    () => events.finish({ type: "success" }),
    (error: unknown) => {
      failure = error;
      signal.aborted ? events.finish({ type: "cancelled" }) : events.fail();
    },
  );
  yield* events.read();
  await agent;
  if (failure !== undefined && !signal.aborted) {
    console.error(failure);
  }
}

/** What the user says; `state.demo` says how the run shall go, as `biz_params.demo` does elsewhere. */
function ask({ messages, state, tools }: RunInput): ReturnType<typeof askOf> {
  const user = messages.find(({ role }) => role === "user");
  const content = user?.role === "user" ? user.content : "";
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const { demo } = Object(state) as { demo?: Json };
  return askOf({ input: [{ role: "user", content: parts }], biz_params: { demo }, tools });
}

type Outcome =
  | { readonly type: "success" | "cancelled" }
  | { readonly type: "interrupt"; readonly interrupts: readonly { readonly id: string; readonly reason: string; readonly message: string }[] };

/** Writes AG-UI's events where the demo agent writes an answer. */
class EventWriter {
  readonly #input: RunInput;
  readonly #signal: AbortSignal;
  readonly #events: string[] = [];
  #wake: (() => void) | undefined;
  #isOver = false;
  /** Ends what is open. */
  #close: (() => void) | undefined;
  #ids = 0;

  constructor(input: RunInput, signal: AbortSignal) {
    this.#input = input;
    this.#signal = signal;
    const { threadId, runId } = input;
    this.#send({ type: "RUN_STARTED", threadId, runId, protocolVersion: "1.0" });
  }

  async *read(): AsyncGenerator<string, void, undefined> {
    for (;;) {
      yield* this.#events.splice(0);
      if (this.#isOver && this.#events.length === 0) {
        return;
      }
      if (this.#events.length === 0) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }

  finish(outcome: Outcome): void {
    const { threadId, runId } = this.#input;
    this.#end({ type: "RUN_FINISHED", threadId, runId, outcome });
  }

  fail(): void {
    this.#end({ type: "RUN_ERROR", message: "the agent has failed", code: "AGENT_FAILED" });
  }

  /** As much of an `Out` as the demo agent uses. */
  out(): Out {
    const message = (): object => ({
      text: () => this.#text("TEXT_MESSAGE", { role: "assistant" }),
      image: async (url: string) => {
        this.#close?.();
        this.#send({ type: "ACTIVITY_SNAPSHOT", messageId: this.#id("activity"), activityType: "image", content: { url } });
      },
      data: async ({ id, reason, payload }: { id: string; reason: string; payload: { question: string } }) => {
        this.finish({ type: "interrupt", interrupts: [{ id, reason, message: payload.question }] });
      },
    });
    return {
      signal: this.#signal,
      message,
      reasoning: () => this.#text("REASONING_MESSAGE", { role: "reasoning" }),
      tool: (name: string, { callId = this.#id("call") }: { callId?: string } = {}) => this.#call(name, callId),
      usage() {},
      cancel: async () => this.finish({ type: "cancelled" }),
      incomplete: async () => this.finish({ type: "success" }),
      reject: async () => this.fail(),
    } as unknown as Out;
  }

  #text(kind: string, members: object): object {
    this.#close?.();
    const messageId = this.#id("message");
    this.#send({ type: `${kind}_START`, messageId, ...members });
    const complete = async (): Promise<void> => this.#close?.();
    this.#close = () => {
      this.#close = undefined;
      this.#send({ type: `${kind}_END`, messageId });
    };
    return { complete, delta: async (delta: string) => this.#send({ type: `${kind}_CONTENT`, messageId, delta }) };
  }

  #call(toolCallName: string, toolCallId: string): object {
    this.#close?.();
    this.#send({ type: "TOOL_CALL_START", toolCallId, toolCallName });
    this.#close = () => {
      this.#close = undefined;
      this.#send({ type: "TOOL_CALL_END", toolCallId });
    };
    return {
      callId: toolCallId,
      arguments: async (delta: string) => this.#send({ type: "TOOL_CALL_ARGS", toolCallId, delta }),
      complete: async () => this.#close?.(),
      result: async (content: string) => {
        this.#close?.();
        this.#send({ type: "TOOL_CALL_RESULT", messageId: this.#id("result"), toolCallId, content });
      },
    };
  }

  #end(event: object): void {
    if (!this.#isOver) {
      this.#close?.();
      this.#send(event);
      this.#isOver = true;
      this.#wake?.();
    }
  }

  #send(event: object): void {
    if (!this.#isOver) {
      this.#events.push(JSON.stringify(event));
      this.#wake?.();
    }
  }

  #id(kind: string): string {
    return `${this.#input.runId}_${kind}_${++this.#ids}`;
  }
}
