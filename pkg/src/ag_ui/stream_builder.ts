// Building an AG-UI stream, event by event.

import type { AgUiInterrupt, Json } from "../agentwire.js";
import { checked } from "../arguments.js";
import { type BuilderEvent, eventsOf } from "../emit/event.js";
import { Handle } from "../emit/handle.js";
import { nextPiece } from "../emit/next_piece.js";
import { jsonOf } from "../emit/options.js";
import { toolkit } from "../wasm.js";
import type { AgUiEvent } from "./events.js";

/** How an AG-UI stream is written. */
export interface AgUiBuilderOptions {
  readonly threadId: string;
  readonly runId: string;
  /** The state that the client has sent: changes are told from it. */
  readonly state?: Json | undefined;
  /**
   * Whether text, reasoning and tool calls are written as chunks, which begin and end by themselves: `TEXT_MESSAGE_CHUNK` in
   * the place of `TEXT_MESSAGE_START`, `_CONTENT` and `_END`. False by default.
   */
  readonly chunks?: boolean | undefined;
  /** `random` (the default) for UUIDs, `numbered` for ids that are the same every time, for tests. */
  readonly ids?: "random" | "numbered" | undefined;
}

/** How a run ends that has not failed. */
export type AgUiOutcome =
  | { readonly type: "success"; readonly pendingToolCallIds?: readonly string[] }
  | { readonly type: "interrupt"; readonly interrupts: readonly AgUiInterrupt[] }
  | { readonly type: "cancelled" };

/** Tokens used with one provider and model. */
export interface AgUiTokenUsage {
  readonly provider?: string;
  readonly model?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteInputTokens?: number;
}

/**
 * Builds the stream of an AG-UI run. Every method that stands for events returns them; send the events in the order in which they
 * were made. A call that would make the stream illegal in the eyes of AG-UI's official client throws an `AgentwireError`.
 *
 * ```js
 * const run = new AgUiStreamBuilder({ threadId, runId });
 * send(run.start());
 * send(run.text("I look it up."));
 * send(run.state({ city: "北京" }));
 * send(run.finishWith()); // ends with RUN_FINISHED, whatever happened before
 * ```
 *
 * Builders hold memory of the WebAssembly module until `free` is called or `using` ends.
 */
export class AgUiStreamBuilder {
  readonly #handle;
  readonly threadId: string;
  readonly runId: string;

  constructor({ threadId, runId, state, chunks = false, ids }: AgUiBuilderOptions) {
    const core = toolkit();
    const held = state === undefined ? undefined : jsonOf(state);
    const make = () => new core.bindings.RawAgUiBuilder(String(threadId), String(runId), held, chunks, ids === "numbered");
    this.#handle = new Handle(core, make);
    this.threadId = threadId;
    this.runId = runId;
  }

