// A request to a protocol whose answer is stored.

import type { TaskReply } from "../../a2a/running_task.js";
import { parseJson } from "../../core/json.js";

/** A request to a protocol, as it is stored. */
export interface StoredRequest {
  readonly url: string;
  /** The headers that the protocols read. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The id of the request, which its client and the agent have. */
  readonly requestId?: string | undefined;
  /** The earlier items, if it continues an OpenAI response: a JSON list. */
  readonly before?: string | undefined;
  /** The id of the stored OpenAI response. */
  readonly responseId?: string | undefined;
  /** The name of its chat of the AI SDK: a hash. */
  readonly chat?: string | undefined;
  /** The id of the run: a task of A2A has several. */
  readonly runId?: string | undefined;
  /** The message of A2A with its task, as it was accepted. */
  readonly accepted?: string | undefined;
  /** The context of the task of A2A. */
  readonly contextId?: string | undefined;
  /** The form of the answer in A2A, whose log has version 1.0 in JSON-RPC. */
  readonly reply?: TaskReply | undefined;
  /** The conversation, if the answer is a turn of one: the name of its thread, a hash. */
  readonly conversation?: string | undefined;
  /** The rows of a turn that was written elsewhere, without an agent. */
  readonly turn?: readonly string[] | undefined;
  /** The frames of an answer without an agent. */
  readonly frames?: readonly string[] | undefined;
}

/** Parses a stored request. */
export function requestIn(input: string): StoredRequest {
  // The id of a call can be an integer that a number does not hold.
  return parseJson(input) as unknown as StoredRequest;
}
