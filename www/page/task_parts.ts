// An A2A task as a list of articles.

import { type Json, toolCalls } from "agentwire";
import type {
  Artifact as A2aArtifact,
  Message as A2aMessage,
  Part as A2aPart,
  Snapshot as A2aSnapshot,
} from "agentwire/a2a";
import type { Article, ArticlePart, Failure } from "./articles_view.js";
import { cardOf } from "./call_cards.js";
import type { Reply } from "./conversation.js";

/**
 * Returns the messages and artifacts of the agent. `hasQuestion` is whether the user's question,
 * and thus the rest of the history, is shown elsewhere. Outputs of calls are in their cards,
 * questions below everything.
 */
export function articlesOfTask(
  { task, message }: A2aSnapshot,
  hasQuestion: boolean,
  reply: Reply | undefined,
): Article[] {
  if (task === null) {
    return message === null ? [] : [articleOfMessage(message, "message")];
  }
  const { state = "", message: statusMessage } = task.status ?? {};
  const calls = new Map(toolCalls({ task, message, error: null }).map((call) => [call.id, call]));
  const isOver = !OPEN.includes(state);
  const before = hasQuestion
    ? []
    : (task.history ?? []).filter(({ messageId }) => messageId !== statusMessage?.messageId);
  const latest = new Map(
    (task.artifacts ?? []).map((artifact, at) => [placeOf(artifact) ?? at, artifact]),
  );
  const artifacts = [...latest.values()].flatMap((artifact, at): Article[] => {
    const parts = (artifact.parts ?? []).flatMap((part): ArticlePart[] => {
      const { call_id: id, output, arguments: args } = dataOf(part);
      const call = typeof id === "string" ? calls.get(id) : undefined;
      if (call === undefined) {
        return [partOf(part)];
      }
      return args === undefined && output !== undefined
        ? []
        : [{ type: "call", card: cardOf(call, reply) }];
    });
    const isLast = at === latest.size - 1;
    return parts.length === 0
      ? []
      : [
          articleOfArtifact(
            artifact,
            `artifact ${artifact.artifactId ?? at}`,
            joinTexts(parts),
            isLast && !isOver,
          ),
        ];
  });
  // A question has a card, a failure a line of its own.
  const showsStatus =
    statusMessage !== undefined &&
    !ENDED_BADLY.includes(state) &&
    !(statusMessage.parts ?? []).some((part) => "id" in dataOf(part));
  return [
    ...before.map((message, at) => articleOfMessage(message, `message ${at}`)),
    ...artifacts,
    ...(showsStatus ? [articleOfMessage(statusMessage, "status")] : []),
  ];
}

/** Returns the failure of a task, if it has one. */
export function failureOfTask({ task, error }: A2aSnapshot): Failure | null {
  if (error !== null) {
    return { code: String(error.code), text: error.message };
  }
  const { state = "", message } = task?.status ?? {};
  const parts = message?.parts ?? [];
  const code = parts
    .map((part) => dataOf(part).code)
    .find((code): code is string => typeof code === "string");
  const text = parts.map(({ text = "" }) => text).join("");
  return ENDED_BADLY.includes(state) ? { code, text: text || "The agent sent no reason." } : null;
}

const OPEN: readonly string[] = ["", "TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"];
const ENDED_BADLY: readonly string[] = ["TASK_STATE_FAILED", "TASK_STATE_REJECTED"];

function articleOfMessage({ role, parts = [] }: A2aMessage, key: string): Article {
  return {
    key,
    title: role === "ROLE_USER" ? "user" : "agent",
    form: "plain",
    parts: joinTexts(parts.map(partOf)),
  };
}

function articleOfArtifact(
  { name, artifactId, metadata }: A2aArtifact,
  key: string,
  parts: ArticlePart[],
  isGrowing: boolean,
): Article {
  const { type } = (metadata ?? {}) as { type?: Json };
  const form =
    type === "reasoning"
      ? "thought"
      : typeof type === "string" && type.startsWith("agentwire.")
        ? "aside"
        : "plain";
  const last = parts.at(-1);
  const shown =
    isGrowing && last?.type === "text" ? [...parts.slice(0, -1), { ...last, isGrowing }] : parts;
  return {
    key,
    title: (name || artifactId || "artifact").replace(/^agentwire\./, "").replaceAll("_", " "),
    form,
    parts: shown,
  };
}

/** Returns the key of an artifact that a later one replaces: a state, an activity. */
function placeOf({ metadata, parts: [part = {}] = [] }: A2aArtifact): string | undefined {
  const { type } = (metadata ?? {}) as { type?: Json };
  return type === "agentwire.state"
    ? type
    : type === "agentwire.activity"
      ? `${type} ${String(dataOf(part).id)}`
      : undefined;
}

function partOf({
  text,
  raw,
  url,
  data,
  filename,
  mediaType = "",
  metadata,
}: A2aPart): ArticlePart {
  if (text !== undefined) {
    return {
      type: (metadata as { kind?: Json } | undefined)?.kind === "refusal" ? "refusal" : "text",
      text,
    };
  }
  if (raw === undefined && url === undefined) {
    return { type: "json", value: data ?? null };
  }
  if (mediaType.startsWith("image/")) {
    return { type: "picture", address: url ?? `data:${mediaType};base64,${raw}` };
  }
  const size = `${raw?.length ?? 0} characters of base64`;
  return { type: "fact", name: filename ?? (mediaType || "file"), text: url ?? size };
}

/** Joins adjacent text parts: a streamed text is one part per piece. */
function joinTexts(parts: readonly ArticlePart[]): ArticlePart[] {
  const all: ArticlePart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part.type === "text" && last?.type === "text") {
      all[all.length - 1] = { type: "text", text: last.text + part.text };
    } else {
      all.push(part);
    }
  }
  return all;
}

function dataOf({ data }: A2aPart): { readonly [member: string]: Json | undefined } {
  return typeof data === "object" && data !== null && !Array.isArray(data)
    ? (data as { readonly [member: string]: Json })
    : {};
}