  /** `RUN_STARTED`. */
  start(): BuilderEvent[] {
    return eventsOf(this.#handle.call("start"));
  }

  /** Any event but chunks, as it goes on the wire. What `text` and `reasoning` have begun ends before it where the protocol says so. */
  event(event: AgUiEvent): BuilderEvent[] {
    return eventsOf(this.#handle.call("event", jsonOf(event as unknown as Json)));
  }

  /** The next piece of what the agent says. The message goes on until something else is said in its lane. */
  text(piece: string): BuilderEvent[] {
    return eventsOf(this.pieces("text", piece));
  }

  /** The next piece of what the agent thinks. It goes on as `text` does. */
  reasoning(piece: string): BuilderEvent[] {
    return eventsOf(this.pieces("reasoning", piece));
  }

  /** Ends what `text` or `reasoning` goes on with in this lane: the next piece begins a message. */
  endMessage(): BuilderEvent[] {
    return eventsOf(this.#handle.call("endMessage"));
  }

  /** The id of the message that `text` or `reasoning` goes on with in this lane. */
  get messageId(): string | undefined {
    return this.#handle.call("messageId");
  }

  /** A tool call begins. Several may be open at once, unless they are written as chunks. */
  toolCallStart(toolCallId: string, toolCallName: string): BuilderEvent[] {
    return eventsOf(this.#handle.call("toolCallStart", toolCallId, toolCallName));
  }

  /** The next piece of a call's arguments, which together are JSON text. */
  toolCallArgs(toolCallId: string, delta: string): BuilderEvent[] {
    return eventsOf(this.pieces(`args ${toolCallId}`, delta));
  }

  /** The arguments of a call are whole. */
  toolCallEnd(toolCallId: string): BuilderEvent[] {
    return eventsOf(this.#handle.call("toolCallEnd", toolCallId));
  }

  /** What a tool came to: a text, or a list of parts. Calls without a result are the client's to answer. */
  toolResult(toolCallId: string, content: Json): BuilderEvent[] {
    return eventsOf(this.#handle.call("toolResult", toolCallId, jsonOf(content)));
  }

  /** The shared state is this now. Sends what has changed, or all of it where that is not longer; nothing if nothing has. */
  state(next: Json): BuilderEvent[] {
    return eventsOf(this.#handle.call("state", jsonOf(next)));
  }

  /** An activity is this now. Sends what has changed, or all of it where that is not longer; nothing if nothing has. */
  activity(messageId: string, activityType: string, content: Json): BuilderEvent[] {
    return eventsOf(this.#handle.call("activity", messageId, activityType, jsonOf(content)));
  }

  /** The lane that what is said next belongs to: a subagent's id; without one, the agent itself. */
  lane(subagentRunId?: string): void {
    this.#handle.call("lane", subagentRunId);
  }

  /** Tokens used, told when the run ends. */
  setUsage(usage: readonly AgUiTokenUsage[]): void {
    this.#handle.call("setUsage", jsonOf(usage as unknown as Json));
  }

  /** `RUN_FINISHED`, after the ends of what is open. Calls have to be ended before. */
  finish(outcome: AgUiOutcome = SUCCESS, result?: Json): BuilderEvent[] {
    const held = result === undefined ? undefined : jsonOf(result);
    return eventsOf(this.#handle.call("finish", jsonOf(outcome as unknown as Json), held));
  }

  /** `RUN_ERROR`, after the ends of messages and reasoning. */
  error(message: string, code?: string): BuilderEvent[] {
    return eventsOf(this.#handle.call("error", message, code));
  }

  /**
   * Ends the run from wherever it is, with an error if there is one to tell. Does nothing after an end. Calls that are open are cut
   * off by an error: a client would run them with the arguments they have.
   */
  finishWith(error?: { readonly message: string; readonly code?: string | undefined }, outcome: AgUiOutcome = SUCCESS): BuilderEvent[] {
    return eventsOf(this.#handle.call("finishWith", jsonOf(outcome as unknown as Json), error?.message, error?.code));
  }

  /** Whether the run has ended. */
  get ended(): boolean {
    return this.#handle.call("isEnded");
  }

  /** @internal The frames of a piece: of `text`, `reasoning` or `args`, with an id after a space. */
  pieces(of: string, piece: string): string {
    return nextPiece(this.#handle, piece, of);
  }

  /** Gives the memory back. */
  free(): void {
    this.#handle.free();
  }

  /** For `using`. */
  [Symbol.dispose](): void {
    this.free();
  }
}

const SUCCESS = { type: "success" } as const;

checked("AgUiStreamBuilder", AgUiStreamBuilder, {
  event: { event: "object" },
  text: { piece: "string" },
  reasoning: { piece: "string" },
  toolCallStart: { toolCallId: "string", toolCallName: "string" },
  toolCallArgs: { toolCallId: "string", delta: "string" },
  toolCallEnd: { toolCallId: "string" },
  toolResult: { toolCallId: "string", content: "json?" },
  state: { next: "json?" },
  activity: { messageId: "string", activityType: "string", content: "object" },
  lane: { subagentRunId: "string?" },
  finish: { outcome: "object?", result: "json?" },
  error: { message: "string", code: "string?" },
  finishWith: { error: "object?", outcome: "object?" },
});
