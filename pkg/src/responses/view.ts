// The parts of a response.

import type { Json, ResponsesItem, ResponsesResponse } from "../agentwire.js";
import type { Reply } from "../connect/exchange.js";
import type { DataPart, FilePart, Part, ReasoningPart, ToolPart } from "../connect/message.js";
import {
  REFUSAL,
  dataPart,
  displayable,
  errorTextOf,
  filePart,
  ownMetadata,
  partialInput,
  questionOf,
  replyTo,
  shownMetadata,
  sourceDocument,
  sourceUrl,
  textPart,
} from "../connect/native_parts.js";
import { type AnswerCall, type PartContext, memo, plainJson, toolPart } from "../connect/parts.js";
import { NOT_ANSWERED } from "../connect/tool.js";
import { textOrEmpty } from "../core/json.js";

/** An item with the properties of every type. */
type Item = ResponsesItem & { readonly [member: string]: Json | undefined };

/** A part of a message, of reasoning or of a summary. */
type Content = { readonly type: string; readonly [member: string]: unknown };

/** Returns the parts of a response. */
export function partsOf(response: ResponsesResponse, context: PartContext): readonly Part[] {
  const items = response.output as readonly Item[];
  const answers = answersOf(items);
  const called =
    answers.size === 0
      ? NO_IDS
      : new Set(items.map((item) => (isCall(item) ? factsOf(item).id : undefined)));
  const parts: Part[] = [];
  items.forEach((item, at) => {
    const grows =
      context.isLive &&
      response.status === "in_progress" &&
      at === items.length - 1 &&
      item.status !== "completed";
    const { kind, id } = factsOf(item);
    if (kind === "call" || kind === "approval") {
      const isIncomplete = response.status === "incomplete";
      const isComplete =
        kind === "approval" ||
        isIncomplete ||
        (item.status === undefined
          ? response.status === "completed"
          : item.status !== "in_progress");
      parts.push(
        callPart(
          item,
          isComplete,
          isIncomplete,
          answers.get(id),
          replyTo(context, kind, id),
          context.tools,
        ),
      );
      if (item.type === "image_generation_call" && imageOf(item) !== undefined) {
        parts.push(imagePart(item));
      }
    } else if (kind === "message") {
      contentsOf(item.content).forEach((content, n, { length }) =>
        parts.push(...contentParts(content, grows && n === length - 1)),
      );
    } else if (kind === "reasoning") {
      // Encrypted reasoning without a summary has nothing to show.
      [...contentsOf(item.summary), ...contentsOf(item.content)].forEach((content, n, { length }) =>
        parts.push(reasoningPart(content, grows && n === length - 1)),
      );
    } else if (kind === "other" || !called.has(id)) {
      parts.push(otherPart(item));
    }
  });
  return parts;
}

const NO_IDS: ReadonlySet<string | undefined> = new Set();

/** The kind of an item, and the id of its call or question. */
interface Facts {
  readonly kind: "message" | "reasoning" | "call" | "approval" | "answer" | "other";
  readonly id: string;
}

const factsOf = /* @__PURE__ */ memo((item: Item): Facts => {
  const { type } = item;
  if (type === "message" || type === "reasoning") {
    return { kind: type, id: "" };
  }
  if (isCall(item)) {
    return { kind: isQuestion(item) ? "approval" : "call", id: idOf(item) };
  }
  return isAnswer(item) ? { kind: "answer", id: answeredId(item) } : { kind: "other", id: "" };
});

/** Returns the metadata of a response. */
export function metadataOf({ metadata }: ResponsesResponse): unknown {
  return shownMetadata(metadata);
}

function contentsOf(contents: unknown): readonly Content[] {
  return Array.isArray(contents) ? contents : [];
}

function isQuestion({ type }: Item): boolean {
  return type === "mcp_approval_request";
}

function isCall(item: Item): boolean {
  return item.type.endsWith("_call") || item.type === "program" || isQuestion(item);
}

function isAnswer({ type }: Item): boolean {
  return type.endsWith("_output") || type === "mcp_approval_response";
}

/**
 * The calls that the client can execute. Their outputs have the id of the call; other calls have
 * only the id of their item.
 */
const CLIENTS: ReadonlySet<string> = new Set([
  "function_call",
  "custom_tool_call",
  "computer_call",
  "shell_call",
  "local_shell_call",
  "apply_patch_call",
]);

/** Returns the id of a call or question, which is that of its part. */
function idOf(item: Item): string {
  return textOrEmpty(
    CLIENTS.has(item.type)
      ? item.call_id
      : isQuestion(item) || item.type === "mcp_call"
        ? item.id
        : (item.call_id ?? item.id),
  );
}

function answeredId(item: Item): string {
  return textOrEmpty(item["approval_request_id"] ?? item.call_id);
}

/** Returns the items that answer calls and questions, by the ids of these. */
function answersOf(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(
    items.filter((item) => factsOf(item).kind === "answer").map((item) => [factsOf(item).id, item]),
  );
}

const contentParts = /* @__PURE__ */ memo((content: Content, isLive: boolean): readonly Part[] => {
  const { type, text, refusal, annotations } = content;
  if (type === "refusal") {
    return [textPart(String(refusal ?? ""), isLive, REFUSAL)];
  }
  if (typeof text !== "string") {
    return [dataPart(type, content)];
  }
  return [
    textPart(text, isLive),
    ...(Array.isArray(annotations) ? annotations : []).map(sourcePart),
  ];
});

