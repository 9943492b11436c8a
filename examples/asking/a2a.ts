// A2A 1.0: the server has the conversation, whose id it gives. The agent's tools are its own; what it asks is answered by a
// message of the same task.

import { createRequest, init, nextRequest, read, type Snapshot as A2aSnapshot } from "agentwire/a2a";
import type { TurnRequest } from "agentwire/store";

const NOTHING: A2aSnapshot = { task: null, message: null, error: null };

/** What `createConversation` and `useConversation` take as `request`. */
export async function ask({ message, answers, turns, signal }: TurnRequest<"a2a">) {
  await init();
  const last = turns.findLast(({ snapshot }) => snapshot !== undefined);
  const said = answers.map(({ kind: _, id, ...answer }) => ({ data: { approval_request_id: id, ...answer } }));
  const parts = message === undefined ? said : [...said, { text: message }];
  const next = nextRequest(undefined, last?.snapshot ?? NOTHING, parts);
  if (last && last.pending.length > 0 && answers.length === 0) {
    // What was asked is passed by: this begins a new task.
    delete next.message.taskId;
  }
  return read(fetch(createRequest("/a2a", next, { signal })), { signal });
}
