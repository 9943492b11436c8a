// A client that follows the addresses of its server sends nothing to other origins.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { AgentwireError } from "agentwire";
import { RunsClient, resumableFetch } from "agentwire/runs";

const STREAM = { "content-type": "text/event-stream" };
const servers = [];
after(() =>
  servers.forEach((server) => {
    server.close();
    server.closeAllConnections();
  }),
);

/** Starts a server on a separate port, which is a separate origin. */
async function serve(handler) {
  const seen = [];
  const server = createServer((request, response) => {
    request.resume();
    seen.push({ at: `${request.method} ${request.url}`, headers: request.headers });
    handler(request, response);
  });
  servers.push(server);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { seen, origin: `http://127.0.0.1:${server.address().port}` };
}

/** A response that is interrupted after an event, and can be resumed at `at`. */
function breakOff(response, at) {
  response.writeHead(200, { ...STREAM, "preference-applied": "resumable", "content-location": at });
  response.write("id: g-1\ndata: {}\n\n");
  setTimeout(() => response.destroy(), 20);
}

const SECRETS = {
  authorization: "Bearer secret",
  "x-api-key": "secret",
  cookie: "sid=secret",
  "content-type": "application/json",
};
const asking = { method: "POST", headers: SECRETS, body: "{}" };
const quick = { attempts: 2, baseDelayMs: 1, maxDelayMs: 1 };
const otherOrigin = (error) => {
  assert.ok(error instanceof AgentwireError, String(error?.stack));
  assert.equal(error.code, "other-origin");
  assert.equal(error.body, undefined);
  return true;
};
/** The rest of a response, after which nothing follows. */
const rest = ({ headers }, response) =>
  headers["last-event-id"] === "g-2"
    ? response.writeHead(204).end()
    : response.writeHead(200, STREAM).end("id: g-2\ndata: {}\n\n");
const secretPage = (_, response) =>
  response
    .writeHead(500, { "content-type": "text/html", "x-internal": "SECRET" })
    .end("INTERNAL SECRET PAGE");

test("a Content-Location of another origin is not requested", async () => {
  const other = await serve(rest);
  const own = await serve((_, response) => breakOff(response, `${other.origin}/stolen`));
  const response = await resumableFetch(quick)(`${own.origin}/x`, asking);
  await assert.rejects(response.text(), otherOrigin);
  assert.deepEqual(other.seen, []);
});

const id = crypto.randomUUID();
const input = {
  threadId: id,
  runId: id,
  messages: [{ id: "m", role: "user", content: "Hi" }],
  forwardedProps: { runtime_mode: "chat" },
};

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect (${status}) to another origin is not followed, on the first or a later request`, async () => {
    const other = await serve(rest);
    const own = await serve(({ method, url }, response) =>
      method === "POST" && url === "/later"
        ? breakOff(response, "/rest")
        : response.writeHead(status, { location: `${other.origin}/landed` }).end(),
    );
    await assert.rejects(resumableFetch(quick)(`${own.origin}/first`, asking), otherOrigin);
    const later = await resumableFetch(quick)(`${own.origin}/later`, asking);
    await assert.rejects(later.text(), otherOrigin);
    const runs = new RunsClient(own.origin, { ...quick, headers: SECRETS });
    await assert.rejects(runs.createRun(input), otherOrigin);
    await assert.rejects(runs.history(), otherOrigin);
    await assert.rejects(runs.events("t", "r").finished(), otherOrigin);
    await assert.rejects(runs.upload("t", new Blob(["x"], { type: "image/png" })), otherOrigin);
    assert.deepEqual(other.seen, []);
  });
}

test("redirects within the origin are followed with all headers", async () => {
  const own = await serve((request, response) => {
    const { url, method } = request;
    if (url === "/first") return response.writeHead(308, { location: "/second" }).end();
    if (method === "POST") return breakOff(response, "rest");
    if (url === "/rest") return response.writeHead(302, { location: "./more" }).end();
    rest(request, response);
  });
  const response = await resumableFetch(quick)(`${own.origin}/first`, asking);
  assert.equal(await response.text(), "id: g-1\ndata: {}\n\nid: g-2\ndata: {}\n\n");
  assert.deepEqual(
    own.seen.slice(0, 4).map(({ at }) => at),
    ["POST /first", "POST /second", "GET /rest", "GET /more"],
  );
  own.seen.forEach(({ headers }) => assert.equal(headers.authorization, "Bearer secret"));
  const turning = await serve((_, response) => response.writeHead(307, { location: "/" }).end());
  await assert.rejects(resumableFetch(quick)(turning.origin, asking), AgentwireError);
  assert.ok(turning.seen.length <= 21);
});

test("an allowed origin is requested without credentials, and its error bodies are hidden", async () => {
  const other = await serve((request, response) =>
    (request.url === "/rest" ? rest : secretPage)(request, response),
  );
  const own = await serve(({ url }, response) => breakOff(response, `${other.origin}${url}`));
  const ask = resumableFetch({ ...quick, origins: [other.origin] });
  assert.equal(
    await (await ask(`${own.origin}/rest`, asking)).text(),
    "id: g-1\ndata: {}\n\nid: g-2\ndata: {}\n\n",
  );
  await assert.rejects((await ask(`${own.origin}/page`, asking)).text(), (error) => {
    assert.doesNotMatch(
      `${error.message} ${error.body} ${[...(error.headers ?? [])]} ${error.cause?.message}`,
      /SECRET/,
    );
    return true;
  });
  assert.ok(other.seen.length >= 2);
  for (const { headers } of other.seen) {
    assert.match(headers["last-event-id"], /^g-[12]$/);
    assert.doesNotMatch(JSON.stringify(headers), /secret/i);
  }
});

test("outside of a page, a client needs an absolute URL", async () => {
  await assert.rejects(resumableFetch()("/process", asking), {
    code: "wrong-argument",
    message: /base URL/,
  });
  await assert.rejects(new RunsClient("/api").history(), {
    code: "wrong-argument",
    message: /base URL/,
  });
});
