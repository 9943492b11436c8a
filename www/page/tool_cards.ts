// Which output answers which call, as the core has paired them.

import {
  type AgentResponse,
  type Content,
  type Message,
  type ToolArguments,
  type ToolCall,
  type ToolOutput,
  toolArguments,
  toolOutput,
} from "agentwire";

/** A tool call with its arguments and what answers it. */
export interface Card {
  readonly call: ToolCall;
  readonly args: ToolArguments;
  readonly output: ToolOutput | undefined;
}

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
      const output = toolOutput(response, call);
      this.#cards.set(placeOf(call.messageId, call.index), { call, args: toolArguments(response, call), output });
      if (output !== undefined) {
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

function placeOf(messageId: string | null, index: number | null): string {
  return `${index} ${messageId}`;
}
