// `connect` for the AI SDK. Each request contains the whole conversation, and the answers to calls
// are in the messages that called.

import type { AiSdkMessage, AiSdkRequestMessage, AiSdkRequestPart, Json } from "../agentwire.js";
import type { Chat } from "../connect/chat.js";
import { type Dialect, lastWith } from "../connect/dialect.js";
import type { Exchange, Reply, UserMessage } from "../connect/exchange.js";
import { type StoredShape, fits } from "../connect/fits.js";
import { createChat } from "../connect/create_chat.js";
import type { Message } from "../connect/message.js";
import {
  type ChangeableOptions,
  type SharedConnectOptions,
  TOOL_OPTIONS,
  type ToolOptions,
} from "../connect/options.js";
import { NOT_ANSWERED } from "../connect/tool.js";
import { viewOfAnswers } from "../connect/view.js";
import { below, segment } from "../http/address.js";
import { getStream } from "../http/post.js";
import { withCalls, withOutcome } from "./continued.js";
import { createRequest } from "./create_request.js";
import { AI_SDK, type AnyPart, callsOf, toolOf } from "./protocol.js";
import { answered, continuedCall, metadataOf, partsOf, settled } from "./view.js";

/**
 * The options of `connect`. All are optional. Requests do not describe the `tools`: the server
 * defines them, with the same names.
 */
export interface AiSdkConnectOptions extends SharedConnectOptions<"ai-sdk">, ToolOptions {
  /** Further properties of each request. */
  readonly body?: { readonly [member: string]: unknown } | undefined;
}

/** A stored part. */
const PART: StoredShape = (value) =>
  fits(value, MEMBERS) &&
  (Object(value).state !== "approval-requested" || fits(value, { approval: { id: "text" } }));

const MEMBERS: StoredShape = {
  type: "text",
  "text?": "text",
  "state?": "text",
  "toolCallId?": "text",
  "toolName?": "text",
  "rawInput?": "text",
  "errorText?": "text",
  "url?": "text",
  "mediaType?": "text",
  "approval?": { id: "text" },
};

/** The AI SDK for `connect`. */
export const AI_SDK_DIALECT: Dialect<"ai-sdk", AiSdkConnectOptions> = {
  protocol: "ai-sdk",
  reads: [AI_SDK],
  callsOf,
  options: [...TOOL_OPTIONS, "body"],
  history: "client",
  stored: { "id?": "text", role: "text", parts: [PART] },
  view: viewOfAnswers(partsOf, metadataOf, continuedCall),
  request(url, { conversationId, before, user, history, replaces }, { body }, how) {
    const all: AiSdkRequestMessage[] = history.map(nativeMessage);
    for (const exchange of before) {
      if (exchange.user !== undefined) {
        all.push(userMessage(exchange.user));
      }
      addAnswer(all, exchange);
    }
    if (user !== undefined) {
      all.push(userMessage(user));
    }
    const asked = lastWith(before);
    // Only the decisions to which this request continues are open.
    const open = new Set(
      user === undefined
        ? (asked?.snapshot.parts as readonly AnyPart[] | undefined)?.map(questionIdOf)
        : [],
    );
    const messages = all.map(({ parts, ...message }) => ({
      ...message,
      parts: (parts as unknown as readonly AnyPart[]).map((part) =>
        closed(part, open),
      ) as unknown as AiSdkRequestPart[],
    }));
    // As `useChat`: the message that the answer replaces or continues.
    const continued = user === undefined ? messages.at(-1)?.id : undefined;
    const messageId = replaces?.snapshot === undefined ? continued : idOf(replaces);
    const trigger = replaces === undefined ? "submit-message" : "regenerate-message";
    return {
      request: createRequest(
        url,
        { ...body, id: conversationId, messages, trigger, ...(messageId != null && { messageId }) },
        how,
      ),
      ...(user === undefined &&
        asked !== undefined && { received: (response: Response) => withCalls(response, asked) }),
    };
  },
  resumption(url, _exchange, conversationId, _options, how) {
    return getStream(
      below(url, `/${segment("the id of the conversation", conversationId)}/stream`),
      how,
    );
  },
};

/**
 * Creates a chat with an agent. Sends no request yet.
 *
 * ```js
 * const chat = connect("/api/chat");
 * for await (const { messages } of chat.send("Weather in Beijing?")) render(messages);
 * ```
 *
 * @param url the address of the agent. Outside of pages it must be absolute
 * @throws AgentwireError `wrong-option` for an option that does not exist
 */
