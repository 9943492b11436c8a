// OpenAI Responses: each request has the whole conversation as items, and the server keeps nothing. (One that keeps responses
// takes `previous_response_id` in place of the turns before, and no `store: false`.)

import { init, read, stringify } from "agentwire/responses";
import type { TurnRequest } from "agentwire/store";

/** The tools of this page, as the agent hears of them. */
const tools = [{ type: "function", name: "paint", strict: false, parameters: { type: "object", properties: { color: { type: "string" } } } }];

/** What `createConversation` and `useConversation` take as `request`. */
export async function ask({ message, answers, turns, signal }: TurnRequest<"responses">) {
  await init();
  // A turn that failed has left nothing to go on with.
  const before = turns.filter(({ status }) => status === "done").flatMap((turn) => [...saidIn(turn), ...(turn.snapshot?.output ?? [])]);
  const input = [...before, ...saidIn({ message, answers })];
  const body = stringify({ model: "demo", stream: true, store: false, include: ["reasoning.encrypted_content"], input, tools });
  const headers = { "content-type": "application/json" };
  return read(fetch("/v1/responses", { method: "POST", headers, body, signal }), { signal });
}

/** What a turn sends. */
function saidIn({ message, answers }: Pick<TurnRequest<"responses">, "message" | "answers">): object[] {
  const answered = answers.map(({ kind, id, value, approved }) =>
    kind === "approval"
      ? { type: "mcp_approval_response", approval_request_id: id, approve: approved }
      : { type: "function_call_output", call_id: id, output: typeof value === "string" ? value : stringify(value) },
  );
  return message === undefined ? answered : [...answered, { type: "message", role: "user", content: message }];
}
