// Builds an AG-UI stream, event by event.

import type { AgUiInterrupt, Json } from "../agentwire.js";
import { checked } from "../core/arguments.js";
import { type BuilderEvent, eventsOf } from "../emit/event.js";
import { Handle, nextPiece } from "../core/handle.js";
import { jsonOf } from "../core/json.js";
import { toolkit } from "../core/wasm.js";
import type { AgUiEvent } from "../generated/ag_ui/events.js";

/** The options of {@link AgUiStreamBuilder}. */
export interface AgUiBuilderOptions {
  readonly threadId: string;
  readonly runId: string;
  /** The state that the client sent. The first change is sent as a difference from it. */
  readonly state?: Json | undefined;
  /**
   * Whether text, reasoning and tool calls are written as chunks, which need no start and end
   * events: `TEXT_MESSAGE_CHUNK` instead of `TEXT_MESSAGE_START`, `_CONTENT` and `_END`. False by
   * default.
   */
  readonly chunks?: boolean | undefined;
  /**
   * The kind of generated ids: `random` (the default) for UUIDs, `numbered` for reproducible ids in
   * tests.
   */
  readonly ids?: "random" | "numbered" | undefined;
}

/** The outcome of a run that did not fail. */
export type AgUiOutcome =
  | { readonly type: "success"; readonly pendingToolCallIds?: readonly string[] }
  | { readonly type: "interrupt"; readonly interrupts: readonly AgUiInterrupt[] }
  | { readonly type: "cancelled" };

/** The tokens used with one provider and model. */
export interface AgUiTokenUsage {
  /** The provider of the model, for example `openai`. */
  readonly provider?: string;
  /** The name of the model. */
  readonly model?: string;
  /** The number of tokens of the input. */
  readonly inputTokens?: number;
  /** The number of tokens of the output. */
  readonly outputTokens?: number;
  /** The number of tokens of input and output. */
  readonly totalTokens?: number;
  /** The number of output tokens for reasoning. */
  readonly reasoningTokens?: number;
  /** The number of input tokens read from a cache. */
  readonly cachedInputTokens?: number;
  /** The number of input tokens written to a cache. */
  readonly cacheWriteInputTokens?: number;
}

/**
 * Builds the stream of an AG-UI run. Every method for events returns them; send the events in the
 * order of the calls. A call that would make the stream invalid for the official AG-UI client
 * throws an `AgentwireError`.
 *
 * ```js
 * const run = new AgUiStreamBuilder({ threadId, runId });
 * send(run.start());
 * send(run.text("I look it up."));
 * send(run.state({ city: "北京" }));
 * send(run.finishWith()); // always ends with RUN_FINISHED
 * ```
 *
 * Builders hold memory of the WebAssembly module until `free` is called or the scope of `using`
 * ends.
 */
export class AgUiStreamBuilder {
  readonly #handle;
  readonly threadId: string;
  readonly runId: string;

  constructor({ threadId, runId, state, chunks = false, ids }: AgUiBuilderOptions) {
    const core = toolkit();
    const stateJson = state === undefined ? undefined : jsonOf(state);
    const make = () =>
      new core.bindings.RawAgUiBuilder(
        String(threadId),
        String(runId),
        stateJson,
        chunks,
        ids === "numbered",
      );
    this.#handle = new Handle(core, make);
    this.threadId = threadId;
    this.runId = runId;
  }

