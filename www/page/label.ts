// The label of an event's row. It shows the received event, before its interpretation.

import type { StreamEntry } from "agentwire";
import {
  type JsonObject,
  type Kind,
  type Label,
  isObject,
  jsonOf,
  made,
  shorten,
  textOf,
} from "./label_parts.js";
import { ofModel } from "./model_labels.js";
import type { ProtocolOption } from "./protocols.js";

/** Labels an event or a comment. */
export function labelOf(entry: StreamEntry<ProtocolOption>): Label {
  if (entry.kind === "comment") {
    return {
      kind: "comment",
      object: "comment",
      detail: "",
      preview: shorten(entry.text.trim()),
      sequence: null,
    };
  }
  if (entry.kind === "malformed") {
    return {
      kind: "error",
      object: "unreadable",
      detail: entry.fault.code,
      preview: shorten(entry.data),
      sequence: null,
    };
  }
  const event = entry.event as JsonObject;
  if (event.type === "[DONE]") {
    return { kind: "response", object: "[DONE]", detail: "", preview: "", sequence: undefined };
  }
  const ofModels = ofModel(event);
  if (ofModels !== undefined) {
    return ofModels;
  }
  if (event.jsonrpc !== undefined || A2A.some((member) => member in event)) {
    return ofA2a(event);
  }
  if (typeof event.type !== "string" || "object" in event) {
    return ofAgentApi(event);
  }
  return event.type.startsWith("response.")
    ? ofResponses(event, event.type)
    : /^[A-Z_]+$/.test(event.type)
      ? ofAgUi(event, event.type)
      : ofAgKit(event);
}

/** The members that identify an A2A event without its JSON-RPC envelope. */
const A2A = ["task", "statusUpdate", "artifactUpdate"];

function ofAgentApi(event: JsonObject): Label {
  const sequence = sequenceOf(event);
  const label = (kind: Kind, object: string, detail: readonly unknown[], preview: unknown): Label =>
    made(kind, object, detail, typeof preview === "string" ? preview : "", sequence);
  const failure = isObject(event.error) ? `${event.error.code}: ${event.error.message}` : undefined;
  switch (event.object) {
    case "response":
      return label(failure ? "error" : "response", "response", [event.status], failure);
    case "message":
      return label(
        "message",
        "message",
        [event.type, event.role, event.status],
        failure ?? event.id,
      );
    case "content": {
      const kind = event.type === "data" ? "tool" : "content";
      const piece = event.delta === true ? "delta" : event.status;
      const place = typeof event.index === "number" ? `${event.type}[${event.index}]` : event.type;
      return {
        ...label(kind, "content", [place, piece], carried(event)),
        isDelta: event.delta === true,
      };
    }
    default:
      return event.error !== undefined
        ? label(
            "error",
            "error",
            [],
            isObject(event.error) ? (event.error.message ?? jsonOf(event.error)) : event.error,
          )
        : label(
            "other",
            String(event.object ?? "no object"),
            [event.type, event.status],
            jsonOf(event),
          );
  }
}

/** Events without `object`, which `type` describes completely. */
function ofAgKit(event: JsonObject): Label {
  const type = String(event.type);
  const label = (
    kind: Kind,
    object: string,
    detail: readonly unknown[],
    preview: unknown,
    isDelta = false,
  ): Label => made(kind, object, detail, preview, undefined, isDelta);
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
      return label("error", "error", [event.code], event.error ?? event.message);
    default:
      return label("other", "unknown", [type], jsonOf(event));
  }
}

/** AG-UI: the only types in upper case. */
function ofAgUi(event: JsonObject, type: string): Label {
  const kind: Kind =
    type === "RUN_ERROR"
      ? "error"
      : type.startsWith("RUN_") || type.startsWith("STEP_")
        ? "response"
        : type.startsWith("TOOL_")
          ? "tool"
          : /CONTENT|CHUNK/.test(type)
            ? "content"
            : type.startsWith("TEXT_") || type.startsWith("REASONING_")
              ? "message"
              : "other";
  const {
    type: _,
    timestamp: __,
    threadId: ___,
    runId: ____,
    messageId,
    toolCallId,
    ...rest
  } = event;
  const carries =
    event.delta ??
    event.message ??
    event.content ??
    event.snapshot ??
    event.toolCallName ??
    event.stepName;
  const preview = carries ?? (Object.keys(rest).length > 0 ? rest : (toolCallId ?? messageId));
  const words = type
    .toLowerCase()
    .replace(/^text_message|^tool_call/, (word) => word.replace("_", "-"))
    .split("_");
  const object =
    words.length > 1 ? words.shift()!.replace("text-message", "text") : type.toLowerCase();
  return made(
    kind,
    object,
    [words.length > 0 && object !== words[0] ? words.join(" ") : ""],
    preview,
    undefined,
    typeof event.delta === "string",
  );
}

