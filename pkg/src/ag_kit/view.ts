// The parts of a turn of AG-Kit.

import type { AgKitInterruptPart, AgKitPart, AgKitToolCallPart, AgKitTurn } from "../agentwire.js";
import type { Reply } from "../connect/exchange.js";
import type { Part, ToolPart } from "../connect/message.js";
import {
  dataPart,
  displayable,
  partialInput,
  questionOf,
  replyTo,
  textPart,
} from "../connect/native_parts.js";
import { type PartContext, memo, toolPart } from "../connect/parts.js";
import { stringifyJson } from "../core/json.js";

/** Returns the parts of a turn. Its error is that of the exchange, and no part. */
export function partsOf({ parts, status }: AgKitTurn, context: PartContext): readonly Part[] {
  return parts.flatMap((part, at): readonly Part[] => {
    switch (part.type) {
      case "text":
        return [text(part, context.isLive && status === "streaming" && at === parts.length - 1)];
      case "tool-call":
        return [callPart(part, replyTo(context, "call", part.toolCallId), context.tools)];
      case "interrupt":
        return [questionPart(part, replyTo(context, "approval", part.id), context.tools)];
      case "error":
        return [];
      default:
        return [otherPart(part)];
    }
  });
}

const text = /* @__PURE__ */ memo(
  (part: Extract<AgKitPart, { readonly type: "text" }>, isLive: boolean): Part =>
    textPart(part.text, isLive),
);

const callPart = /* @__PURE__ */ memo(
  (part: AgKitToolCallPart, reply: Reply | undefined, tools: ReadonlySet<string>): ToolPart => {
    const { toolCallId: id, toolCallName: name, state, arguments: callArguments, result } = part;
    const output = result ?? undefined;
    return toolPart(
      {
        id,
        name,
        text: callArguments,
        isComplete: state !== "input-streaming",
        output,
        isServers: output !== undefined,
        partial: () => partialInput(callArguments, part),
      },
      reply,
      tools,
    );
  },
);

const questionPart = /* @__PURE__ */ memo(
  (part: AgKitInterruptPart, reply: Reply | undefined, tools: ReadonlySet<string>): ToolPart => {
    const { id, reason, payload } = part;
    const input = payload == null ? "" : stringifyJson(displayable(payload) as object);
    return toolPart(
      {
        id,
        name: reason || "question",
        text: input,
        isComplete: true,
        question: questionOf(id, part, payload),
      },
      reply,
      tools,
    );
  },
);

const otherPart = /* @__PURE__ */ memo(
  (part: { readonly type: string }): Part => dataPart(part.type, part),
);
