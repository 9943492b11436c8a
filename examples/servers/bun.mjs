// Bun: `bun bun.mjs`. Bun closes idle connections; the heartbeat interval is shorter than its
// timeout.
import { createHandler } from "agentwire/server";
import { adapters, agent, onError } from "./agent.mjs";

const serve = createHandler({ adapters, agent, cors: true, onError });
Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT ?? 3000),
  idleTimeout: 60,
  fetch: (request) => serve(request),
});
