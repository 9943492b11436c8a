// Responses over WebSocket, where the runtime upgrades requests.
import { createHandler, responsesAdapter } from "agentwire/server";
import { socketAgent } from "../support/socket_agent.mjs";

const handler = createHandler({
  // A runtime that is busy receives no messages.
  agent: socketAgent({ pauseMs: 1 }),
  adapters: [responsesAdapter({ maxBodyBytes: 4096 })],
  authenticate: (request) => {
    const key = request.headers.get("authorization");
    return key === "Bearer key" ? key : undefined;
  },
});

export default { fetch: handler };
