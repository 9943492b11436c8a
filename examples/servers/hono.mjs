// Hono, wherever it runs.
import { agKitAdapter, agUiAdapter, agentApiAdapter, mount } from "agentwire";
import { Hono } from "hono";
import { agent, onError } from "./agent.mjs";

const serve = mount([agentApiAdapter(), agKitAdapter(), agUiAdapter()], agent, { onError });

const app = new Hono();
app.get("/health", (c) => c.json({ status: "healthy" }));
for (const path of ["/process", "/send-message", "/ag-ui"]) {
  app.post(path, (c) => serve(c.req.raw, c.env));
}
export default app;
