// What a request or an answer loses is visible: in callbacks, in a header, and with `strict` as a
// refusal in the client's form.
import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "agentwire";
import * as agUi from "agentwire/ag-ui";
import { AgentError, callModel, createHandler, respond, runTools } from "agentwire/server";

const sse = (...list) =>
  list
    .map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
    .join("");
const chunk = (delta, finish_reason = null) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason }],
});
const TEXT = sse(chunk({ content: "ok" }), chunk({}, "stop"), "[DONE]");
const stream = (bytes) => new Response(bytes, { headers: { "content-type": "text/event-stream" } });

const post = (path, body) =>
  new Request(`http://localhost${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const WITH_IMAGE_TOOL = {
  model: "m",
  input: "Draw a cat.",
  tools: [{ type: "image_generation" }],
  stream: true,
};

/** A handler in front of a model, and what it has done. */
function gateway(options = {}, model = {}) {
  const log = { asked: [], lost: [], ofCall: [], errors: [] };
  const fetch = async (request) => {
    log.asked.push(JSON.parse(await request.text()));
    return stream(TEXT);
  };
  const handler = createHandler({
    onError: (error) => void log.errors.push(error),
    onLosses: (losses, { id }) => void log.lost.push([losses, id]),
    agent: async (out, request) => {
      await out.forward(
        await callModel({
          protocol: "chat",
          key: "k",
          model: "m",
          request,
          signal: out.signal,
          fetch,
          onLosses: (losses) => void log.ofCall.push(losses),
          ...model,
        }),
      );
    },
    ...options,
  });
  return { handler, log };
}

test("a tool that the model does not have is a loss of the class contract: in the header, in the callback of the call, and in that of the handler", async () => {
  const { handler, log } = gateway();
  const response = await handler(post("/v1/responses", WITH_IMAGE_TOOL));
  assert.equal(response.status, 200);
  assert.match(response.headers.get("agentwire-losses"), /(^|, )tool;n=1;class=contract(,|$)/);
  await response.text();
  assert.equal(log.ofCall.length, 1);
  const [loss] = log.ofCall[0].filter(({ kind }) => kind === "tool");
  assert.equal(loss.class, "contract");
  assert.equal(loss.location, "image_generation");
  assert.ok(loss.reason.length > 5);
  assert.equal(log.lost.length, 1);
  const [losses, id] = log.lost[0];
  assert.equal(id, response.headers.get("x-request-id"));
  assert.ok(
    losses.some(({ kind, location }) => kind === "tool" && location === "image_generation"),
  );
  assert.equal(log.asked.length, 1);
  assert.equal(log.asked[0].tools, undefined);
});

test("nothing is reported if nothing is lost", async () => {
  const { handler, log } = gateway();
  const response = await handler(post("/v1/responses", { model: "m", input: "Hi", stream: true }));
  assert.equal(response.headers.get("agentwire-losses"), null);
  await response.text();
  assert.deepEqual([log.ofCall, log.lost, log.errors], [[], [], []]);
});

for (const [where, options, model] of [
  ["the handler", { strict: true }, {}],
  ["the call", {}, { strict: true }],
]) {
  test(`strict for ${where}: the request is refused in the form of the client, and no model is called`, async () => {
    const { handler, log } = gateway(options, model);
    const response = await handler(post("/v1/responses", WITH_IMAGE_TOOL));
    assert.equal(response.status, 400);
    const { error } = await response.json();
    assert.equal(error.code, "request-losses");
    assert.match(error.message, /image_generation/);
    assert.equal(log.asked.length, 0);
    // A milder loss is no reason to refuse.
    const other = await handler(
      post("/v1/responses", {
        model: "m",
        input: "Hi",
        stream: true,
        reasoning: { summary: "auto" },
      }),
    );
    assert.equal(other.status, 200);
    await other.text();
    assert.equal(log.asked.length, 1);
  });
}

const RESULT = {
  model: "m",
  stream: true,
  input: [{ type: "function_call_output", call_id: "call_1", output: "21" }],
};

test("a result without its call is refused as `history-missing`, in the form of each client", async () => {
  const { handler, log } = gateway();
  const response = await handler(post("/v1/responses", RESULT));
  assert.equal(response.status, 400);
  const { error } = await response.json();
  assert.equal(error.code, "history-missing");
  assert.match(error.message, /call_1/);
  const own = await handler(
    post("/process", {
      input: [
        {
          type: "function_call_output",
          role: "tool",
          content: [{ type: "data", data: { call_id: "call_1", output: "21" } }],
        },
      ],
    }),
  );
  assert.deepEqual([own.status, (await own.json()).code], [400, "history-missing"]);
  assert.equal(log.asked.length, 0);
  const tools = createHandler({
    agent: (out, request) =>
      runTools(out, {
        protocol: "anthropic",
        key: "k",
        model: "m",
        request,
        tools: {},
        fetch: () => assert.fail("sent"),
      }),
  });
  assert.equal((await tools(post("/v1/responses", RESULT))).status, 400);
});

test("outside of a handler, `callModel` throws the same errors", async () => {
  const request = {
    input: [
      {
        type: "function_call_output",
        role: "tool",
        content: [{ type: "data", data: { call_id: "call_1", output: "21" } }],
      },
    ],
  };
  const fetch = () => assert.fail("sent");
  await assert.rejects(
    callModel({ protocol: "chat", key: "k", model: "m", request, fetch }),
    (error) =>
      error instanceof AgentError && error.code === "history-missing" && error.status === 400,
  );
});

test("`respond` reports the losses of the answer, and the header those that were known when it returned", async () => {
  const seen = [];
  const response = respond(
    {},
    { protocol: "ag-kit", onLosses: (losses) => void seen.push(losses) },
    async (out) => {
      await out.reasoning().delta("Hm.");
      await out.message().text().delta("Hi");
    },
  );
  assert.equal(response.headers.get("agentwire-losses"), null);
  await response.text();
  const reasoning = seen.flat().find(({ kind }) => kind === "reasoning");
  assert.equal(reasoning.class, "quality");
});

test("the losses of several calls are counted together, with the worst class of each kind", async () => {
  const { handler } = gateway({
    agent: async (out, request) => {
      const fetch = async () => stream(TEXT);
      for (let round = 0; round < 2; round++) {
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
      }
    },
  });
  const response = await handler(post("/v1/responses", { ...WITH_IMAGE_TOOL, stream: false }));
  // Nothing is sent before the end, so that all losses are in the header.
  assert.match(response.headers.get("agentwire-losses"), /tool;n=2;class=contract/);
});

test("an exception in `onLosses` is logged, and changes nothing for the client", async () => {
  const logged = [];
  const { error } = console;
  console.error = (...args) => void logged.push(args.join(" "));
  try {
    const fail = () => {
      throw new Error("broken");
    };
    const { handler } = gateway({ onLosses: fail }, { onLosses: fail });
    const outcome = await read(handler(post("/v1/responses", WITH_IMAGE_TOOL)), {
      protocol: "responses",
    }).finished();
    assert.equal(outcome.snapshot.status, "completed");
  } finally {
    console.error = error;
  }
  assert.equal(logged.filter((line) => line.includes("onLosses failed")).length, 2);
});

test("the status of an `AgentError` is that of the response until something is sent", async () => {
  const refusing = (error, before = () => {}) =>
    createHandler({
      protocols: ["ag-ui"],
      agent: async (out) => {
        await before(out);
        throw error;
      },
    });
  const ask = () => agUi.createRequest("http://localhost/ag-ui", "Hi");
  const refused = await refusing(
    new AgentError("QUOTA_EXCEEDED", "no more questions today", { status: 429 }),
  )(ask());
  assert.deepEqual([refused.status, (await refused.json()).code], [429, "QUOTA_EXCEEDED"]);
  const late = await read(
    refusing(new AgentError("QUOTA_EXCEEDED", "no more", { status: 429 }), (out) =>
      out.message().text().delta("x"),
    )(ask()),
    { protocol: "ag-ui" },
  ).finished();
  assert.equal(late.snapshot.status, "failed");
  assert.throws(() => new AgentError("X", "y", { status: 200 }), { code: "wrong-option" });
});

test("settings of the operator replace those of the client", async () => {
  const { handler, log } = gateway({}, { settings: { max_tokens: 100, temperature: 0 } });
  await (
    await handler(
      post("/v1/responses", {
        model: "other",
        input: "Hi",
        temperature: 1,
        top_p: 0.5,
        stream: true,
      }),
    )
  ).text();
  const [{ model, temperature, top_p, max_tokens, max_completion_tokens }] = log.asked;
  assert.deepEqual(
    [model, temperature, top_p, max_tokens ?? max_completion_tokens],
    ["m", 0, 0.5, 100],
  );
});

test("options that have no meaning are refused", async () => {
  const request = "Hi";
  for (const wrong of [{ strict: 1 }, { onLosses: 1 }, { settings: [] }]) {
    await assert.rejects(
      callModel({
        protocol: "chat",
        key: "k",
        model: "m",
        request,
        fetch: () => assert.fail(),
        ...wrong,
      }),
      { code: "wrong-option" },
    );
  }
  assert.throws(() => createHandler({ agent() {}, strict: "yes" }), { code: "wrong-option" });
  assert.throws(() => createHandler({ agent() {}, onLosses: {} }), { code: "wrong-option" });
});
