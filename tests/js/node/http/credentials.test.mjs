// Keys, headers and conversations are sent to the origin of the configured address only, and no
// error repeats a key.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { inspect } from "node:util";
import { after, test } from "node:test";
import { AgentwireError, HttpError, read } from "agentwire";
import * as a2a from "agentwire/a2a";
import * as agKit from "agentwire/ag-kit";
import * as agUi from "agentwire/ag-ui";
import * as agentApi from "agentwire/agent-api";
import * as agentscope from "agentwire/agentscope";
import * as aiSdk from "agentwire/ai-sdk";
import * as anthropic from "agentwire/anthropic";
import * as chat from "agentwire/chat";
import * as gemini from "agentwire/gemini";
import * as interactions from "agentwire/interactions";
import * as responses from "agentwire/responses";
import { RunsClient, resumableFetch } from "agentwire/runs";
import { callModel, createHandler, runTools } from "agentwire/server";

const KEY = "sk-SECRET-0123456789";
const STREAM = { "content-type": "text/event-stream" };
const servers = [];
after(() =>
  servers.forEach((server) => {
    server.closeAllConnections();
    server.close();
  }),
);

/** Starts a server on a separate port, which is a separate origin. */
async function serve(handle) {
  const seen = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen.push({ url: request.url, method: request.method, headers: request.headers, body });
    handle(request, response);
  });
  servers.push(server);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { seen, origin: `http://127.0.0.1:${server.address().port}` };
}

const REDIRECTS = [301, 302, 303, 307, 308];
const SECRETS = {
  authorization: `Bearer ${KEY}`,
  "x-api-key": KEY,
  "x-goog-api-key": KEY,
  cookie: `s=${KEY}`,
};
const AGENTS = {
  a2a,
  "ag-kit": agKit,
  "ag-ui": agUi,
  "agent-api": agentApi,
  agentscope,
  "ai-sdk": aiSdk,
  responses,
};
const MODELS = { chat, anthropic, gemini, interactions };

/** Everything that sends a request to an address that it was given: each returns a promise. */
function senders(options = {}) {
  const ofModels = ["chat", "responses", ...Object.keys(MODELS).slice(1)].map((protocol) => [
    `callModel of ${protocol}`,
    (url) =>
      callModel({
        protocol,
        url,
        key: KEY,
        model: "m",
        request: "private",
        headers: { "x-extra": KEY },
        ...options,
      }),
  ]);
  const ofAgents = Object.entries(AGENTS).flatMap(([protocol, { connect }]) => [
    [
      `callModel of ${protocol}`,
      (url) => callModel({ protocol, url, key: KEY, request: "private", ...options }),
    ],
    [
      `connect of ${protocol}`,
      (url) =>
        connect(url, { headers: SECRETS, ...options })
          .send("private")
          .text(),
    ],
  ]);
  return Object.fromEntries([...ofModels, ...ofAgents]);
}

/**
 * Readers of the response to a request that the package has created and the platform's `fetch` has
 * sent.
 */
const READERS = Object.fromEntries(
  Object.entries({ ...AGENTS, ...MODELS }).map(([protocol, { createRequest }]) => [
    `read(fetch()) of ${protocol}`,
    (url) =>
      read(fetch(createRequest(url, inputOf(protocol), { headers: SECRETS })), {
        protocol,
      }).finished(),
  ]),
);

const inputOf = (protocol) =>
  ({
    "ag-kit": { conversationId: "c", messages: [{ role: "user", content: "private" }] },
    responses: { model: "m", input: "private" },
    gemini: { contents: [{ role: "user", parts: [{ text: "private" }] }] },
  })[protocol] ?? "private";

/** Fails if an error shows the key to people or to a log. */
function mustNotLeak(error) {
  assert.doesNotMatch(`${error?.stack} ${inspect(error, { depth: 5 })}`, /SECRET/);
}

for (const status of REDIRECTS) {
  test(`a redirect (${status}) is followed nowhere`, async () => {
    const thief = await serve((_, response) => response.writeHead(200, STREAM).end());
    for (const where of [`${thief.origin}/x?token=${KEY}`, "/other", "//localhost:1/x"]) {
      const own = await serve((_, response) =>
        response.writeHead(status, { location: where }).end("moved"),
      );
      for (const [name, send] of Object.entries({ ...senders(), ...READERS })) {
        own.seen.length = 0;
        const error = await send(own.origin).then(
          () => undefined,
          (error) => error,
        );
        assert.ok(error instanceof AgentwireError, `${name}: ${error}`);
        assert.equal(error.code, "redirected", name);
        assert.ok(
          error.message.includes(
            where.startsWith("http")
              ? thief.origin
              : where.startsWith("//")
                ? "http://localhost:1"
                : "another path",
          ),
          error.message,
        );
        mustNotLeak(error);
        assert.equal(own.seen.length, 1, name);
      }
    }
    assert.deepEqual(thief.seen, []);
  });
}

