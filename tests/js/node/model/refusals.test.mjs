// A refusal of a model is the HTTP status of the response, as long as nothing was sent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpError, read } from "agentwire";
import * as agUi from "agentwire/ag-ui";
import { AgentError, callModel, createHandler, defineAdapter, runTools } from "agentwire/server";

const PATHS = {
  "ai-sdk": "/api/chat",
  "ag-kit": "/send-message",
  "ag-ui": "/ag-ui",
  "agent-api": "/process",
  responses: "/v1/responses",
};
const BODIES = {
  "ai-sdk": {
    id: "c",
    messages: [{ id: "m", role: "user", parts: [{ type: "text", text: "Hi" }] }],
  },
  "ag-kit": { conversationId: "c", messages: [{ id: "m", role: "user", content: "Hi" }] },
  "ag-ui": {
    threadId: "t",
    runId: "r",
    state: {},
    messages: [{ id: "m", role: "user", content: "Hi" }],
    tools: [],
    context: [],
    forwardedProps: {},
  },
  "agent-api": { input: [{ role: "user", content: [{ type: "text", text: "Hi" }] }] },
  responses: { model: "m", input: "Hi", stream: true },
};
const post = (protocol, more = {}, init = {}) =>
  new Request(`http://localhost${PATHS[protocol]}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...BODIES[protocol], ...more }),
    ...init,
  });
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const refusing =
  (status, headers = {}) =>
  async () =>
    Response.json({ error: { message: "SECRET of the model", code: "x" } }, { status, headers });
const OK = async () =>
  new Response(
    `data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\ndata: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
    { headers: { "content-type": "text/event-stream" } },
  );

/** The ways in which an agent calls a model. */
const AGENTS = {
  "callModel with the signal": (fetch) => async (out, request) =>
    out.forward(
      await callModel({
        protocol: "chat",
        key: "k",
        model: "m",
        request,
        signal: out.signal,
        fetch,
      }),
    ),
  "callModel with the request": (fetch) => async (out, request) =>
    out.forward(await callModel({ protocol: "chat", key: "k", model: "m", request, fetch })),
  "a promise of callModel": (fetch) => (out, request) =>
    out.forward(callModel({ protocol: "anthropic", key: "k", model: "m", request, fetch })),
  "a promise of fetch": (fetch) => (out) => out.forward(fetch()),
  runTools: (fetch) => (out, request) =>
    runTools(out, { protocol: "chat", key: "k", model: "m", request, tools: {}, fetch }),
  "a call after other work": (fetch) => async (out, request) => {
    await sleep(50);
    await out.forward(
      await callModel({
        protocol: "gemini",
        key: "k",
        model: "m",
        request,
        signal: out.signal,
        fetch,
      }),
    );
  },
  "a slow refusal": (fetch) => async (out, request) => {
    const slow = async () => {
      await sleep(1300);
      return fetch();
    };
    await out.forward(
      await callModel({
        protocol: "responses",
        key: "k",
        model: "m",
        request,
        signal: out.signal,
        fetch: slow,
      }),
    );
  },
  "a call of another agent": (fetch) => async (out, request) =>
    out.forward(
      await callModel({
        protocol: "ag-ui",
        url: "http://localhost/x",
        request,
        signal: out.signal,
        fetch,
      }),
    ),
  "a wrapped error": (fetch) => async (out, request) => {
    try {
      await out.forward(
        await callModel({
          protocol: "chat",
          key: "k",
          model: "m",
          request,
          signal: out.signal,
          fetch,
        }),
      );
    } catch (cause) {
      throw new Error("the model failed", { cause });
    }
  },
};

for (const [name, agentWith] of Object.entries(AGENTS)) {
  test(`${name}: the status and \`retry-after\` are those of the model, in every protocol`, async () => {
    for (const protocol of Object.keys(PATHS)) {
      for (const [status, given, sent] of [
        [429, "7", "7"],
        [401, undefined, null],
        [503, "Wed, 21 Oct 2099 07:28:00 GMT", "Wed, 21 Oct 2099 07:28:00 GMT"],
        [404, "soon", null],
      ].slice(0, name === "a slow refusal" ? 1 : 4)) {
        const errors = [];
        const headers = {
          "set-cookie": "SECRET",
          "x-internal": "SECRET",
          ...(given && { "retry-after": given }),
        };
        const handler = createHandler({
          onError: (error) => void errors.push(error),
          agent: agentWith(refusing(status, headers)),
        });
        const response = await handler(post(protocol));
        const text = await response.text();
        assert.deepEqual(
          [
            response.status,
            response.headers.get("retry-after"),
            response.headers.get("content-type"),
          ],
          [status, sent, "application/json"],
          `${protocol} ${text}`,
        );
        const id = response.headers.get("x-request-id");
        assert.deepEqual(
          [response.headers.get("set-cookie"), response.headers.get("x-internal")],
          [null, null],
        );
        assert.doesNotMatch(text, /SECRET/);
        const { error, detail, code } = JSON.parse(text);
        assert.deepEqual(
          [error?.code ?? code, error?.message ?? detail],
          [`MODEL_HTTP_${status}`, `the model answered ${status}, its id is ${id}`],
          protocol,
        );
        assert.equal(errors.length, 1);
        const refusal = errors[0].cause ?? errors[0];
        assert.ok(refusal instanceof HttpError);
        assert.match(refusal.message, /SECRET of the model/);
      }
    }
  });
}

