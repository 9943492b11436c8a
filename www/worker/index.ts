// The reference edge worker: one embedded demo agent behind all protocols, and the playground.

import { withCors } from "agentwire";
import { type Assets, serveAsset } from "./assets.js";
import { health } from "./health.js";
import { PATHS, protocols } from "./protocols.js";
import { jsonResponse } from "./replies.js";

/** What the platform gives the worker. */
export interface Env {
  readonly ASSETS: Assets;
}

/** What pages from anywhere may use, as the runtime allows it. No credentials: there are none here. */
const api = withCors((request: Request, env: Env, ctx: unknown) => {
  const { pathname } = new URL(request.url);
  return pathname === HEALTH ? onlyGet(request) : protocols(request, env, ctx);
});

const HEALTH = "/health";

export default {
  fetch(request: Request, env: Env, ctx: unknown): Promise<Response> {
    const { pathname } = new URL(request.url);
    const isApi = pathname === HEALTH || PATHS.includes(pathname);
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
