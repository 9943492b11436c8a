// The checks of a real server for requests, for examples that run without one.
import assert from "node:assert/strict";

/** The member that names the conversation: without it all callers share one, or are refused. */
const SESSIONS = {
  "/process": "session_id",
  "/send-message": "conversationId",
  "/ag-ui": "threadId",
  "/api/v1/agent/runs": "threadId",
  // Each request has the whole conversation.
  "/v1/responses": undefined,
  // A first message starts a context, whose id the server generates.
  "/a2a": undefined,
  "/a2a/message:stream": undefined,
};

/**
 * Fails unless a server of the protocol at that path accepts the request: POST, with JSON and its
 * content type, in a session. Resolves to the body.
 */
export async function asked(path, init) {
  const request =
    path instanceof Request ? path : new Request(new URL(path, "http://127.0.0.1"), init);
  const { pathname } = new URL(request.url);
  assert.ok(Object.hasOwn(SESSIONS, pathname), `unexpected request to ${pathname}`);
  assert.equal(request.method, "POST", `the method of ${pathname}`);
  assert.equal(
    request.headers.get("content-type"),
    "application/json",
    `the content type of ${pathname}`,
  );
  const body = await request.json();
  if (SESSIONS[pathname] === undefined) {
    return body;
  }
  const session = body[SESSIONS[pathname]];
  assert.ok(
    typeof session === "string" && session !== "",
    `a request to ${pathname} has \`${SESSIONS[pathname]}\``,
  );
  return body;
}
