// The parts of a reply of AgentScope.

import type {
  AgentScopeBlock,
  AgentScopeDataBlock,
  AgentScopeReply,
  AgentScopeTextBlock,
  AgentScopeThinkingBlock,
  AgentScopeToolCallBlock,
  AgentScopeToolResultBlock,
} from "../agentwire.js";
import type { Reply } from "../connect/exchange.js";
import type { Part, ToolPart } from "../connect/message.js";
import {
  dataPart,
  filePart,
  partialInput,
  questionOf,
  replyTo,
  shownMetadata,
  textPart,
} from "../connect/native_parts.js";
import { type PartContext, memo, toolPart } from "../connect/parts.js";
import { resultText } from "./protocol.js";

/**
 * Returns the parts of a reply. Its error is that of the exchange, and no part. A result without its
 * call is that of the client, which the call of the answer before shows.
 */
export function partsOf(
  { content, status }: AgentScopeReply,
  context: PartContext,
): readonly Part[] {
  const isOpen = context.isLive && status === "streaming";
  const results = new Map(
    content.flatMap((block) => (block.type === "tool_result" ? [[block.id, block] as const] : [])),
  );
  return content.flatMap((block): readonly Part[] => {
    switch (block.type) {
      case "text":
        return [text(block, isOpen && block.finished_at === undefined)];
      case "thinking":
        return [reasoning(block, isOpen && block.finished_at === undefined)];
      case "data":
        // The bytes that follow change the file.
        return block.finished_at === undefined && isOpen ? [] : [file(block)];
      case "tool_call": {
        const kind = block.state === "asking" ? "approval" : "call";
        return [
          callPart(block, results.get(block.id), replyTo(context, kind, block.id), context.tools),
        ];
      }
      case "tool_result":
        return [];
      default:
        return [otherPart(block)];
    }
  });
}

/** Returns the metadata of a reply. */
export function metadataOf({ metadata }: AgentScopeReply): unknown {
  return shownMetadata(metadata);
}

/** Returns a call that was approved or that waited with its state in the next answer. */
export const continuedCall = /* @__PURE__ */ memo((part: ToolPart, later: ToolPart): ToolPart => {
  const { state, output, errorText } = later as ToolPart & {
    readonly output?: unknown;
    readonly errorText?: string;
  };
  if (part.state === "input-available") {
    return later;
  }
  return state.startsWith("output-")
    ? ({
        ...part,
        state,
        ...(output !== undefined && { output }),
        ...(errorText !== undefined && { errorText }),
      } as ToolPart)
    : part;
});

const text = /* @__PURE__ */ memo(
  (block: AgentScopeTextBlock, isLive: boolean): Part => textPart(block.text, isLive),
);

const reasoning = /* @__PURE__ */ memo(
  (block: AgentScopeThinkingBlock, isLive: boolean): Part => ({
    type: "reasoning",
    text: block.thinking,
    state: isLive ? "streaming" : "done",
  }),
);

const file = /* @__PURE__ */ memo((block: AgentScopeDataBlock): Part => {
  const {
    media_type = "",
    url,
    data,
  } = Object(block.source) as {
    readonly media_type?: string;
    readonly url?: string;
    readonly data?: string;
  };
  return filePart({ mediaType: media_type, url, base64: data, filename: block.name }, block);
});

const callPart = /* @__PURE__ */ memo(
  (
    block: AgentScopeToolCallBlock,
    result: AgentScopeToolResultBlock | undefined,
    reply: Reply | undefined,
    tools: ReadonlySet<string>,
  ): ToolPart => {
    const { id, name, input, state, finished_at } = block;
    const isOver = result !== undefined && result.state !== "running";
    const hasFailed = isOver && result.state !== "success";
    const output = isOver ? resultText(result) : undefined;
    return toolPart(
      {
        id,
        name,
        text: input,
        isComplete: finished_at !== undefined || state !== "pending",
        ...(hasFailed ? { errorText: output ?? "" } : { output }),
        isServers: isOver,
        ...(state === "asking" && { question: questionOf(id, block) }),
        partial: () => partialInput(input, block),
      },
      reply,
      tools,
    );
  },
);

const otherPart = /* @__PURE__ */ memo(
  (block: AgentScopeBlock): Part => dataPart(block.type, block, block.id),
);
