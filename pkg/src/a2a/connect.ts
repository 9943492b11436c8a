// `connect` for A2A. The server keeps the conversation, so a request contains one message with the ids of the context and the task that
// the server returned. The client has no tools. An agent that does not stream is asked again without a stream.

import type { A2aInputPart, A2aSendMessageRequest, A2aSnapshot } from "../agentwire.js";
import type { AgentClient, SharedConnectOptions } from "../connect/agent.js";
import { connected } from "../connect/connection.js";
import { type Dialect, allAnswers, lastWith } from "../connect/dialect.js";
import { type StoredShape, either } from "../store/fits.js";
import { A2A, callsOf } from "./protocol.js";
import { type Input, callRequest, cancelTask, createRequest, nextRequest } from "./create_request.js";
import { answered } from "./unstreamed.js";

/** The input of `send`: the user's text, or parts. */
export type A2aConnectInput = Input;

/** The options of `connect`. Everything is optional. */
export interface A2aConnectOptions extends SharedConnectOptions<"a2a", Input> {
  /** The protocol version in the server's agent card. 1.0 by default. */
  readonly version?: "1.0" | "0.3" | undefined;
  /** Further parameters of each request: `configuration`, `metadata`. */
  readonly body?: Partial<Omit<A2aSendMessageRequest, "message">> | undefined;
}

/** A part of a stored message or artifact. */
const PART: StoredShape = { "text?": "text", "url?": "text" };

/** A2A for `connect`. */
export const A2A_DIALECT: Dialect<"a2a", Input, A2aConnectOptions> = {
  protocol: "a2a",
  reads: [A2A],
  callsOf,
  options: ["version", "body"],
  stored: {
    message: either("text", [PART]),
    snapshot: {
      "task?": {
        "id?": "text",
        "contextId?": "text",
        "status?": { "state?": "text", "message?": { "parts?": [PART] } },
        "artifacts?": [{ "parts?": [PART] }],
      },
      "message?": { "contextId?": "text" },
    },
  },
  request(url, turn, { version, body }, how) {
    const { message, turns } = turn;
    const answers = allAnswers(turn);
    const snapshot = lastWith(turns, ({ task, message }) => task !== null || message !== null)?.snapshot ?? NOTHING;
    const answerParts = answers.map((answer): A2aInputPart => {
      const { id, name, value } = answer;
      return { data: answer.kind === "approval" ? { approval_request_id: id, approved: answer.approved, value } : { call_id: id, name, output: value } };
    });
    const inputParts: readonly A2aInputPart[] = typeof message === "string" ? [{ text: message }] : (message ?? []);
    const next = nextRequest(undefined, snapshot, [...answerParts, ...inputParts]);
    const asks = (callsOf(snapshot) ?? []).some(({ pending }) => pending);
    if (asks && answers.length === 0) {
      // The message ignores the question and starts a new task.
      delete next.message.taskId;
    }
    const params = { ...body, ...next };
    const options = { ...how, version };
    return {
      request: createRequest(url, params, options),
      answered: (response, send) => answered(response, params, (method, each) => send(callRequest(url, method, each as A2aSendMessageRequest, options)), how.signal),
    };
  },
  cancellation: (url, { task }, { version }, how) =>
    task?.id && WORKS.has(task.status?.state) ? cancelTask(url, task.id, { ...how, version }) : undefined,
};

/**
 * Creates the client of an agent. Sends no request yet. `stop` also cancels the task, which otherwise continues without a connection.
 *
 * ```js
 * const agent = connect("/a2a");
 * for await (const { snapshot } of agent.send("Weather in Beijing?")) render(snapshot.task?.artifacts);
 * ```
 *
 * @param url the address of the agent. Outside of pages it must be absolute
 * @throws AgentwireError `wrong-option` for an option that does not exist
 */
export function connect(url: string | URL, options: A2aConnectOptions = {}): AgentClient<"a2a", Input> {
  return connected(A2A_DIALECT, url, options);
}

/** The states of a task that continues without a client. */
const WORKS: ReadonlySet<string | undefined> = new Set(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]);

const NOTHING: A2aSnapshot = { task: null, message: null, error: null };
