// Responses of any protocol through the log: `Prefer: resumable`, resumed by GET with
// `Last-Event-ID`.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { HttpAgent } from "@ag-ui/client";
import { Decoder, read } from "agentwire";
import { resumableFetch } from "agentwire/runs";
import { EventSource } from "eventsource";
import { cutFirst, killRuntime, openRuns } from "../support/runs_site.mjs";

/** The approximate number of interruptions of a response. */
const CUTS = 150;

const long = { variant: "long", delay: 4, tokens: 150 };
const weather = { delay: 0 };

const asking = (demo, text, role = "ROLE_USER") => ({
  message: { messageId: "m", role, parts: [{ kind: "text", text }] },
  metadata: { demo },
});

/** A request to each protocol. */
const REQUESTS = {
  "agent-api": (demo, text = "weather in Tokyo") => [
    "/process",
    {
      input: [{ role: "user", content: [{ type: "text", text }] }],
      session_id: "s",
      biz_params: { demo },
    },
  ],
  "ag-kit": (demo, text = "weather in Tokyo") => [
    "/send-message",
    { conversationId: "c", messages: [{ role: "user", content: text }], demo },
  ],
  "ag-ui": (demo, text = "weather in Tokyo") => [
    "/ag-ui",
    {
      threadId: "t",
      runId: "r",
      messages: [{ id: "u", role: "user", content: text }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: { demo },
    },
  ],
  responses: (demo, text = "weather in Tokyo") => [
    "/v1/responses",
    { model: "demo", input: text, stream: true, metadata: { demo: demo.variant ?? "answer" } },
  ],
  a2a: (demo, text = "weather in Tokyo") => [
    "/a2a",
    { jsonrpc: "2.0", id: "q", method: "SendStreamingMessage", params: asking(demo, text) },
  ],
  "a2a 0.3": (demo, text = "weather in Tokyo") => [
    "/a2a",
    { jsonrpc: "2.0", id: 7, method: "message/stream", params: asking(demo, text, "user") },
  ],
  "a2a rest": (demo, text = "weather in Tokyo") => ["/a2a/message:stream", asking(demo, text)],
  "a2a rest 0.3": (demo, text = "weather in Tokyo") => [
    "/a2a/v1/message:stream",
    { message: { messageId: "m", role: "ROLE_USER", content: [{ text }] }, metadata: { demo } },
  ],
};
const PROTOCOLS = Object.keys(REQUESTS);

/**
 * The options of a reader by the name of a request: A2A has requests in both versions and both
 * bindings.
 */
const optionsOf = (name) => ({
  protocol: name.split(" ")[0],
  ...(name.includes("rest") && { binding: "rest" }),
});

/** Returns the status of a run, also where the protocol has no `status`. */
const statusOf = ({ status, task }) => status ?? task.status.state;

describe("resumable responses", () => {
  let site;
  before(async () => {
    site = await openRuns({ KEEP_ALIVE: "100" }, { runsLimit: 100_000 });
  });
  after(() => site?.close());

  const post = ([path, body], headers = {}) =>
    fetch(site.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "resumable", ...headers },
      body: JSON.stringify(body),
    });
  const get = (where, cursor) =>
    fetch(site.url + where, { headers: cursor === undefined ? {} : { "last-event-id": cursor } });
  const idsOf = (text) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
  const withoutIds = (text) => text.replace(/^(id: .*\n|: .*\n\n)/gm, "");

  /** A slow response contains comments. */
  const withoutBeats = (text) => text.replace(/^: .*\n\n/gm, "");

  function folded(protocol, text) {
    const decoder = new Decoder(optionsOf(protocol));
    decoder.push(Buffer.from(text));
    return decoder.finish();
  }

  for (const protocol of PROTOCOLS) {
    test(`${protocol}: a response has cursors, and each cursor returns the rest`, async () => {
      const response = await post(REQUESTS[protocol](weather));
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("preference-applied"), "resumable");
      const where = response.headers.get("content-location");
      assert.match(where, /^\/answers\/[0-9a-f]{64}$/);
      const text = withoutBeats(await response.text());
      const ids = idsOf(text);
      assert.ok(ids.length > 50);
      assert.equal(new Set(ids).size, ids.length);
      // The only notes are about the `id` lines, which most protocols do not have, and about the
      // members of a file in REST of 0.3, which our reader does not support: that stream is for the
      // official client, in official_a2a.
      const noted =
        protocol === "a2a rest 0.3" ? ["framing-field", "part-content"] : ["framing-field"];
      assert.deepEqual(
        folded(protocol, text).report.violations.filter(({ rule }) => !noted.includes(rule)),
        [],
      );
      // The frames have the events that the protocol writes without a log.
      const [path, body] = REQUESTS[protocol](weather);
      const plain = await (
        await fetch(site.url + path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        })
      ).text();
      const shape = (text) =>
        withoutIds(text)
          .replace(
            /(response_|resp_)?([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64})/g,
            "",
          )
          .replace(/"(created|completed)_at":\d+|"timestamp":"[^"]*"/g, "");
      assert.equal(shape(text), shape(plain));
      assert.equal(await (await get(where)).text(), text);
      for (const at of [0, 1, ids.length >> 1, ids.length - 2]) {
        const rest = await get(where, ids[at]);
        assert.equal(await rest.text(), text.slice(text.indexOf(`id: ${ids[at + 1]}\n`)));
      }
      assert.equal((await get(where, ids.at(-1))).status, 204);
    });

    test(`${protocol}: a client reads a complete response through a connection that is cut at any byte`, async (context) => {
      const request = REQUESTS[protocol](weather, "echo 你好 👋 a b");
      const key = { "idempotency-key": crypto.randomUUID() };
      const whole = await (await post(request, key)).text();
      const length = Buffer.byteLength(whole);
      const expected = folded(protocol, whole).snapshot;
      const step = Math.ceil(length / CUTS) | 1;
      for (let cut = 0; cut <= length; cut += step) {
        const ask = resumableFetch({ fetch: cutFirst(cut), baseDelayMs: 1, maxDelayMs: 1 });
        const [path, body] = request;
        const answer = ask(site.url + path, {
          method: "POST",
          headers: { "content-type": "application/json", ...key },
          body: JSON.stringify(body),
        });
        const { snapshot, report } = await read(answer, optionsOf(protocol)).finished();
        assert.deepEqual(snapshot, expected, `cut after ${cut}`);
        assert.equal(report.endReason, "completed", `cut after ${cut}`);
      }
      context.diagnostic(`${Math.floor(length / step) + 1} cuts in ${length} bytes`);
    });

    test(`${protocol}: the response of a killed process ends with a valid terminal event`, async () => {
      const ask = resumableFetch({ baseDelayMs: 10, maxDelayMs: 100, attempts: 100 });
      const [path, body] = REQUESTS[protocol]({ ...long, delay: 10 });
      let killed = false;
      const run = read(
        ask(site.url + path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
        optionsOf(protocol),
      );
      let seen = 0;
      for await (const { snapshot } of run) {
        if (!killed && seen++ > 10) {
          killed = true;
          killRuntime();
        }
        void snapshot;
      }
      const { snapshot, report } = await run.finished();
      assert.ok(killed);
      assert.equal(report.endReason, "completed");
      assert.deepEqual(
        report.violations.filter(({ severity }) => severity === "error"),
        [],
      );
      assert.match(statusOf(snapshot), /failed/i);
      assert.match(JSON.stringify(snapshot), /interrupted/);
    });
  }

  test("the agent continues without a reader and stops when the response is deleted", async () => {
    const response = await post(REQUESTS["ag-ui"](long));
    const where = response.headers.get("content-location");
    await response.body.cancel();
    const whole = await (await get(where)).text();
    assert.equal(folded("ag-ui", whole).snapshot.status, "finished");
    const endless = await post(REQUESTS["ag-ui"]({ ...long, tokens: 20_000 }));
    const stopped = await fetch(site.url + endless.headers.get("content-location"), {
      method: "DELETE",
    });
    assert.equal(stopped.status, 202);
    const { snapshot, report } = folded("ag-ui", await endless.text());
    assert.deepEqual(
      [snapshot.status, report.endReason, report.violations],
      ["cancelled", "completed", []],
    );
  });

  // REST of 0.3 has the state `CANCELLED`, which our reader does not support.
  for (const protocol of ["responses", "a2a", "a2a 0.3", "a2a rest"]) {
    test(`${protocol}: DELETE stops the agent`, async () => {
      const endless = await post(
        REQUESTS[protocol]({
          ...long,
          variant: protocol === "responses" ? "slow" : "long",
          tokens: 20_000,
        }),
      );
      const reader = endless.body.getReader();
      const { value } = await reader.read();
      const where = endless.headers.get("content-location");
      assert.equal((await fetch(site.url + where, { method: "DELETE" })).status, 202);
      void value;
      reader.cancel();
      const { snapshot, report } = folded(protocol, await (await get(where)).text());
      assert.match(statusOf(snapshot), /cancell?ed/i);
      assert.equal(report.endReason, "completed");
    });
  }

  test("a repeated idempotency key returns the same response, and is rejected for another request", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const [one, same] = await Promise.all([
      post(REQUESTS["ag-kit"](weather), headers),
      post(REQUESTS["ag-kit"](weather), headers),
    ]);
    assert.equal(one.headers.get("content-location"), same.headers.get("content-location"));
    assert.equal(await one.text(), await same.text());
    await refused(await post(REQUESTS["ag-kit"](long), headers), 422, "AGENT_IDEMPOTENCY_CONFLICT");
    await refused(
      await post(REQUESTS["ag-kit"](long), { "idempotency-key": "short" }),
      422,
      "AGENT_PAYLOAD_INVALID",
    );
  });

  test("without `Prefer: resumable` responses do not change, and invalid requests are rejected as without it", async () => {
    const [path, body] = REQUESTS["ag-ui"](weather);
    const plain = await fetch(site.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(plain.headers.get("content-location"), null);
    assert.deepEqual(idsOf(await plain.text()), []);
    for (const protocol of PROTOCOLS) {
      const [path] = REQUESTS[protocol](weather);
      // An empty object is a valid request of OpenAI's protocol.
      const wrong = protocol === "responses" ? { input: 5 } : {};
      const [with_, without] = [
        await post([path, wrong]),
        await fetch(site.url + path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(wrong),
        }),
      ];
      assert.equal(with_.status, without.status, protocol);
      assert.equal(withoutIds(await with_.text()), await without.text());
      // A response that reports an error in a stream is a stream; the others cannot be resumed.
      assert.equal(
        with_.headers.has("content-location"),
        with_.headers.get("content-type").startsWith("text/event-stream"),
      );
    }
  });

  test("a response that is not streamed works with the preference and its idempotency key", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const ask = async () => (await post(["/v1/responses", { input: "echo hi" }], headers)).json();
    const [one, same] = [await ask(), await ask()];
    assert.deepEqual([one.status, one.output[0].content[0].text], ["completed", "hi"]);
    assert.deepEqual(same, one);
    assert.deepEqual(await (await fetch(`${site.url}/v1/responses/${one.id}`)).json(), one);
  });

  test("an unknown response and an invalid cursor are rejected", async () => {
    const response = await post(REQUESTS["ag-kit"](weather));
    const where = response.headers.get("content-location");
    await response.text();
    for (const cursor of ["x", "other-1", "99999999999999999999", "-1", "a".repeat(4000)]) {
      await refused(await get(where, cursor), 422, "AGENT_INVALID_LAST_EVENT_ID");
    }
    await refused(await get("/answers/nothing"), 404, "AGENT_NOT_FOUND");
    await refused(await get(`/answers/${"0".repeat(64)}`), 404, "AGENT_NOT_FOUND");
    await refused(
      await fetch(site.url + where, { method: "PUT" }),
      405,
      "AGENT_METHOD_NOT_ALLOWED",
    );
  });

  test("the official AG-UI client ignores cursors, and reads through interruptions with resumableFetch()", async () => {
    const [path, { threadId, messages, tools, context, forwardedProps }] =
      REQUESTS["ag-ui"](weather);
    const asked = async (options) => {
      const agent = new HttpAgent({
        url: site.url + path,
        threadId,
        initialMessages: messages,
        ...options,
      });
      const { newMessages } = await agent.runAgent({ runId: "r", tools, context, forwardedProps });
      return newMessages.map(({ role, content }) => [role, content]);
    };
    const plain = await asked({});
    assert.match(plain.findLast(([role]) => role === "assistant")[1], /Tokyo/);
    assert.deepEqual(await asked({ headers: { prefer: "resumable" } }), plain);
    const { fetch } = globalThis;
    try {
      globalThis.fetch = resumableFetch({ fetch: cutFirst(4000), baseDelayMs: 1, maxDelayMs: 1 });
      assert.deepEqual(await asked({}), plain);
    } finally {
      globalThis.fetch = fetch;
    }
  });

  test("an EventSource reads the rest and stops at the end", async () => {
    const response = await post(REQUESTS["ag-kit"](long));
    const where = response.headers.get("content-location");
    const source = new EventSource(site.url + where);
    const seen = [];
    source.onmessage = ({ data }) => seen.push(data);
    await new Promise(
      (resolve) => (source.onerror = () => source.readyState === EventSource.CLOSED && resolve()),
    );
    const text = await response.text();
    assert.deepEqual(
      seen,
      [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data),
    );
    assert.equal(seen.at(-1), "[DONE]");
  });

  test("canceling the body closes the connection, and an abort is reported", async () => {
    const [path, body] = REQUESTS["ag-kit"]({ ...long, tokens: 20_000 });
    const controller = new AbortController();
    const response = await resumableFetch()(site.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: controller.signal,
    });
    const reader = response.body.getReader();
    await reader.read();
    controller.abort(new Error("enough"));
    await assert.rejects(async () => {
      while (!(await reader.read()).done);
    }, /enough/);
    const stopped = await fetch(site.url + response.headers.get("content-location"), {
      method: "DELETE",
    });
    assert.equal(stopped.status, 202);
  });

  async function refused(response, status, code) {
    const text = await response.text();
    assert.equal(response.status, status, text);
    assert.equal(JSON.parse(text).code, code);
  }
});
