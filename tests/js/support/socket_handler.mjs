// The handler of the tests of sockets, for platforms that upgrade requests.
import { createHandler, responsesAdapter } from "agentwire/server";
import { socketAgent } from "./socket_agent.mjs";

export const handler = createHandler({
  // A runtime that is busy receives no messages.
  agent: socketAgent({ pauseMs: 1 }),
  adapters: [responsesAdapter({ maxBodyBytes: 4096 })],
  authenticate: (request) => {
    const key = request.headers.get("authorization");
    return key === "Bearer key" ? key : undefined;
  },
});
