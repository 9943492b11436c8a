// The parts of a response of the Agent API.

import type { Content, Message, Response } from "../agentwire.js";
import type { Reply } from "../connect/exchange.js";
import { approves } from "../connect/replies.js";
import type { Part, ToolPart } from "../connect/message.js";
import {
  REFUSAL,
  dataPart,
  displayable,
  filePart,
  ownMetadata,
  partialInput,
  questionOf,
  replyTo,
  textPart,
} from "../connect/native_parts.js";
import { type PartContext, memo, plainJson, toolPart } from "../connect/parts.js";
import { isObject } from "../core/json.js";
import { type CallOf, type DataOf, pairsOf } from "./protocol.js";

/**
 * Returns the parts of a response. Messages of the user in it, which some servers repeat, are not
 * parts of the answer.
 */
export function partsOf(response: Response, context: PartContext): readonly Part[] {
  const byData = new Map<object, CallOf>();
  for (const call of pairsOf(response)) {
    [call.call, call.output].forEach((each) => each !== undefined && byData.set(each.data, call));
  }
  return response.output.flatMap((message): readonly Part[] => {
    if (message.content.length === 0) {
      return message.type === "error" ? [errorPart(message)] : [];
    }
    return message.content.flatMap((content): readonly Part[] => {
      const data = content.type === "data" && isObject(content.data) ? content.data : undefined;
      const call = data && byData.get(data);
      if (call !== undefined) {
        // The output is in the part of its call.
        return call.call !== undefined && call.call.data !== data ? [] : [callOf(call, context)];
      }
      if (data !== undefined) {
        return message.role === "user" ? [] : [plainDataPart(data, message.type)];
      }
      return message.role === "user"
        ? []
        : [
            contentPart(
              content,
              message.type,
              TEXTS.has(content.type) && context.isLive && content.status === "in_progress",
            ),
          ];
    });
  });
}

const plainDataPart = /* @__PURE__ */ memo(
  (data: object, messageType: string): Part =>
    dataPart(messageType === "message" ? "json" : messageType, data),
);

/** The contents whose parts have a state. */
const TEXTS: ReadonlySet<string> = new Set(["text", "refusal"]);

const errorPart = /* @__PURE__ */ memo(
  ({ code, message, id }: Message): Part => dataPart("error", { code, message }, id),
);

const contentPart = /* @__PURE__ */ memo(
  (content: Content, messageType: string, isLive: boolean): Part => {
    const {
      type,
      text,
      refusal,
      image_url: image,
      video_url: video,
      file_url: file,
      file_data: bytes,
      filename,
      data,
      format,
      media_type: mediaType,
    } = content as Record<string, unknown>;
    const url = (value: unknown): string | undefined =>
      typeof value === "string" ? value : undefined;
    switch (type) {
      case "text":
        return messageType === "reasoning"
          ? { type: "reasoning", text: url(text) ?? "", state: isLive ? "streaming" : "done" }
          : textPart(url(text) ?? "", isLive);
      case "refusal":
        return textPart(url(refusal) ?? "", isLive, REFUSAL);
      case "image":
        return filePart({ mediaType: url(mediaType) ?? "image/*", url: url(image) ?? "" }, content);
      case "video":
        return filePart({ mediaType: url(mediaType) ?? "video/*", url: url(video) ?? "" }, content);
      case "audio":
        // The bytes in base64, or a URL.
        return filePart(
          {
            mediaType: url(mediaType) ?? `audio/${url(format) ?? "*"}`,
            ...(/^[a-z]+:/i.test(url(data) ?? "") ? { url: url(data) } : { base64: url(data) }),
          },
          content,
        );
      case "file":
        return filePart(
          {
            mediaType: url(mediaType) ?? "application/octet-stream",
            url: url(file) ?? (bytes == null ? "" : undefined),
            base64: url(bytes),
            filename: url(filename),
          },
          content,
        );
      default:
        return dataPart(String(type), content);
    }
  },
);

function callOf(call: CallOf, context: PartContext): ToolPart {
  const { id = "", name = "", asks, call: made, output } = call;
  const held = (made ?? output)!;
  const reply = replyTo(context, asks ? "approval" : "call", id);
  return callPart(
    held.data,
    id,
    name,
    asks,
    made !== undefined,
    held.ended,
    output?.data,
    output?.ended === true,
    reply,
    context.tools,
  );
}

const callPart = /* @__PURE__ */ memo(
  (
    data: DataOf["data"],
    id: string,
    name: string,
    asks: boolean,
    hasCall: boolean,
    isEnded: boolean,
    answer: DataOf["data"] | undefined,
    isAnswered: boolean,
    reply: Reply | undefined,
    tools: ReadonlySet<string>,
  ): ToolPart => {
    const { arguments: callArguments, payload, text, server_label: server } = data;
    const input = hasCall ? (callArguments ?? (asks ? payload : undefined)) : undefined;
    // The protocol requires JSON text, but some servers send the JSON value itself.
    const argumentsText =
      typeof input === "string" ? input : input == null ? "" : JSON.stringify(displayable(input));
    const question = asks
      ? questionOf(
          id,
          data,
          text,
          payload,
          typeof payload === "string" ? plainJson(payload) : undefined,
        )
      : undefined;
    const call = {
      id,
      name: name === "" ? (asks ? "question" : "tool") : name,
      text: argumentsText,
      isComplete: isEnded || asks,
      output: !asks && isAnswered ? displayable(answer?.["output"] ?? null) : undefined,
      isServers: answer !== undefined && !asks,
      metadata: ownMetadata({ server }),
      question,
      partial: () => (typeof input === "string" ? partialInput(input, data) : displayable(input)),
    };
    return toolPart(call, asks ? (decisionOf(id, answer) ?? reply) : reply, tools);
  },
);

/** Returns the decision in the response. */
function decisionOf(id: string, answer: DataOf["data"] | undefined): Reply | undefined {
  if (answer === undefined) {
    return undefined;
  }
  const { approve, reason, payload } = answer;
  const value = reason ?? payload ?? null;
  return {
    id,
    name: null,
    kind: "approval",
    approved: approve === true && approves(answer),
    value: isObject(value) ? null : value,
  };
}
