// Messages of an application as items of a request.

import type { Json, ResponsesContentPart, ResponsesInputItem } from "../agentwire.js";
import {
  type FilePart,
  type Message,
  type Part,
  type ToolPart,
  type UserPart,
  isToolPart,
} from "../connect/message.js";
import { NOT_ANSWERED } from "../connect/tool.js";
import { audioFormat, contentOf, kindOf, onlyText } from "../connect/user_parts.js";
import { stringifyJson, textOf } from "../core/json.js";

/** Returns the item of a message of the user. */
export function userItem(parts: readonly UserPart[]): ResponsesInputItem {
  return { type: "message", role: "user", content: onlyText(parts) ?? parts.map(inputOf) };
}

/**
 * Returns the item of a text of the agent. The protocol requires an id for parts, so the content is
 * a text.
 */
export function assistantItem(text: string): ResponsesInputItem {
  return { type: "message", role: "assistant", content: text };
}

/**
 * Returns the items of a message. Reasoning is not included, because servers accept only their own,
 * nor are sources and data, which are not for the model, nor files of the agent: in this protocol
 * only messages of the user have files.
 */
export function itemsOfMessage({ role, parts }: Message): readonly ResponsesInputItem[] {
  if (role === "user") {
    const sent = parts.filter(
      (part): part is UserPart => part.type === "text" || part.type === "file",
    );
    return sent.length === 0 ? [] : [userItem(sent)];
  }
  if (role === "system") {
    return [{ type: "message", role: "system", content: textOfParts(parts) }];
  }
  const items: ResponsesInputItem[] = [];
  let text = "";
  const endText = (): void => {
    if (text !== "") {
      items.push(assistantItem(text));
    }
    text = "";
  };
  for (const part of parts) {
    if (part.type === "text") {
      text += part.text;
    } else if (isToolPart(part) && part.state !== "input-streaming") {
      endText();
      items.push(...callItems(part));
    }
  }
  endText();
  return items;
}

function textOfParts(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Returns a call and its output as items. */
function callItems(
  part: Exclude<ToolPart, { readonly state: "input-streaming" }>,
): readonly ResponsesInputItem[] {
  const { toolCallId: call_id, input } = part;
  const name = part.type === "dynamic-tool" ? part.toolName : part.type.slice("tool-".length);
  return [
    {
      type: "function_call",
      call_id,
      name,
      arguments: typeof input === "string" ? input : stringifyJson((input ?? {}) as Json),
    },
    { type: "function_call_output", call_id, output: outputOf(part) },
  ];
}

function outputOf(part: Exclude<ToolPart, { readonly state: "input-streaming" }>): string {
  switch (part.state) {
    case "output-available":
      return textOf((part.output ?? null) as Json);
    case "output-error":
      return part.errorText;
    case "output-denied":
      return `Error: the user has declined the call${part.approval.reason === undefined ? "" : `: ${part.approval.reason}`}`;
    default:
      return NOT_ANSWERED;
  }
}

function inputOf(part: UserPart): ResponsesContentPart {
  return part.type === "text" ? { type: "input_text", text: part.text } : fileOf(part);
}

/**
 * Returns a file as a content. The detail of an image is required by some servers, the name of a
 * file by all.
 */
function fileOf(part: FilePart): ResponsesContentPart {
  const { mediaType, url, filename } = part;
  const base64 = contentOf(part);
  const address = base64 === undefined ? url : `data:${mediaType};base64,${base64}`;
  if (kindOf(part) === "image") {
    return { type: "input_image", image_url: address, detail: "auto" };
  }
  if (base64 === undefined) {
    return { type: "input_file", file_url: url };
  }
  return kindOf(part) === "audio"
    ? { type: "input_audio", input_audio: { data: base64, format: audioFormat(part) } }
    : { type: "input_file", filename: filename ?? "file", file_data: address };
}
