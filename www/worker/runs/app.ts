// The runs endpoints: authentication, validation, and the objects that answer.

import { RequestError } from "agentwire";
import { parseRunCancelQuery, parseRunEventsQuery, parseRunHistoryQuery, parseRunInput, runsRefusal } from "agentwire/runs/server";
import type { RunHistoryMessage } from "agentwire/runs";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { type Renew, renewing } from "./attachment_links.js";
import { OBJECT, serve, signAgain, upload } from "./attachments.js";
import { userOf } from "./auth.js";
import { bodyOf } from "./body.js";
import type { RunsEnv } from "./env.js";
import { hashOf } from "./hash.js";
import { OUTAGE, isOutage } from "./outage.js";
import { refuse, refusedIn } from "./refused.js";
import type { MessageRow } from "./rows.js";
import { transcribe } from "./transcribe.js";

/** The path of the endpoints. */
export const RUNS = "/api/v1/agent";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type App = { Bindings: RunsEnv; Variables: { user: string; requestId: string } };
type Asked = Context<App>;

const app = new Hono<App>().basePath(RUNS);

app.use(async (context, next) => {
  const said = context.req.header("x-request-id") ?? "";
  context.set("requestId", /^[\w-]{1,64}$/.test(said) ? said : crypto.randomUUID());
  await next();
  context.res.headers.set("x-request-id", context.get("requestId"));
});

app.use((context, next) => {
  const origins = (context.env.CORS_ORIGINS ?? "").split(",").map((one) => one.trim());
  return cors({
    origin: (origin) => (origins.includes("*") || origins.includes(origin) ? origin : null),
    allowMethods: ["GET", "POST", "OPTIONS"],
    allowHeaders: ["authorization", "content-type", "idempotency-key", "last-event-id", "x-request-id"],
    exposeHeaders: ["retry-after", "x-request-id"],
    maxAge: 86_400,
  })(context, next);
});

// The signature in the address is the authorization.
app.get(OBJECT, ({ req, env }) => serve(req.raw, env));

app.use(async (context, next) => {
  context.set("user", await userOf(context.req.raw, context.env));
  await next();
});

app.post("/runs", async (context) => {
  const { env, req } = context;
  const limited = await env.RUNS_LIMIT?.limit({ key: context.get("user") });
  if (limited?.success === false) {
    return refuse({ refused: "AGENT_RATE_LIMIT_EXCEEDED", detail: "too many runs in a short time", retryAfter: 10 });
  }
  const input = parseRunInput(await bodyOf(req.raw, env));
  const body = JSON.stringify(input);
  const key = req.header("idempotency-key") ?? null;
  if (key !== null && !/^[\x21-\x7e]{1,256}$/.test(key)) {
    throw runsRefusal("AGENT_PAYLOAD_INVALID", "an idempotency key has 1 to 256 visible characters");
  }
  const { threadId, runId } = input;
  const answer = await threadOf(context, threadId).create(context.get("user"), baseOf(context), body, await hashOf(body), key);
  return "refused" in answer ? refuse(answer) : context.json({ taskId: answer.taskId, threadId, runId, created: answer.created }, 202);
});

app.get("/runs/:thread/events", async (context) => {
  const { req } = context;
  const { runId, idle_limit } = parseRunEventsQuery(new URL(req.url).searchParams);
  const query = new URLSearchParams({ owner: context.get("user"), runId, idle_limit: String(idle_limit) });
  const cursor = req.header("last-event-id");
  const answer = await threadOf(context, req.param("thread")).fetch(`https://thread/events?${query}`, {
    headers: cursor === undefined ? {} : { "last-event-id": cursor },
    signal: req.raw.signal,
  });
  const refused = await refusedIn(answer);
  if (refused !== undefined) {
    return refuse(refused);
  }
  const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store", "x-accel-buffering": "no" };
  return new Response(answer.body, { status: answer.status, headers: answer.status === 204 ? {} : headers });
});

app.post("/runs/:thread/cancel", async (context) => {
  const { req } = context;
  const { runId } = parseRunCancelQuery(new URL(req.url).searchParams);
  const threadId = req.param("thread");
  const answer = await threadOf(context, threadId).cancel(context.get("user"), runId);
  return "refused" in answer ? refuse(answer) : context.json({ threadId, runId, accepted: true }, 202);
});