test("a redirect that a page cannot see is an error, too", async () => {
  const opaque = () =>
    Object.defineProperties(new Response(null), {
      type: { value: "opaqueredirect" },
      status: { value: 0 },
      ok: { value: false },
    });
  let redirect;
  const fetch = async (request) => {
    redirect = request.redirect;
    return opaque();
  };
  for (const [name, send] of Object.entries(senders({ fetch }))) {
    await assert.rejects(
      send("http://localhost/x?key=SECRET"),
      {
        code: "redirected",
        message: /^the server at http:\/\/localhost redirects, and nothing was sent there/,
      },
      name,
    );
    assert.equal(redirect, "manual");
  }
  await assert.rejects(read(opaque(), { protocol: "chat" }).finished(), {
    code: "redirected",
    message: /^the server redirects, and/,
  });
});

test("a replacement of `fetch` that has followed a redirect to another origin is not read", async () => {
  const followed = async () =>
    Object.defineProperties(new Response("data: {}\n\n", { headers: STREAM }), {
      redirected: { value: true },
      url: { value: "http://other.example/x?key=SECRET" },
    });
  for (const [name, send] of Object.entries(senders({ fetch: followed }))) {
    await assert.rejects(
      send("http://localhost/"),
      {
        code: "other-origin",
        message: "the server at http://localhost has redirected to http://other.example",
      },
      name,
    );
  }
});

test("runTools() follows no redirect", async () => {
  const thief = await serve((_, response) => response.writeHead(200, STREAM).end());
  const own = await serve((_, response) =>
    response.writeHead(307, { location: thief.origin }).end(),
  );
  let seen;
  const handler = createHandler({
    protocols: ["ag-ui"],
    onError: (error) => void (seen = error),
    agent: (out, request) =>
      runTools(out, {
        protocol: "chat",
        url: own.origin,
        key: KEY,
        model: "m",
        request,
        tools: {},
      }),
  });
  await (await handler(agUi.createRequest("http://localhost/ag-ui", "Hi"))).text();
  assert.equal(seen.code, "redirected");
  assert.deepEqual(thief.seen, []);
});

test("`followRedirects` follows redirects within the origin only", async () => {
  const thief = await serve((_, response) => response.writeHead(200, STREAM).end());
  for (const status of [307, 308]) {
    const moved = await serve(({ url }, response) =>
      url.startsWith("/moved")
        ? response.writeHead(418).end("here")
        : response.writeHead(status, { location: "/moved" }).end(),
    );
    const away = await serve((_, response) =>
      response.writeHead(status, { location: thief.origin }).end(),
    );
    for (const [name, send] of Object.entries(senders({ followRedirects: true }))) {
      moved.seen.length = 0;
      await assert.rejects(send(moved.origin), { code: "http-status", status: 418 }, name);
      const [first, second] = moved.seen;
      assert.deepEqual([second.url, second.body], ["/moved", first.body], name);
      assert.deepEqual(
        [second.headers.authorization, second.headers["x-api-key"]],
        [first.headers.authorization, first.headers["x-api-key"]],
        name,
      );
      await assert.rejects(send(away.origin), { code: "other-origin" }, name);
    }
  }
  assert.deepEqual(thief.seen, []);
});

test("an invalid address in a redirect or `Content-Location` is an error, and the body is closed", async () => {
  const asking = {
    method: "POST",
    headers: { ...SECRETS, "content-type": "application/json" },
    body: "{}",
  };
  for (const [status, headers] of [
    [307, { location: "http://[::1" }],
    [200, { ...STREAM, "preference-applied": "resumable", "content-location": "http://[::1" }],
    [200, { ...STREAM, "preference-applied": "resumable", "content-location": "http://:0:0/" }],
  ]) {
    let canceled = false;
    const body = new ReadableStream({
      pull: () => new Promise(() => {}),
      cancel: () => void (canceled = true),
    });
    const ask = resumableFetch({ fetch: async () => new Response(body, { status, headers }) });
    await assert.rejects(ask("http://localhost/x", asking), (error) => {
      assert.ok(error instanceof AgentwireError);
      assert.equal(error.code, "wrong-address");
      assert.match(error.message, /http:\/\/localhost /);
      mustNotLeak(error);
      return true;
    });
    assert.ok(canceled);
  }
});

