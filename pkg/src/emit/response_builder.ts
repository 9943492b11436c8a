// The builder of a stream, event by event.

import type { ErrorInfo, Json, Message, MessageType, RawResponseBuilder, Response, Role } from "../agentwire.js";
import { check, checked } from "../core/arguments.js";
import { type JsonObject, errorParts, jsonOf, parseJson } from "../core/json.js";
import { toolkit } from "../core/wasm.js";
import { type BuilderEvent, eventOf, eventsOf } from "./event.js";
import { Handle } from "../core/handle.js";
import { MessageBuilder } from "./message_builder.js";
import { type BuilderOptions, type TerminalStatus, builderOptionsJson } from "../convert/builder_options.js";

/**
 * Builds the stream of one response. Each method that creates an event returns it; send the events in the order in
 * which they were created. A call that would make the stream invalid throws an `AgentwireError` whose message names the
 * call to make instead. The method names are those of AgentScope's Python builder.
 *
 * ```js
 * const response = new AgentApiStreamBuilder({ sessionId });
 * send(response.created());
 * send(response.inProgress());
 * const message = response.createMessageBuilder();
 * send(message.inProgress());
 * const text = message.createContentBuilder("text");
 * for (const token of tokens) send(text.addTextDelta(token));
 * response.finishWith("completed").forEach(send);
 * ```
 *
 * `respond` does all of this automatically. A builder holds WebAssembly memory until `free` is called or its `using`
 * block ends.
 */
export class AgentApiStreamBuilder {
  readonly #handle: Handle<RawResponseBuilder>;

  /** @throws AgentwireError `wrong-option` if an option is invalid */
  constructor(options: BuilderOptions = {}) {
    const core = toolkit();
    const json = builderOptionsJson(options);
    this.#handle = new Handle(core, () => new core.bindings.RawResponseBuilder(json));
  }

  /** Returns the first event: status `created`. */
  created(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "created"));
  }

  /** Returns the event for status `queued`: the run waits. */
  queued(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "queued"));
  }

  /** Returns the event for status `in_progress`. Messages are allowed after it. */
  inProgress(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "in_progress"));
  }

  /** Returns the last event of a successful run. As with every terminal event, open messages must be ended before. */
  completed(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "completed"));
  }

  /** Returns the last event of a run that failed. */
  failed({ code, message }: ErrorInfo): BuilderEvent {
    return eventOf(this.#handle.call("announce", "failed", code, message));
  }

  /** Returns the last event of a run that the client canceled. */
  canceled(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "canceled"));
  }

  /** Returns the last event of a run that the system rejected. */
  rejected(error?: ErrorInfo): BuilderEvent {
    return eventOf(this.#handle.call("announce", "rejected", ...errorParts(error)));
  }

  /** Returns the last event of an incomplete response. The reason is sent as `incomplete_details.reason`. */
  incomplete(reason?: string): BuilderEvent {
    return eventOf(this.#handle.call("announce", "incomplete", reason));
  }

  /**
   * Ends the stream from any state: sends missing first events, completes open contents with their current values, then
   * open messages, then the response. Does nothing after the end. A failure without an error has the code
   * `AGENT_UNKNOWN_ERROR`.
   */
  finishWith(status: TerminalStatus, error?: ErrorInfo): BuilderEvent[] {
    return eventsOf(this.#handle.call("finishWith", status, ...errorParts(error)));
  }

  /** Resets the builder for another stream, with a new id and numbers from 0. Throws in the middle of a stream. */
  reset(): void {
    this.#handle.call("reset");
  }

  /**
   * Adds a complete message, for example of another run, and returns its events: the first one, one completed content
   * per part, and the terminal one if the message has a terminal status.
   */
  addMessage(message: Message): BuilderEvent[] {
    return eventsOf(this.#handle.call("addMessage", jsonOf(message as unknown as Json)));
  }

  /**
   * Updates an open message: new parts are sent as completed contents, and the message ends if its status is terminal.
   */
  updateMessage(message: Message): BuilderEvent[] {
    return eventsOf(this.#handle.call("updateMessage", jsonOf(message as unknown as Json)));
  }

  /** Creates a builder for a new message, without an event. `inProgress` of that builder is the first event. */
  createMessageBuilder(role?: Role, messageType?: MessageType): MessageBuilder {
    return new MessageBuilder(this.#handle.make("createMessageBuilder", role ?? "assistant", messageType ?? "message"));
  }

  /** Sets the tokens that the run used. By default, those of the last completed message. */
  setUsage(usage: JsonObject): void {
    this.#handle.call("setUsage", jsonOf(usage));
  }

  /**
   * Returns the complete stream of one text: resets the builder, and creates one event per token and the six events
   * around them.
   */
  generateStreamingResponse(textTokens: Iterable<string>, role?: Role): BuilderEvent[] {
    const tokens = [...textTokens];
    check("AgentApiStreamBuilder.generateStreamingResponse", { textTokens: "strings", role: "string?" }, [tokens, role]);
    return eventsOf(this.#handle.call("generateStreamingResponse", tokens, role ?? "assistant"));
  }

  /** Returns the response in its current state, with every message of this builder. */
  getResponseData(): Response {
    return parseJson(this.#handle.call("getResponseData")) as unknown as Response;
  }

  /** The id of the response. */
  get id(): string {
    return this.#handle.call("id");
  }

  /** Whether the last event was created. */
  get ended(): boolean {
    return this.#handle.call("isEnded");
  }

  /** Releases the WebAssembly memory. The events of the stream do not depend on it. */
  free(): void {
    this.#handle.free();
  }

  /** Calls {@link free}, for `using`. */
  [Symbol.dispose](): void {
    this.#handle.free();
  }
}

checked("AgentApiStreamBuilder", AgentApiStreamBuilder, {
  failed: { error: { code: "string", message: "string?" } },
  rejected: { error: "object?" },
  incomplete: { reason: "string?" },
  finishWith: { status: "string", error: "object?" },
  addMessage: { message: "json?" },
  updateMessage: { message: "json?" },
  createMessageBuilder: { role: "string?", messageType: "string?" },
  setUsage: { usage: "json?" },
  generateStreamingResponse: { textTokens: "iterable" },
});
