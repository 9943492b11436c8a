// Cloudflare Workers:
// `npx wrangler dev cloudflare.mjs --compatibility-date 2026-01-01 --compatibility-flags enable_request_signal`.
// With the flag, `out.signal` aborts when the client disconnects. The agent receives `env` and
// `ctx` as `context.env` and `context.ctx`.
import { createHandler } from "agentwire/server";
import { adapters, agent, onError } from "./agent.mjs";

export default { fetch: createHandler({ adapters, agent, cors: true, onError }) };
