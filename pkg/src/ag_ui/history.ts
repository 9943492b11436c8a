// Messages of a page as messages of a thread.

import type { AgUiInputMessage } from "../agentwire.js";
import type { UserMessage } from "../connect/exchange.js";
import { type Message, type Part, type UserPart, isToolPart } from "../connect/message.js";
import { NOT_ANSWERED } from "../connect/tool.js";
import { contentOf as base64Of, kindOf } from "../connect/user_parts.js";
import { textOf } from "../core/json.js";

/** Returns the message of the thread for one of the user. */
export function userMessage({ id, parts, metadata }: UserMessage): AgUiInputMessage {
  return {
    id,
    role: "user",
    content: userContent(parts),
    ...(metadata && { metadata: metadata as Record<string, unknown> }),
  };
}

/** Returns the content of a message of the user: a text, or parts. */
export function userContent(
  parts: readonly UserPart[],
): Extract<AgUiInputMessage, { role: "user" }>["content"] {
  const texts = parts.flatMap((part) => (part.type === "text" ? part.text : []));
  return texts.length === parts.length
    ? texts.join("\n")
    : (parts.map(contentPart) as unknown as string);
}

/** Returns a part of a user's message. */
function contentPart(part: UserPart): object {
  if (part.type === "text") {
    return { type: "text", text: part.text };
  }
  const { mediaType, url, filename } = part;
  const kind = kindOf(part);
  const base64 = base64Of(part);
  const source =
    base64 === undefined
      ? { type: "url", value: url, mimeType: mediaType }
      : { type: "data", value: base64, mimeType: mediaType };
  return {
    type: KINDS.has(kind) ? kind : "document",
    source,
    ...(filename !== undefined && { metadata: { filename } }),
  };
}

const KINDS: ReadonlySet<string> = new Set(["image", "audio", "video"]);

/** Returns the messages of the thread for one of the option `messages`. */
export function threadMessages({ id, role, parts }: Message): AgUiInputMessage[] {
  if (role !== "assistant") {
    return [
      role === "user"
        ? userMessage({ id, parts: parts.filter(isUserPart) })
        : { id, role, content: textIn(parts) },
    ];
  }
  const calls = parts.filter(isToolPart).filter(({ state }) => state !== "input-streaming");
  const toolCalls = calls.map((part) => ({
    id: part.toolCallId,
    type: "function" as const,
    function: {
      name: part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length),
      arguments: JSON.stringify(part.input ?? {}),
    },
  }));
  const results = calls.map((part): AgUiInputMessage => {
    const content =
      part.state === "output-available"
        ? textOf(part.output as never)
        : part.state === "output-error"
          ? part.errorText
          : NOT_ANSWERED;
    return { id: `${id}-${part.toolCallId}`, role: "tool", toolCallId: part.toolCallId, content };
  });
  const text = textIn(parts);
  if (toolCalls.length === 0) {
    return text === "" ? [] : [{ id, role: "assistant", content: text }];
  }
  // The text of an answer with calls usually follows their results.
  return [
    { id: `${id}-calls`, role: "assistant", toolCalls },
    ...results,
    ...(text === "" ? [] : [{ id, role: "assistant" as const, content: text }]),
  ];
}

function textIn(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("");
}

function isUserPart(part: Part): part is UserPart {
  return part.type === "text" || part.type === "file";
}
