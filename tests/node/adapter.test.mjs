import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AgentwireError,
  Decoder,
  RequestError,
  agKitAdapter,
  agentApiAdapter,
  defineAdapter,
  mount,
  toAgentRequest,
  toSendMessageInput,
} from "agentwire";
import { chatLines } from "./chat_lines.mjs";

const post = (path, body) =>
  new Request(`http://localhost${path}`, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });

async function answer(response, protocol) {
  const reader = new Decoder({ protocol });
  reader.push(new Uint8Array(await response.arrayBuffer()));
  const { response: found, report } = reader.finish();
  assert.deepEqual(report.violations, []);
  return found;
}

/** Says what it was asked. */
async function echo(out, request) {
  const text = out.message().text();
  await text.delta(request.input.at(-1).content[0].text);
  await text.delta(` (${request.session_id})`);
}

const chat = chatLines();
const chatAdapter = defineAdapter({
  path: "/chat",
  protocol: chat,
  convertRequest: (body, http) => ({
    session_id: http.headers.get("x-room") ?? "lobby",
    input: [{ role: "user", content: [{ type: "text", text: JSON.parse(body).ask }] }],
  }),
});
const fetch = mount([agentApiAdapter(), agKitAdapter(), chatAdapter], echo);

test("one agent answers in every protocol that is mounted", async () => {
  const agentApi = await fetch(
    post("/process", { session_id: "s", input: [{ role: "user", content: [{ type: "text", text: "hi" }] }] }),
  );
  assert.equal((await answer(agentApi, "agent-api")).output[0].content[0].text, "hi (s)");
  const agKit = await fetch(post("/send-message", { conversationId: "c", messages: [{ role: "user", content: "hi" }] }));
  assert.deepEqual((await answer(agKit, "ag-kit")).parts, [{ type: "text", text: "hi (c)" }]);
  const own = await fetch(post("/chat", { ask: "hi" }));
  assert.equal(own.headers.get("content-type"), "application/x-ndjson; charset=utf-8");
  assert.equal(await own.text(), '{"say":"hi"}\n{"say":" (lobby)"}\n{"bye":true}\n');
});

test("what is no request is refused as the protocol refuses it", async () => {
  const agKit = await fetch(post("/send-message", "{}"));
  assert.equal(agKit.status, 422);
  assert.equal((await agKit.json()).detail[0].msg, "Field required");
  assert.equal((await fetch(post("/process", "no json"))).status, 422);
  const own = await fetch(post("/chat", "no json"));
  assert.equal(own.status, 400);
  assert.match((await own.json()).detail, /JSON/);
  const large = await fetch(
    new Request("http://localhost/chat", { method: "POST", body: "{}", headers: { "content-length": String(1 << 30) } }),
  );
  assert.equal(large.status, 413);
  const unannounced = new ReadableStream({ start: (body) => (body.enqueue(new Uint8Array(5 << 20)), body.close()) });
  const stream = await fetch(new Request("http://localhost/chat", { method: "POST", body: unannounced, duplex: "half" }));
  assert.equal(stream.status, 413);
});

test("elsewhere there is nothing", async () => {
  assert.equal((await fetch(post("/nowhere", {}))).status, 404);
  const get = await fetch(new Request("http://localhost/chat"));
  assert.deepEqual([get.status, get.headers.get("allow")], [405, "POST"]);
  assert.throws(() => defineAdapter({ path: "chat", protocol: chat }), (error) => error instanceof AgentwireError);
});

test("an agent that fails tells so in the protocol's words", async () => {
  const failing = mount([agKitAdapter()], () => {
    throw new Error("no model");
  });
  const turn = await answer(await failing(post("/send-message", { conversationId: "c" })), "ag-kit");
  assert.deepEqual([turn.status, turn.error.message], ["failed", "no model"]);
});

test("requests are converted both ways, and what is lost is listed", () => {
  const input = {
    conversationId: "c",
    messages: [{ role: "tool", toolCallId: "a", content: "blue" }],
    tools: [{ name: "f", description: "d", parameters: '{"type":"object","properties":{"n":{"const":12345678901234567890}}}' }],
    resume: { interruptId: "i", payload: '{"approved":true}' },
  };
  const { request, losses } = toAgentRequest(input);
  assert.deepEqual(losses, []);
  assert.equal(request.session_id, "c");
  assert.equal(request.tools[0].function.name, "f");
  assert.deepEqual(request.input.map(({ type }) => type), ["function_call_output", "mcp_approval_response"]);
  const back = toSendMessageInput({ ...request, temperature: 0.5 });
  assert.deepEqual(back.request, input);
  assert.deepEqual(back.losses.map(({ what, where }) => [what, where]), [["parameter", "temperature"]]);
  assert.throws(() => toAgentRequest({}), RequestError);
  assert.throws(() => toSendMessageInput({}), RequestError);
});
