// The labels of events of model APIs and of the AI SDK.

import { type JsonObject, type Kind, type Label, isObject, made, textOf } from "./label_parts.js";

/** Labels an event of these protocols; undefined for another event. */
export function ofModel(event: JsonObject): Label | undefined {
  if (Array.isArray(event["choices"])) {
    return ofChat(event, event["choices"]);
  }
  if (GEMINI.some((member) => member in event)) {
    return ofGemini(event);
  }
  if (typeof event["event_type"] === "string") {
    return ofInteractions(event, event["event_type"]);
  }
  const type = String(event["type"]);
  return ANTHROPIC.test(type)
    ? ofAnthropic(event, type)
    : AI_SDK.test(type) || typeof event["errorText"] === "string"
      ? ofAiSdk(event, type)
      : undefined;
}

const GEMINI = ["candidates", "usageMetadata", "promptFeedback"];
const ANTHROPIC = /^(message_(start|delta|stop)|content_block_(start|delta|stop)|ping)$/;
const AI_SDK =
  /^((start|finish)(-step)?|abort|reset-step|message-metadata|(text|reasoning)-(start|delta|end)|tool-(input|output|approval)-.+|reasoning-file|file|source-.+|data-.+)$/;

const label = (
  kind: Kind,
  object: string,
  detail: readonly unknown[],
  preview: unknown,
  isDelta = false,
): Label => made(kind, object, detail, preview, undefined, isDelta);

/** Chat Completions: one chunk for all choices. */
function ofChat({ usage, error, id }: JsonObject, choices: readonly unknown[]): Label {
  const choice = choices.find(isObject);
  if (isObject(error)) {
    return label("error", "error", [], error["message"] ?? error);
  }
  if (choice === undefined) {
    return label("response", "chunk", [usage == null ? "" : "usage"], usage ?? id);
  }
  const { index, finish_reason: reason } = choice;
  const delta = isObject(choice["delta"]) ? choice["delta"] : {};
  const place = typeof index === "number" && index > 0 ? `choice ${index}` : "";
  const [call] = Array.isArray(delta["tool_calls"]) ? delta["tool_calls"].filter(isObject) : [];
  if (call !== undefined) {
    const {
      name,
      arguments: args,
      input,
    } = (
      isObject(call["function"]) ? call["function"] : isObject(call["custom"]) ? call["custom"] : {}
    ) as JsonObject;
    return label("tool", "call", [place, name], args ?? input ?? call["id"], name === undefined);
  }
  const reasoning = delta["reasoning_content"] ?? delta["reasoning"];
  const text = delta["content"] ?? delta["refusal"] ?? reasoning;
  if (typeof text === "string" && text !== "") {
    return label(
      "content",
      delta["content"] === text ? "text" : delta["refusal"] === text ? "refusal" : "reasoning",
      [place, reason],
      text,
      true,
    );
  }
  return typeof reason === "string"
    ? label("response", "finish", [place, reason], "")
    : label("message", "chunk", [place, delta["role"]], text ?? delta);
}

function ofAnthropic(event: JsonObject, type: string): Label {
  const [, subject, verb] = /^(message|content_block)_(.+)$/.exec(type) ?? [];
  const block = isObject(event["content_block"]) ? event["content_block"] : undefined;
  const delta = isObject(event["delta"]) ? event["delta"] : {};
  if (subject === undefined) {
    return label("comment", type, [], "");
  }
  if (subject === "message") {
    const message = isObject(event["message"]) ? event["message"] : {};
    return label(
      "response",
      "message",
      [verb, delta["stop_reason"]],
      message["id"] ?? event["usage"] ?? "",
    );
  }
  const what = String(block?.["type"] ?? delta["type"] ?? "").replaceAll("_", " ");
  const text =
    delta["text"] ??
    delta["thinking"] ??
    delta["partial_json"] ??
    delta["signature"] ??
    block?.["name"];
  return label(
    /tool|json/.test(what) ? "tool" : "content",
    `block ${String(event["index"] ?? "")}`,
    [what.replace(/ delta$/, ""), verb],
    text ?? "",
    verb === "delta",
  );
}

function ofGemini({ candidates, usageMetadata, promptFeedback }: JsonObject): Label {
  const candidate = Array.isArray(candidates) ? candidates.find(isObject) : undefined;
  if (candidate === undefined) {
    return label(
      "response",
      "chunk",
      [promptFeedback === undefined ? "usage" : "prompt feedback"],
      promptFeedback ?? usageMetadata,
    );
  }
  const { index, finishReason: reason, content } = candidate;
  const place = typeof index === "number" && index > 0 ? `candidate ${index}` : "";
  const parts =
    isObject(content) && Array.isArray(content["parts"]) ? content["parts"].filter(isObject) : [];
  const call = parts
    .map((part) => part["functionCall"] ?? part["toolCall"] ?? part["executableCode"])
    .find(isObject);
  if (call !== undefined) {
    return label(
      "tool",
      "call",
      [place, call["name"] ?? call["toolType"], reason],
      call["args"] ?? call["code"] ?? "",
    );
  }
  const text = textOf(parts);
  const object = parts.some(({ thought }) => thought === true)
    ? "reasoning"
    : text === undefined && parts.length > 0
      ? "part"
      : "text";
  return parts.length === 0
    ? label("response", "finish", [place, reason], usageMetadata ?? "")
    : label("content", object, [place, reason], text ?? parts[0], text !== undefined);
}

function ofInteractions(event: JsonObject, type: string): Label {
  const { index, step, delta, interaction, status, error } = event;
  if (type === "error") {
    return label("error", "error", [], isObject(error) ? (error["message"] ?? error) : error);
  }
  if (!type.startsWith("step.")) {
    const of = isObject(interaction) ? interaction : event;
    return label(
      "response",
      type.replace("interaction.", ""),
      [of["status"] ?? status],
      of["usage"] ?? "",
    );
  }
  const change = isObject(delta) ? delta : isObject(step) ? step : {};
  const what = String(change["type"] ?? "");
  const { content } = change;
  const text = change["text"] ?? (isObject(content) ? content["text"] : undefined);
  const isTool = /_(call|result)$|arguments/.test(what);
  return label(
    isTool ? "tool" : "content",
    `step ${String(index ?? "")}`,
    [what.replace(/_delta$/, ""), type.replace("step.", "")],
    text ?? change["arguments"] ?? change["name"] ?? "",
    type === "step.delta",
  );
}

function ofAiSdk(event: JsonObject, type: string): Label {
  const {
    delta,
    inputTextDelta,
    errorText,
    output,
    input,
    data,
    toolName,
    toolCallId,
    messageId,
    id,
    url,
    finishReason,
  } = event;
  const [object, ...words] = type.split("-");
  const kind: Kind =
    type === "error"
      ? "error"
      : object === "tool"
        ? type === "tool-approval-request"
          ? "pause"
          : "tool"
        : /^(start|finish|abort|reset|message)/.test(type)
          ? "response"
          : "content";
  const preview =
    errorText ??
    delta ??
    inputTextDelta ??
    output ??
    input ??
    data ??
    url ??
    toolCallId ??
    messageId ??
    id ??
    "";
  return label(
    kind,
    object!,
    [words.join(" "), toolName, finishReason],
    preview,
    typeof (delta ?? inputTextDelta) === "string",
  );
}
