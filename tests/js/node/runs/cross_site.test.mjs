// Requests that a page of another site can send without permission ("simple" requests) start and
// change nothing.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { WRITABLE } from "agentwire";
import { memoryBlobs } from "agentwire/runs/server";
import { memoryStore } from "agentwire/stores";
import { agent as runsAgent, runsService } from "../../support/runs_agent.mjs";
import { until } from "../../support/until.mjs";

const ORIGIN = "http://service.test";
const SITE = { origin: "https://evil.example" };
const PATH = "/api/v1/agent";
/** The content types of a request that needs no permission; null for none. */
const SIMPLE = [
  "text/plain",
  "text/plain;charset=UTF-8",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/plain; application/json",
  null,
];

let started = 0;
const uploaded = [];
const blobs = { ...memoryBlobs(), put: (path) => void uploaded.push(path) };
const agent = (out, request, context) => {
  started++;
  const isRun = new URL(context.http.url).pathname.startsWith(PATH);
  return isRun ? runsAgent(out, request, context) : out.message().text().delta("x");
};
/** A service that identifies the user by a cookie, or not at all, without looking at the origin. */
const open = (options) =>
  runsService({
    agent,
    store: memoryStore(),
    blobs,
    authenticate: ({ headers }) => (headers.has("cookie") ? "ann" : undefined),
    transcribe: () => {
      started++;
      return "text";
    },
    protocols: WRITABLE,
    ...options,
  });
const runs = open();
after(() => runs.close());

const send = (path, { type, body, at = runs, method = "POST", ...headers } = {}) =>
  at(
    new Request(ORIGIN + path, {
      method,
      headers: {
        cookie: "user=ann",
        host: "service.test",
        ...(type && { "content-type": type }),
        ...headers,
      },
      ...(body !== undefined && {
        body: typeof body === "string" ? new TextEncoder().encode(body) : body,
      }),
    }),
  );

const input = (content, threadId = crypto.randomUUID()) => ({
  threadId,
  runId: "r",
  messages: [{ id: "m", role: "user", content }],
  forwardedProps: { runtime_mode: "chat" },
});
const message = {
  message: { kind: "message", messageId: "m", role: "user", parts: [{ kind: "text", text: "x" }] },
};
const rpc = (method, params) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const STARTS = {
  "POST /runs": [`${PATH}/runs`, () => JSON.stringify(input("count 1"))],
  "a response": ["/v1/responses", () => JSON.stringify({ model: "m", input: "x" })],
  "a response that is not stored": [
    "/v1/responses",
    () => JSON.stringify({ model: "m", input: "x", store: false }),
  ],
  "a resumable answer": [
    "/ag-ui",
    () =>
      JSON.stringify({
        threadId: "t",
        runId: "r",
        messages: [{ id: "m", role: "user", content: "x" }],
        tools: [],
        context: [],
        state: {},
        forwardedProps: {},
      }),
    { prefer: "resumable" },
  ],
  "an A2A message": ["/a2a", () => rpc("message/send", message)],
  "an A2A stream": ["/a2a", () => rpc("message/stream", message)],
  "an A2A message in REST": [
    "/a2a/message:send",
    () =>
      JSON.stringify({ message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }] } }),
    { "a2a-version": "1.0" },
  ],
};

