// Building an AG-Kit stream, event by event.

import type { Json } from "../agentwire.js";
import { checked } from "../arguments.js";
import { type BuilderEvent, eventOf, eventsOf } from "../emit/event.js";
import { Handle } from "../emit/handle.js";
import { nextPiece } from "../emit/next_piece.js";
import { jsonOf } from "../emit/options.js";
import { toolkit } from "../wasm.js";

/**
 * Builds the stream of one AG-Kit turn. Every method that stands for an event returns it; send the events in the order in
 * which they were made. A call that would make the stream illegal throws an `AgentwireError` that says what to call
 * instead.
 *
 * ```js
 * const turn = new AgKitStreamBuilder();
 * send(turn.text("I look it up."));
 * send(turn.toolCallStart("c1", "get_weather"));
 * send(turn.toolCallArgs("c1", '{"city":"北京"}'));
 * send(turn.toolCallEnd("c1"));
 * send(turn.toolResult("c1", "晴"));
 * turn.finishWith().forEach(send); // ends with [DONE], whatever happened before
 * ```
 *
 * Builders hold memory of the WebAssembly module until `free` is called or `using` ends.
 */
export class AgKitStreamBuilder {
  readonly #handle;

  constructor() {
    const core = toolkit();
    this.#handle = new Handle(core, () => new core.bindings.RawStreamBuilder());
  }

  /** The next piece of the turn's text. */
  text(content: string): BuilderEvent {
    return eventOf(nextPiece(this.#handle, content));
  }

  /** A tool call begins. Several may be open at once; an id is used once. */
  toolCallStart(toolCallId: string, toolCallName: string): BuilderEvent {
    return eventOf(this.#handle.call("toolCallStart", toolCallId, toolCallName));
  }

  /** The next piece of a call's arguments, which together are JSON text. */
  toolCallArgs(toolCallId: string, delta: string): BuilderEvent {
    return eventOf(nextPiece(this.#handle, delta, toolCallId));
  }

  /** The arguments of a call are whole. */
  toolCallEnd(toolCallId: string): BuilderEvent {
    return eventOf(this.#handle.call("toolCallEnd", toolCallId));
  }

  /** What a tool came to that the server has called itself. Calls without a result are the client's to answer. */
  toolResult(toolCallId: string, result: string): BuilderEvent {
    return eventOf(this.#handle.call("toolResult", toolCallId, result));
  }

  /** The agent asks something, and waits for the client to resume it. `payload` is any JSON. */
  interrupt(id: string, reason: string | undefined, payload: Json): BuilderEvent {
    return eventOf(this.#handle.call("interrupt", id, reason, jsonOf(payload)));
  }

  /** The run failed. After it only `done` may come. */
  error(message: string): BuilderEvent {
    return eventOf(this.#handle.call("error", message));
  }

  /** `[DONE]`, the last event. */
  done(): BuilderEvent {
    return eventOf(this.#handle.call("done"));
  }

  /** Ends the stream from wherever it is, with an error if there is one to tell. Does nothing after an end. */
  finishWith(error?: string): BuilderEvent[] {
    return eventsOf(this.#handle.call("finishWith", error));
  }

  /** Whether `[DONE]` was made. */
  get ended(): boolean {
    return this.#handle.call("isEnded");
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

checked("AgKitStreamBuilder", AgKitStreamBuilder, {
  text: { content: "string" },
  toolCallStart: { toolCallId: "string", toolCallName: "string" },
  toolCallArgs: { toolCallId: "string", delta: "string" },
  toolCallEnd: { toolCallId: "string" },
  toolResult: { toolCallId: "string", result: "string" },
  interrupt: { id: "string", reason: "string?", payload: "json?" },
  error: { message: "string" },
  finishWith: { error: "string?" },
});