/** OpenAI Responses: the name of an event has its subject and its change. */
function ofResponses(event: JsonObject, type: string): Label {
  const words = type.slice("response.".length).split(".");
  const verb = words.pop()!.replaceAll("_", " ");
  const about = words.join(" ").replaceAll("_", " ");
  const sequence = sequenceOf(event);
  if (about === "") {
    const { error, incomplete_details } = isObject(event.response) ? event.response : {};
    return made(
      verb === "failed" ? "error" : "response",
      "response",
      [verb],
      error ?? incomplete_details ?? "",
      sequence,
    );
  }
  const item = isObject(event.item) ? event.item : undefined;
  const part = isObject(event.part) ? event.part : undefined;
  const what = String((item ?? part)?.type ?? "");
  const [object, kind, name] = ((): [string, Kind, string?] => {
    switch (about) {
      case "output item":
        return ["item", /call|mcp|output$/.test(what) ? "tool" : "message"];
      case "content part":
      case "reasoning summary part":
        return ["part", "content"];
      case "output text":
        return ["text", "content"];
      default:
        return /call|mcp/.test(about)
          ? ["call", "tool", about]
          : [about.split(" ")[0]!, "content", about.split(" ").slice(1).join(" ")];
    }
  })();
  const carries =
    event.delta ?? event.text ?? event.refusal ?? event.arguments ?? event.input ?? event.code;
  const preview = carries ?? item?.name ?? part?.text ?? item?.id ?? event.item_id;
  return made(
    kind,
    object,
    [name, what.replaceAll("_", " "), verb],
    preview,
    sequence,
    verb === "delta",
  );
}

/** A2A: a JSON-RPC response, or the value of its `result`. */
function ofA2a(event: JsonObject): Label {
  if (isObject(event.error)) {
    return made("error", "error", [String(event.error.code)], event.error.message, undefined);
  }
  const result = isObject(event.result) ? event.result : event;
  // In 1.0 the name of the member is the type of the event; 0.3 has the member `kind`.
  const { kind } = result;
  const of = (member: string, named: string): JsonObject | undefined =>
    isObject(result[member]) ? result[member] : kind === named ? result : undefined;
  const status = of("statusUpdate", "status-update");
  const artifact = of("artifactUpdate", "artifact-update");
  const task = of("task", "task");
  const stateOf = (from: JsonObject): string =>
    String(isObject(from.status) ? (from.status.state ?? "") : "")
      .replace("TASK_STATE_", "")
      .toLowerCase()
      .replaceAll("_", " ");
  if (artifact !== undefined) {
    const { artifactId, name, parts } = isObject(artifact.artifact) ? artifact.artifact : {};
    const detail = [
      name,
      artifact.append === true ? "append" : "",
      artifact.lastChunk === true ? "last" : "",
    ];
    return made(
      "content",
      "artifact",
      detail,
      textOf(parts) ?? artifactId,
      undefined,
      artifact.append === true,
    );
  }
  if (status !== undefined) {
    const parts =
      isObject(status.status) && isObject(status.status.message)
        ? status.status.message.parts
        : undefined;
    const state = stateOf(status);
    return made(
      /failed|rejected/.test(state) ? "error" : /required/.test(state) ? "pause" : "response",
      "status",
      [state],
      textOf(parts) ?? "",
      undefined,
    );
  }
  if (task !== undefined) {
    return made("response", "task", [stateOf(task)], task.id, undefined);
  }
  const message = of("message", "message");
  return message === undefined
    ? made("other", "unknown", [], event, undefined)
    : made("message", "message", [], textOf(message.parts) ?? message.messageId, undefined);
}

function sequenceOf({ sequence_number: number }: JsonObject): number | null {
  return typeof number === "number" ? number : null;
}

function carried(content: JsonObject): unknown {
  const { data } = content;
  if (isObject(data)) {
    const { arguments: args, output } = data;
    return [output, args].find((text) => typeof text === "string" && text !== "") ?? jsonOf(data);
  }
  return (
    content.text ??
    content.refusal ??
    content.image_url ??
    content.video_url ??
    content.file_url ??
    data
  );
}
