// `connect` for AG-UI. The client keeps the conversation, so a request contains the whole thread
// and the state of the last snapshot.

import type { AgUiInputMessage, AgUiResumeEntry, Json, RunAgentInput } from "../agentwire.js";
import type { Chat } from "../connect/chat.js";
import {
  type Dialect,
  type ExchangeToSend,
  lastWith,
  repliesToSend,
  unsentMessages,
} from "../connect/dialect.js";
import type { Reply } from "../connect/exchange.js";
import { type StoredShape, either, fits } from "../connect/fits.js";
import { createChat } from "../connect/create_chat.js";
import {
  type ChangeableOptions,
  type SharedConnectOptions,
  TOOL_OPTIONS,
  type ToolOptions,
} from "../connect/options.js";
import { NOT_ANSWERED, functionsOf } from "../connect/tool.js";
import { isObject, textOf } from "../core/json.js";
import { uuid } from "../core/random.js";
import { createRequest, nextRequest, pendingInterrupts, withEntries } from "./create_request.js";
import { threadMessages, userMessage } from "./history.js";
import { AG_UI, callsOf } from "./protocol.js";
import { type ThreadSnapshot, beforeExchange, settled } from "./thread.js";
import type { Snapshot } from "../generated/ag_ui/types.js";
import { threadView } from "./view.js";

/** The options of `connect`. Everything is optional. */
export interface AgUiConnectOptions extends SharedConnectOptions<"ag-ui">, ToolOptions {
  /**
   * Further properties of each request: `context`, `forwardedProps`, more `tools`. `messages` and
   * `state` are the initial ones of the thread.
   */
  readonly body?: Partial<Omit<RunAgentInput, "threadId" | "runId" | "resume">> | undefined;
}

/** The content of a message, by its role. */
const CONTENTS: { readonly [role: string]: StoredShape } = {
  user: either("text", [{ type: "text" }]),
  tool: either("text", [{ type: "text" }]),
  activity: "any",
  assistant: (content) => content == null || typeof content === "string",
  system: "text",
  developer: "text",
  reasoning: "text",
};

/** A message of a stored thread. */
const MESSAGE: StoredShape = (value) =>
  fits(value, {
    id: "text",
    role: new Set(Object.keys(CONTENTS)),
    "content?": CONTENTS[Object(value).role] ?? "any",
    "name?": "text",
    "toolCalls?": [{ id: "text", function: { name: "text", arguments: "text" } }],
    "toolCallId?": "text",
    "error?": "text",
    "activityType?": "text",
    "encryptedValue?": "text",
    "subagentRunId?": "text",
  }) && fits(Object(value).content, CONTENTS[Object(value).role]!);

/** The shape of a stored thread. */
export const STORED_THREAD: StoredShape = {
  messages: [MESSAGE],
  pendingToolCallIds: ["text"],
  status: "text",
  pendingInterrupts: /* @__PURE__ */ either(
    (value) => value === null,
    [{ "id?": "text", "expiresAt?": "text" }],
  ),
  "messageCount?": (value) => Number.isInteger(value),
};

/** AG-UI for `connect`. */
export const AG_UI_DIALECT: Dialect<"ag-ui", AgUiConnectOptions> = {
  protocol: "ag-ui",
  reads: [AG_UI],
  callsOf,
  options: [...TOOL_OPTIONS, "body"],
  history: "client",
  stored: STORED_THREAD,
  view: threadView,
  settle: settled,
  cut: beforeExchange,
  request(url, exchange, { tools, body }, how) {
    const input = inputOf(exchange, {
      ...body,
      tools: [...functionsOf(tools), ...(body?.tools ?? [])],
    });
    return {
      request: createRequest(url, input, how),
      read: { messages: input.messages, state: input.state },
    };
  },
};

/**
 * Connects to an agent. Sends no request yet.
 *
 * ```js
 * const chat = connect("/ag-ui", { tools: { paint: { description: "Paints the page.", parameters, execute: paint } } });
 * for await (const { messages } of chat.send("Weather in Beijing?")) render(messages);
 * ```
 *
 * @param url the address of the agent. Outside of pages it must be absolute
 * @throws AgentwireError `wrong-option` for an option that does not exist
 */
