// Express. No `express.json()` before these paths: the package reads the body itself, within its bounds.
import { agKitAdapter, agUiAdapter, agentApiAdapter, mount } from "agentwire";
import express from "express";
import { agent, onError } from "./agent.mjs";
import { answer } from "./node_bridge.mjs";

const serve = mount([agentApiAdapter(), agKitAdapter(), agUiAdapter()], agent, { cors: true, onError });
const app = express();
app.get("/health", (_, response) => void response.json({ status: "healthy" }));
app.all(["/process", "/send-message", "/ag-ui"], (request, response) => answer(serve, request, response));
export const server = app.listen(Number(process.env.PORT ?? 8000), "127.0.0.1");
