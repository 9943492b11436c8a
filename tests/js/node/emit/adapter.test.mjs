import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, convertRequest, Decoder, RequestError } from "agentwire";
import {
  agentApiAdapter,
  AgentError,
  agKitAdapter,
  createHandler,
  defineAdapter,
} from "agentwire/server";
import { chatLines } from "../support/chat_lines.mjs";

const post = (path, body) =>
  new Request(`http://localhost${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

async function answer(response, protocol) {
  const reader = new Decoder({ protocol });
  reader.push(new Uint8Array(await response.arrayBuffer()));
  const { snapshot: found, report } = reader.finish();
  assert.deepEqual(report.violations, []);
  return found;
}

/** Repeats its input. */
async function echo(out, request) {
  const text = out.message().text();
  await text.delta(request.text);
  await text.delta(` (${request.id})`);
}

const chat = chatLines();
const received = [];
const chatAdapter = defineAdapter({
  path: "/chat",
  protocol: chat,
  onError: (error, { id }) => void received.push([error, id]),
  convertRequest: (body, http) => ({
    session_id: http.headers.get("x-room") ?? "lobby",
    input: [{ role: "user", content: [{ type: "text", text: JSON.parse(body).ask }] }],
  }),
});
const fetch = createHandler({
  adapters: [agentApiAdapter(), agKitAdapter(), chatAdapter],
  agent: echo,
});

test("one agent serves every mounted protocol", async () => {
  const agentApi = await fetch(
    post("/process", {
      session_id: "s",
      input: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    }),
  );
  assert.equal((await answer(agentApi, "agent-api")).output[0].content[0].text, "hi (s)");
  const agKit = await fetch(
    post("/send-message", { conversationId: "c", messages: [{ role: "user", content: "hi" }] }),
  );
  assert.deepEqual((await answer(agKit, "ag-kit")).parts, [{ type: "text", text: "hi (c)" }]);
  const own = await fetch(post("/chat", { ask: "hi" }));
  assert.equal(own.headers.get("content-type"), "application/x-ndjson; charset=utf-8");
  assert.equal(await own.text(), '{"say":"hi"}\n{"say":" (lobby)"}\n{"bye":true}\n');
});

test("an invalid request is rejected in the form of the protocol", async () => {
  const agKit = await fetch(post("/send-message", "{}"));
  assert.equal(agKit.status, 422);
  assert.equal((await agKit.json()).detail[0].msg, "Field required");
  assert.equal((await fetch(post("/process", "no json"))).status, 422);
  const own = await fetch(post("/chat", "no json"));
  assert.equal(own.status, 400);
  const [[thrown, id]] = received;
  assert.ok(thrown instanceof SyntaxError);
  const masked = {
    detail: `the request could not be read, its id is ${id}`,
    code: "AGENT_UNKNOWN_ERROR",
    request_id: id,
  };
  assert.deepEqual(await own.json(), masked);
  assert.equal(own.headers.get("x-request-id"), id);
  const large = await fetch(
    new Request("http://localhost/chat", {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json", "content-length": String(1 << 30) },
    }),
  );
  assert.equal(large.status, 413);
  const unannounced = new ReadableStream({
    start: (body) => {
      body.enqueue(new Uint8Array(5 << 20));
      return body.close();
    },
  });
  const stream = await fetch(
    new Request("http://localhost/chat", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: unannounced,
      duplex: "half",
    }),
  );
  assert.equal(stream.status, 413);
});

test("`convertRequest` can set the error of a rejected request", async () => {
  const refusing = (convertRequest, more) =>
    createHandler({
      adapters: [defineAdapter({ path: "/x", protocol: "agent-api", convertRequest, ...more })],
      agent: echo,
    });
  const detail = async (answering) => {
    const response = await answering(post("/x", "{}"));
    return [response.status, (await response.json()).detail];
  };
  const meant = refusing(() => {
    throw new AgentError("TOO_VAGUE", "ask something");
  });
  assert.deepEqual(await detail(meant), [400, "ask something"]);
  const onError = async () => ({ code: "C", message: "said by the server" });
  assert.deepEqual(await detail(refusing(() => Promise.reject(new Error("secret")), { onError })), [
    400,
    "said by the server",
  ]);
  // An invalid request is not passed to the agent, either.
  for (const request of [undefined, null, { input: [], session_id: 5 }]) {
    const [status, text] = await detail(refusing(() => request, { onError: () => {} }));
    assert.equal(status, 400);
    assert.match(text, /^the request could not be read, its id is /);
  }
});

test("a request without a session gets a generated one, which the agent and the client receive", async () => {
  const recorded = [];
  const answering = createHandler({
    adapters: [agentApiAdapter(), agKitAdapter(), chatAdapter],
    agent: (out, { id }) => void recorded.push(id),
  });
  const input = [{ role: "user", content: [{ type: "text", text: "hi" }] }];
  for (const session of [{}, { session_id: null }, { session_id: "" }]) {
    const found = await answer(
      await answering(post("/process", { input, ...session })),
      "agent-api",
    );
    assert.match(
      found.session_id,
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    assert.equal(recorded.pop(), found.session_id);
  }
  await answering(post("/send-message", { conversationId: "" }));
  await answering(post("/send-message", { conversationId: "" }));
  const [one, other] = recorded;
  assert.ok(one !== "" && one !== other);
});

test("an unknown path returns 404, and a wrong method 405", async () => {
  assert.equal((await fetch(post("/nowhere", {}))).status, 404);
  const get = await fetch(new Request("http://localhost/chat"));
  assert.deepEqual([get.status, get.headers.get("allow")], [405, "POST, OPTIONS"]);
  assert.throws(
    () => defineAdapter({ path: "chat", protocol: chat }),
    (error) => error instanceof AgentwireError,
  );
});

test("an agent error is sent in the form of the protocol", async () => {
  const failing = createHandler({
    adapters: [agKitAdapter()],
    agent: () => {
      throw new AgentError("NO_MODEL", "no model");
    },
  });
  const turn = await answer(
    await failing(post("/send-message", { conversationId: "c" })),
    "ag-kit",
  );
  assert.deepEqual([turn.status, turn.error.message], ["failed", "no model"]);
});

test("requests are converted in both directions, and losses are listed", () => {
  const input = {
    conversationId: "c",
    messages: [{ role: "tool", toolCallId: "a", content: "blue" }],
    tools: [
      {
        name: "f",
        description: "d",
        parameters: '{"type":"object","properties":{"n":{"const":12345678901234567890}}}',
      },
    ],
    resume: { interruptId: "i", payload: '{"approved":true}' },
  };
  const { request, losses } = convertRequest(input, { from: "ag-kit", to: "agent-api" });
  assert.deepEqual(losses, []);
  assert.equal(request.session_id, "c");
  assert.equal(request.tools[0].function.name, "f");
  assert.deepEqual(
    request.input.map(({ type }) => type),
    ["function_call_output", "mcp_approval_response"],
  );
  const back = convertRequest(
    { ...request, temperature: 0.5 },
    { from: "agent-api", to: "ag-kit" },
  );
  assert.deepEqual(back.request, input);
  assert.deepEqual(
    back.losses.map(({ kind, location }) => [kind, location]),
    [["parameter", "temperature"]],
  );
  const [one, other] = [{}, { session_id: "" }].map((session) =>
    convertRequest({ input: [], ...session }, { from: "agent-api", to: "ag-kit" }),
  );
  assert.ok(
    one.request.conversationId !== "" &&
      one.request.conversationId !== other.request.conversationId,
  );
  assert.deepEqual(one.losses, []);
  assert.throws(() => convertRequest({}, { from: "ag-kit", to: "agent-api" }), RequestError);
  assert.throws(() => convertRequest({}, { from: "agent-api", to: "ag-kit" }), RequestError);
});
