// The input of a request, as an agent receives it in each protocol.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as agentwire from "agentwire";
import * as server from "agentwire/server";

import { resume } from "agentwire/responses";
import { submittedResults, userText } from "agentwire/server";

const user = (...texts) => ({ role: "user", content: texts.map((text) => ({ type: "text", text })) });
const data = (type, role, data) => ({ type, role, content: [{ type: "data", data }] });
const call = (call_id) => data("function_call", "assistant", { call_id, name: "paint", arguments: "{}" });
const output = (call_id, output, name = "paint") => data("function_call_output", "tool", { call_id, name, output });
const painted = { kind: "call", id: "1", name: "paint", text: '{"rows":9007199254740993}', value: { rows: 9007199254740993n } };

test("what the user said last", () => {
  const said = (...input) => userText({ input });
  assert.equal(said(user("first"), user("one ", "two")), "one two");
  assert.equal(said(user("asked"), call("1"), output("1", "done")), "asked");
  assert.equal(said({ role: "assistant", content: [{ type: "text", text: "mine" }] }, { role: "system", content: [{ type: "text", text: "be brief" }] }), "");
  assert.equal(said({ content: [{ type: "text", text: "nobody's" }] }), "nobody's", "a message without a role is the user's");
  assert.equal(said({ role: "user", content: [{ type: "image", image_url: "a" }] }), "");
  assert.equal(said({ role: "user" }, { role: "user", content: null }), "");
  assert.equal(said(), "");
  assert.equal(userText({}), "");
  assert.throws(() => userText(), { code: "wrong-argument" });
});

test("what the client answers", () => {
  const answers = (...input) => submittedResults({ input });
  assert.deepEqual(answers(user("hi")), []);
  assert.deepEqual(answers(output("1", '{"rows":9007199254740993}')), [painted]);
  const plain = answers(output("1", "it is blue"), output("", 7, null));
  assert.deepEqual(plain.map(({ id, name, text, value }) => [id, name, text, value]), [["1", "paint", "it is blue", undefined], [null, null, "7", 7]]);
  const decided = (answer) => answers(data("mcp_approval_response", "user", { approval_request_id: "q", ...answer }))[0];
  assert.deepEqual(decided({ approve: true, payload: { seats: 2 } }), { kind: "approval", id: "q", approved: true, text: '{"seats":2}', value: { seats: 2 } });
  assert.deepEqual([decided({ approve: false }).approved, decided({}).approved, decided({ approve: "yes" }).approved], [false, false, false]);
  assert.equal(decided({ payload: null }).text, "");
});

test("an approval that contradicts itself declines", async () => {
  const groups = JSON.parse(await readFile(new URL("../../support/approvals.json", import.meta.url), "utf8"));
  const response = { id: "r", status: "completed", output: [{ type: "mcp_approval_request", id: "q", name: "f", arguments: "{}" }] };
  for (const [group, answers] of Object.entries(groups)) {
    for (const answer of answers) {
      const [decided] = submittedResults({ input: [data("mcp_approval_response", "user", { approval_request_id: "q", ...answer })] });
      assert.equal(decided.approved, group === "approve", JSON.stringify(answer));
      const sent = resume({ model: "m", input: "?" }, response, { q: answer }).input.at(-1);
      assert.equal(sent.approve, group === "approve", JSON.stringify(answer));
    }
  }
});

test("only what comes after the agent's last word answers something", () => {
  const ids = (...input) => submittedResults({ input }).map(({ id }) => id);
  const assistant = { role: "assistant", content: [{ type: "text", text: "Now it is." }] };
  assert.deepEqual(ids(user("a"), call("1"), output("1", ""), assistant, user("b")), []);
  assert.deepEqual(ids(user("a"), call("1"), output("1", ""), call("2"), call("3"), output("2", ""), output("3", "")), ["2", "3"]);
  assert.deepEqual(ids(output("1", ""), user("and then?")), ["1"], "the user may say something besides");
  assert.deepEqual(ids({ type: "function_call_output", content: [{ type: "text", text: "no data" }, { type: "data", data: null }] }), []);
});

/** Returns the client's answers that an agent of this protocol receives. */
async function heard(adapter, path, body, headers = {}) {
  const [told] = [[]];
  const agent = (out, request) => (told.push(userText(request), ...submittedResults(request)), out.message().text().delta("ok"));
  const answer = await server.createHandler({ adapters: [adapter], agent })(
    new Request(`http://127.0.0.1${path}`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: agentwire.stringifyJson(body) }),
  );
  await answer.text();
  return told;
}

test("an answer is the same in every protocol", async () => {
  const raw = '{"rows":9007199254740993}';
  const whole = { ...painted };
  assert.deepEqual(await heard(server.agentApiAdapter(), "/process", { input: [output("1", raw)] }), ["", whole]);
  const agKit = { conversationId: "c", messages: [{ role: "tool", toolCallId: "1", content: raw }] };
  assert.deepEqual(await heard(server.agKitAdapter(), "/send-message", agKit), ["", { ...whole, name: null }]);
  const function_call = { id: "1", type: "function", function: { name: "paint", arguments: "{}" } };
  const messages = [
    { id: "m1", role: "user", content: "Paint it." },
    { id: "m2", role: "assistant", toolCalls: [function_call] },
    { id: "m3", role: "tool", toolCallId: "1", content: raw },
  ];
  const agUi = { threadId: "t", runId: "r", state: {}, messages, tools: [], context: [], forwardedProps: {} };
  assert.deepEqual(await heard(server.agUiAdapter(), "/ag-ui", agUi), ["Paint it.", { ...whole, name: null }]);
  const input = [
    { role: "user", content: "Paint it." },
    { type: "function_call", call_id: "1", name: "paint", arguments: "{}" },
    { type: "function_call_output", call_id: "1", output: raw },
  ];
  assert.deepEqual(await heard(server.responsesAdapter(), "/v1/responses", { model: "m", stream: true, input }), ["Paint it.", { ...whole, name: null }]);
});
