// Creates requests to an AG-UI agent.

import type {
  AgUiInputMessage,
  AgUiInterrupt,
  AgUiResumeEntry,
  AgUiSnapshot,
  Json,
  RunAgentInput,
} from "../agentwire.js";
import {
  type ReplyOptionsOf,
  type Decisions,
  type ToolResults,
  answersInOrder,
  checkReplies,
} from "../connect/replies.js";
import { check, knownOptions } from "../core/arguments.js";
import { must } from "../core/errors.js";
import { textOf } from "../core/json.js";
import { POST_OPTIONS, type PostOptions, post } from "../http/post.js";
import { uuid } from "../core/random.js";
import { callsOf } from "./protocol.js";

/** The input of a request: the user's text, or messages. */
export type Input = string | readonly AgUiInputMessage[];

/** The options of a request. */
export interface RequestOptions
  extends PostOptions,
    Partial<Pick<RunAgentInput, "tools" | "context" | "forwardedProps" | "state">> {
  /** The id of the thread, the same in all its requests. A new UUID by default. */
  readonly threadId?: string | undefined;
  /** The id of the run. A new UUID by default. */
  readonly runId?: string | undefined;
}

/** The other content of a next request. */
export interface NextOptions {
  /** The id of the new run. A new UUID by default. */
  readonly runId?: string | undefined;
}

/** The other content of a request with tool results or decisions. */
export interface ReplyOptions extends NextOptions, ReplyOptionsOf<Input, InterruptDecisions> {}

/**
 * The decisions by the id of the interrupt, or a list of the protocol's resume entries. A decision
 * is the payload that the interrupt's `responseSchema` describes; `true` and `false` stand for
 * `{ approved: true }` and `{ approved: false }`; null cancels the interrupt.
 */
export type InterruptDecisions = Decisions | readonly AgUiResumeEntry[];

/**
 * Creates the HTTP request that starts a run, for `fetch`. Like the official client, it omits
 * activity messages and adds the protocol version.
 *
 * ```js
 * const stream = read(fetch(createRequest("/ag-ui", "Weather in Beijing?", { threadId, signal })), { signal });
 * ```
 *
 * @param url the address. Outside of pages it must be absolute
 * @param input the user's text, messages, or a whole request
 * @throws AgentwireError `wrong-argument` for any other input
 */
export function createRequest(
  url: string | URL,
  input: Input | RunAgentInput,
  options: RequestOptions = {},
): Request {
  knownOptions("createRequest()", options, [
    "threadId",
    "runId",
    "tools",
    "context",
    "forwardedProps",
    "state",
    ...POST_OPTIONS,
  ]);
  const {
    threadId = uuid(),
    runId = uuid(),
    tools = [],
    context = [],
    forwardedProps = {},
    state = {},
    ...how
  } = options;
  const request =
    typeof input === "string" || Array.isArray(input)
      ? { threadId, runId, state, messages: messagesOf(input), tools, context, forwardedProps }
      : (input as RunAgentInput);
  const isRequest = Array.isArray(Object(request).messages) && typeof request.threadId === "string";
  must(
    isRequest,
    "wrong-argument",
    "createRequest() takes a text, a list of messages, or a request with `threadId` and `messages`",
  );
  const messages = request.messages.filter(({ role }) => role !== "activity");
  return post(url, { protocolVersion: VERSION, ...request, messages }, how);
}

/** The protocol version. */
const VERSION = "1.0";

/**
 * Returns the next request of a thread, for {@link createRequest}. It has the messages and the
 * state of the snapshot, then the new messages, and the tools, context and properties of the
 * previous request.
 *
 * @param previous the previous request
 * @param snapshot the snapshot at the end of its stream
 */
export function nextRequest(
  previous: RunAgentInput,
  snapshot: AgUiSnapshot,
  input: Input = [],
  { runId = uuid() }: NextOptions = {},
): RunAgentInput {
  check("nextRequest", { previous: "object", snapshot: "object" }, [previous, snapshot]);
  const { parentRunId: _, resume: __, ...rest } = previous;
  const history = snapshot.messages.filter(
    ({ role }) => role !== "activity",
  ) as unknown as RunAgentInput["messages"];
  return {
    ...rest,
    runId,
    state: snapshot.state as Json,
    messages: [...history, ...messagesOf(input)],
  };
}

/**
 * Returns the next request of a run that waits for tools of the client: one message per call, in
 * the order of the calls.
 *
 * @throws AgentwireError `answer-missing` if a pending call or interrupt has no answer,
 * `not-pending` if an answer matches none
 */
