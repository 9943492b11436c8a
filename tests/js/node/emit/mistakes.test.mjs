// Agents that return their answer, are generators, forget an `await`, pass a text where options are
// expected, or write nothing: each is reported with the remedy, and nothing is lost silently.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, read } from "agentwire";
import { callModel, createHandler, respond, runTools } from "agentwire/server";
import { run, texts } from "../support/runs.mjs";
import { unhandledIn } from "../../hostile/unhandled.mjs";

const upstream = (onCancel = () => {}) =>
  new Response(
    new ReadableStream({
      start: (controller) =>
        controller.enqueue(
          new TextEncoder().encode(
            'data: {"choices":[{"index":0,"delta":{"content":"from the model"}}]}\n\n',
          ),
        ),
      cancel: onCancel,
    }),
    { headers: { "content-type": "text/event-stream" } },
  );
const finished = () =>
  new Response(
    'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    { headers: { "content-type": "text/event-stream" } },
  );

/** The outcome of an agent, and the errors that were reported. */
async function reported(agent) {
  const errors = [];
  const { snapshot } = await run(agent, { onError: (error) => void errors.push(error) });
  assert.ok(
    errors.every((error) => error instanceof AgentwireError),
    String(errors),
  );
  return { snapshot, codes: errors.map(({ code }) => code), message: errors[0]?.message ?? "" };
}

const RETURNED = {
  "a text after a write": [
    async (out) => {
      await out.text("x");
      return "Hello!";
    },
    /a text: return the answer, or write all of it/,
  ],
  "the response of a model after a write": [
    async (out) => {
      await out.reasoning().delta("x");
      return upstream();
    },
    /a response: return/,
  ],
  "a stream after a write": [
    async (out) => {
      await out.text("x");
      return upstream().body;
    },
    /a stream: return/,
  ],
  "a generator after a write": [
    async (out) => {
      await out.text("x");
      return (function* () {
        yield "Hello!";
      })();
    },
    /a generator: return/,
  ],
  "a run of read()": [
    () => read(finished(), { protocol: "chat" }),
    /`read\(\)`.*out\.forward\(response\)/,
  ],
  "an iterable of numbers": [
    async function* () {
      yield 5;
    },
    /something else than texts, events or bytes/,
  ],
  "an iterable of texts and events": [
    async function* () {
      yield "x";
      yield { type: "TEXT_MESSAGE_START" };
    },
    /an item that is none/,
  ],
};
for (const [what, [agent, message]] of Object.entries(RETURNED)) {
  test(`an agent that returns ${what} fails, and onError receives the remedy`, async () => {
    const { snapshot, codes, message: given } = await reported(agent);
    assert.deepEqual([snapshot.status, codes], ["failed", ["value-returned"]]);
    assert.match(given, message);
    // The client receives no detail of the mistake.
    assert.equal(snapshot.error.code, "AGENT_UNKNOWN_ERROR");
    assert.doesNotMatch(JSON.stringify(snapshot), /returned|from the model|Hello/);
  });
}

test("a stream that is returned after a write is canceled", async () => {
  let canceled = 0;
  const after = (value) =>
    reported(async (out) => {
      await out.text("x");
      return value();
    });
  await after(() => upstream(() => canceled++));
  await after(() => upstream(() => canceled++).body);
  await after(async function* () {
    canceled += 10; // a generator that has not begun does not run
    yield "x";
  });
  assert.equal(canceled, 2);
});

test("values that are no answers may be returned", async () => {
  const values = [
    undefined,
    null,
    5,
    true,
    "",
    [1],
    {},
    () => {},
    Promise.resolve(),
    Promise.all([1]),
    new Map(),
    Symbol("s"),
    5n,
  ];
  for (const value of values) {
    const { snapshot, codes } = await reported(async (out) => {
      await out.message().text().delta("x");
      return value;
    });
    assert.deepEqual(
      [snapshot.status, codes, texts(snapshot)],
      ["completed", [], [["x"]]],
      String(value),
    );
  }
  const forwarding = await reported((out) => out.forward(finished(), { protocol: "chat" }));
  assert.deepEqual([forwarding.snapshot.status, forwarding.codes], ["completed", []]);
  const tools = await reported((out) =>
    runTools(out, {
      protocol: "chat",
      url: "http://127.0.0.1/v1",
      model: "m",
      request: "Hi",
      tools: {},
      fetch: async () => finished(),
    }),
  );
  assert.deepEqual([tools.snapshot.status, tools.codes], ["completed", []]);
});