test("a client of Responses that does not stream receives the status, too, however late it is known", async () => {
  const agent = async (out, request) => {
    await sleep(1200);
    await out.forward(
      await callModel({
        protocol: "chat",
        key: "k",
        model: "m",
        request,
        fetch: refusing(429, { "retry-after": "1" }),
      }),
    );
  };
  const response = await createHandler({ onError() {}, agent })(
    post("responses", { stream: false }),
  );
  assert.deepEqual([response.status, response.headers.get("retry-after")], [429, "1"]);
  assert.equal((await response.json()).error.code, "MODEL_HTTP_429");
});

test("the texts of an `AgentError` and of `onError` replace the masked one", async () => {
  const call = (request) =>
    callModel({ protocol: "chat", key: "k", model: "m", request, fetch: refusing(429) });
  const own = createHandler({
    agent: (out, request) =>
      call(request).catch((cause) =>
        Promise.reject(new AgentError("QUOTA", "Come back tomorrow.", { cause })),
      ),
  });
  const response = await own(post("agent-api"));
  assert.equal(response.status, 429);
  assert.deepEqual([(await response.json()).detail], ["Come back tomorrow."]);
  const other = createHandler({
    onError: async () => ({ code: "BUSY", message: "Busy." }),
    agent: (out, request) => call(request),
  });
  assert.deepEqual(
    (({ code, detail }) => [code, detail])(await (await other(post("ag-ui"))).json()),
    ["BUSY", "Busy."],
  );
});

test("after the first event of the agent, a refusal ends the stream as failed", async () => {
  const writes = {
    text: (out) => out.message().text().delta("x"),
    state: (out) => out.state({}),
    custom: (out) => out.custom("x", 1),
    step: async (out) => void out.step("s"),
  };
  for (const [name, write] of Object.entries(writes)) {
    const agent = async (out, request) => {
      await write(out);
      await out.forward(
        await callModel({ protocol: "chat", key: "k", model: "m", request, fetch: refusing(429) }),
      );
    };
    const response = await createHandler({ onError() {}, agent })(post("ag-ui"));
    assert.equal(response.status, 200, name);
    const { snapshot } = await read(response, { protocol: "ag-ui" }).finished();
    assert.equal(snapshot.status, "failed", name);
  }
});

test("other errors, and refusals that the agent has handled, do not change the status", async () => {
  const call = (request, fetch) =>
    callModel({ protocol: "chat", key: "k", model: "m", request, fetch });
  const agents = {
    "an error of the agent": () => {
      throw new Error("x");
    },
    "a page": async (out, request) =>
      out.forward(
        await call(
          request,
          async () => new Response("<html>", { headers: { "content-type": "text/html" } }),
        ),
      ),
    "a redirect": (out, request) =>
      call(
        request,
        async () => new Response(null, { status: 307, headers: { location: "http://localhost/" } }),
      ),
    "no connection": (out, request) =>
      call(request, async () => {
        throw new TypeError("fetch failed");
      }),
    "a second model": async (out, request) =>
      out.forward(await call(request, refusing(503)).catch(() => call(request, OK))),
    "an empty agent": () => {},
    "an error that cannot be inspected": async () => {
      throw new Proxy(new Error("x"), {
        get: (_, name) => {
          if (name === "cause" || name === "code") throw new Error("no");
        },
      });
    },
    "an error that is its own cause": async () => {
      const error = new Error("x");
      error.cause = error;
      throw error;
    },
    "a status that no response can have": async () => {
      throw new HttpError(1000, new Headers(), "");
    },
  };
  for (const [name, agent] of Object.entries(agents)) {
    const response = await createHandler({ onError() {}, agent })(post("ag-ui"));
    assert.equal(response.status, 200, name);
    const { snapshot } = await read(response, { protocol: "ag-ui" }).finished();
    assert.equal(
      snapshot.status,
      name === "a second model" || name === "an empty agent" ? "finished" : "failed",
      name,
    );
  }
});