app.get("/history", async (context) => {
  const query = new URL(context.req.url).searchParams;
  const { threadId, before } = parseRunHistoryQuery(query);
  const beforeSeq = numberOf(query.get("beforeSeq"));
  const user = context.get("user");
  const thread = threadId ?? (await context.env.USERS.getByName(user).latest());
  if (thread === null) {
    return context.json({ scope: "history_day", threadId: null, day: null, hasMore: false, messages: [] });
  }
  const answer = await threadOf(context, thread).history(user, before ?? undefined, beforeSeq);
  if ("refused" in answer) {
    return refuse(answer);
  }
  const renew = await renewing(context.env, user, baseOf(context));
  const messages = await Promise.all(answer.messages.map((message) => told(message, renew)));
  return context.json({ scope: "history_day", threadId: thread, ...answer, messages });
});

app.post("/attachments", async (context) => {
  const user = context.get("user");
  const mayWrite = async (threadId: string): Promise<void> => {
    const refused = await threadOf(context, threadId).mayWrite(user);
    if (refused !== undefined) {
      throw runsRefusal(refused.refused, refused.detail);
    }
  };
  return context.json({ attachment: await upload(context.req.raw, context.env, user, mayWrite, baseOf(context)) });
});

app.get("/attachments/signed-url", async (context) => {
  const query = new URL(context.req.url).searchParams;
  return context.json(await signAgain(query, context.env, context.get("user"), baseOf(context)));
});

app.post("/transcribe", async (context) => context.json({ transcript: await transcribe(context.req.raw, context.env) }));

/** The methods of the endpoints, for requests with another method. */
const METHODS: readonly (readonly [method: string, path: string])[] = [
  ["POST", "/runs"],
  ["GET", "/runs/:thread/events"],
  ["POST", "/runs/:thread/cancel"],
  ["GET", "/history"],
  ["POST", "/attachments"],
  ["GET", "/attachments/signed-url"],
  ["POST", "/transcribe"],
];
for (const [method, path] of METHODS) {
  const refused = { refused: "AGENT_METHOD_NOT_ALLOWED", detail: `this endpoint takes ${method}` };
  app.all(path, () => refuse(refused, { allow: `${method}, OPTIONS` }));
}

app.notFound(() => refuse({ refused: "AGENT_NOT_FOUND", detail: "there is no such endpoint" }));

app.onError((error) => {
  if (error instanceof RequestError) {
    const more = { 401: { "www-authenticate": "Bearer" }, 503: { "retry-after": String(OUTAGE.retryAfter) } };
    return error.toResponse({ "cache-control": "no-store", ...more[error.status as keyof typeof more] });
  }
  console.error(error);
  if (isOutage(error)) {
    return refuse(OUTAGE);
  }
  return refuse({ refused: "AGENT_INTERNAL_ERROR", detail: "something went wrong; the request's id leads to it" });
});

/** Answers a request of the runs endpoints. */
export function answerRuns(request: Request, env: RunsEnv): Response | Promise<Response> {
  return app.fetch(request, env);
}

function threadOf(context: Asked, threadId: string): ReturnType<RunsEnv["THREADS"]["getByName"]> {
  if (!UUID.test(threadId)) {
    throw runsRefusal("AGENT_SESSION_ID_INVALID", "a thread's id is a UUID");
  }
  return context.env.THREADS.getByName(threadId.toLowerCase());
}

/** Returns the URL of the endpoints. */
function baseOf({ req }: Asked): string {
  return new URL(req.url).origin + RUNS;
}

/** Parses the number of a message; other texts are treated as absent. */
function numberOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** Returns a message of the history, with newly signed addresses of its attachments. */
async function told({ id, seq, role, content, extra, at }: MessageRow, renew: Renew): Promise<RunHistoryMessage> {
  const more = JSON.parse(extra) as Pick<RunHistoryMessage, "attachments">;
  const attachments = await Promise.all((more.attachments ?? []).map(async (one) => ({ ...one, url: await renew(one.url) })));
  const links = attachments.length > 0 ? { attachments } : {};
  return { id, seq, role, content, ...more, ...links, timestamp: new Date(at).toISOString() } as RunHistoryMessage;
}