test("an agent without output has an empty answer, and onError is called", async () => {
  for (const agent of [
    () => {},
    async () => {},
    () => 5,
    () => "",
    async function* () {},
    async (out) => void out.signal,
    (out) => void out.usage({ input_tokens: 1 }),
  ]) {
    const { snapshot, codes, message } = await reported(agent);
    assert.deepEqual([snapshot.status, snapshot.output, codes], ["completed", [], ["no-output"]]);
    assert.match(message, /out\.text\("…"\)/);
  }
});

test("a run with any output, with an end of its own, or without a client is not reported as empty", async () => {
  const agents = [
    (out) => out.state({}),
    (out) => out.message().complete(),
    (out) => out.step("s").complete(),
    (out) => out.incomplete(),
    (out) => out.fail({ code: "C", message: "m" }),
    (out) => out.cancel(),
    (out) => out.interrupt({ reason: "r", payload: 1 }),
    (out) =>
      out.forward(
        new Response("data: [DONE]\n\n", { headers: { "content-type": "text/event-stream" } }),
        { protocol: "chat" },
      ),
    (out) => out.tool("t").complete(),
  ];
  for (const agent of agents) {
    assert.deepEqual((await reported(agent)).codes, [], String(agent));
  }
  const errors = [];
  await respond(
    { signal: AbortSignal.abort() },
    { protocol: "agent-api", onError: (error) => void errors.push(error) },
    () => "text",
  ).text();
  assert.deepEqual(errors, []);
});

test("the default handler logs an empty answer with its request", async (context) => {
  const { mock } = context.mock.method(console, "error", () => {});
  const handler = createHandler({ agent: () => {}, protocols: ["agent-api"] });
  await (
    await handler(
      new Request("http://h/process", {
        method: "POST",
        body: '{"input":[]}',
        headers: { "content-type": "application/json" },
      }),
    )
  ).text();
  const [
    {
      arguments: [what, error],
    },
  ] = mock.calls;
  assert.match(what, /the answer is empty, its id is /);
  assert.equal(error.code, "no-output");
});

