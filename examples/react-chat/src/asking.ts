// What the agent is told, in the words of the Agent API.

import type { ApprovalDecision, ToolResult, TurnRequest } from "agentwire/react";
import { type InputMessage, stringifyJson } from "agentwire/agent-api";
import type { AgentRequest } from "agentwire/server";

/** The tools of this page, as the agent hears of them. What they do is in `App.tsx`. */
export const TOOLS: NonNullable<AgentRequest["tools"]> = [
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

/** What a turn sends: answers to what was asked, and what the user says. */
export function messagesOf({ message, answers }: Pick<TurnRequest<"agent-api">, "message" | "answers">): InputMessage[] {
  const said: InputMessage[] = message === undefined ? [] : [{ role: "user", content: [{ type: "text", text: message }] }];
  return [...answers.map(inputOf), ...said];
}

/** What was answered to the agent, as a message of the next request. */
function inputOf(answer: ToolResult | ApprovalDecision): InputMessage {
  const { id, name } = answer;
  if (answer.kind === "approval") {
    const data = { approval_request_id: id, approve: answer.approved };
    return { type: "mcp_approval_response", role: "user", content: [{ type: "data", data }] };
  }
  const output = typeof answer.value === "string" ? answer.value : stringifyJson(answer.value);
  return { type: "function_call_output", role: "tool", content: [{ type: "data", data: { call_id: id, name, output } }] };
}