export function submitToolResults(
  previous: RunAgentInput,
  snapshot: AgUiSnapshot,
  results: ToolResults,
  more: ReplyOptions = {},
): RunAgentInput {
  checkReplies("submitToolResults", previous, snapshot, results);
  return answering(previous, snapshot, { ...more, results });
}

/**
 * Returns the pending interrupts of a run. The next request must answer all of them; see
 * {@link resume}.
 */
export function pendingInterrupts(snapshot: AgUiSnapshot): readonly AgUiInterrupt[] {
  check("pendingInterrupts", { snapshot: "object" }, [snapshot]);
  return (snapshot.pendingInterrupts ?? []) as unknown as readonly AgUiInterrupt[];
}

/**
 * Returns the next request of a run that is `interrupted`. It contains the decisions on all
 * interrupts.
 *
 * @throws AgentwireError `answer-missing` if a pending call or interrupt has no answer,
 * `not-pending` if an answer matches none,
 *   `interrupt-expired` for a decision on an expired interrupt, which can only be canceled
 */
export function resume(
  previous: RunAgentInput,
  snapshot: AgUiSnapshot,
  decisions: InterruptDecisions,
  more: ReplyOptions = {},
): RunAgentInput {
  check("resume", { previous: "object", snapshot: "object" }, [previous, snapshot]);
  must(
    typeof decisions === "object" && decisions !== null,
    "wrong-argument",
    "resume(): `decisions` is an object or a list of entries",
  );
  return answering(previous, snapshot, { ...more, decisions });
}

function answering(
  previous: RunAgentInput,
  snapshot: AgUiSnapshot,
  { results = {}, decisions = {}, input = [], runId }: ReplyOptions,
): RunAgentInput {
  const calls = callsOf(snapshot)?.filter(({ kind }) => kind === "call");
  const messages = answersInOrder(calls, results, {}).map(
    ({ call, answer }): AgUiInputMessage => ({
      role: "tool",
      id: `msg_${uuid()}`,
      toolCallId: call.id,
      content: textOf(answer),
    }),
  );
  const next = nextRequest(previous, snapshot, [...messages, ...messagesOf(input)], { runId });
  const entries = isList(decisions) ? [...decisions] : Object.entries(decisions).map(entryOf);
  return withEntries(next, snapshot, entries);
}

/**
 * Returns the request with the resume entries, which must answer all interrupts of the run.
 *
 * @throws AgentwireError `answer-missing`, `not-pending` or `interrupt-expired`
 */
export function withEntries(
  next: RunAgentInput,
  snapshot: AgUiSnapshot,
  entries: readonly AgUiResumeEntry[],
): RunAgentInput {
  checkEntries(entries, pendingInterrupts(snapshot));
  return entries.length === 0 ? next : { ...next, resume: [...entries] };
}

function isList(decisions: InterruptDecisions): decisions is readonly AgUiResumeEntry[] {
  return Array.isArray(decisions);
}

function entryOf([interruptId, decision]: readonly [string, Json]): AgUiResumeEntry {
  if (decision === null) {
    return { interruptId, status: "cancelled" };
  }
  return {
    interruptId,
    status: "resolved",
    payload: typeof decision === "boolean" ? { approved: decision } : decision,
  };
}

function checkEntries(entries: readonly AgUiResumeEntry[], open: readonly AgUiInterrupt[]): void {
  const ids = open.map(({ id }) => id);
  const missing = ids.filter((id) => !entries.some(({ interruptId }) => interruptId === id));
  const text = `Thread has ${missing.length} pending interrupt(s) not addressed by resume: ${missing.join(", ")}`;
  must(missing.length === 0, "answer-missing", text);
  const unknown = entries.map(({ interruptId }) => interruptId).filter((id) => !ids.includes(id));
  must(
    unknown.length === 0,
    "not-pending",
    `responses reference unknown interrupt ids: ${unknown.join(", ")}`,
  );
  for (const { id, expiresAt } of open) {
    const isLate = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
    const isAnswered = entries.some(
      ({ interruptId, status }) => interruptId === id && status !== "cancelled",
    );
    must(
      !isLate || !isAnswered,
      "interrupt-expired",
      `Interrupt ${id} expired at ${expiresAt} and can no longer be answered. Cancel it to continue the thread.`,
    );
  }
}

function messagesOf(input: Input): AgUiInputMessage[] {
  return typeof input === "string"
    ? [{ role: "user", id: `msg_${uuid()}`, content: input }]
    : [...input];
}
