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
  for (const { id, role, content, metadata } of snapshot.messages) {
    if ((role === "assistant" || role === "tool") && typeof content === "string" && content !== "") {
      const extra = role === "assistant" ? actionsIn(metadata) : schemaIn(metadata);
      storage.addMessage(runId, { id, role, content, extra: JSON.stringify(extra) });
    }
  }
}

/** What the user might say next, of an assistant's message. */
function actionsIn(metadata: unknown): { suggestedActions?: string[] } {
  const { suggested_actions: said } = Object(metadata) as { suggested_actions?: unknown };
  const actions = Array.isArray(said) ? said.filter((action) => typeof action === "string") : [];
  return actions.length === 0 ? {} : { suggestedActions: actions };
}

/** How a tool's result is shown. */
function schemaIn(metadata: unknown): { ui_schema?: object } {
  const { ui_schema, tool_agent_output } = Object(metadata) as { ui_schema?: unknown; tool_agent_output?: unknown };
  const schema = ui_schema ?? (Object(tool_agent_output) as { ui_hints?: unknown }).ui_hints;
  return typeof schema === "object" && schema !== null ? { ui_schema: schema } : {};
}
