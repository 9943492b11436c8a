// The messages of a thread: those that the history shows, and those that the agent receives in
// later runs.

import type { Json, RunInput, RunInputMessage } from "../../agentwire.js";
import { AG_UI } from "../../ag_ui/protocol.js";
import { parseJson, stringifyJson } from "../../core/json.js";
import { AnyDecoder } from "../../read/decoder.js";
import { entriesOf } from "./retention.js";
import type { NewEvent, NewStoredMessage } from "./store.js";
import type { ThreadRun } from "./thread_options.js";
import type { ThreadLog } from "./thread_log.js";

/** The maximum number of characters of the earlier messages that an agent receives. */
const LIMIT = 1024 * 1024;

/** The number of events that are decoded together. */
const FRAMES = 256;

const encoder = new TextEncoder();

class MessageDecoder extends AnyDecoder<"ag-ui"> {
  constructor() {
    super([AG_UI], { protocol: "ag-ui", mode: "raw" });
  }
}

/**
 * Returns the new messages of a request. Instructions are not stored: they are part of their
 * request.
 */
export async function messagesIn(
  store: ThreadLog,
  input: RunInput,
  at: number,
): Promise<NewStoredMessage[]> {
  const messages: NewStoredMessage[] = [];
  for (const message of input.messages) {
    if (isInstruction(message) || (await isKnown(store, input, message))) {
      continue;
    }
    const { id, role } = message;
    const extra = JSON.stringify(message.role === "user" ? attachmentsIn(message) : {});
    messages.push({
      id,
      role,
      content: textOf(message),
      extra,
      message: stringifyJson(message as unknown as Json),
      isShown: role !== "assistant",
      at,
    });
  }
  return messages;
}

function isInstruction({ role }: RunInputMessage): boolean {
  return role === "system" || role === "developer";
}

/** Returns whether a message of a request repeats one of the thread. */
async function isKnown(
  store: ThreadLog,
  { messages, resume }: RunInput,
  message: RunInputMessage,
): Promise<boolean> {
  const {
    id,
    role,
    toolCalls = [],
  } = message as RunInputMessage & { readonly toolCalls?: readonly Json[] };
  if (role === "assistant") {
    const calls = toolCalls.map((call) => (Object(call) as { readonly id?: unknown }).id);
    const isStored = calls.map((call) => typeof call === "string" && store.hasCall(call));
    return store.hasMessage(id, role) || (isStored.length > 0 && isStored.every(Boolean));
  }
  // A message of the user without such a context is new, whatever its id: otherwise the run would
  // have nothing to answer.
  const continues =
    (Array.isArray(resume) && resume.length > 0) || messages.some(({ role }) => role === "tool");
  return (
    (role !== "user" || continues) &&
    (await store.messagesOf(id, role)).includes(stringifyJson(message as unknown as Json))
  );
}

/** Returns the text of a message. */
export function textOf({ content }: RunInputMessage): string {
  const parts = Array.isArray(content) ? content : [];
  return typeof content === "string"
    ? content
    : parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function attachmentsIn({ content }: RunInputMessage & { role: "user" }): object {
  const attachments = (typeof content === "string" ? [] : content).flatMap((part) => {
    if (part.type === "binary" && part.url) {
      return [{ mimeType: part.mimeType, url: part.url }];
    }
    return part.type === "image"
      ? [{ mimeType: part.source.mimeType ?? "image/*", url: part.source.value }]
      : [];
  });
  return attachments.length > 0 ? { attachments } : {};
}

/**
 * Returns the messages of the events of a run, also of a run that was cut off; `latest` are events
 * that are not stored yet.
 */
export async function messagesOf(
  store: ThreadLog,
  runId: string,
  latest: readonly NewEvent[],
  at: number,
): Promise<NewStoredMessage[]> {
  const decoder = new MessageDecoder();
  let hasSnapshot = false;
  let frames: string[] = [];
  const flush = (): void => {
    decoder.push(encoder.encode(frames.join("")));
    frames = [];
  };
  const read = ({ kind, data }: NewEvent): void => {
    hasSnapshot ||= kind === "MESSAGES_SNAPSHOT";
    if (frames.push(`data: ${data}\n\n`) === FRAMES) {
      flush();
    }
  };
  for await (const entry of entriesOf(store, runId)) {
    read(entry);
  }
  latest.forEach(read);
  flush();
  const messages: NewStoredMessage[] = [];
  for (const message of decoder.finish().snapshot.messages) {
    const { id, role, content, metadata } = message;
    // A snapshot contains the messages of earlier runs, too.
    const isNew =
      (role === "assistant" || role === "tool") && !(hasSnapshot && store.hasMessage(id, role));
    const text = typeof content === "string" ? content : "";
    if (isNew && (text !== "" || role === "tool" || message.toolCalls !== undefined)) {
      const extra = JSON.stringify(role === "assistant" ? actionsIn(metadata) : schemaIn(metadata));
      const { toolCalls, toolCallId, error } = message;
      const sent =
        role === "tool"
          ? { id, role, content: content ?? "", toolCallId, error }
          : { id, role, content, toolCalls };
      const json = stringifyJson(
        Object.fromEntries(
          Object.entries(sent).filter(([, value]) => value !== undefined),
        ) as unknown as Json,
      );
      messages.push({
        id,
        role,
        content: text,
        extra,
        message: json,
        isShown: text !== "" && isVisible(metadata),
        at,
      });
    }
  }
  return messages;
}

/**
 * Returns the messages of a run as its agent receives them: the instructions of the request, and
 * then the messages of the thread, which end with the request's own. If there are too many, the
 * earliest are omitted, up to a message of the user.
 */
export async function historyOf(
  store: ThreadLog,
  { messages }: RunInput,
): Promise<Pick<ThreadRun, "history" | "isCut">> {
  const { messages: latest, isCut } = await store.latestMessages(LIMIT);
  const all = latest.map((message) => parseJson(message) as unknown as RunInputMessage);
  const begin = all.findIndex(({ role }) => role === "user");
  const history = [...messages.filter(isInstruction), ...all.slice(Math.max(0, begin))];
  return { history, isCut };
}

/** Returns whether the history shows a message: unless its metadata has `ui.history: false`. */
function isVisible(metadata: unknown): boolean {
  const { ui } = Object(metadata) as { ui?: unknown };
  return (Object(ui) as { history?: unknown }).history !== false;
}

/** Returns an assistant message's suggestions for the user's next message. */
function actionsIn(metadata: unknown): { suggestedActions?: string[] } {
  const { suggested_actions: suggested } = Object(metadata) as { suggested_actions?: unknown };
  const actions = Array.isArray(suggested)
    ? suggested.filter((action) => typeof action === "string")
    : [];
  return actions.length === 0 ? {} : { suggestedActions: actions };
}

/** Returns the UI schema of a tool's result. */
function schemaIn(metadata: unknown): { ui_schema?: object } {
  const { ui_schema, tool_agent_output } = Object(metadata) as {
    ui_schema?: unknown;
    tool_agent_output?: unknown;
  };
  const schema = ui_schema ?? (Object(tool_agent_output) as { ui_hints?: unknown }).ui_hints;
  return typeof schema === "object" && schema !== null ? { ui_schema: schema } : {};
}
