// Builds an AG-Kit stream, event by event.

import type { Json } from "../agentwire.js";
import { checked } from "../core/arguments.js";
import { type BuilderEvent, eventOf, eventsOf } from "../emit/event.js";
import { Handle, nextPiece } from "../core/handle.js";
import { jsonOf } from "../core/json.js";
import { toolkit } from "../core/wasm.js";

/**
 * Builds the stream of one AG-Kit turn. Every method for an event returns that event; send the
 * events in the order of the calls. A call that would make the stream invalid throws an
 * `AgentwireError` whose message names the right call.
 *
 * ```js
 * const turn = new AgKitStreamBuilder();
 * send(turn.text("I look it up."));
 * send(turn.toolCallStart("c1", "get_weather"));
 * send(turn.toolCallArgs("c1", '{"city":"北京"}'));
 * send(turn.toolCallEnd("c1"));
 * send(turn.toolResult("c1", "晴"));
 * turn.finishWith().forEach(send); // always ends with [DONE]
 * ```
 *
 * Builders hold memory of the WebAssembly module until `free` is called or the scope of `using`
 * ends.
 */
export class AgKitStreamBuilder {
  readonly #handle;

  constructor() {
    const core = toolkit();
    this.#handle = new Handle(core, () => new core.bindings.RawStreamBuilder());
  }

  /** Creates the event of a text delta. */
  text(content: string): BuilderEvent {
    return eventOf(nextPiece(this.#handle, content));
  }

  /**
   * Creates the event that starts a tool call. Several calls can be open at once. Each call needs
   * its own id.
   */
  toolCallStart(toolCallId: string, toolCallName: string): BuilderEvent {
    return eventOf(this.#handle.call("toolCallStart", toolCallId, toolCallName));
  }

  /** Creates the event of a delta of a call's arguments. The concatenated deltas are JSON text. */
  toolCallArgs(toolCallId: string, delta: string): BuilderEvent {
    return eventOf(nextPiece(this.#handle, delta, toolCallId));
  }

  /** Creates the event that ends a call's arguments. */
  toolCallEnd(toolCallId: string): BuilderEvent {
    return eventOf(this.#handle.call("toolCallEnd", toolCallId));
  }

  /**
   * Creates the event of the result of a tool that the server called. The client answers calls
   * without a result.
   */
  toolResult(toolCallId: string, result: string): BuilderEvent {
    return eventOf(this.#handle.call("toolResult", toolCallId, result));
  }

  /**
   * Creates the event of a question. The agent waits until the client resumes it. `payload` is any
   * JSON.
   */
  interrupt(id: string, reason: string | undefined, payload: Json): BuilderEvent {
    return eventOf(this.#handle.call("interrupt", id, reason, jsonOf(payload)));
  }

  /** Creates the event of a failed run. After it, only `done` is valid. */
  error(message: string): BuilderEvent {
    return eventOf(this.#handle.call("error", message));
  }

  /** Creates `[DONE]`, the last event. */
  done(): BuilderEvent {
    return eventOf(this.#handle.call("done"));
  }

  /**
   * Ends the stream in any state, with an error event if `error` is given. Returns no events if the
   * stream has already ended.
   */
  finishWith(error?: string): BuilderEvent[] {
    return eventsOf(this.#handle.call("finishWith", error));
  }

  /** Whether `[DONE]` was created. */
  get ended(): boolean {
    return this.#handle.call("isEnded");
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
