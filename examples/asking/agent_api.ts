// The Agent API: the server has the conversation, and is told what is new.

import { createRequest, init, type InputMessage, read, stringifyJson } from "agentwire/agent-api";
import type { TurnRequest } from "agentwire/store";

/** The tools of this page, as the agent hears of them. */
const tools = [{ type: "function", function: { name: "paint", parameters: { type: "object", properties: { color: { type: "string" } } } } }] as const;

/** What `createConversation` and `useConversation` take as `request`. */
export async function ask({ conversationId, message, answers, signal }: TurnRequest<"agent-api">) {
  await init();
  const answered = answers.map((answer): InputMessage => {
    const { id, name, value } = answer;
    if (answer.kind === "approval") {
      return { type: "mcp_approval_response", role: "user", content: [{ type: "data", data: { approval_request_id: id, approve: answer.approved } }] };
    }
    const output = typeof value === "string" ? value : stringifyJson(value);
    return { type: "function_call_output", role: "tool", content: [{ type: "data", data: { call_id: id, name, output } }] };
  });
  const said: InputMessage[] = message === undefined ? [] : [{ role: "user", content: [{ type: "text", text: message }] }];
  const request = createRequest("/process", { session_id: conversationId, input: [...answered, ...said], tools: [...tools] }, { signal });
  return read(fetch(request), { signal });
}
