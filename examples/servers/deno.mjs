// Deno: `deno run --allow-net --allow-env deno.mjs`, with `agentwire` in the import map or in
// package.json.
import { createHandler } from "agentwire/server";
import { adapters, agent, onError } from "./agent.mjs";

const serve = createHandler({ adapters, agent, cors: true, onError });
Deno.serve({ hostname: "127.0.0.1", port: Number(Deno.env.get("PORT") ?? 8000) }, (request) =>
  serve(request),
);