test("an agent that writes late has its response begun after a second; a model that thinks does not delay it", async () => {
  const begin = async (agent) => {
    const started = performance.now();
    const response = await createHandler({ onError() {}, agent })(post("ag-ui"));
    const { value } = await response.body.getReader().read();
    assert.match(new TextDecoder().decode(value), /RUN_STARTED/);
    return performance.now() - started;
  };
  let end;
  const over = new Promise((resolve) => (end = resolve));
  const silent = await begin(() => over);
  assert.ok(silent > 500 && silent < 5000, String(silent));
  const thinking = new ReadableStream({
    start: (controller) => over.then(() => controller.close()),
  });
  const thinks = await begin(async (out, request) =>
    out.forward(
      await callModel({
        protocol: "chat",
        key: "k",
        model: "m",
        request,
        fetch: async () =>
          new Response(thinking, { headers: { "content-type": "text/event-stream" } }),
      }),
    ),
  );
  assert.ok(thinks < 5000, String(thinks));
  end();
});

test("a client that leaves before the response ends the run", async () => {
  const controller = new AbortController();
  let left;
  const gone = new Promise((resolve) => (left = resolve));
  const never = (request) =>
    new Promise((_, reject) =>
      request.signal.addEventListener("abort", () => reject(request.signal.reason)),
    );
  const agent = async (out, request) => {
    out.signal.addEventListener("abort", () => left());
    await out.forward(
      await callModel({
        protocol: "chat",
        key: "k",
        model: "m",
        request,
        signal: out.signal,
        fetch: never,
      }),
    );
  };
  const answering = createHandler({ onError() {}, agent })(
    post("ag-ui", {}, { signal: controller.signal }),
  );
  setTimeout(() => controller.abort(), 20);
  await gone;
  await (await answering).text().catch(() => {});
});

test("a custom adapter has the status in its own error format", async () => {
  const adapter = defineAdapter({
    path: "/x",
    protocol: "ag-ui",
    convertRequest: () => ({ input: [] }),
    convertError: ({ status, code }) => ({ problem: [status, code] }),
  });
  const handler = createHandler({
    adapters: [adapter],
    onError() {},
    agent: (out, request) =>
      callModel({ protocol: "chat", key: "k", model: "m", request, fetch: refusing(402) }),
  });
  const response = await handler(
    new Request("http://localhost/x", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    }),
  );
  assert.deepEqual(
    [response.status, await response.json()],
    [402, { problem: [402, "MODEL_HTTP_402"] }],
  );
});

test("`connect` reports the refusal with its wait", async () => {
  const handler = createHandler({
    onError() {},
    agent: (out, request) =>
      callModel({
        protocol: "chat",
        key: "k",
        model: "m",
        request,
        fetch: refusing(429, { "retry-after": "3" }),
      }),
  });
  const { error } = await agUi
    .connect("http://localhost/ag-ui", { fetch: handler })
    .send("Hi")
    .finished();
  assert.deepEqual([error.code, error.status, error.retryAfterMs], ["http-status", 429, 3000]);
});

test("A2A: a message after a completed task is refused without its history, and one after a failed task is not", async () => {
  let upstream = refusing(503);
  const ask = (request) =>
    callModel({
      protocol: "chat",
      key: "k",
      model: "m",
      request,
      fetch: (...parameters) => upstream(...parameters),
    });
  const agents = {
    "the request itself": (out, request) => out.forward(ask(request)),
    "a copy of it": (out, request) => out.forward(ask({ ...request.toJSON(), temperature: 0.5 })),
    runTools: (out, request) =>
      runTools(out, {
        protocol: "chat",
        key: "k",
        model: "m",
        request,
        tools: {},
        fetch: (...parameters) => upstream(...parameters),
      }),
  };
  const remembers = (out, request) =>
    out.forward(
      ask({
        ...request.toJSON(),
        input: [
          { role: "user", content: [{ type: "text", text: "Before" }] },
          ...request.toJSON().input,
        ],
      }),
    );
  for (const [name, agent] of Object.entries({ ...agents, remembers })) {
    upstream = refusing(503);
    const handler = createHandler({ agent, onError() {} });
    const send = async (contextId) => {
      const message = {
        messageId: crypto.randomUUID(),
        contextId,
        role: "ROLE_USER",
        parts: [{ text: "Hi" }],
      };
      const init = {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } }),
      };
      return (await (await handler(new Request("http://localhost/a2a", init))).json()).result.task;
    };
    const failed = await send(undefined);
    assert.equal(failed.status.state, "TASK_STATE_FAILED", name);
    upstream = OK;
    assert.equal((await send(failed.contextId)).status.state, "TASK_STATE_COMPLETED", name);
    const next = await send(failed.contextId);
    assert.equal(
      next.status.state,
      name === "remembers" ? "TASK_STATE_COMPLETED" : "TASK_STATE_FAILED",
      name,
    );
    assert.equal(
      JSON.stringify(next).includes("does not store its earlier messages"),
      name !== "remembers",
      name,
    );
  }
});
