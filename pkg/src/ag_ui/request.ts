// AG-UI requests: reading them on a server, writing them as the official client does, going on with a thread.

import type { AgUiInterrupt, AgUiResumeEntry, AgUiSnapshot, Json, RunAgentInput } from "../agentwire.js";
import { inOrder } from "../answers.js";
import { check } from "../arguments.js";
import { jsonOf } from "../emit/options.js";
import { AgentwireError } from "../errors.js";
import { parseJson } from "../json.js";
import { type RequestProblem, accepted } from "../request.js";
import { uuid } from "../uuid.js";
import { toolkit } from "../wasm.js";

/**
 * Reads the body of a request. Both spellings of names are taken, null for what may be left out, and the parts of older versions;
 * what comes back is as in 1.0. Throws a `RequestError` that says all that is wrong.
 */
export function parseRunAgentInput(body: string): RunAgentInput {
  check("parseRunAgentInput", { body: "string" }, [body]);
  return accepted(toolkit().call("parseRunAgentInput", body))[0] as RunAgentInput;
}

/**
 * A request as the body to send, as the official client writes it: without activities, and with the version of the protocol.
 * Throws an `AgentwireError` if it is no request (`bad-request`).
 */
export function runAgentInputBody(input: RunAgentInput): string {
  check("runAgentInputBody", { input: "object" }, [input]);
  return toolkit().call("writeRunAgentInput", jsonOf(input as unknown as Json));
}

/** What a server would refuse in a request as it is. */
export function validateRunAgentInput(input: RunAgentInput): RequestProblem[] {
  check("validateRunAgentInput", { input: "object" }, [input]);
  return parseJson(toolkit().call("validateRunAgentInput", jsonOf(input as unknown as Json))) as unknown as RequestProblem[];
}

/**
 * The next request of a thread: its messages and its state as a stream left them, then what is new; tools, context and properties
 * as in the request before.
 *
 * @param runId the new run's; a new UUID if it is left out
 */
export function continueRun(
  input: RunAgentInput,
  snapshot: AgUiSnapshot,
  messages: RunAgentInput["messages"] = [],
  runId: string = uuid(),
): RunAgentInput {
  check("continueRun", { input: "object", snapshot: "object" }, [input, snapshot]);
  const { parentRunId: _, resume: __, ...rest } = input;
  const held = snapshot.messages.filter(({ role }) => role !== "activity") as unknown as RunAgentInput["messages"];
  return { ...rest, runId, state: snapshot.state as Json, messages: [...held, ...messages] };
}

/**
 * The next request of a run that has left calls to the client: one message for each of them, in their order.
 *
 * @param answers what the tools came to, by call id: text, or any JSON, which is sent as text
 * @throws AgentwireError when a pending call has no answer (`answer-missing`), or an answer no pending call (`not-pending`)
 */
export function answerToolCalls(
  input: RunAgentInput,
  snapshot: AgUiSnapshot,
  answers: Readonly<Record<string, Json>>,
  runId?: string,
): RunAgentInput {
  const parameters = { input: "object", snapshot: "object", answers: "object" } as const;
  check("answerToolCalls", parameters, [input, snapshot, answers]);
  const pending = snapshot.pendingToolCallIds;
  const messages = inOrder(pending, answers).map(([toolCallId, answer]) => {
    const content = typeof answer === "string" ? answer : jsonOf(answer);
    return { role: "tool" as const, id: `msg_${uuid()}`, toolCallId, content };
  });
  return continueRun(input, snapshot, messages, runId);
}

/** What the agent asks: the next request has to answer all of it, see {@link resumeRun}. */
export function pendingInterrupts(snapshot: AgUiSnapshot): readonly AgUiInterrupt[] {
  check("pendingInterrupts", { snapshot: "object" }, [snapshot]);
  return snapshot.pendingInterrupts as unknown as readonly AgUiInterrupt[];
}

/**
 * The next request of a run that is `interrupted`: the answers to all that it asks.
 *
 * @throws AgentwireError when a question has no answer (`answer-missing`), an answer no question (`not-pending`), or a question can
 *   no longer be answered (`interrupt-expired`): it can be cancelled
 */
export function resumeRun(
  input: RunAgentInput,
  snapshot: AgUiSnapshot,
  entries: readonly AgUiResumeEntry[],
  runId?: string,
): RunAgentInput {
  check("resumeRun", { input: "object", snapshot: "object", entries: "iterable" }, [input, snapshot, entries]);
  const open = pendingInterrupts(snapshot);
  const ids = open.map(({ id }) => id);
  const missing = ids.filter((id) => !entries.some(({ interruptId }) => interruptId === id));
  if (missing.length > 0) {
    const text = `Thread has ${missing.length} pending interrupt(s) not addressed by resume: ${missing.join(", ")}`;
    throw new AgentwireError("answer-missing", text);
  }
  const unknown = entries.map(({ interruptId }) => interruptId).filter((id) => !ids.includes(id));
  if (unknown.length > 0) {
    throw new AgentwireError("not-pending", `responses reference unknown interrupt ids: ${unknown.join(", ")}`);
  }
  for (const { id, expiresAt } of open) {
    const isLate = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
    if (isLate && entries.some(({ interruptId, status }) => interruptId === id && status !== "cancelled")) {
      const text = `Interrupt ${id} expired at ${expiresAt} and can no longer be answered. Cancel it to continue the thread.`;
      throw new AgentwireError("interrupt-expired", text);
    }
  }
  return { ...continueRun(input, snapshot, [], runId), resume: [...entries] };
}
