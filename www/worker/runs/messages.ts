// What of a run the history tells.

import { Decoder, type RunInput } from "agentwire";
import type { ThreadStorage } from "./storage.js";

const encoder = new TextEncoder();

/** Keeps what the user has said. */
export function keepQuestion(storage: ThreadStorage, { runId, messages }: RunInput): void {
  const message = messages.find(({ role }) => role === "user");
  if (message?.role !== "user") {
    return;
  }
  const { id, content } = message;
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  const attachments = parts.flatMap((part) => {
    if (part.type === "binary" && part.url) {
      return [{ mimeType: part.mimeType, url: part.url }];
    }
    return part.type === "image" ? [{ mimeType: part.source.mimeType ?? "image/*", url: part.source.value }] : [];
  });
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  storage.addMessage(runId, { id, role: "user", content: text, extra: JSON.stringify(attachments.length > 0 ? { attachments } : {}) });
}

/** Keeps what a run has come to, also one that was cut off: the messages that its events make. */
export function keepAnswer(storage: ThreadStorage, runId: string): void {
  const decoder = new Decoder({ protocol: "ag-ui", mode: "raw" });
  for (let after = 0; ; ) {
    const entries = storage.entries(runId, after, Number.MAX_SAFE_INTEGER, 1000);
    if (entries.length === 0) {
      break;
    }
    after = entries.at(-1)!.number;
    decoder.push(encoder.encode(entries.map(({ data }) => `data: ${data}\n\n`).join("")));
  }
  const { snapshot } = decoder.finish();
  for (const { id, role, content } of snapshot.messages) {
    if ((role === "assistant" || role === "tool") && typeof content === "string" && content !== "") {
      storage.addMessage(runId, { id, role, content, extra: "{}" });
    }
  }
}
