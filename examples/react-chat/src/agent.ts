// How the agent is asked, in the Agent API: the only file that knows the protocol's requests.

import type { ToolAnswer, TurnRequest } from "agentwire/react";
import { init, read, stringify } from "agentwire/agent-api";

/** Loads the WebAssembly beside the page; a request waits for it. */
void init();

/** The tools of this page, as the agent hears of them. What they do is in `App.tsx`. */
const TOOLS = [
  {
    type: "function",
    function: {
      name: "change-background-color",
      description: "Changes the background colour of the page that the user sees.",
      parameters: {
        type: "object",
        properties: { color: { type: "string", description: "a CSS colour" } },
        required: ["color"],
      },
    },
  },
];

/** Asks the agent, and reads its answer as it comes. */
export async function ask({ conversationId, message, answers, signal }: TurnRequest) {
  await init();
  const said = message === undefined ? [] : [{ role: "user", content: [{ type: "text", text: message }] }];
  const body = stringify({ session_id: conversationId, input: [...answers.map(inputOf), ...said], tools: TOOLS });
  const headers = { "content-type": "application/json" };
  return read(fetch("/process", { method: "POST", headers, body, signal }), { signal });
}

/** What was answered to the agent, as a message of the next request. */
function inputOf(answer: ToolAnswer) {
  const { id, name } = answer;
  if (answer.kind === "approval") {
    const data = { approval_request_id: id, approve: answer.approved };
    return { type: "mcp_approval_response", role: "user", content: [{ type: "data", data }] };
  }
  const output = typeof answer.value === "string" ? answer.value : stringify(answer.value);
  return { type: "function_call_output", role: "tool", content: [{ type: "data", data: { call_id: id, name, output } }] };
}