test("a base address keeps its query behind the path", async () => {
  const paths = {
    chat: "/chat/completions",
    responses: "/responses",
    anthropic: "/v1/messages",
    gemini: "/models/m:streamGenerateContent",
    interactions: "/interactions",
  };
  for (const [protocol, path] of Object.entries(paths)) {
    for (const [base, expected] of [
      ["?api-version=2024-10-21", "/d"],
      ["/?api-version=2024-10-21", "/d"],
      ["//?api-version=2024-10-21#part", "/d"],
      ["?api-version=2024-10-21&sig=a%2Fb%3D", "/d"],
    ]) {
      let asked;
      await callModel({
        protocol,
        url: `http://localhost/d${base}`,
        key: KEY,
        model: "m",
        request: "Hi",
        fetch: async ({ url }) => {
          asked = new URL(url);
          return new Response("");
        },
      });
      assert.equal(asked.pathname, `${expected}${path}`, protocol);
      assert.equal(asked.searchParams.get("api-version"), "2024-10-21");
      assert.equal(asked.searchParams.get("sig"), base.includes("sig") ? "a/b=" : null);
      assert.equal(asked.searchParams.get("alt"), protocol === "gemini" ? "sse" : null);
      assert.equal(asked.hash, "");
    }
  }
  const seen = [];
  const runs = new RunsClient(new URL("http://localhost/api/?tenant=a%20b#x"), {
    fetch: async (url) => {
      seen.push(new URL(url));
      return Response.json({ url: "u", messages: [], day: null });
    },
  });
  await runs.history({ threadId: "t", beforeSeq: 3 });
  await runs.eventsUrl("t", "r");
  await runs.signedUrl("b", "../p?q#r");
  assert.deepEqual(
    seen.map(({ pathname, searchParams }) => [pathname, Object.fromEntries(searchParams)]),
    [
      ["/api/history", { tenant: "a b", threadId: "t", beforeSeq: "3" }],
      ["/api/runs/t/signed-url", { tenant: "a b", runId: "r" }],
      ["/api/attachments/signed-url", { tenant: "a b", bucket: "b", path: "../p?q#r" }],
    ],
  );
});

const HOSTILE = [
  "../../v1/files?x=",
  "a/b",
  "a?b=c#d",
  "..%2f..",
  "%2e%2e",
  "a\r\nX: y",
  "a\\b",
  "..\\..",
  "//evil.example/",
  "@evil.example",
  "a b",
  "é",
  "..",
  ".",
  "",
  "\ud800",
];

test("names and ids are one segment of a path, or refused before a request", async () => {
  const seen = [];
  const fetch = async (request) => {
    seen.push(new URL(request.url ?? request));
    return Response.json({ url: "u", threadId: "t" });
  };
  const runs = new RunsClient("http://localhost/base", { fetch });
  const calls = {
    "/v1beta/models/": (model) =>
      callModel({
        protocol: "gemini",
        url: "http://localhost/v1beta",
        key: KEY,
        request: { model, input: [{ role: "user", content: [{ type: "text", text: "x" }] }] },
        fetch,
      }),
    "/base/runs/": async (id) => {
      await runs.cancel(id, "r");
      await runs.eventsUrl(id, "r");
      await runs.deleteThread(id);
      runs.events(id, "r").cancel();
    },
  };
  for (const [prefix, call] of Object.entries(calls)) {
    for (const name of HOSTILE) {
      seen.length = 0;
      const error = await call(name).then(
        () => undefined,
        (error) => error,
      );
      if (error !== undefined) {
        assert.ok(["wrong-argument", "wrong-option"].includes(error.code), `${name}: ${error}`);
        assert.deepEqual(seen, []);
        assert.ok(["..", ".", "", "\ud800"].includes(name), name);
        continue;
      }
      for (const { origin, pathname, hash } of seen) {
        assert.equal(origin, "http://localhost");
        assert.equal(hash, "");
        const [segment] = pathname.slice(prefix.length).split(/[/:]/, 1);
        assert.ok(pathname.startsWith(prefix), pathname);
        assert.equal(decodeURIComponent(segment), name);
      }
    }
  }
});

