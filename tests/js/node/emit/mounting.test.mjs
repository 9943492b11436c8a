// The needs of a server in addition to the protocols: values of the platform, pages of other
// origins, limits, errors.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder } from "agentwire";
import {
  a2aAdapter,
  agentApiAdapter,
  agKitAdapter,
  agUiAdapter,
  createHandler,
  defineAdapter,
  respond,
  responsesAdapter,
  withCors,
} from "agentwire/server";
import { chatLines } from "../support/chat_lines.mjs";
import { nobody, outcomeOf, run, texts } from "../support/runs.mjs";

const input = [{ role: "user", content: [{ type: "text", text: "hi" }] }];
const asking = (path, body = { input }, init = {}) =>
  new Request(`http://localhost${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    ...init,
    headers: { "content-type": "application/json", ...init.headers },
  });
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const hello = (out) => out.message().text().delta("hello");

test("the agent receives the HTTP request and the arguments of the platform", async () => {
  const seen = [];
  const serve = createHandler({
    adapters: [agentApiAdapter()],
    agent: (out, request, context) => void seen.push(context),
  });
  const [env, ctx] = [{ KEY: "k" }, { waitUntil() {} }];
  const http = asking("/process");
  const answer = await serve(http, env, ctx);
  await answer.text();
  const [context] = seen;
  assert.ok(context.http === http && context.env === env && context.ctx === ctx);
  assert.match(context.id, UUID);
  assert.equal(answer.headers.get("x-request-id"), context.id);
  const [own] = await new Promise((resolve) =>
    respond(http, { protocol: "agent-api", env, ctx, requestId: "mine" }, (_, context) =>
      resolve([context]),
    ),
  );
  assert.deepEqual(own, { id: "mine", http, env, ctx });
});

test("`waitUntil` receives the agent and the promise of onError", async () => {
  const kept = [];
  const ctx = { waitUntil: (work) => void kept.push(work) };
  let received = false;
  const onError = async (error, context) => {
    assert.equal(context.ctx, ctx);
    await new Promise((resolve) => setTimeout(resolve, 20));
    received = true;
  };
  const failing = createHandler({
    adapters: [agentApiAdapter()],
    agent: () => Promise.reject(new Error("secret")),
    onError,
  });
  const text = await (await failing(asking("/process"), {}, ctx)).text();
  assert.doesNotMatch(text, /secret/);
  assert.equal(kept.length, 1);
  await kept[0];
  assert.ok(received);
  received = false;
  const unread = createHandler({
    adapters: [
      defineAdapter({ path: "/x", protocol: "agent-api", convertRequest: () => JSON.parse("no") }),
    ],
    agent: hello,
    onError,
  });
  const refused = await unread(asking("/x"), {}, ctx);
  assert.equal(refused.status, 400);
  await kept[1];
  assert.ok(received);
});

test("a masked error has the same request id in the stream, in the header and in onError", async () => {
  const ids = [];
  const failing = createHandler({
    adapters: [agentApiAdapter()],
    agent: () => Promise.reject(new Error("secret")),
    onError: (_, { id }) => void ids.push(id),
  });
  const answer = await failing(asking("/process"));
  const { snapshot: response } = await outcomeOf(answer);
  assert.equal(answer.headers.get("x-request-id"), ids[0]);
  assert.deepEqual(response.error, {
    code: "AGENT_UNKNOWN_ERROR",
    message: `an internal error happened, its id is ${ids[0]}`,
  });
});

test("an exception or rejection of onError does not change the response", async () => {
  for (const onError of [
    () => {
      throw new Error("a");
    },
    () => Promise.reject(new Error("b")),
  ]) {
    const { error } = console;
    console.error = () => {};
    try {
      const failing = createHandler({
        adapters: [agentApiAdapter()],
        agent: () => Promise.reject(new Error("secret")),
        onError,
      });
      assert.equal(
        (await outcomeOf(await failing(asking("/process")))).snapshot.error.code,
        "AGENT_UNKNOWN_ERROR",
      );
    } finally {
      console.error = error;
    }
  }
});

test("an exception of an adapter's options is a masked 500", async () => {
  const received = [];
  const adapter = agentApiAdapter({
    options() {
      throw new Error("secret");
    },
    onError: (error) => void received.push(error.message),
  });
  const answer = await createHandler({ adapters: [adapter], agent: hello })(asking("/process"));
  assert.deepEqual([answer.status, received], [500, ["secret"]]);
  const { code, request_id } = await answer.json();
  assert.deepEqual([code, request_id], ["AGENT_UNKNOWN_ERROR", answer.headers.get("x-request-id")]);
});

test("the body limit of an adapter overrides that of the handler", async () => {
  const serve = createHandler({
    adapters: [agentApiAdapter(), agKitAdapter({ maxBodyBytes: 4096 })],
    agent: hello,
    maxBodyBytes: 100,
  });
  const long = "x".repeat(200);
  assert.equal((await serve(asking("/process", { input, long }))).status, 413);
  assert.equal(
    (await serve(asking("/send-message", { conversationId: "c", messages: [], long }))).status,
    200,
  );
  assert.throws(
    () => createHandler({ adapters: [agentApiAdapter()], agent: hello, maxBodyBytes: -1 }),
    { code: "wrong-option" },
  );
});

test("adapters with the same path are selected by the body", async () => {
  const chat = chatLines();
  const chatAdapter = defineAdapter({
    path: "/send-message",
    protocol: chat,
    detect: (body) => body.startsWith('{"ask"'),
    convertRequest: (body) => ({
      input: [{ role: "user", content: [{ type: "text", text: JSON.parse(body).ask }] }],
    }),
  });
  for (const adapters of [
    [chatAdapter, agKitAdapter()],
    [agKitAdapter(), chatAdapter],
  ]) {
    const serve = createHandler({ adapters, agent: hello });
    assert.equal(
      await (await serve(asking("/send-message", { ask: "x" }))).text(),
      '{"say":"hello"}\n{"bye":true}\n',
    );
    const reader = new Decoder({ protocol: "ag-kit" });
    reader.push(
      new Uint8Array(
        await (await serve(asking("/send-message", { conversationId: "c" }))).arrayBuffer(),
      ),
    );
    assert.deepEqual(reader.finish().snapshot.parts, [{ type: "text", text: "hello" }]);
    assert.equal((await serve(asking("/send-message", {}))).status, 422);
    assert.equal(
      (
        await createHandler({ adapters, agent: hello, maxBodyBytes: 1 })(
          asking("/send-message", {}),
        )
      ).status,
      413,
    );
  }
});

test("/models lists the agent for the paths of each adapter", async () => {
  const serve = createHandler({
    adapters: [responsesAdapter(), responsesAdapter({ path: "/compatible-mode/v1/responses" })],
    agent: hello,
  });
  for (const base of ["/v1", "/compatible-mode/v1"]) {
    const get = async (path, init) => {
      const answer = await serve(new Request(`http://localhost${base}${path}`, init));
      return [answer.status, answer.status === 204 ? null : await answer.json()];
    };
    const model = { id: "agent", object: "model", created: 0, owned_by: "agentwire" };
    assert.deepEqual(await get("/models"), [200, { object: "list", data: [model] }]);
    assert.deepEqual(await get("/models/agent"), [200, model]);
    const [status, { error }] = await get("/models/gpt-0");
    assert.deepEqual([status, error.code], [404, "model_not_found"]);
    assert.equal((await get("/models", { method: "POST", body: "{}" }))[0], 405);
    assert.equal((await get("/models", { method: "OPTIONS" }))[0], 204);
  }
});