export function connect(
  url: string | URL,
  options: AgUiConnectOptions = {},
): Chat<Snapshot, ChangeableOptions<AgUiConnectOptions>> {
  return createChat(AG_UI_DIALECT, url, options);
}

/**
 * Returns the request of an exchange: the thread of the last snapshot, the answers to its calls,
 * and the messages that the agent does not have.
 */
function inputOf(
  exchange: ExchangeToSend<ThreadSnapshot>,
  body: Partial<RunAgentInput>,
): RunAgentInput {
  const { conversationId: threadId, before, history } = exchange;
  const last = lastWith(before);
  const begun: RunAgentInput = {
    state: {},
    context: [],
    forwardedProps: {},
    ...body,
    messages: [...history.flatMap(threadMessages), ...(body.messages ?? [])],
    threadId,
    runId: uuid(),
  };
  const next =
    last === undefined
      ? begun
      : last.status === "done"
        ? withEntries(nextRequest(begun, last.snapshot), last.snapshot, resumeEntries(before))
        : nextRequest(begun, withoutOpenCalls(last.snapshot));
  return {
    ...next,
    messages: [
      ...next.messages,
      ...toolResults(before),
      ...unsentMessages(exchange).map(userMessage),
    ],
  };
}

/** Returns the results of the calls that the last answer leaves to the client. */
export function toolResults(
  before: ExchangeToSend<ThreadSnapshot>["before"],
): readonly AgUiInputMessage[] {
  const last = lastWith(before);
  const replies = repliesToSend(before);
  return (last?.status === "done" ? last.snapshot.pendingToolCallIds : []).map((toolCallId) => {
    const reply = replies.find(({ kind, id }) => kind === "call" && id === toolCallId);
    const content = reply === undefined ? NOT_ANSWERED : textOf(reply.value);
    return {
      id: `${last!.id}-${toolCallId}`,
      role: "tool",
      toolCallId,
      content,
      ...((reply === undefined || reply.isError) && { error: content }),
    };
  });
}

/**
 * Returns the answers to every interrupt of the last answer. Those without a decision, and those
 * that have expired since a request failed, are canceled.
 */
export function resumeEntries(
  before: ExchangeToSend<ThreadSnapshot>["before"],
): readonly AgUiResumeEntry[] {
  const last = lastWith(before);
  const replies = repliesToSend(before);
  const isRepeated = last !== before.at(-1);
  return (last?.status === "done" ? (pendingInterrupts(last.snapshot) ?? []) : []).map(
    ({ id: interruptId, expiresAt }) => {
      const isLate = isRepeated && expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
      const reply = isLate
        ? undefined
        : replies.find(({ kind, id }) => kind === "approval" && id === interruptId);
      return reply === undefined
        ? { interruptId, status: "cancelled" }
        : { interruptId, status: "resolved", payload: payloadOf(reply) };
    },
  );
}

/**
 * Returns the payload of a decision: the value that the `responseSchema` of the interrupt
 * describes, or the usual object.
 */
function payloadOf({ approved, value }: Reply): Json {
  if (approved === true) {
    return value ?? { approved };
  }
  return isObject(value)
    ? { ...value, approved: false }
    : { approved: false, ...(value != null && { reason: value }) };
}

/**
 * Returns the thread without the unanswered calls of a run that was cut off: their arguments can be
 * incomplete.
 */
function withoutOpenCalls(snapshot: Snapshot): Snapshot {
  const callsWithResult = new Set(snapshot.messages.map(({ toolCallId }) => toolCallId));
  const messages = snapshot.messages.flatMap((message) => {
    const { toolCalls, ...rest } = message;
    if (toolCalls === undefined || toolCalls.every(({ id }) => callsWithResult.has(id))) {
      return [message];
    }
    const remaining = toolCalls.filter(({ id }) => callsWithResult.has(id));
    return remaining.length > 0 ? [{ ...rest, toolCalls: remaining }] : rest.content ? [rest] : [];
  });
  return { ...snapshot, messages };
}
