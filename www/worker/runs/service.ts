// The runs endpoints: the demo agent in the runs service of the package, configured by the environment.

import { durableRuns, r2Blobs } from "agentwire/runs/server";
import { demoEvents } from "./agent_events.js";
import { userOf } from "./auth.js";
import { type RunsEnv, daysOf, numberOf } from "./env.js";
import { transcribe } from "./transcribe.js";

/** The path of the endpoints. */
export const RUNS = "/api/v1/agent";

/** The service: its request handler, and its classes of objects. */
export const runs = durableRuns<RunsEnv>((env) => ({
  threads: env.THREADS,
  users: env.USERS,
  path: RUNS,
  agent: demoEvents,
  authenticate: userOf,
  transcribe,
  // A binding that is missing makes only attachments unavailable.
  blobs: env.ATTACHMENTS && r2Blobs(env.ATTACHMENTS),
  secret: env.SIGNING_SECRET,
  admit: async (user, action) => (await env.RUNS_LIMIT?.limit({ key: action === "run" ? user : `${action} ${user}` }))?.success !== false,
  cors: { origin: originsOf(env) },
  limits: {
    userRuns: numberOf(env.USER_RUNS, 20),
    userConnections: numberOf(env.USER_CONNECTIONS, 100),
    runMs: numberOf(env.RUN_TIMEOUT, 600_000),
    keepAliveMs: numberOf(env.KEEP_ALIVE, 15_000),
    bodyMs: numberOf(env.BODY_TIMEOUT, 30_000),
  },
  retention: { logMs: daysOf(env.LOG_DAYS, 7), logBytes: numberOf(env.LOG_BYTES, 50_000_000) },
}));

/** Returns the origins of the configuration. */
function originsOf({ CORS_ORIGINS = "" }: RunsEnv): string | string[] {
  const origins = CORS_ORIGINS.split(",").map((one) => one.trim());
  return origins.includes("*") ? "*" : origins;
}