  /** Creates `RUN_STARTED`. */
  start(): BuilderEvent[] {
    return eventsOf(this.#handle.call("start"));
  }

  /**
   * Creates any event except chunks. Ends the message of `text` or `reasoning` first if the
   * protocol requires it.
   */
  event(event: AgUiEvent): BuilderEvent[] {
    return eventsOf(this.#handle.call("event", jsonOf(event as unknown as Json)));
  }

  /**
   * Creates the events of a text delta. The message continues until the same subagent sends
   * something else.
   */
  text(piece: string): BuilderEvent[] {
    return eventsOf(this.pieces("text", piece));
  }

  /** Creates the events of a reasoning delta. The message continues as with `text`. */
  reasoning(piece: string): BuilderEvent[] {
    return eventsOf(this.pieces("reasoning", piece));
  }

  /**
   * Ends the current message of `text` or `reasoning` of this subagent. The next delta starts a new
   * message.
   */
  endMessage(): BuilderEvent[] {
    return eventsOf(this.#handle.call("endMessage"));
  }

  /** The id of the current message of `text` or `reasoning` of this subagent. */
  get messageId(): string | undefined {
    return this.#handle.call("messageId");
  }

  /**
   * Creates the event that starts a tool call. Several calls can be open at once, unless they are
   * written as chunks.
   */
  toolCallStart(toolCallId: string, toolCallName: string): BuilderEvent[] {
    return eventsOf(this.#handle.call("toolCallStart", toolCallId, toolCallName));
  }

  /** Creates the event of a delta of a call's arguments. The concatenated deltas are JSON text. */
  toolCallArgs(toolCallId: string, delta: string): BuilderEvent[] {
    return eventsOf(this.pieces(`args ${toolCallId}`, delta));
  }

  /** Creates the event that ends a call's arguments. */
  toolCallEnd(toolCallId: string): BuilderEvent[] {
    return eventsOf(this.#handle.call("toolCallEnd", toolCallId));
  }

  /**
   * Creates the event of a tool result: a string or a list of parts. The client answers calls
   * without a result.
   */
  toolResult(toolCallId: string, content: Json): BuilderEvent[] {
    return eventsOf(this.#handle.call("toolResult", toolCallId, jsonOf(content)));
  }

  /**
   * Sets the shared state. Returns a delta, or a snapshot if that is not longer; no event if the
   * state is unchanged.
   */
  state(next: Json): BuilderEvent[] {
    return eventsOf(this.#handle.call("state", jsonOf(next)));
  }

  /**
   * Sets the content of an activity. Returns a delta, or a snapshot if that is not longer; no event
   * if the content is unchanged.
   */
  activity(messageId: string, activityType: string, content: Json): BuilderEvent[] {
    return eventsOf(this.#handle.call("activity", messageId, activityType, jsonOf(content)));
  }

  /**
   * Sets the subagent of the following events, by its id. Without an id, they belong to the agent
   * itself.
   */
  lane(subagentRunId?: string): void {
    this.#handle.call("lane", subagentRunId);
  }

  /** Sets the token usage, which the last event of the run contains. */
  setUsage(usage: readonly AgUiTokenUsage[]): void {
    this.#handle.call("setUsage", jsonOf(usage as unknown as Json));
  }

  /** Creates `RUN_FINISHED`, after the end events of open messages. Tool calls must have ended. */
  finish(outcome: AgUiOutcome = SUCCESS, result?: Json): BuilderEvent[] {
    const resultJson = result === undefined ? undefined : jsonOf(result);
    return eventsOf(this.#handle.call("finish", jsonOf(outcome as unknown as Json), resultJson));
  }

  /** Creates `RUN_ERROR`, after the end events of open messages and reasoning. */
  error(message: string, code?: string): BuilderEvent[] {
    return eventsOf(this.#handle.call("error", message, code));
  }

  /**
   * Ends the run in any state, with `RUN_ERROR` if `error` is given. Returns no events if the run
   * has already ended. A run with open tool calls ends with an error, because a client would
   * execute them with incomplete arguments.
   */
  finishWith(
    error?: { readonly message: string; readonly code?: string | undefined },
    outcome: AgUiOutcome = SUCCESS,
  ): BuilderEvent[] {
    return eventsOf(
      this.#handle.call(
        "finishWith",
        jsonOf(outcome as unknown as Json),
        error?.message,
        error?.code,
      ),
    );
  }

  /** Whether the run has ended. */
  get ended(): boolean {
    return this.#handle.call("isEnded");
  }

  /**
   * @internal Returns the frames of a delta. `of` is `text`, `reasoning` or `args`, and an id after
   * a space.
   */
  pieces(of: string, piece: string): string {
    return nextPiece(this.#handle, piece, of);
  }

  /** Frees the memory of the builder. */
  free(): void {
    this.#handle.free();
  }

  /** Frees the memory of the builder at the end of a `using` scope. */
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