test("a text where options are expected is refused with the call to make", async () => {
  const calls = [
    [(out) => out.message("hi"), /out\.message\(\)\.text\(\)\.delta/],
    [(out) => out.message({ text: "hi" }), /no option `text`/],
    [(out) => out.message({ content: "hi" }), /no option `content`/],
    [(out) => out.reasoning("hmm"), /out\.reasoning\(\)\.delta/],
    [(out) => out.message().text("hi"), /text\(\)\.delta/],
    [(out) => out.message().refusal("no"), /refusal\(\)\.delta/],
    [(out) => out.tool("t", "{}"), /out\.tool\(name\)\.arguments/],
    [(out) => out.tool("t", { arguments: {} }), /no option `arguments`/],
    [(out) => out.activity("plan", { content: {} }), /no option `content`/],
    [(out) => out.subagent("s", "the task"), /\{ task \}/],
    [(out) => out.interrupt("Really?"), /does not take a text: call `out\.interrupt\(\{ reason/],
    [(out) => out.interrupt(), /needs a question/],
    [(out) => out.interrupt({ text: "Really?", payload: 1 }), /`reason`/],
    [
      (out) => out.interrupt({ reason: "r", message: "Really?", payload: 1 }),
      /no option `message`/,
    ],
  ];
  for (const [agent, message] of calls) {
    const { snapshot, codes, message: given } = await reported(async (out) => void agent(out));
    assert.equal(snapshot.status, "failed", String(agent));
    assert.ok(["wrong-argument", "wrong-option"].includes(codes[0]), codes[0]);
    assert.match(given, message);
  }
});

/** A model that refuses after a number of milliseconds, or when a promise is resolved. */
const unavailable = (wait) => async () => {
  await (typeof wait === "number" ? new Promise((resolve) => setTimeout(resolve, wait)) : wait);
  return new Response("no", { status: 500 });
};
const model = (fetch, more) => ({
  protocol: "chat",
  url: "http://127.0.0.1/v1",
  model: "m",
  request: "Hi",
  fetch,
  ...more,
});

test("a forgotten `await out.forward()` is reported, and is no unhandled rejection", async () => {
  const agents = {
    "the stream ends later": [
      (out) =>
        void out.forward(new Promise((resolve) => setTimeout(() => resolve(finished()), 5)), {
          protocol: "chat",
        }),
      "not-awaited",
    ],
    "the stream never ends": [
      (out) => void out.forward(upstream(), { protocol: "chat" }),
      "not-awaited",
    ],
    "the stream is broken, and the agent has written": [
      async (out) => {
        out.forward(new Response("no", { status: 500 }));
        await out.message().text().delta("x");
        return await new Promise((resolve) => setTimeout(resolve, 5));
      },
      "http-status",
    ],
    "the model cannot be reached": [
      async (out) => {
        out.forward(Promise.reject(new AgentwireError("connection-lost", "no model")));
        return await new Promise((resolve) => setTimeout(resolve, 5));
      },
      "connection-lost",
    ],
  };
  for (const [what, [agent, code]] of Object.entries(agents)) {
    let result;
    const unhandled = await unhandledIn(async () => (result = await reported(agent)));
    assert.deepEqual(
      [unhandled, result.codes, result.snapshot.status],
      [[], [code], "failed"],
      what,
    );
  }
});

test("a forgotten `await runTools()` is reported, and is no unhandled rejection", async () => {
  const wait = () => new Promise((resolve) => setTimeout(resolve, 5));
  const agents = {
    "the model answers": [
      async (out) =>
        void runTools(
          out,
          model(async () => finished(), { tools: {} }),
        ),
      "not-awaited",
    ],
    "the model refuses later": [
      async (out) => void runTools(out, model(unavailable(5), { tools: {} })),
      "not-awaited",
    ],
    "the model has refused": [
      async (out) => {
        runTools(out, model(unavailable(0), { tools: {} }));
        await out.message().text().delta("x");
        return await wait();
      },
      "http-status",
    ],
    "an option is wrong": [
      async (out) => {
        runTools(out, model(unavailable(0), { tool: {} }));
        return await wait();
      },
      "wrong-option",
    ],
  };
  for (const [what, [agent, code]] of Object.entries(agents)) {
    let result;
    const unhandled = await unhandledIn(async () => (result = await reported(agent)));
    assert.deepEqual(
      [unhandled, result.codes, result.snapshot.status],
      [[], [code], "failed"],
      what,
    );
    assert.match(result.message, code === "not-awaited" ? /await runTools\(…\)/ : /./);
  }
});

test("a call of a model that nobody awaits is no unhandled rejection, and onError receives its error", async () => {
  const errors = [];
  const onError = ({ code }) => void errors.push(code);
  const respondTo = (agent) =>
    createHandler({ protocols: ["agent-api"], agent, onError })(
      new Request("http://h/process", {
        method: "POST",
        body: '{"input":[]}',
        headers: { "content-type": "application/json" },
      }),
    );
  const calls = {
    "found by the signal": (fetch, out) => callModel(model(fetch, { signal: out.signal })),
    "found by the request": (fetch, _, request) => callModel(model(fetch, { request })),
  };
  for (const [what, call] of Object.entries(calls)) {
    for (const [when, status] of [
      ["before the end", "failed"],
      ["after the end", "completed"],
    ]) {
      const isBefore = when === "before the end";
      const unhandled = await unhandledIn(async () => {
        let release;
        const released = new Promise((resolve) => void (release = resolve));
        const response = await respondTo(async (out, request) => {
          void call(unavailable(isBefore ? 0 : released), out, request);
          await out.message().text().delta("x");
          if (isBefore) {
            await new Promise((resolve) => setTimeout(resolve, 500));
          }
        });
        assert.equal((await read(response).finished()).snapshot.status, status, `${what}, ${when}`);
        release();
      });
      assert.deepEqual([unhandled, errors.splice(0)], [[], ["http-status"]], `${what}, ${when}`);
    }
  }
  // One that is handled later is not reported.
  const answer = await read(
    await respondTo(async (out) => {
      const call = callModel(model(unavailable(0), { signal: out.signal }));
      await out.message().text().delta("x");
      await new Promise((resolve) => setTimeout(resolve, 5));
      await call.catch(() => out.message().text().delta("no model"));
    }),
  ).finished();
  assert.deepEqual([texts(answer.snapshot), errors], [[["x"], ["no model"]], []]);
});

test("a stream that is passed on beside other work needs no `await` if it ends before the agent", async () => {
  const { snapshot, codes } = await reported(async (out) => {
    void out.forward(finished(), { protocol: "chat" });
    await new Promise((resolve) => setTimeout(resolve, 20));
  });
  assert.deepEqual([snapshot.status, codes, texts(snapshot)], ["completed", [], [["Hi"]]]);
});
