// The input of a request, as an agent receives it in each protocol.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as agentwire from "agentwire";
import * as server from "agentwire/server";

import { resume } from "agentwire/responses";
import { conversationOf } from "agentwire/server";

const user = (...texts) => ({
  role: "user",
  content: texts.map((text) => ({ type: "text", text })),
});
const data = (type, role, data) => ({ type, role, content: [{ type: "data", data }] });
const call = (call_id) =>
  data("function_call", "assistant", { call_id, name: "paint", arguments: "{}" });
const output = (call_id, output, name = "paint") =>
  data("function_call_output", "tool", { call_id, name, output });
const painted = {
  kind: "call",
  id: "1",
  name: "paint",
  text: '{"rows":9007199254740993}',
  value: { rows: 9007199254740993n },
};

test("`text` is the last text of the user", () => {
  const textOf = (...input) => conversationOf("agent-api", { input }).text;
  assert.equal(textOf(user("first"), user("one ", "two")), "one two");
  assert.equal(textOf(user("asked"), call("1"), output("1", "done")), "asked");
  assert.equal(
    textOf(
      { role: "assistant", content: [{ type: "text", text: "mine" }] },
      { role: "system", content: [{ type: "text", text: "be brief" }] },
    ),
    "",
  );
  assert.equal(
    textOf({ content: [{ type: "text", text: "nobody's" }] }),
    "nobody's",
    "a message without a role counts as a message of the user",
  );
  assert.equal(textOf({ role: "user", content: [{ type: "image", image_url: "a" }] }), "");
  assert.equal(textOf({ role: "user" }, { role: "user", content: null }), "");
  assert.equal(textOf(), "");
  assert.equal(conversationOf("agent-api", {}).text, "");
  assert.throws(() => conversationOf("agent-api"), { code: "wrong-argument" });
});

test("`answers` has the tool results and decisions of the client", () => {
  const answers = (...input) => conversationOf("agent-api", { input }).answers;
  assert.deepEqual(answers(user("hi")), []);
  assert.deepEqual(answers(output("1", '{"rows":9007199254740993}')), [painted]);
  const plain = answers(output("1", "it is blue"), output("", 7, null));
  assert.deepEqual(
    plain.map(({ id, name, text, value }) => [id, name, text, value]),
    [
      ["1", "paint", "it is blue", undefined],
      [null, null, "7", 7],
    ],
  );
  const decided = (answer) =>
    answers(data("mcp_approval_response", "user", { approval_request_id: "q", ...answer }))[0];
  assert.deepEqual(decided({ approve: true, payload: { seats: 2 } }), {
    kind: "approval",
    id: "q",
    approved: true,
    text: '{"seats":2}',
    value: { seats: 2 },
  });
  assert.deepEqual(
    [
      decided({ approve: false }).approved,
      decided({}).approved,
      decided({ approve: "yes" }).approved,
    ],
    [false, false, false],
  );
  assert.equal(decided({ payload: null }).text, "");
});

test("a contradictory approval counts as declined", async () => {
  const groups = JSON.parse(
    await readFile(new URL("../../../data/approvals.json", import.meta.url), "utf8"),
  );
  const response = {
    id: "r",
    status: "completed",
    output: [{ type: "mcp_approval_request", id: "q", name: "f", arguments: "{}" }],
  };
  for (const [group, answers] of Object.entries(groups)) {
    for (const answer of answers) {
      const [decided] = conversationOf("agent-api", {
        input: [data("mcp_approval_response", "user", { approval_request_id: "q", ...answer })],
      }).answers;
      assert.equal(decided.approved, group === "approve", JSON.stringify(answer));
      const sent = resume({ model: "m", input: "?" }, response, { q: answer }).input.at(-1);
      assert.equal(sent.approve, group === "approve", JSON.stringify(answer));
    }
  }
});

test("`answers` has only results after the last message of the agent", () => {
  const ids = (...input) => conversationOf("agent-api", { input }).answers.map(({ id }) => id);
  const assistant = { role: "assistant", content: [{ type: "text", text: "Now it is." }] };
  assert.deepEqual(ids(user("a"), call("1"), output("1", ""), assistant, user("b")), []);
  assert.deepEqual(
    ids(
      user("a"),
      call("1"),
      output("1", ""),
      call("2"),
      call("3"),
      output("2", ""),
      output("3", ""),
    ),
    ["2", "3"],
  );
  assert.deepEqual(
    ids(output("1", ""), user("and then?")),
    ["1"],
    "a message of the user after the result is allowed",
  );
  assert.deepEqual(
    ids({
      type: "function_call_output",
      content: [
        { type: "text", text: "no data" },
        { type: "data", data: null },
      ],
    }),
    [],
  );
});

/** Returns the user text and the submitted results that an agent of this protocol receives. */
async function receivedBy(adapter, path, body, headers = {}) {
  const received = [];
  const agent = (out, request) => {
    received.push(request.text, ...request.answers);
    return out.message().text().delta("ok");
  };
  const answer = await server.createHandler({ adapters: [adapter], agent })(
    new Request(`http://127.0.0.1${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: agentwire.stringifyJson(body),
    }),
  );
  await answer.text();
  return received;
}

test("answers are the same in every protocol", async () => {
  const raw = '{"rows":9007199254740993}';
  const whole = { ...painted };
  assert.deepEqual(
    await receivedBy(server.agentApiAdapter(), "/process", { input: [output("1", raw)] }),
    ["", whole],
  );
  const agKit = {
    conversationId: "c",
    messages: [{ role: "tool", toolCallId: "1", content: raw }],
  };
  assert.deepEqual(await receivedBy(server.agKitAdapter(), "/send-message", agKit), [
    "",
    { ...whole, name: null },
  ]);
  const function_call = { id: "1", type: "function", function: { name: "paint", arguments: "{}" } };
  const messages = [
    { id: "m1", role: "user", content: "Paint it." },
    { id: "m2", role: "assistant", toolCalls: [function_call] },
    { id: "m3", role: "tool", toolCallId: "1", content: raw },
  ];
  const agUi = {
    threadId: "t",
    runId: "r",
    state: {},
    messages,
    tools: [],
    context: [],
    forwardedProps: {},
  };
  // The name is that of the call before it.
  assert.deepEqual(await receivedBy(server.agUiAdapter(), "/ag-ui", agUi), ["Paint it.", whole]);
  const input = [
    { role: "user", content: "Paint it." },
    { type: "function_call", call_id: "1", name: "paint", arguments: "{}" },
    { type: "function_call_output", call_id: "1", output: raw },
  ];
  assert.deepEqual(
    await receivedBy(server.responsesAdapter(), "/v1/responses", {
      model: "m",
      stream: true,
      input,
    }),
    ["Paint it.", whole],
  );
});
