// The reference edge worker: one embedded demo agent behind the Agent API and AG-Kit, and the playground.

import { type Assets, serveAsset } from "./assets.js";
import { health } from "./health.js";
import { process, sendMessage } from "./protocols.js";
import { jsonResponse, withCors } from "./replies.js";
import { RUNS, answerRuns } from "./runs/app.js";
import type { RunsEnv } from "./runs/env.js";

/** What the platform gives the worker. */
export interface Env extends RunsEnv {
  readonly ASSETS: Assets;
}

export { Thread } from "./runs/thread.js";
export { User } from "./runs/user.js";

type Route = (request: Request, env: Env) => Response | Promise<Response>;

const ROUTES: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  "/process": { POST: process },
  "/send-message": { POST: sendMessage },
  "/health": { GET: health },
};

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === RUNS || pathname.startsWith(`${RUNS}/`)) {
      return answerRuns(request, env);
    }
    const route = ROUTES[pathname];
    if (route === undefined) {
      return serveAsset(request, env.ASSETS);
    }
    return withCors(await answer(request, env, route));
  },
};

function answer(request: Request, env: Env, route: Readonly<Record<string, Route>>): Response | Promise<Response> {
  const allowed = [...Object.keys(route), "OPTIONS"].join(", ");
  if (request.method === "OPTIONS") {
    return new Response(null, { status: 204, headers: { allow: allowed } });
  }
  const method = route[request.method];
  if (method === undefined) {
    return jsonResponse(405, { detail: `this path takes ${allowed}` }, { allow: allowed });
  }
  return method(request, env);
}
