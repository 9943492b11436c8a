// Bun: `bun bun.mjs`. Bun closes a connection on which nothing comes for a while: heartbeats come more often than that.
import { createHandler } from "agentwire/server";
import { adapters, agent, onError } from "./agent.mjs";

const serve = createHandler({ adapters, agent, cors: true, onError });
Bun.serve({ hostname: "127.0.0.1", port: Number(process.env.PORT ?? 3000), idleTimeout: 60, fetch: (request) => serve(request) });
