// Which output answers which call, as the core has paired them.

import {
  type AgentResponse,
  type Content,
  type Message,
  type ToolCall,
  stringify,
  toolArguments,
  toolOutput,
} from "agentwire";
import type { Card } from "./tool_card.js";

/** The tool calls of an answer, by the place of the content that holds them. */
export class ToolCards {
  readonly #cards = new Map<string, Card>();
  readonly #outputs = new Set<string>();

  constructor(response: AgentResponse, toolCalls: readonly ToolCall[]) {
    for (const call of toolCalls) {
      if (call.messageId === null) {
        // An output without a call has no card, and is shown where it stands.
        continue;
      }
      const card = cardOf(response, call);
      this.#cards.set(placeOf(call.messageId, call.index), card);
      if (card.output !== undefined) {
        this.#outputs.add(placeOf(call.outputMessageId, call.outputIndex));
      }
    }
  }

  /** The card of a content, if it is a tool call. */
  of(part: Content): Card | undefined {
    return this.#cards.get(placeOf(part.msg_id, part.index));
  }

  /** Whether everything in a message is a tool call. */
  areCards({ content }: Message): boolean {
    return content.length > 0 && content.every((part) => this.of(part) !== undefined);
  }

  /** Whether everything in a message is shown in the cards of its calls. */
  areShownElsewhere({ content }: Message): boolean {
    return content.length > 0 && content.every((part) => this.#outputs.has(placeOf(part.msg_id, part.index)));
  }
}

function cardOf(response: AgentResponse, call: ToolCall): Card {
  const { raw, partial, value } = toolArguments(response, call);
  const output = toolOutput(response, call);
  return {
    name: call.name,
    about: [call.type.replaceAll("_", " "), call.callId].filter(Boolean).join(" · "),
    state: call.state,
    args: { raw, value: call.state === "streaming" ? partial : value },
    // An approval, for example, has no output but other data.
    output: output && (output.raw === "" ? { raw: stringify(output.data), value: output.data } : output),
  };
}

function placeOf(messageId: string | null, index: number | null): string {
  return `${index} ${messageId}`;
}
