// The arguments and the output of a tool call, which stand in the contents that the call points to.

import type { Content, Json, Message, Response, ToolCall } from "../agentwire.js";
import { partialOf } from "../growing.js";
import { parseJson, stringify } from "../json.js";

/** The arguments of a tool call, in the three forms in which they are needed. */
export interface ToolArguments {
  /** The JSON text so far. */
  readonly raw: string;
  /**
   * What the text says so far: strings up to where they were cut, numbers and literals only when they are whole, keys
   * only with a value. `undefined` while nothing is certain. For display only: half a path or command is the wrong
   * one. Worked out when it is read.
   */
  readonly partial: Json | undefined;
  /** The arguments; only once the call has ended, and if they are JSON. */
  readonly value: Json | undefined;
}

/** What a tool has answered. */
export interface ToolOutput {
  /** The output's text so far: often JSON, but that is up to the tool. */
  readonly raw: string;
  /** The output; only once it has ended, and if it is JSON. */
  readonly value: Json | undefined;
  /** The whole data of the content: an approval, for example, has `approve` and no output. */
  readonly data: { readonly [key: string]: Json };
}

/**
 * The arguments of a tool call as far as they have come; `raw` is empty while none have.
 *
 * @deprecated for `toolCalls(snapshot)`, which is for all protocols
 */
export function toolArguments(snapshot: Response, call: ToolCall): ToolArguments {
  const data = dataAt(snapshot, call.messageId, call.index);
  return new Arguments(data, "arguments", call.state !== "streaming");
}

/**
 * The output of a tool call as far as it has come; `undefined` while there is none.
 *
 * @deprecated for `toolCalls(snapshot)`, which is for all protocols
 */
export function toolOutput(snapshot: Response, call: ToolCall): ToolOutput | undefined {
  const data = dataAt(snapshot, call.outputMessageId, call.outputIndex);
  if (data === undefined) {
    return undefined;
  }
  const { raw, value } = new Arguments(data, "output", call.state === "answered");
  return { raw, value, data };
}

class Arguments implements ToolArguments {
  readonly raw: string;
  readonly #holder: object | undefined;
  readonly #ended: boolean;

  constructor(holder: ToolOutput["data"] | undefined, member: string, ended: boolean) {
    const data = holder?.[member];
    // The protocol has JSON text here; some servers send the JSON itself.
    this.raw = typeof data === "string" ? data : data == null ? "" : stringify(data);
    this.#holder = holder;
    this.#ended = ended;
  }

  get partial(): Json | undefined {
    return partialOf(this.raw, this.#holder, this.#ended);
  }

  get value(): Json | undefined {
    if (!this.#ended) {
      return undefined;
    }
    try {
      return parseJson(this.raw);
    } catch {
      return undefined;
    }
  }
}

function dataAt(snapshot: Response, messageId: string | null, index: number | null): ToolOutput["data"] | undefined {
  const { output } = snapshot;
  // From the end: calls that are looked at are usually recent.
  for (let at = output.length - 1; at >= 0; at--) {
    const { id, content }: Message = output[at]!;
    if (id === messageId) {
      const held: Content | undefined = content.find((content) => content.index === index);
      return held?.type === "data" ? (held.data ?? undefined) : undefined;
    }
  }
  return undefined;
}
