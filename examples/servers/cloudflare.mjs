// Cloudflare Workers: `npx wrangler dev cloudflare.mjs --compatibility-date 2026-07-01 --compatibility-flags enable_request_signal`.
// With the flag, a client that leaves aborts `out.signal`. `env` and `ctx` reach the agent as `context.env` and `context.ctx`.
import { agKitAdapter, agUiAdapter, agentApiAdapter, mount } from "agentwire";
import { agent, onError } from "./agent.mjs";

export default { fetch: mount([agentApiAdapter(), agKitAdapter(), agUiAdapter()], agent, { cors: true, onError }) };
