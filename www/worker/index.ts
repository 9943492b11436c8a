// The reference edge worker: one embedded demo agent for all protocols, and the playground.

import { withCors } from "agentwire/server";
import { type Assets, serveAsset } from "./assets.js";
import { MODELS, fakeModel } from "./fake_model.js";
import { health } from "./health.js";
import { RESPONSES, isOpenAi, isResponses } from "./paths.js";
import { hasEndpoint } from "./protocols.js";
import { PROXY, type ProxyEnv, answerProxy } from "./proxy.js";
import { jsonResponse } from "./replies.js";
import type { RunsEnv } from "./runs/env.js";
import { ANSWERS, isRuns, runs } from "./runs/service.js";

/** The bindings of the worker. */
export interface Env extends RunsEnv, ProxyEnv {
  readonly ASSETS: Assets;
}

export const { Thread, User } = runs;

/**
 * Endpoints that pages of every origin may use, as the runtime allows it. Without CORS credentials:
 * these endpoints use no cookies.
 */
const api = withCors(
  (request: Request, env: Env, ctx: unknown) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith(MODELS)) {
      return fakeModel(request);
    }
    if (isOpenAi(pathname) && !isResponses(pathname) && !hasEndpoint(pathname)) {
      return nothingAt(pathname);
    }
    return pathname === HEALTH ? onlyGet(request) : runs.fetch(request, env, ctx);
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
    if (isRuns(pathname)) {
      return runs.fetch(request, env, ctx);
    }
    if (pathname === PROXY) {
      return answerProxy(request, env);
    }
    const isApi =
      pathname === HEALTH ||
      hasEndpoint(pathname) ||
      pathname.startsWith(ANSWERS) ||
      isOpenAi(pathname) ||
      pathname.startsWith(MODELS);
    return isApi ? api(request, env, ctx) : serveAsset(request, env.ASSETS);
  },
};

/** Returns the answer to OpenAI's clients for a path without an endpoint. */
function nothingAt(pathname: string): Response {
  const message = `there is nothing at ${pathname}: responses are at ${RESPONSES.join(" and ")}`;
  return jsonResponse(404, {
    error: { message, type: "invalid_request_error", param: null, code: "not_found" },
  });
}

function onlyGet({ method }: Request): Response {
  const allow = "GET, OPTIONS";
  if (method === "OPTIONS") {
    return new Response(null, { status: 204, headers: { allow } });
  }
  return method === "GET"
    ? health()
    : jsonResponse(405, { detail: `this path takes ${allow}` }, { allow });
}