export function connect(
  url: string | URL,
  options: AiSdkConnectOptions = {},
): Chat<AiSdkMessage, ChangeableOptions<AiSdkConnectOptions>> {
  return createChat(AI_SDK_DIALECT, url, options);
}

/** Returns the id of an answer: that of the server, if it has sent one. */
function idOf({ id, snapshot }: Exchange<AiSdkMessage>): string {
  return snapshot?.id || id;
}

function userMessage({ id, parts, metadata }: UserMessage): AiSdkRequestMessage {
  return {
    id,
    role: "user",
    ...(metadata !== undefined && { metadata }),
    parts: [...parts] as AiSdkRequestPart[],
  };
}

function nativeMessage({ id, role, parts, metadata }: Message): AiSdkRequestMessage {
  const sent = (parts as unknown as readonly AnyPart[]).map((part) => sentPart(part, []));
  return {
    id,
    role,
    ...(metadata !== undefined && { metadata: metadata as Json }),
    parts: sent as unknown as AiSdkRequestPart[],
  };
}

/**
 * Adds the answer of an exchange. The answer to a request with replies continues the message
 * before.
 */
function addAnswer(messages: AiSdkRequestMessage[], exchange: Exchange<AiSdkMessage>): void {
  const { snapshot, replies } = exchange;
  if (snapshot === undefined || snapshot.parts.length === 0) {
    return;
  }
  const { metadata } = snapshot;
  const parts = (snapshot.parts as readonly AnyPart[]).map((part) =>
    sentPart(part, replies),
  ) as unknown as AiSdkRequestPart[];
  const last = messages.at(-1);
  if (last?.role !== "assistant") {
    messages.push({
      id: idOf(exchange),
      role: "assistant",
      ...(metadata !== undefined && { metadata }),
      parts,
    });
    return;
  }
  // A call whose question was answered can have its outcome in the next answer.
  const later = new Map(
    (parts as unknown as readonly AnyPart[])
      .filter((part) => toolOf(part) !== undefined)
      .map((part) => [part.toolCallId, part]),
  );
  const known = (last.parts as unknown as readonly AnyPart[]).map((part) => {
    const outcome = part.state === "approval-responded" ? later.get(part.toolCallId) : undefined;
    if (outcome) {
      later.delete(part.toolCallId);
    }
    return outcome === undefined ? part : withOutcome(part, outcome);
  });
  const fresh = (parts as unknown as readonly AnyPart[]).filter(
    (part) => toolOf(part) === undefined || later.has(part.toolCallId),
  );
  messages[messages.length - 1] = {
    ...last,
    ...(metadata !== undefined && { metadata }),
    parts: [...known, ...fresh] as unknown as AiSdkRequestPart[],
  };
}

/**
 * Returns a part with its reply. Models accept no call without a result, so skipped calls have an
 * error, and skipped questions are declined.
 */
function sentPart(part: AnyPart, replies: readonly Reply[]): AnyPart {
  if (toolOf(part) === undefined) {
    return settled(part, false);
  }
  const { state, providerExecuted, toolCallId = "" } = part;
  const id = state === "approval-requested" ? questionIdOf(part)! : toolCallId;
  if (
    state !== "approval-requested" &&
    (state !== "input-available" || providerExecuted === true)
  ) {
    return part;
  }
  const kind = state === "approval-requested" ? "approval" : "call";
  const skipped: Reply = {
    id,
    name: null,
    kind,
    value: kind === "call" ? NOT_ANSWERED : null,
    approved: false,
    ...(kind === "call" && { isError: true }),
  };
  return answered(
    part,
    replies.find((each) => each.kind === kind && each.id === id && each.isDropped !== true) ??
      skipped,
  );
}

/** Returns the id of the question of a call. */
function questionIdOf({ approval }: AnyPart): string | undefined {
  return (Object(approval) as { readonly id?: string }).id;
}

/**
 * Returns a call with a result in place of its decision, unless the decision is open. Servers
 * execute or deny a call only in the request that continues its answer; later, a decision without a
 * result is an error of the model.
 */
function closed(part: AnyPart, open: ReadonlySet<string | undefined>): AnyPart {
  if (part.state !== "approval-responded" || open.has(questionIdOf(part))) {
    return part;
  }
  const isApproved = (Object(part.approval) as { readonly approved?: boolean }).approved === true;
  return {
    ...part,
    ...(isApproved
      ? { state: "output-error", errorText: NOT_ANSWERED }
      : { state: "output-denied" }),
  } as unknown as AnyPart;
}