test("a wrong method and a body that is too large are rejected in the form of the protocol", async () => {
  const shared = responsesAdapter({ path: "/shared" });
  const adapters = [
    agentApiAdapter(),
    responsesAdapter(),
    shared,
    agUiAdapter({ path: "/shared" }),
    a2aAdapter({ name: "n", description: "d" }),
  ];
  const serve = createHandler({ adapters, agent: hello, maxBodyBytes: 10 });
  const form = async (request) => {
    const answer = await serve(request);
    assert.match(answer.headers.get("x-request-id"), UUID);
    const { detail, error, jsonrpc } = await answer.json();
    return [answer.status, typeof detail, typeof error?.type, jsonrpc];
  };
  for (const [path, ...said] of [
    ["/process", "string", "undefined", undefined],
    ["/v1/responses", "undefined", "string", undefined],
    ["/shared", "undefined", "string", undefined],
    ["/a2a", "undefined", "undefined", "2.0"],
  ]) {
    const get = new Request(`http://localhost${path}`);
    assert.deepEqual(await form(get), [405, ...said], path);
    const large = await form(asking(path, { long: "x".repeat(20) }));
    assert.deepEqual(
      large,
      [413, ...(path === "/process" ? ["object", "undefined", undefined] : said)],
      path,
    );
  }
});

const preflight = (headers) =>
  new Request("http://localhost/process", {
    method: "OPTIONS",
    headers: {
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
      ...headers,
    },
  });
