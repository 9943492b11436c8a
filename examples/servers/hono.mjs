// Hono, in any runtime.
import { createHandler } from "agentwire/server";
import { Hono } from "hono";
import { adapters, agent, onError } from "./agent.mjs";

const serve = createHandler({ adapters, agent, onError });

const app = new Hono();
app.get("/health", (c) => c.json({ status: "healthy" }));
// Put this after your own routes: other paths receive status 404.
app.all("*", (c) => serve(c.req.raw, c.env));
export default app;
