// The request of an answer, as it is stored.

import type { StoredRun } from "agentwire/runs/server";

/** A request to one of the protocols. */
export interface StoredRequest {
  readonly url: string;
  readonly body: string;
  /** The earlier items, if it continues another response: a JSON list. */
  readonly before?: string | undefined;
  /** The version of A2A that the client requested. */
  readonly version: string | null;
  /** The owner of its A2A tasks. */
  readonly owner: string;
  /** The id of the stored OpenAI response. */
  readonly responseId?: string | undefined;
}

/** Returns the request of a run. */
export function storedRequest({ input }: StoredRun): StoredRequest {
  return JSON.parse(input) as StoredRequest;
}
