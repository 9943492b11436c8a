// `connect` for AG-UI. The client keeps the conversation, so a request contains the whole thread and the state of the last snapshot.

import type { AgUiResumeEntry, AgUiSnapshot, RunAgentInput } from "../agentwire.js";
import { type AgentClient, type SharedConnectOptions, TOOL_OPTIONS, type ToolOptions } from "../connect/agent.js";
import { connected } from "../connect/connection.js";
import { type Dialect, allAnswers, lastWith, unsentTurns } from "../connect/dialect.js";
import { NOT_ANSWERED, functionsOf } from "../connect/tool.js";
import { type StoredShape, either, fits } from "../store/fits.js";
import type { ConversationAnswer } from "../store/state.js";
import { textOf } from "../core/json.js";
import { uuid } from "../core/random.js";
import { AG_UI, callsOf } from "./protocol.js";
import { createRequest, nextRequest, pendingInterrupts, withEntries } from "./create_request.js";

type Messages = RunAgentInput["messages"];

/** The input of `send`: the user's text, or messages. */
export type AgUiConnectInput = string | Readonly<Messages>;

/** The options of `connect`. Everything is optional. */
export interface AgUiConnectOptions extends SharedConnectOptions<"ag-ui", AgUiConnectInput>, ToolOptions {
  /** Further properties of each request: `context`, `forwardedProps`, more `tools`. `messages` and `state` are the initial ones of the thread. */
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

/** AG-UI for `connect`. */
export const AG_UI_DIALECT: Dialect<"ag-ui", AgUiConnectInput, AgUiConnectOptions> = {
  protocol: "ag-ui",
  reads: [AG_UI],
  callsOf,
  options: [...TOOL_OPTIONS, "body"],
  repeats: "last",
  stored: {
    message: either("text", [MESSAGE]),
    snapshot: {
      messages: [MESSAGE],
      pendingToolCallIds: ["text"],
      status: "text",
      pendingInterrupts: either((value) => value === null, [{ "id?": "text", "expiresAt?": "text" }]),
    },
  },
  request(url, turn, { tools, body }, how) {
    const { conversationId: threadId, message, turns } = turn;
    const answers = allAnswers(turn);
    const last = lastWith(turns);
    const snapshot = last?.snapshot;
    const waits = last?.status === "done" ? last.snapshot! : undefined;
    const listed = [...functionsOf(tools), ...(body?.tools ?? [])];
    const begun: RunAgentInput = { state: {}, messages: [], context: [], forwardedProps: {}, ...body, threadId, runId: uuid(), tools: listed };
    const next = snapshot === undefined ? begun : waits !== undefined ? resumed(begun, waits, answers, turn.answers) : nextRequest(begun, withoutOpenCalls(snapshot));
    const thread = [...next.messages];
    const newId = idsOf(threadId, thread);
    for (const toolCallId of waits?.pendingToolCallIds ?? []) {
      const answer = answers.find(({ kind, id }) => kind === "call" && id === toolCallId);
      thread.push({ id: newId(), role: "tool", toolCallId, content: answer === undefined ? NOT_ANSWERED : textOf(answer.value) });
    }
    // The page shows the messages whose requests failed or were stopped, so the agent receives them too.
    for (const input of [...unsentTurns(turns).map((turn) => turn.message), message]) {
      thread.push(...(typeof input === "string" ? [{ id: newId(), role: "user" as const, content: input }] : (input ?? [])));
    }
    const input: RunAgentInput = { ...next, messages: thread };
    return {
      request: createRequest(url, input, how),
      read: { messages: input.messages, state: input.state },
    };
  },
};

/**
 * Creates the client of an agent. Sends no request yet.
 *
 * ```js
 * const agent = connect("/ag-ui", { tools: { paint: { description: "Paints the page.", parameters, execute: paint } } });
 * for await (const { snapshot } of agent.send("Weather in Beijing?")) render(snapshot.messages);
 * ```
 *
 * @param url the address of the agent. Outside of pages it must be absolute
 * @throws AgentwireError `wrong-option` for an option that does not exist
 */
export function connect(url: string | URL, options: AgUiConnectOptions = {}): AgentClient<"ag-ui", AgUiConnectInput> {
  return connected(AG_UI_DIALECT, url, options);
}

/** Returns a function that creates ids of further messages. They depend on the thread only, so that a repeated request has the same ids. */
function idsOf(threadId: string, thread: Readonly<Messages>): () => string {
  const ids = new Set(thread.map(({ id }) => id));
  let at = thread.length;
  return () => {
    while (ids.has(`${threadId}-${at}`)) {
      at++;
    }
    return `${threadId}-${at++}`;
  };
}

/** Returns a request that answers every interrupt. Interrupts without a decision, and those that expired since a request failed, are canceled. */
function resumed(input: RunAgentInput, snapshot: AgUiSnapshot, answers: readonly ConversationAnswer[], fresh: readonly ConversationAnswer[]): RunAgentInput {
  const entries = (pendingInterrupts(snapshot) ?? []).map(({ id: interruptId, expiresAt }): AgUiResumeEntry => {
    const isLate = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
    const answer = (isLate ? fresh : answers).find(({ kind, id }) => kind === "approval" && id === interruptId);
    // The `responseSchema` of an interrupt declares its payload; `{ approved }` is the usual one.
    return answer === undefined
      ? { interruptId, status: "cancelled" }
      : { interruptId, status: "resolved", payload: answer.value ?? { approved: answer.kind === "approval" && answer.approved } };
  });
  return withEntries(nextRequest(input, snapshot), snapshot, entries);
}

/** Returns the thread without the unanswered calls of a run that was cut off: their arguments can be incomplete. */
function withoutOpenCalls(snapshot: AgUiSnapshot): AgUiSnapshot {
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
