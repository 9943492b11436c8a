// A handler with a store as it is deployed in a container: settings from the environment, `GET /health`,
// and an end that waits for the runs in progress. With DATABASE_URL several containers share one
// database; without it the runs are in a file.
import { createServer } from "node:http";
import { toNodeListener } from "agentwire/node";
import { jwtUsers, runsAdapter } from "agentwire/runs/server";
import { postgresStore, sqliteStore } from "agentwire/stores";
import { createHandler } from "agentwire/server";
import { agent } from "./agent.mjs";

const { DATABASE_URL, DATA = ".", HOST = "0.0.0.0", JWT_SECRET, PORT = "8000" } = process.env;
const store = DATABASE_URL ? postgresStore(DATABASE_URL) : sqliteStore(`${DATA}/runs.sqlite`);
const handler = createHandler({
  store,
  agent,
  authenticate: jwtUsers({ secret: JWT_SECRET }),
  protocols: ["ag-ui", "responses"],
  adapters: [runsAdapter()],
});

async function health() {
  try {
    await store.read("health", 0, 0);
    return new Response("ok");
  } catch (error) {
    console.error(error);
    return new Response("the store does not answer", { status: 503 });
  }
}

const server = createServer(
  toNodeListener((request) =>
    new URL(request.url).pathname === "/health" ? health() : handler(request),
  ),
);
server.listen(Number(PORT), HOST);

process.once("SIGTERM", async () => {
  // Followers continue until their run ends. Kubernetes and Docker kill the process after 30 and 10
  // seconds by default.
  await handler.close({ waitMs: 25_000 });
  server.close();
  server.closeAllConnections();
  await store.close();
});
