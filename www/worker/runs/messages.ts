// The messages of a thread: those that the history shows, and those that the agent receives in later runs.

import { Decoder, type Json, parseJson, stringifyJson } from "agentwire";
import type { Message as AgUiMessage } from "agentwire/ag-ui";
import type { RunInput } from "agentwire/runs/server";
import type { RunInputMessage } from "agentwire/runs";
import type { ThreadStorage } from "./storage.js";

/** The maximum number of characters of the earlier messages that an agent receives. */
const MOST = 1024 * 1024;

const encoder = new TextEncoder();

/** Stores the new messages of a request. Instructions are not stored: they are part of their request. */
export function keepQuestion(storage: ThreadStorage, input: RunInput): void {
  for (const message of input.messages) {
    if (message.role === "system" || message.role === "developer" || isKnown(storage, input, message)) {
      continue;
    }
    const { id, role } = message;
    const extra = message.role === "user" ? attachmentsIn(message) : {};
    storage.addMessage(input.runId, {
      id,
      role,
      content: textOf(message),
      extra: JSON.stringify(extra),
      message: JSON.stringify(message),
      isShown: role !== "assistant",
    });
  }
}

/** Returns whether a message of a request repeats one of the thread. */
function isKnown(storage: ThreadStorage, { messages, resume }: RunInput, message: RunInputMessage): boolean {
  const { id, role, toolCalls = [] } = message as RunInputMessage & { readonly toolCalls?: readonly Json[] };
  const stored = storage.messagesOf(id, role);
  if (role === "assistant") {
    const calls = toolCalls.map((call) => (Object(call) as { readonly id?: unknown }).id);
    return stored.length > 0 || (calls.length > 0 && calls.every((call) => typeof call === "string" && storage.hasCall(call)));
  }
  // A message of the user without such a context is new, whatever its id: otherwise the run would have nothing to answer.
  const continues = (Array.isArray(resume) && resume.length > 0) || messages.some(({ role }) => role === "tool");
  return (role !== "user" || continues) && stored.includes(JSON.stringify(message));
}

function textOf(message: RunInputMessage): string {
  const { content } = message;
  const parts = Array.isArray(content) ? content : [];
  return typeof content === "string" ? content : parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function attachmentsIn({ content }: RunInputMessage & { role: "user" }): object {
  const attachments = (typeof content === "string" ? [] : content).flatMap((part) => {
    if (part.type === "binary" && part.url) {
      return [{ mimeType: part.mimeType, url: part.url }];
    }
    return part.type === "image" ? [{ mimeType: part.source.mimeType ?? "image/*", url: part.source.value }] : [];
  });
  return attachments.length > 0 ? { attachments } : {};
}

/** Stores the messages of the events of a run, also of a run that was cut off. */
export function keepAnswer(storage: ThreadStorage, runId: string): void {
  const decoder = new Decoder({ protocol: "ag-ui", mode: "raw" });
  let hasSnapshot = false;
  for (let after = 0; ; ) {
    const entries = storage.entries(runId, after, Number.MAX_SAFE_INTEGER, 1000);
    if (entries.length === 0) {
      break;
    }
    after = entries.at(-1)!.number;
    hasSnapshot ||= entries.some(({ kind }) => kind === "MESSAGES_SNAPSHOT");
    decoder.push(encoder.encode(entries.map(({ data }) => `data: ${data}\n\n`).join("")));
  }
  const { snapshot } = decoder.finish();
  for (const message of snapshot.messages) {
    const { id, role, content, metadata } = message;
    // A snapshot contains the messages of earlier runs, too.
    const isNew = (role === "assistant" || role === "tool") && !(hasSnapshot && storage.messagesOf(id, role).length > 0);
    const text = typeof content === "string" ? content : "";
    if (isNew && (text !== "" || role === "tool" || message.toolCalls !== undefined)) {
      const extra = role === "assistant" ? actionsIn(metadata) : schemaIn(metadata);
      const isShown = text !== "" && isVisible(metadata);
      storage.addMessage(runId, { id, role, content: text, extra: JSON.stringify(extra), message: sentBack(message), isShown });
    }
  }
}

/** Returns a message of an agent's answer in the form of a request. */
function sentBack({ id, role, content, toolCalls, toolCallId, error }: AgUiMessage): string {
  const message = role === "tool" ? { id, role, content: content ?? "", toolCallId, error } : { id, role, content, toolCalls };
  return stringifyJson(Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined)) as unknown as Json);
}

/**
 * Returns the messages of a run as its agent receives them: the instructions of the request, and then the messages of the thread, which
 * end with the request's own. If there are too many, the earliest are omitted, up to a message of the user.
 */
export function messagesOfRun(storage: ThreadStorage, { messages }: RunInput): RunInputMessage[] {
  const instructions = messages.filter(({ role }) => role === "system" || role === "developer");
  const all = storage.latestMessages(MOST).map((message) => parseJson(message) as unknown as RunInputMessage);
  const begin = all.findIndex(({ role }) => role === "user");
  return [...instructions, ...all.slice(Math.max(0, begin))];
}

/** Returns whether the history shows a message: unless its metadata has `ui.history: false`. */
function isVisible(metadata: unknown): boolean {
  const { ui } = Object(metadata) as { ui?: unknown };
  return (Object(ui) as { history?: unknown }).history !== false;
}

/** Returns an assistant message's suggestions for the user's next message. */
function actionsIn(metadata: unknown): { suggestedActions?: string[] } {
  const { suggested_actions: said } = Object(metadata) as { suggested_actions?: unknown };
  const actions = Array.isArray(said) ? said.filter((action) => typeof action === "string") : [];
  return actions.length === 0 ? {} : { suggestedActions: actions };
}

/** Returns the UI schema of a tool's result. */
function schemaIn(metadata: unknown): { ui_schema?: object } {
  const { ui_schema, tool_agent_output } = Object(metadata) as { ui_schema?: unknown; tool_agent_output?: unknown };
  const schema = ui_schema ?? (Object(tool_agent_output) as { ui_hints?: unknown }).ui_hints;
  return typeof schema === "object" && schema !== null ? { ui_schema: schema } : {};
}
