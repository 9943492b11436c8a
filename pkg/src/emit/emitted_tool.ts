// A tool call that is being written, and its result.

import type { Json } from "../agentwire.js";
import { type JsonObject, stringifyJson } from "../core/json.js";
import type { EmittedMessage, EmittedPart, MessageOwner } from "./emitted_message.js";
import type { NewMessage, NewToolCall, ToolCallWriter } from "./out.js";

/** A run that can start messages. */
export interface MessageRun extends MessageOwner {
  /** Starts a message and sends its first event. Completes the open messages that are not `parallel`. */
  opened(options: NewMessage): EmittedMessage;
}

/** Writes two messages: the call, whose arguments are streamed, and the output, which is sent at once. */
export class EmittedTool implements ToolCallWriter {
  readonly callId: string;
  readonly #emission: MessageRun;
  readonly #name: string;
  readonly #type: string;
  readonly #call: EmittedMessage;
  readonly #data: EmittedPart<JsonObject>;

  constructor(emission: MessageRun, name: string, { callId, type = "function_call", parallel }: NewToolCall) {
    this.#emission = emission;
    this.#name = name;
    this.#type = type;
    this.#call = emission.opened({ type, parallel });
    // Derived from the message id, so that it is as random and identifies the message.
    this.callId = callId ?? this.#call.id.replace(/^msg_/, "call_");
    this.#data = this.#call.part("data", false, (builder, delta: JsonObject) => builder.addDataDelta(delta));
    void this.#data.delta({ call_id: this.callId, name, arguments: "" });
  }

  arguments(piece: string | JsonObject): Promise<void> {
    return this.#data.delta({ arguments: textOf(piece as Json) });
  }

  complete(): Promise<void> {
    return this.#call.complete();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#call[Symbol.asyncDispose]();
  }

  result(output: Json): Promise<void> {
    return this.#emission.writing(() => {
      this.#emission.begin(() => this.#call.end("completed"));
      const answer = this.#emission.opened({ role: "tool", type: `${this.#type}_output` });
      const data = { call_id: this.callId, name: this.#name, output: textOf(output) };
      void answer.whole({ type: "data", data });
      return this.#emission.put(answer.end("completed"));
    });
  }
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : stringifyJson(value);
}
