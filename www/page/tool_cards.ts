// The cards of tool calls with their outputs, as the core has paired them.

import { type ToolCall, toolCalls as callsOf } from "agentwire";
import type {
  Content,
  Message,
  Snapshot as AgentResponse,
  SnapshotToolCall,
} from "agentwire/agent-api";
import type { Reply } from "./conversation.js";
import type { Card } from "./tool_card.js";

/** The tool calls of an answer, by the position of their content. */
export class ToolCards {
  readonly #cards = new Map<string, Card>();
  /**
   * The positions of content that is shown elsewhere: outputs in the cards of their calls,
   * questions below the answer.
   */
  readonly #elsewhere = new Set<string>();

  /** @param reply the answers of this page to the stream */
  constructor(
    response: AgentResponse,
    toolCalls: readonly SnapshotToolCall[],
    reply: Reply | undefined,
  ) {
    const views = callsOf(response);
    for (const call of toolCalls) {
      if (call.messageId === null) {
        // An output without a call has no card, and is shown in its position.
        continue;
      }
      const isQuestion = call.type.startsWith("mcp_approval");
      const view = views.find(
        ({ id, kind }) => id === call.callId && (kind === "approval") === isQuestion,
      );
      if (view === undefined) {
        continue;
      }
      const card = cardOf(call, view, reply);
      const place = placeOf(call.messageId, call.index);
      if (call.type === "mcp_approval_request" && card.output === undefined) {
        // A pending question has a card with buttons.
        this.#elsewhere.add(place);
      }
      this.#cards.set(place, card);
      if (card.output !== undefined) {
        this.#elsewhere.add(placeOf(call.outputMessageId, call.outputIndex));
      }
    }
  }

  /** Returns the card of a content, if it is a tool call. */
  of(part: Content): Card | undefined {
    return this.#cards.get(placeOf(part.msg_id, part.index));
  }

  /** Returns whether all parts of a message are tool calls. */
  areCards({ content }: Message): boolean {
    return content.length > 0 && content.every((part) => this.of(part) !== undefined);
  }

  /** Returns whether all parts of a message are shown elsewhere. */
  areShownElsewhere({ content }: Message): boolean {
    return (
      content.length > 0 &&
      content.every((part) => this.#elsewhere.has(placeOf(part.msg_id, part.index)))
    );
  }
}

function cardOf(
  call: SnapshotToolCall,
  { argumentsText: raw, partialArguments, arguments: value, result }: ToolCall,
  reply: Reply | undefined,
): Card {
  const answer = result === undefined ? reply?.toolAnswers[call.callId ?? ""] : undefined;
  return {
    name: call.name,
    about: [call.type.replaceAll("_", " "), call.callId].filter(Boolean).join(" · "),
    args: { raw, value: call.state === "streaming" ? partialArguments : value },
    ...(answer !== undefined
      ? {
          state: "answered",
          stateText: "answered by this page",
          output: { raw: answer, value: undefined },
        }
      : { state: call.state, output: result && { raw: result.text, value: result.value } }),
  };
}

function placeOf(messageId: string | null, index: number | null): string {
  return `${index} ${messageId}`;
}
