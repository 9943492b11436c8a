// Express. If `express.json()` is not installed before the agent, the package reads the body itself
// and enforces its size limits.
import { toNodeListener } from "agentwire/node";
import { createHandler } from "agentwire/server";
import express from "express";
import { adapters, agent, onError } from "./agent.mjs";

const serve = createHandler({ adapters, agent, cors: true, onError });
const app = express();
app.get("/health", (_, response) => void response.json({ status: "healthy" }));
// Put this after your own routes: other paths receive status 404.
app.use(toNodeListener(serve));
export const server = app.listen(Number(process.env.PORT ?? 8000), "127.0.0.1");
