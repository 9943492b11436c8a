// The agent in AG-UI, whose requests contain the whole thread. Snapshots are converted to the Agent API, so that the same components can
// render them. This needs the entry point `agentwire` and a `request` function. Components for AG-UI's own messages can use
// `connect("/ag-ui", { tools })` of `agentwire/ag-ui` instead.

import { convertRequest, init, read, stringifyJson } from "agentwire";
import { createRequest } from "agentwire/ag-ui";
import type { AgentTools, ConversationAnswer, InputMessage } from "agentwire/agent-api";
import { type ClientTool, type TurnRequest, useConversation } from "agentwire/react";
import type { AgentRequest } from "agentwire/server";

/** Returns the conversation with the agent, which can call these tools of the page. */
export function useAgent(tools: AgentTools) {
  const described = Object.entries(tools).map(([name, { description = "", parameters = {} }]) => {
    return { type: "function" as const, function: { name, description, parameters } };
  });
  const executed = Object.entries(tools).map(([name, { execute }]) => [name, execute as ClientTool] as const);
  return useConversation({
    request: (turn) => ask(turn, described as NonNullable<AgentRequest["tools"]>),
    tools: Object.fromEntries(executed),
    persist: { key: "chat-ag-ui" },
  });
}

/** Sends the request of a turn and reads the stream. */
async function ask({ conversationId, turns, signal, ...turn }: TurnRequest<"agent-api">, tools: NonNullable<AgentRequest["tools"]>) {
  await init();
  const before = turns.flatMap((turn) => [...messagesOf(turn), ...(turn.snapshot?.output ?? [])]);
  const input = [...before, ...messagesOf(turn)] as AgentRequest["input"];
  const { request } = convertRequest({ session_id: conversationId, input, tools }, { from: "agent-api", to: "ag-ui" });
  return read(fetch(createRequest("/ag-ui", request, { signal })), { protocol: "ag-ui", as: "agent-api", signal });
}

/** Returns the messages of a turn: the user's answers, and the user's message. */
function messagesOf({ message, answers }: Pick<TurnRequest, "message" | "answers">): InputMessage[] {
  const said: InputMessage[] = message === undefined ? [] : [{ role: "user", content: [{ type: "text", text: message }] }];
  return [...answers.map(inputOf), ...said];
}

/** Returns an answer as a message of the next request. */
function inputOf(answer: ConversationAnswer): InputMessage {
  const { id, name } = answer;
  if (answer.kind === "approval") {
    const data = { approval_request_id: id, approve: answer.approved };
    return { type: "mcp_approval_response", role: "user", content: [{ type: "data", data }] };
  }
  const output = typeof answer.value === "string" ? answer.value : stringifyJson(answer.value);
  return { type: "function_call_output", role: "tool", content: [{ type: "data", data: { call_id: id, name, output } }] };
}
