// Node without a framework: `node node.mjs`.
import { createServer } from "node:http";
import { createHandler } from "agentwire/server";
import { adapters, agent, onError } from "./agent.mjs";
import { answer } from "./node_bridge.mjs";

const serve = createHandler({ adapters, agent, cors: true, onError });
export const server = createServer((request, response) => void answer(serve, request, response));
server.listen(Number(process.env.PORT ?? 8000), "127.0.0.1");
