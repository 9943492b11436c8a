// The messages of a chat are those of the AI SDK: its components and its servers accept them.

import type { UIMessage as UIMessage6 } from "ai";
import type { UIMessage as UIMessage7 } from "ai-sdk-react-4";
import type { ChatMessage, ChatPart } from "agentwire";

export function messages6(messages: readonly ChatMessage[]): readonly UIMessage6[] {
  return messages;
}

export function messages7(messages: readonly ChatMessage[]): readonly UIMessage7[] {
  return messages;
}

export function parts6(parts: ChatPart[]): UIMessage6["parts"] {
  return parts;
}

export function parts7(parts: ChatPart[]): UIMessage7["parts"] {
  return parts;
}

/** The text of a message, by the types alone. */
export function textOf({ parts }: ChatMessage): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

export const wrong6: UIMessage6 = {
  id: "1",
  role: "user",
  // @ts-expect-error a part of another shape is none
  parts: [{ type: "text", content: "Hi" }],
};
export const wrong7: UIMessage7 = {
  id: "1",
  role: "user",
  // @ts-expect-error a part of another shape is none
  parts: [{ type: "text", content: "Hi" }],
};
