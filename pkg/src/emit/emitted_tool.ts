// A tool call being written, and its result.

import type { Json } from "../agentwire.js";
import { stringifyJson } from "../json.js";
import type { EmittedMessage, EmittedPart, MessageOwner } from "./emitted_message.js";
import type { JsonObject } from "./options.js";
import type { NewMessage, NewToolCall, ToolCallWriter } from "./out.js";

/** A run that messages can be begun in. */
export interface MessageRun extends MessageOwner {
  /** A message whose opening event has been sent. What was open before it and does not stay open has ended. */
  opened(options: NewMessage): EmittedMessage;
}

/** Two messages in the end: the call, whose arguments come in pieces, and the output, which comes whole. */
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
    // As random as the message's id, and telling which message it is.
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
