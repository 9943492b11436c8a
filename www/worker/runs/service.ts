// The handler of the worker, configured by the environment: the protocols with stored answers, and
// the runs endpoints.

import { durableHandler, r2Blobs, runsAdapter, runsRefusal } from "agentwire/runs/server";
import type { AgentFunction, StoredAction } from "agentwire/server";
import { ADAPTERS, protocolAgent } from "../protocols.js";
import { isTask } from "../paths.js";
import { runsAgent } from "./agent.js";
import { userOf } from "./auth.js";
import { type RunsEnv, daysOf, numberOf } from "./env.js";
import { transcribe } from "./transcribe.js";

/** The path of the endpoints. */
export const RUNS = "/api/v1/agent";
/** The path of stored answers. */
export const ANSWERS = "/answers/";

/** The agent of the endpoints, and that of the protocols. */
const agent: AgentFunction<RunsEnv> = (out, request, context) =>
  isRuns(new URL(context.http.url).pathname)
    ? runsAgent(out, request, context)
    : protocolAgent(out, request, context);

/** Returns whether a path is one of the endpoints. */
export function isRuns(pathname: string): boolean {
  return pathname === RUNS || pathname.startsWith(`${RUNS}/`);
}

/** The handler, and its classes of objects. */
export const runs = durableHandler<RunsEnv>((env) => ({
  threads: env.THREADS,
  users: env.USERS,
  agent,
  adapters: [
    ...ADAPTERS,
    runsAdapter<RunsEnv>({
      path: RUNS,
      transcribe,
      // A binding that is missing makes only attachments unavailable.
      blobs: env.ATTACHMENTS && r2Blobs(env.ATTACHMENTS),
      secret: env.SIGNING_SECRET,
      limits: { bodyMs: numberOf(env.BODY_TIMEOUT, 30_000) },
    }),
  ],
  bodyTimeoutMs: numberOf(env.BODY_TIMEOUT, 30_000),
  isPublic: true,
  authenticate,
  admit: async (user, action, _, request) =>
    (await env.RUNS_LIMIT?.limit({ key: limitKey(user, action, request) }))?.success !== false,
  cors: { origin: originsOf(env) },
  limits: {
    userRuns: numberOf(env.USER_RUNS, 20),
    userConnections: numberOf(env.USER_CONNECTIONS, 100),
    userTasks: numberOf(env.TASKS_KEPT, 1000),
    runMs: numberOf(env.RUN_TIMEOUT, 600_000),
    keepAliveMs: numberOf(env.KEEP_ALIVE, 15_000),
  },
  retention: {
    logMs: daysOf(env.LOG_DAYS, 7),
    logBytes: numberOf(env.LOG_BYTES, 50_000_000),
    answerMs: daysOf(env.ANSWER_DAYS, 1),
    taskMs: daysOf(env.TASK_DAYS, 7),
  },
}));

/**
 * Returns the user of a request. Only A2A refuses a token that is not valid: clients of other
 * protocols send one without a meaning.
 */
async function authenticate(request: Request, env: RunsEnv): Promise<string | undefined> {
  const user = await userOf(request, env);
  if (
    user === undefined &&
    request.headers.has("authorization") &&
    isTask(new URL(request.url).pathname)
  ) {
    throw runsRefusal("AUTH_UNAUTHORIZED", "the token is not valid, or has expired");
  }
  return user;
}

/**
 * Returns the name under which requests are counted: that of the user, or the address of a client
 * without one.
 */
function limitKey(user: string, action: StoredAction, { headers }: Request): string {
  return user === ""
    ? `address ${headers.get("cf-connecting-ip") ?? ""}`
    : action === "run" || action === "answer"
      ? user
      : `${action} ${user}`;
}

/** Returns the origins of the configuration. */
function originsOf({ CORS_ORIGINS = "" }: RunsEnv): string | string[] {
  const origins = CORS_ORIGINS.split(",").map((one) => one.trim());
  return origins.includes("*") ? "*" : origins;
}