describe("simple requests", () => {
  for (const [name, [path, body, headers]] of Object.entries(STARTS)) {
    test(`start nothing: ${name}`, async () => {
      for (const type of SIMPLE) {
        for (const from of [{}, SITE]) {
          started = 0;
          const response = await send(path, { type, body: body(), ...headers, ...from });
          await response.text();
          assert.deepEqual([response.status, started], [415, 0], `${type} ${JSON.stringify(from)}`);
        }
      }
      started = 0;
      const response = await send(path, {
        type: "application/json; charset=utf-8",
        body: body(),
        ...headers,
      });
      await response.text();
      assert.ok(response.status < 300, `${response.status} as JSON`);
      // A run is accepted before its agent starts, which must not count in the next test.
      await until(async () => started === 1);
    });
  }

  /**
   * Starts a run that continues, and returns it with a function that returns whether it was stopped
   * or deleted.
   */
  async function running() {
    const run = input("count 1000 20");
    assert.equal(
      (await send(`${PATH}/runs`, { type: "application/json", body: JSON.stringify(run) })).status,
      202,
    );
    const state = async () =>
      (await send(`${PATH}/history?threadId=${run.threadId}`, { method: "GET" })).status;
    return { ...run, state };
  }

  test("with a body stop and delete nothing: cancel and delete", async () => {
    const { threadId, state } = await running();
    for (const type of SIMPLE) {
      assert.equal(
        (await send(`${PATH}/runs/${threadId}/cancel?runId=r`, { type, body: "x=1" })).status,
        415,
      );
      assert.equal(
        (await send(`${PATH}/runs/${threadId}`, { method: "DELETE", type, body: "x=1" })).status,
        415,
      );
    }
    assert.equal(await state(), 200);
    assert.equal(
      (await send(`${PATH}/runs/${threadId}/cancel?runId=r`)).status,
      202,
      "without a body, of the own page or no page",
    );
    assert.equal(
      (
        await send(`${PATH}/runs/${threadId}`, {
          method: "DELETE",
          type: "application/json",
          body: "{}",
        })
      ).status,
      200,
    );
  });

  test("of another site without a body, and forms, are refused; the own page, allowed pages and other programs are not", async () => {
    const { threadId } = await running();
    const cancel = (headers, at) =>
      send(`${PATH}/runs/${threadId}/cancel?runId=r`, { ...headers, at });
    const form =
      '--x\r\ncontent-disposition: form-data; name="threadId"\r\n\r\n' +
      threadId +
      '\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n\x89PNG\r\n\x1a\n and more\r\n--x--\r\n';
    const bytes = Buffer.from(form, "latin1");
    const upload = (headers, at) =>
      send(`${PATH}/attachments`, {
        type: "multipart/form-data; boundary=x",
        body: bytes,
        "content-length": String(bytes.length),
        ...headers,
        at,
      });
    const recording = (headers) =>
      send(`${PATH}/transcribe`, {
        type: "multipart/form-data; boundary=x",
        body: bytes,
        "content-length": String(bytes.length),
        ...headers,
      });
    const foreign = [
      SITE,
      { origin: "null" },
      { ...SITE, "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site", origin: "http://other.service.test" },
      { origin: "http://service.test:81" },
    ];
    started = 0;
    for (const headers of foreign) {
      const statuses = await Promise.all(
        [cancel(headers), upload(headers), recording(headers)].map(
          async (response) => (await response).status,
        ),
      );
      assert.deepEqual(statuses, [403, 403, 403], JSON.stringify(headers));
    }
    assert.deepEqual([uploaded.length, started], [0, 0]);
    const own = [
      {},
      { origin: ORIGIN },
      { origin: ORIGIN, "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "none" },
      { ...SITE, authorization: "Bearer x" },
      { ...SITE, "x-requested-with": "fetch" },
    ];
    for (const headers of own) {
      assert.deepEqual(
        [(await cancel(headers)).status, (await upload(headers)).status],
        [202, 200],
        JSON.stringify(headers),
      );
    }
    for (const origin of [SITE.origin, [SITE.origin], (one) => one === SITE.origin]) {
      const at = open({ cors: { origin } });
      const statuses = [
        (await upload(SITE, at)).status,
        (await upload({ origin: "https://other.example" }, at)).status,
      ];
      assert.deepEqual(statuses, [200, 403]);
      await at.close();
    }
  });

  test("of another site do not stop a stored response, nor an A2A task", async () => {
    const created = await (
      await send("/v1/responses", {
        type: "application/json",
        body: JSON.stringify({ model: "m", input: "x" }),
      })
    ).json();
    assert.equal((await send(`/v1/responses/${created.id}/cancel`, SITE)).status, 403);
    assert.equal(
      (await send(`/v1/responses/${created.id}/cancel`, { type: "text/plain", body: "x" })).status,
      415,
    );
    assert.equal((await send(`/v1/responses/${created.id}/cancel`)).status, 200);
    const task = await (
      await send("/a2a/message:send", {
        type: "application/json",
        "a2a-version": "1.0",
        body: JSON.stringify({
          message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }] },
        }),
      })
    ).json();
    assert.equal(
      (await send(`/a2a/tasks/${task.task.id}:cancel`, { ...SITE, "a2a-version": "1.0" })).status,
      403,
    );
  });

  test("an upload that is no form is a 415", async () => {
    for (const type of [
      "text/plain",
      "application/json",
      "multipart/mixed; boundary=x",
      "multipart/form-dataset; boundary=x",
      null,
    ]) {
      assert.equal(
        (await send(`${PATH}/attachments`, { type, body: "x", "content-length": "1" })).status,
        415,
        String(type),
      );
    }
  });
});

test("a user whose name is too long to be stored is refused before anything starts; others are stored", async () => {
  const authenticate = ({ headers }) => "u".repeat(Number(headers.get("x-length")));
  const at = open({ authenticate });
  started = 0;
  for (const [length, status] of [
    [2046, 202],
    [2047, 422],
    [100_000, 422],
  ]) {
    const response = await send(`${PATH}/runs`, {
      type: "application/json",
      body: JSON.stringify(input("count 1")),
      at,
      "x-length": String(length),
    });
    assert.equal(response.status, status, String(length));
  }
  assert.equal(
    (
      await send("/v1/responses", {
        type: "application/json",
        body: JSON.stringify({ model: "m", input: "x" }),
        at,
        "x-length": "3000",
      })
    ).status,
    422,
  );
  await at.close();
});
