// Node without a framework: `node node.mjs`.
import { createServer } from "node:http";
import { toNodeListener } from "agentwire/node";
import { createHandler } from "agentwire/server";
import { adapters, agent, onError } from "./agent.mjs";

const serve = createHandler({ adapters, agent, cors: true, onError });
export const server = createServer(toNodeListener(serve));
server.listen(Number(process.env.PORT ?? 8000), "127.0.0.1");
