// What a row says about its event: the page shows what came, not what was made of it.

import { type Json, type StreamEntry, stringify } from "agentwire";
import type { ProtocolOption } from "./protocols.js";

/** The colours that rows and the wire have. */
export type Kind = "response" | "message" | "content" | "tool" | "pause" | "comment" | "error" | "other" | "end";

/** One event in a few words. */
export interface Label {
  readonly kind: Kind;
  /** What it is about: in the Agent API the event's `object`. */
  readonly object: string;
  /** Its type, status and the like. */
  readonly detail: string;
  /** The beginning of what it carries. */
  readonly preview: string;
  /** `sequence_number` as it came; null where there is none, undefined where the protocol has none. */
  readonly sequence: number | null | undefined;
  /** It goes on with a text that began before. */
  readonly isDelta?: boolean;
}

const PREVIEW = 160;

/** Labels an event or a comment. */
export function labelOf(entry: StreamEntry<ProtocolOption>): Label {
  if (entry.kind === "comment") {
    return { kind: "comment", object: "comment", detail: "", preview: shorten(entry.text.trim()), sequence: null };
  }
  if (entry.kind === "malformed") {
    return { kind: "error", object: "unreadable", detail: entry.fault.code, preview: shorten(entry.data), sequence: null };
  }
  const event = entry.event as JsonObject;
  if (event.type === "[DONE]") {
    return { kind: "response", object: "[DONE]", detail: "", preview: "", sequence: undefined };
  }
  return typeof event.type === "string" && !("object" in event) ? ofAgKit(event) : ofAgentApi(event);
}

function ofAgentApi(event: JsonObject): Label {
  const sequence = typeof event.sequence_number === "number" ? event.sequence_number : null;
  const label = (kind: Kind, object: string, detail: readonly unknown[], preview: unknown): Label => ({
    kind,
    object,
    detail: detail.filter((word) => typeof word === "string" && word !== "").join(" · "),
    preview: typeof preview === "string" ? shorten(preview) : "",
    sequence,
  });
  const failure = isObject(event.error) ? `${event.error.code}: ${event.error.message}` : undefined;
  switch (event.object) {
    case "response":
      return label(failure ? "error" : "response", "response", [event.status], failure);
    case "message":
      return label("message", "message", [event.type, event.role, event.status], failure ?? event.id);
    case "content": {
      const kind = event.type === "data" ? "tool" : "content";
      const piece = event.delta === true ? "delta" : event.status;
      const place = typeof event.index === "number" ? `${event.type}[${event.index}]` : event.type;
      return { ...label(kind, "content", [place, piece], carried(event)), isDelta: event.delta === true };
    }
    default:
      return typeof event.error === "string"
        ? label("error", "error", [], event.error)
        : label("other", String(event.object ?? "no object"), [event.type, event.status], jsonOf(event));
  }
}

/** Events without `object` whose `type` says everything. */
function ofAgKit(event: JsonObject): Label {
  const type = String(event.type);
  const label = (kind: Kind, object: string, detail: readonly unknown[], preview: unknown, isDelta = false): Label => ({
    kind,
    object,
    detail: detail.filter((word) => typeof word === "string" && word !== "").join(" · "),
    preview: typeof preview === "string" ? shorten(preview) : preview === undefined ? "" : shorten(jsonOf(preview)),
    sequence: undefined,
    isDelta,
  });
  switch (type) {
    case "text":
      return label("content", "text", [], event.content, true);
    case "tool-call-start":
      return label("tool", "tool-call", ["start", event.toolCallName], event.toolCallId);
    case "tool-call-args":
      return label("tool", "tool-call", ["args"], event.delta, true);
    case "tool-call-end":
      return label("tool", "tool-call", ["end"], event.toolCallId);
    case "tool-result":
      return label("tool", "tool-result", [], event.result);
    case "interrupt":
      return label("pause", "interrupt", [event.reason], event.payload);
    case "error":
      return label("error", "error", [], event.error);
    default:
      // AG-UI's events, which some servers send on the same path, are the only ones in upper case.
      return label("other", /^[A-Z_]+$/.test(type) ? "AG-UI" : "unknown", [type], jsonOf(event));
  }
}

function carried(content: JsonObject): unknown {
  const { data } = content;
  if (isObject(data)) {
    const { arguments: args, output } = data;
    return [output, args].find((text) => typeof text === "string" && text !== "") ?? jsonOf(data);
  }
  return content.text ?? content.refusal ?? content.image_url ?? content.video_url ?? content.file_url ?? data;
}

function jsonOf(value: unknown): string {
  return stringify(value as Json);
}

function shorten(text: string): string {
  return text.length > PREVIEW ? `${text.slice(0, PREVIEW)}…` : text;
}

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
