// The agent in the Agent API, which keeps the conversation: a request has what is new.

import { type AgentTools, connect } from "agentwire/agent-api";
import { useConversation } from "agentwire/react";

/** The conversation with the agent, which may call these tools of the page. */
export const useAgent = (tools: AgentTools) => useConversation(connect("/process", { tools }));
