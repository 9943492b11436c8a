// The agent in the Agent API. The server keeps the conversation, so a request contains only the new messages.

import { type AgentTools, connect } from "agentwire/agent-api";
import { useConversation } from "agentwire/react";

/** Returns the conversation with the agent, which can call these tools of the page. */
export const useAgent = (tools: AgentTools) => useConversation(connect("/process", { tools }), { persist: { key: "chat" } });