test("an address that cannot be requested is an error that shows no password and no query", async () => {
  for (const [url, says] of [
    ["api.example.com/v1", /`api\.example\.com\/v1` needs a base URL/],
    ["api.example.com/v1?key=sk-SECRET", /`api\.example\.com\/v1` needs a base URL/],
    ["localhost:8080/v1", /`localhost:8080\/v1` has no scheme/],
    ["user:sk-SECRET@api.example.com/v1", /the URL has no scheme/],
    [
      "https://user:sk-SECRET@api.example.com/v1",
      /api\.example\.com contains a user name or a password.*`authorization`/,
    ],
    ["https://sk-SECRET@api.example.com/v1", /user name/],
    ["ftp://api.example.com/v1?key=sk-SECRET", /has no scheme/],
    ["file:///etc/passwd", /has no scheme/],
    ["", /needs a base URL/],
  ]) {
    for (const [name, send] of [
      ...Object.entries(senders()),
      ["RunsClient", (base) => new RunsClient(base).history()],
      ["resumableFetch", (address) => resumableFetch()(address, { method: "POST" })],
    ]) {
      const error = await send(url).then(
        () => undefined,
        (error) => error,
      );
      assert.equal(error?.code, "wrong-argument", `${name} ${url}: ${error}`);
      assert.match(error.message, says, name);
      mustNotLeak(error);
    }
  }
});

test("a key or a header that cannot be sent is an error without its value", async () => {
  const agent = (connect, headers) => connect("http://127.0.0.1:1/", { headers }).send("Hi").text();
  for (const value of ["sk-SECRET\nx", "sk-SECRET\0", "sk-SECRET…"]) {
    for (const [name, send] of [
      ...Object.keys(MODELS).map((protocol) => [
        protocol,
        () =>
          callModel({ protocol, url: "http://127.0.0.1:1", key: value, model: "m", request: "Hi" }),
      ]),
      [
        "headers",
        () =>
          callModel({
            protocol: "chat",
            url: "http://127.0.0.1:1",
            model: "m",
            request: "Hi",
            headers: { "x-key": value },
          }),
      ],
      [
        "list",
        () =>
          callModel({
            protocol: "chat",
            url: "http://127.0.0.1:1",
            model: "m",
            request: "Hi",
            headers: [["x-key", value]],
          }),
      ],
      ...Object.entries(AGENTS).map(([protocol, { connect }]) => [
        protocol,
        () => agent(connect, { "x-key": value }),
      ]),
      [
        "RunsClient",
        () =>
          new RunsClient("http://127.0.0.1:1", {
            headers: async () => ({ "x-key": value }),
          }).history(),
      ],
      [
        "resumableFetch",
        () =>
          resumableFetch()("http://127.0.0.1:1", { method: "POST", headers: { "x-key": value } }),
      ],
    ]) {
      const error = await send().then(
        () => undefined,
        (error) => error,
      );
      assert.equal(error?.code, "wrong-option", `${name}: ${error}`);
      assert.match(
        error.message,
        /the header `(x-key|authorization|x-api-key|x-goog-api-key)` cannot be sent/,
      );
      mustNotLeak(error);
    }
  }
});

test("a server that repeats the key in its refusal: the error does not", async () => {
  const fetch = async (request) =>
    Response.json(
      { error: { message: `invalid key: ${request.headers.get("authorization")}` } },
      { status: 401 },
    );
  await assert.rejects(
    callModel({ protocol: "chat", key: KEY, model: "m", request: "Hi", fetch }),
    (error) => {
      assert.ok(error instanceof HttpError);
      assert.equal(error.message, "the server answered 401: invalid key: Bearer [key]");
      mustNotLeak(error);
      return true;
    },
  );
});

test("a refusal that never ends is not waited for", async () => {
  const chunk = new TextEncoder().encode("x".repeat(10_000));
  let pulled = 0;
  const endless = () =>
    new Response(
      new ReadableStream(
        {
          pull: (controller) => {
            pulled++;
            return controller.enqueue(chunk);
          },
        },
        { highWaterMark: 0 },
      ),
      { status: 500 },
    );
  const error = await callModel({
    protocol: "chat",
    key: KEY,
    model: "m",
    request: "Hi",
    fetch: async () => endless(),
  }).catch((error) => error);
  assert.equal(error.body.length, 65_536);
  assert.ok(pulled <= 7, String(pulled));
});
