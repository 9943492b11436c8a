// Building a stream, event by event.

import type { ErrorInfo, Json, Message, MessageType, RawResponseBuilder, Response, Role } from "../agentwire.js";
import { check, checked } from "../arguments.js";
import { parseJson } from "../json.js";
import { toolkit } from "../wasm.js";
import { type BuilderEvent, eventOf, eventsOf } from "./event.js";
import { Handle } from "./handle.js";
import { MessageBuilder } from "./message_builder.js";
import {
  type BuilderOptions,
  type JsonObject,
  type TerminalStatus,
  builderOptionsJson,
  errorParts,
  jsonOf,
} from "./options.js";

/**
 * Builds the stream of one response. Every method that stands for an event returns it; send the events in the order in
 * which they were made. A call that would make the stream illegal throws an `AgentwireError` that says what to call
 * instead. The names are those of AgentScope's Python builder.
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
 * `respond` does all this by itself. Builders hold memory of the WebAssembly module until `free` is called or `using`
 * ends.
 */
export class AgentApiStreamBuilder {
  readonly #handle: Handle<RawResponseBuilder>;

  /** Throws if an option is wrong. */
  constructor(options: BuilderOptions = {}) {
    const core = toolkit();
    const json = builderOptionsJson(options);
    this.#handle = new Handle(core, () => new core.bindings.RawResponseBuilder(json));
  }

  /** The first event: status created. */
  created(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "created"));
  }

  /** Status queued: the run has to wait. */
  queued(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "queued"));
  }

  /** Status in_progress: messages may come from here on. */
  inProgress(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "in_progress"));
  }

  /** The last event: all is well. Open messages have to be ended before, here and with every other end. */
  completed(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "completed"));
  }

  /** The last event: an error ended the run. */
  failed({ code, message }: ErrorInfo): BuilderEvent {
    return eventOf(this.#handle.call("announce", "failed", code, message));
  }

  /** The last event: the client stopped the run. */
  canceled(): BuilderEvent {
    return eventOf(this.#handle.call("announce", "canceled"));
  }

  /** The last event: the system refused the run. */
  rejected(error?: ErrorInfo): BuilderEvent {
    return eventOf(this.#handle.call("announce", "rejected", ...errorParts(error)));
  }

  /** The last event: the answer is not whole. The reason goes into `incomplete_details.reason`. */
  incomplete(reason?: string): BuilderEvent {
    return eventOf(this.#handle.call("announce", "incomplete", reason));
  }

  /**
   * Ends the stream from wherever it is, legally and in the right order: what has to come first, open contents with
   * what they have, open messages, the response. After an end it does nothing. A failure without an error gets the
   * code `AGENT_UNKNOWN_ERROR`.
   */
  finishWith(status: TerminalStatus, error?: ErrorInfo): BuilderEvent[] {
    return eventsOf(this.#handle.call("finishWith", status, ...errorParts(error)));
  }

  /** Starts over, for another stream: a new id, numbers from 0. Refused in the middle of a stream. */
  reset(): void {
    this.#handle.call("reset");
  }

  /**
   * Puts a message into the stream that was made elsewhere, for example by another run: the opening event, one completed
   * content per part, and its end if its status is one.
   */
  addMessage(message: Message): BuilderEvent[] {
    return eventsOf(this.#handle.call("addMessage", jsonOf(message as unknown as Json)));
  }

  /** Goes on with a message that is open: new parts are announced as complete, and it ends if its status says so. */
  updateMessage(message: Message): BuilderEvent[] {
    return eventsOf(this.#handle.call("updateMessage", jsonOf(message as unknown as Json)));
  }

  /** A new message, which says nothing yet: `inProgress` of it is its opening event. */
  createMessageBuilder(role?: Role, messageType?: MessageType): MessageBuilder {
    return new MessageBuilder(this.#handle.make("createMessageBuilder", role ?? "assistant", messageType ?? "message"));
  }

  /** Tokens used. Without this, the response says what its last completed message says. */
  setUsage(usage: JsonObject): void {
    this.#handle.call("setUsage", jsonOf(usage));
  }

  /** The whole stream of one text: it resets, then makes one event per token and the six around them. */
  generateStreamingResponse(textTokens: Iterable<string>, role?: Role): BuilderEvent[] {
    const tokens = [...textTokens];
    check("AgentApiStreamBuilder.generateStreamingResponse", { textTokens: "strings", role: "string?" }, [tokens, role]);
    return eventsOf(this.#handle.call("generateStreamingResponse", tokens, role ?? "assistant"));
  }

  /** The response as it stands, with every message that was made. */
  getResponseData(): Response {
    return parseJson(this.#handle.call("getResponseData")) as unknown as Response;
  }

  /** The response's id. */
  get id(): string {
    return this.#handle.call("id");
  }

  /** Whether the last event was made. */
  get ended(): boolean {
    return this.#handle.call("isEnded");
  }

  /** Gives the memory back; the stream itself needs nothing more. */
  free(): void {
    this.#handle.free();
  }

  /** For `using`. */
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
