// A2A 1.0: the server has the conversation, whose id it gives. The agent's tools are its own; what it asks is answered by a
// message of the same task.

import { init, read, stringify } from "agentwire/a2a";
import type { TurnRequest } from "agentwire/store";

/** What `createConversation` and `useConversation` take as `request`. */
export async function ask({ message, answers, turns, signal }: TurnRequest<"a2a">) {
  await init();
  const last = turns.findLast(({ snapshot }) => snapshot !== undefined);
  const { task, message: reply } = last?.snapshot ?? {};
  const contextId = task?.contextId ?? reply?.contextId;
  const answer = answers[0];
  const parts = answer === undefined ? [{ text: message }] : [{ data: { approved: answer.approved, value: answer.value } }];
  const said = {
    messageId: crypto.randomUUID(),
    role: "ROLE_USER",
    parts,
    ...(contextId && { contextId }),
    ...(answer && { taskId: task?.id }),
  };
  const body = stringify({ jsonrpc: "2.0", id: said.messageId, method: "SendStreamingMessage", params: { message: said } });
  const headers = { "content-type": "application/json", accept: "text/event-stream", "a2a-version": "1.0" };
  return read(fetch("/a2a", { method: "POST", headers, body, signal }), { signal });
}
