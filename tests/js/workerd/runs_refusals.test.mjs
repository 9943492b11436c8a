// The refusals of the runs endpoints: each status and code over HTTP; tokens.
import assert from "node:assert/strict";
import { get } from "node:http";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { SignJWT } from "jose";
import { configuration } from "../../../www/configuration.mjs";
import { input, killRuntime, limitPeriod, openRuns, ran } from "../support/runs_site.mjs";

const SECRET = "a secret of at least thirty-two bytes";

describe("the runs endpoints", () => {
  let site;
  let client;
  let mine;
  before(async () => {
    site = await openRuns({
      KEEP_ALIVE: "100",
      JWT_SECRET: SECRET,
      CORS_ORIGINS: "https://app.example",
      BODY_TIMEOUT: "700",
    });
    client = site.client();
    mine = input("echo mine");
    await ran(client, mine);
  });
  after(() => site?.close());

  const ask = (path, { token = "demo", ...init } = {}) =>
    fetch(site.base + path, {
      ...init,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...init.headers },
    });
  const post = (path, body, init) =>
    ask(path, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...init,
      headers: { "content-type": "application/json", ...init?.headers },
    });
  const tokenOf = (claims, secret = SECRET, algorithm = "HS256") =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm })
      .sign(new TextEncoder().encode(secret));
  const soon = () => Math.floor(Date.now() / 1000) + 600;

  async function refused(response, status, code) {
    const text = await response.text();
    assert.equal(response.status, status, text);
    assert.equal(response.headers.get("content-type"), "application/problem+json");
    assert.match(response.headers.get("x-request-id"), /^[\w-]+$/);
    const body = JSON.parse(text);
    assert.equal(body.status, status);
    assert.equal(body.code, code);
    assert.ok(body.title.length > 0 && body.detail.length > 0);
    return body;
  }

  const thread = () => mine.threadId;
  const nobody = "8473547e-c8ed-4aef-a84c-603a6a8d42da";
  const cases = {
    "no token": [() => ask("/history", { token: "" }), 401, "AUTH_UNAUTHORIZED"],
    "a wrong token": [() => ask("/history", { token: "other" }), 401, "AUTH_UNAUTHORIZED"],
    "a wrong method": [() => ask("/runs"), 405, "AGENT_METHOD_NOT_ALLOWED"],
    "an unknown path": [() => ask("/nothing"), 404, "AGENT_NOT_FOUND"],
    "invalid JSON": [() => post("/runs", "{"), 422, "AGENT_RUN_INPUT_INVALID"],
    "no body": [() => post("/runs", ""), 422, "AGENT_RUN_INPUT_INVALID"],
    "no user message": [
      () => post("/runs", { ...input(""), messages: [] }),
      422,
      "AGENT_RUN_MESSAGES_INVALID",
    ],
    "an unknown property": [
      () =>
        post("/runs", { ...input(""), forwardedProps: { runtime_mode: "chat", agent_type: "x" } }),
      422,
      "AGENT_RUN_INPUT_INVALID",
    ],
    "a body that is too large": [
      () => post("/runs", " ".repeat(1024 * 1024 + 1)),
      413,
      "AGENT_BODY_TOO_LARGE",
    ],
    "an invalid idempotency key": [
      () => post("/runs", input(""), { headers: { "idempotency-key": "a b" } }),
      422,
      "AGENT_PAYLOAD_INVALID",
    ],
    "events without a run id": [() => ask(`/runs/${thread()}/events`), 422, "AGENT_INVALID_RUN_ID"],
    "events with a run id that is too long": [
      () => ask(`/runs/${thread()}/events?runId=${"x".repeat(129)}`),
      422,
      "AGENT_INVALID_RUN_ID",
    ],
    "an idle limit of 0": [
      () => ask(`/runs/${thread()}/events?runId=a&idle_limit=0`),
      422,
      "AGENT_PAYLOAD_INVALID",
    ],
    "an invalid thread id": [
      () => ask("/runs/thread/events?runId=a"),
      422,
      "AGENT_SESSION_ID_INVALID",
    ],
    "an unknown thread": [
      () => ask(`/runs/${nobody}/events?runId=a`),
      404,
      "AGENT_SESSION_NOT_FOUND",
    ],
    "an unknown run": [() => ask(`/runs/${thread()}/events?runId=a`), 404, "AGENT_RUN_NOT_FOUND"],
    "an invalid cursor": [
      () =>
        ask(`/runs/${thread()}/events?runId=${mine.runId}`, { headers: { "last-event-id": "x" } }),
      422,
      "AGENT_INVALID_LAST_EVENT_ID",
    ],
    "a cursor of another log": [
      () =>
        ask(`/runs/${thread()}/events?runId=${mine.runId}`, {
          headers: { "last-event-id": "abc-1" },
        }),
      422,
      "AGENT_INVALID_LAST_EVENT_ID",
    ],
    "a cancellation without a run id": [
      () => post(`/runs/${thread()}/cancel`, ""),
      422,
      "AGENT_INVALID_RUN_ID",
    ],
    "a cancellation in an unknown thread": [
      () => post(`/runs/${nobody}/cancel?runId=a`, ""),
      404,
      "AGENT_SESSION_NOT_FOUND",
    ],
    "an invalid date": [() => ask("/history?before=2026-02-30"), 422, "AGENT_PAYLOAD_INVALID"],
    "the history of an unknown thread": [
      () => ask(`/history?threadId=${nobody}`),
      404,
      "AGENT_SESSION_NOT_FOUND",
    ],
  };
  for (const [name, [request, status, code]] of Object.entries(cases)) {
    test(`${name}: ${status} ${code}`, async () => {
      await refused(await request(), status, code);
    });
  }

  const many = (item, count) => `[${Array(count).fill(item).join(",")}]`;
  const large = {
    "130,000 messages without properties": JSON.stringify({
      ...input(""),
      messages: "many",
    }).replace('"many"', many("{}", 130_000)),
    "190,000 messages that are numbers": JSON.stringify({ ...input(""), messages: "many" }).replace(
      '"many"',
      many("1", 190_000),
    ),
    "26,000 incomplete parts": JSON.stringify({
      ...input(""),
      messages: [{ id: "1", role: "user", content: "many" }],
    }).replace('"many"', many('{"type":"text"}', 26_000)),
    "30,000 unknown properties": JSON.stringify({
      ...input(""),
      forwardedProps: Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`k${at}`, 1])),
    }),
    "a role of 380,000 characters": JSON.stringify({
      ...input(""),
      messages: [{ id: "1", role: "x".repeat(380_000), content: "y" }],
    }),
    "390,000 open brackets": "[".repeat(390_000),
  };
  for (const [name, body] of Object.entries(large)) {
    test(`${name}: the error body is at most 16 KiB`, async () => {
      const answer = await post("/runs", body);
      assert.equal(answer.status, 422);
      assert.ok((await answer.text()).length <= 16 * 1024);
    });
  }

  for (const path of ["/runs", "/attachments", "/transcribe"]) {
    test(`an incomplete body, ${path}: 408 AGENT_BODY_TIMEOUT`, async () => {
      const { hostname, port } = new URL(site.base);
      const socket = connect(Number(port), hostname);
      const type = path === "/runs" ? "application/json" : "multipart/form-data; boundary=b";
      const head = [
        `POST /api/v1/agent${path} HTTP/1.1`,
        `host: ${hostname}:${port}`,
        "authorization: Bearer demo",
        `content-type: ${type}`,
        "content-length: 5000",
      ];
      socket.write(`${head.join("\r\n")}\r\n\r\n{`);
      let text = "";
      for await (const chunk of socket) {
        text += chunk;
        if (text.includes('"code":"AGENT_BODY_TIMEOUT"')) {
          break;
        }
      }
      assert.match(text, /^HTTP\/1.1 408 /);
      assert.match(text, /content-type: application\/problem\+json/i);
    });
  }

  test("an internal error does not expose details: 500 AGENT_INTERNAL_ERROR", async () => {
    const broken = await openRuns({}, { without: ["USERS"] });
    try {
      const headers = { authorization: "Bearer demo", "content-type": "application/json" };
      const answer = await fetch(`${broken.base}/runs`, {
        method: "POST",
        headers,
        body: JSON.stringify(input("echo")),
      });
      const body = await refused(answer, 500, "AGENT_INTERNAL_ERROR");
      assert.doesNotMatch(JSON.stringify(body), /undefined|getByName|USERS/);
    } finally {
      await broken.close();
    }
  });

  test("an unavailable storage: 503 AGENT_STORAGE_UNAVAILABLE", async () => {
    for (const [vars, options] of [[{}, { without: ["ATTACHMENTS"] }], [{ SIGNING_SECRET: "" }]]) {
      const broken = await openRuns(vars, options);
      try {
        const body = new FormData();
        body.set("threadId", nobody);
        body.set(
          "file",
          new Blob([Uint8Array.from("\x89PNG\r\n\x1a\n and more", (one) => one.charCodeAt(0))]),
          "a.png",
        );
        const answer = await fetch(`${broken.base}/attachments`, {
          method: "POST",
          body,
          headers: { authorization: "Bearer demo" },
        });
        assert.equal(answer.headers.get("retry-after"), "5");
        await refused(answer, 503, "AGENT_STORAGE_UNAVAILABLE");
      } finally {
        await broken.close();
      }
    }
  });

  test("connections and active runs of a user are limited across all threads", async () => {
    const own = await openRuns({
      KEEP_ALIVE: "100",
      USER_CONNECTIONS: "3",
      USER_RUNS: "2",
      JWT_SECRET: SECRET,
    });
    try {
      const client = own.client();
      const long = { variant: "long", delay: 20, tokens: 5000 };
      const runs = [
        await client.createRun(input("one", long)),
        await client.createRun(input("two", long)),
      ];
      const headers = { authorization: "Bearer demo" };
      const eventsOf = ({ threadId, runId }, init) =>
        fetch(`${own.base}/runs/${threadId}/events?runId=${runId}`, { headers, ...init });
      const leaving = new AbortController();
      const open = await Promise.all([
        eventsOf(runs[0], { signal: leaving.signal }),
        eventsOf(runs[1]),
        eventsOf(runs[1]),
      ]);
      assert.deepEqual(
        open.map(({ status }) => status),
        [200, 200, 200],
      );
      const fourth = await eventsOf(runs[0]);
      assert.equal(fourth.headers.get("retry-after"), "5");
      await refused(fourth, 429, "AGENT_SSE_CONNECTION_LIMIT");
      // A client that disconnects makes room.
      leaving.abort();
      const again = await until(
        () => eventsOf(runs[0]),
        ({ status }) => status === 200,
      );
      assert.equal(again.status, 200);
      // Another user has a limit of their own.
      const token = await tokenOf({ sub: "eve", exp: soon() });
      const third = input("three", long);
      const start = (headers) =>
        fetch(`${own.base}/runs`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(third),
        });
      const busy = await start(headers);
      assert.equal(busy.headers.get("retry-after"), "5");
      await refused(busy, 429, "AGENT_RATE_LIMIT_EXCEEDED");
      await client.cancel(runs[0].threadId, runs[0].runId);
      assert.equal(
        (
          await until(
            () => start(headers),
            ({ status }) => status === 202,
          )
        ).status,
        202,
      );
      const other = { ...third, threadId: crypto.randomUUID() };
      const hers = await fetch(`${own.base}/runs`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(other),
      });
      assert.equal(hers.status, 202);
      await Promise.all([...open.slice(1), again].map(({ body }) => body.cancel()));
    } finally {
      await own.close();
    }
  });

  test("connections of a killed process do not count", async () => {
    const own = await openRuns({ KEEP_ALIVE: "100", USER_CONNECTIONS: "2" });
    try {
      const client = own.client({ attempts: 100 });
      const long = { variant: "long", delay: 20, tokens: 5000 };
      const runs = [
        await client.createRun(input("one", long)),
        await client.createRun(input("two", long)),
      ];
      const headers = { authorization: "Bearer demo" };
      const eventsOf = ({ threadId, runId }) =>
        fetch(`${own.base}/runs/${threadId}/events?runId=${runId}`, { headers });
      const open = await Promise.all([eventsOf(runs[0]), eventsOf(runs[0])]);
      assert.deepEqual(
        open.map(({ status }) => status),
        [200, 200],
      );
      assert.equal((await eventsOf(runs[1])).status, 429);
      killRuntime();
      await Promise.allSettled(open.map(({ body }) => body.cancel()));
      const failed = new Response(null, { status: 599 });
      const again = await until(
        () => eventsOf(runs[1]).catch(() => failed),
        ({ status }) => status === 200,
      );
      assert.equal(again.status, 200);
      await again.body.cancel();
    } finally {
      await own.close();
    }
  });

  test("cursors of another thread or log and malformed thread ids are rejected", async () => {
    const { threadId, runId } = mine;
    const other = input("echo other");
    await ran(client, other);
    const run = client.events(other.threadId, other.runId);
    await run.finished();
    const [generation] = run.cursor.split("-");
    const events = (path, cursor) =>
      ask(`/runs/${path}/events?runId=${encodeURIComponent(runId)}`, {
        headers: { "last-event-id": cursor },
      });
    for (const cursor of [
      run.cursor,
      `${generation}-0`,
      `${generation}-99999`,
      `${generation}-1e3`,
      "-1",
      "9".repeat(8000),
      `${"g".repeat(65)}-1`,
      "0",
    ]) {
      await refused(await events(threadId, cursor), 422, "AGENT_INVALID_LAST_EVENT_ID");
    }
    for (const path of [
      "..%2f..%2fhealth",
      "%00",
      `${threadId}%20`,
      `${threadId}x`,
      "x".repeat(4000),
      "%F0%9F%91%8B",
    ]) {
      await refused(await events(path, ""), 422, "AGENT_SESSION_ID_INVALID");
    }
    // A UUID is the same in capitals.
    assert.equal((await events(threadId.toUpperCase(), "")).status, 200);
  });

  test("expired, incomplete and wrongly signed tokens are rejected", async () => {
    const wrong = {
      expired: await tokenOf({ sub: "eve", exp: Math.floor(Date.now() / 1000) - 60 }),
      "without an expiry": await tokenOf({ sub: "eve" }),
      "without a subject": await tokenOf({ exp: soon() }),
      "signed with another secret": await tokenOf({ sub: "eve", exp: soon() }, `not ${SECRET}`),
      "signed with another algorithm": await tokenOf(
        { sub: "eve", exp: soon() },
        SECRET.repeat(2),
        "HS512",
      ),
      "with an empty subject": await tokenOf({ sub: "", exp: soon() }),
      "of a number": await tokenOf({ sub: 5, exp: soon() }),
      "of an object": await tokenOf({ sub: { id: 1 }, exp: soon() }),
      "of a list": await tokenOf({ sub: ["eve"], exp: soon() }),
      "of null": await tokenOf({ sub: null, exp: soon() }),
      unsigned:
        `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify({ sub: "eve", exp: soon() }))}.`.replaceAll(
          "=",
          "",
        ),
    };
    for (const [how, token] of Object.entries(wrong)) {
      const response = await ask("/history", { token });
      assert.equal(response.status, 401, how);
      await refused(response, 401, "AUTH_UNAUTHORIZED");
    }
    // Clocks differ by some seconds.
    const late = await ask("/history", {
      token: await tokenOf({ sub: "eve", exp: Math.floor(Date.now() / 1000) - 10 }),
    });
    assert.equal(late.status, 200);
    const right = await ask("/history", { token: await tokenOf({ sub: "eve", exp: soon() }) });
    assert.deepEqual(await right.json(), {
      scope: "history_day",
      threadId: null,
      day: null,
      hasMore: false,
      messages: [],
    });
  });

  test("the demo token is valid only on a loopback address and host name", async () => {
    const { vars } = await configuration();
    assert.equal(vars.DEMO_TOKEN, undefined, "a deployment has none");
    const { hostname, port } = new URL(site.base);
    const status = (host, port_ = port) =>
      new Promise((resolve, reject) => {
        const headers = { host, authorization: "Bearer demo" };
        get(
          { hostname, port: port_, path: "/api/v1/agent/history", headers, agent: false },
          (answer) => resolve(answer.resume().statusCode),
        ).on("error", reject);
      });
    assert.deepEqual(
      [
        await status(`localhost:${port}`),
        await status("127.0.0.1"),
        await status("evil.example"),
        await status("localhost.evil.example"),
      ],
      [200, 200, 401, 401],
    );
    const deployed = await openRuns({ DEMO_TOKEN: vars.DEMO_TOKEN ?? "", JWT_SECRET: SECRET });
    try {
      const { port } = new URL(deployed.base);
      assert.deepEqual(
        [await status("localhost", port), await status("127.0.0.1", port)],
        [401, 401],
      );
    } finally {
      await deployed.close();
    }
  });

  test("threads of another user are rejected on every path", async () => {
    const token = await tokenOf({ sub: "eve", exp: soon() });
    const { threadId, runId } = mine;
    const answers = [
      ask(`/runs/${threadId}/events?runId=${runId}`, { token }),
      post(`/runs/${threadId}/cancel?runId=${runId}`, "", { token }),
      ask(`/history?threadId=${threadId}`, { token }),
      post("/runs", input("echo yours", undefined, { threadId }), { token }),
    ];
    for (const answer of answers) {
      await refused(await answer, 403, "AGENT_FORBIDDEN");
    }
  });

  test("CORS headers are sent to the configured origins only", async () => {
    const asked = (origin) => ask("/history", { headers: { origin } });
    assert.equal(
      (await asked("https://app.example")).headers.get("access-control-allow-origin"),
      "https://app.example",
    );
    assert.equal(
      (await asked("https://evil.example")).headers.get("access-control-allow-origin"),
      null,
    );
    const preflight = await fetch(`${site.base}/runs`, {
      method: "OPTIONS",
      headers: {
        origin: "https://app.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,last-event-id",
      },
    });
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get("access-control-allow-headers"), /last-event-id/);
  });

  test("too many runs in a short time are rejected with `retry-after`", async () => {
    await limitPeriod();
    const token = await tokenOf({ sub: "hasty", exp: soon() });
    const answers = await Promise.all(
      Array.from({ length: 150 }, () => post("/runs", "{}", { token })),
    );
    const limited = answers.filter(({ status }) => status === 429);
    assert.ok(limited.length > 0);
    assert.equal(limited[0].headers.get("retry-after"), "10");
    await refused(limited[0], 429, "AGENT_RATE_LIMIT_EXCEEDED");
  });

  test("a reader with a cursor at the end receives 204", async () => {
    const run = client.events(mine.threadId, mine.runId);
    await run.finished();
    const over = await ask(`/runs/${mine.threadId}/events?runId=${mine.runId}`, {
      headers: { "last-event-id": run.cursor },
    });
    assert.equal(over.status, 204);
    const nothing = await client
      .events(mine.threadId, mine.runId, { after: run.cursor })
      .finished();
    assert.equal(nothing.report.events, 0);
  });
});

/** Repeats the request until the answer is as it should be, and returns it. */
async function until(ask, isRight) {
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) {
      return answer;
    }
    await answer.body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