const corsOf = (answer) =>
  Object.fromEntries(
    [...answer.headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"),
  );

test("without `cors`, no CORS headers are sent", async () => {
  const serve = createHandler({ adapters: [agentApiAdapter()], agent: hello });
  assert.deepEqual(corsOf(await serve(preflight({ origin: "https://a.example" }))), {});
  assert.deepEqual(corsOf(await serve(asking("/process"))), {});
});

test("`cors: true` allows every origin, also for rejections and unknown paths", async () => {
  const serve = createHandler({ adapters: [agentApiAdapter()], agent: hello, cors: true });
  const asked = await serve(preflight({ origin: "https://a.example" }));
  assert.equal(asked.status, 204);
  assert.deepEqual(corsOf(asked), {
    "access-control-allow-headers": "content-type",
    "access-control-allow-methods": "POST",
    "access-control-allow-origin": "*",
    "access-control-max-age": "7200",
    vary: "access-control-request-headers",
  });
  const readable = {
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "x-request-id, agentwire-losses",
  };
  for (const request of [
    asking("/process"),
    asking("/process", []),
    asking("/nowhere"),
    new Request("http://localhost/process"),
  ]) {
    assert.deepEqual(corsOf(await serve(request)), readable);
  }
});

test("a list of origins allows only those, with credentials and `vary: origin`", async () => {
  const origins = {
    one: "https://a.example",
    some: ["https://a.example"],
    asked: (origin) => origin.endsWith("//a.example"),
  };
  for (const [name, origin] of Object.entries(origins)) {
    const serve = withCors((request) => respond(request, { protocol: "agent-api" }, hello), {
      origin,
      credentials: true,
      allowHeaders: ["content-type"],
    });
    const from = async (origin) =>
      corsOf(await serve(asking("/process", {}, { headers: { origin } })));
    assert.deepEqual(
      await from("https://a.example"),
      {
        "access-control-allow-credentials": "true",
        "access-control-allow-origin": "https://a.example",
        "access-control-expose-headers": "x-request-id, agentwire-losses",
        vary: "origin",
      },
      name,
    );
    assert.deepEqual(
      await from("https://b.example"),
      { "access-control-expose-headers": "x-request-id, agentwire-losses", vary: "origin" },
      name,
    );
    const asked = await serve(preflight({ origin: "https://b.example" }));
    assert.equal(asked.headers.get("access-control-allow-origin"), null);
    assert.equal(asked.headers.get("access-control-allow-headers"), "content-type");
  }
  assert.throws(() => withCors(hello, { credentials: true }), { code: "wrong-option" });
  assert.throws(() => withCors(hello, { origin: 7 }), { code: "wrong-option" });
  assert.throws(() => withCors(hello, { maxAgeSeconds: -1 }), { code: "wrong-option" });
});

test("withCors() adds headers to a response with immutable headers", async () => {
  const fetched = new Response("x", { status: 201, headers: { vary: "accept" } });
  Object.defineProperty(fetched, "headers", { value: frozen(fetched.headers) });
  const answer = await withCors(() => fetched, { origin: "https://a.example" })(
    asking("/", {}, { headers: { origin: "https://a.example" } }),
  );
  assert.deepEqual(
    [answer.status, answer.headers.get("vary"), await answer.text()],
    [201, "accept, origin", "x"],
  );
});

/** As a fetched response has them. */
function frozen(headers) {
  const immutable = () => {
    throw new TypeError("immutable");
  };
  return new Proxy(headers, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      return ["set", "append", "delete"].includes(name)
        ? immutable
        : typeof value === "function"
          ? value.bind(target)
          : value;
    },
  });
}

test("a request that is aborted while its body is read returns 400, and the agent is not called", async () => {
  const controller = new AbortController();
  let canceled;
  const body = new ReadableStream({ cancel: (reason) => void (canceled = reason) });
  const http = new Request("http://localhost/process", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    duplex: "half",
    signal: controller.signal,
  });
  const answering = createHandler({
    adapters: [agentApiAdapter()],
    agent: () => assert.fail("the agent was called"),
  })(http);
  setTimeout(() => controller.abort(new Error("gone")), 10);
  assert.equal((await answering).status, 400);
  assert.equal(canceled.message, "gone");
});

test("Symbol.asyncDispose completes its message or content once", async () => {
  const dispose = (part) => part[Symbol.asyncDispose]();
  const { snapshot: response } = await run(async (out) => {
    const message = out.message();
    const text = message.text();
    await text.delta("a");
    await dispose(text);
    await dispose(text);
    await dispose(message);
    await dispose(message);
    const call = out.tool("f", { callId: "c" });
    await call.arguments("{}");
    await dispose(call);
    await out.message().text().delta("b");
    await dispose(out);
    await out.message().text().delta("c");
  });
  assert.deepEqual(texts(response), [["a"], [undefined], ["b"], ["c"]]);
  assert.ok(response.output.every(({ status }) => status === "completed"));
});

test("Symbol.asyncDispose does not hide an exception and does not throw after the end", async () => {
  const failed = await run(
    async (out) => {
      const text = out.message().text();
      await text.delta("a");
      await text[Symbol.asyncDispose]();
      await out[Symbol.asyncDispose]();
      throw new Error("secret");
    },
    { onError: () => {} },
  );
  assert.deepEqual(
    [failed.snapshot.status, failed.snapshot.error.code],
    ["failed", "AGENT_UNKNOWN_ERROR"],
  );
  let after;
  await respond(nobody, { protocol: "agent-api" }, async (out) => {
    const text = out.message().text();
    await out.cancel();
    after = await Promise.allSettled([text[Symbol.asyncDispose](), out[Symbol.asyncDispose]()]);
  }).text();
  assert.deepEqual(
    after.map(({ status }) => status),
    ["fulfilled", "fulfilled"],
  );
});
