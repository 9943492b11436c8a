// Serves the playground's files, with security headers.

import { jsonResponse } from "./replies.js";

/** The static files of the deployment. */
export interface Assets {
  fetch(request: Request): Promise<Response>;
}

// The page makes no script, style or markup from strings. It sends requests to other servers, and
// loads their images, only on request of the user.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "connect-src 'self' https: http:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** Answers a request for a file. */
export async function serveAsset(request: Request, assets: Assets): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return jsonResponse(405, { detail: "files can only be read" }, { allow: "GET, HEAD" });
  }
  const file = await assets.fetch(request);
  if (file.status === 404) {
    return jsonResponse(404, { detail: `there is nothing at ${new URL(request.url).pathname}` });
  }
  const headers = new Headers(file.headers);
  headers.set("content-security-policy", POLICY);
  headers.set("cross-origin-opener-policy", "same-origin");
  headers.set("referrer-policy", "no-referrer");
  headers.set("x-content-type-options", "nosniff");
  return new Response(file.body, { status: file.status, headers });
}