/** Returns the part of a citation. Its place in the text is in the metadata. */
function sourcePart(annotation: Content): Part {
  const { type, url, title, file_id: file, filename } = Object(annotation) as Content;
  const metadata = ownMetadata(Object(annotation));
  if (type === "url_citation" && typeof url === "string") {
    return sourceUrl(url, title, metadata);
  }
  return typeof file === "string"
    ? sourceDocument(file, filename, metadata)
    : dataPart(type ?? "annotation", annotation);
}

const reasoningPart = /* @__PURE__ */ memo(
  (content: Content, isLive: boolean): ReasoningPart | DataPart =>
    typeof content["text"] === "string"
      ? { type: "reasoning", text: content["text"], state: isLive ? "streaming" : "done" }
      : dataPart(content.type, content),
);

/** Returns the image of a call, or the intermediate one. */
function imageOf(item: Item): string | undefined {
  return textOrEmpty(item["result"] || item["partial_image_b64"]) || undefined;
}

/** The image of a call is a part of its own, so that its output does not repeat the bytes. */
const imagePart = /* @__PURE__ */ memo((item: Item): FilePart | DataPart => {
  const format = item["output_format"];
  return filePart(
    { mediaType: `image/${typeof format === "string" ? format : "png"}`, base64: imageOf(item) },
    item,
  );
});

const otherPart = /* @__PURE__ */ memo((item: Item): Part => dataPart(item.type, item, item.id));

const callPart = /* @__PURE__ */ memo(
  (
    item: Item,
    isComplete: boolean,
    isIncomplete: boolean,
    answer: Item | undefined,
    reply: Reply | undefined,
    tools: ReadonlySet<string>,
  ): ToolPart => {
    const { type, name, error, status, server_label: server } = item;
    const call: AnswerCall = {
      id: idOf(item),
      name: typeof name === "string" && name !== "" ? name : type.replace(/_call$/, ""),
      ...argumentsOf(item, isComplete),
      isComplete,
      output: isQuestion(item) ? undefined : outputOf(item, answer),
      // The client cannot answer the calls of an incomplete response.
      errorText:
        error != null
          ? errorTextOf(error)
          : status === "failed"
            ? "the call has failed"
            : isIncomplete && CLIENTS.has(type) && answer === undefined
              ? NOT_ANSWERED
              : undefined,
      isServers: !CLIENTS.has(type) && !isQuestion(item),
      metadata: ownMetadata({ server }),
      question: isQuestion(item) ? questionOf(idOf(item), item, payloadOf(item)) : undefined,
    };
    return toolPart(call, isQuestion(item) ? (decisionOf(answer) ?? reply) : reply, tools);
  },
);

/**
 * Returns the arguments of a call. Those of a custom tool are a text; those of the server's own
 * tools are members of the item.
 */
function argumentsOf(item: Item, isComplete: boolean): Pick<AnswerCall, "text" | "partial"> {
  const { type, input, arguments: callArguments } = item;
  if (type === "custom_tool_call") {
    const text = textOrEmpty(input);
    return { text: isComplete ? JSON.stringify(text) : text, partial: () => text };
  }
  if (typeof callArguments === "string") {
    return { text: callArguments, partial: () => partialInput(callArguments, item) };
  }
  const members =
    callArguments ??
    Object.fromEntries(Object.entries(item).filter(([member]) => !OWN_MEMBERS.has(member)));
  const shown = displayable(members);
  return { text: JSON.stringify(shown), partial: () => shown };
}

/** The members of an item that are not arguments of the call. */
const OWN_MEMBERS: ReadonlySet<string> = new Set([
  "id",
  "type",
  "status",
  "call_id",
  "name",
  "server_label",
  "approval_request_id",
  "error",
  "output",
  "outputs",
  "results",
  "result",
  "partial_image_b64",
  "role",
  "content",
  "summary",
]);

/**
 * Returns the output of a call: of its answer, or its own. A completed call of the server without
 * an output has null.
 */
function outputOf(item: Item, answer: Item | undefined): unknown {
  const found = [
    answer?.["output"],
    answer?.["tools"],
    answer?.["result"],
    item["output"],
    item["results"],
    item["outputs"],
  ].find((value) => value != null);
  const isOver = answer !== undefined || (!CLIENTS.has(item.type) && item.status === "completed");
  return found === undefined ? (isOver ? null : undefined) : displayable(found);
}

/**
 * Returns the payload of a question that was converted from another protocol: the arguments of a
 * made-up tool.
 */
function payloadOf({ name, server_label: server, arguments: callArguments }: Item): unknown {
  return name === "interrupt" && server === "agent" && typeof callArguments === "string"
    ? plainJson(callArguments)
    : undefined;
}

/** Returns the decision in the response. */
function decisionOf(answer: Item | undefined): Reply | undefined {
  return (
    answer && {
      id: answeredId(answer),
      name: null,
      kind: "approval",
      approved: answer["approve"] === true,
      value: answer["reason"] ?? null,
    }
  );
}
