// The reference edge worker: one embedded demo agent for all protocols, and the playground.

import { withCors } from "agentwire/server";
import { type Assets, serveAsset } from "./assets.js";
import { MODELS, fakeModel } from "./fake_model.js";
import { health } from "./health.js";
import { isOpenAi, isResponses } from "./paths.js";
import { hasEndpoint, protocols } from "./protocols.js";
import { PROXY, type ProxyEnv, answerProxy } from "./proxy.js";
import { jsonResponse } from "./replies.js";
import type { RunsEnv } from "./runs/env.js";
import { answerResponses, nothingAt } from "./runs/responses.js";
import { answerResumable, isAnswer, isResumable } from "./runs/resumable.js";
import { RUNS, runs } from "./runs/service.js";

/** The bindings of the worker. */
export interface Env extends RunsEnv, ProxyEnv {
  readonly ASSETS: Assets;
}

export { Answer } from "./runs/answer.js";
export { Tasks } from "./runs/tasks.js";
export const { Thread, User } = runs;

/** Endpoints that pages of every origin may use, as the runtime allows it. Without CORS credentials: these endpoints use no cookies. */
const api = withCors(
  (request: Request, env: Env, ctx: unknown) => {
    if (isResumable(request)) {
      return answerResumable(request, env);
    }
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(MODELS)) {
      return fakeModel(request);
    }
    if (isResponses(pathname) && env.ANSWERS !== undefined) {
      return answerResponses(request, env, ctx);
    }
    if (isOpenAi(pathname) && !hasEndpoint(pathname)) {
      return nothingAt(pathname);
    }
    return pathname === HEALTH ? onlyGet(request) : protocols(request, env, ctx);
  },
  {
    methods: ["GET", "POST", "DELETE"],
    exposeHeaders: ["x-request-id", "content-location", "preference-applied", "retry-after"],
  },
);

const HEALTH = "/health";

export default {
  async fetch(request: Request, env: Env, ctx: unknown): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === RUNS || pathname.startsWith(`${RUNS}/`)) {
      return runs.fetch(request, env);
    }
    if (pathname === PROXY) {
      return answerProxy(request, env);
    }
    const isApi = pathname === HEALTH || hasEndpoint(pathname) || isAnswer(pathname) || isOpenAi(pathname) || pathname.startsWith(MODELS);
    return isApi ? api(request, env, ctx) : serveAsset(request, env.ASSETS);
  },
};

function onlyGet({ method }: Request): Response {
  const allow = "GET, OPTIONS";
  if (method === "OPTIONS") {
    return new Response(null, { status: 204, headers: { allow } });
  }
  return method === "GET" ? health() : jsonResponse(405, { detail: `this path takes ${allow}` }, { allow });
}
