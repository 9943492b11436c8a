import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { read } from "agentwire";
import { createRequest, resume, submitToolResults } from "agentwire/ag-kit";
import { openSite } from "../browser/playground.mjs";

const TOOL = {
  name: "change-background-color",
  description: "Change the background color of the page.",
  parameters: { type: "object", properties: { color: { type: "string" } }, required: ["color"] },
};

describe("the demo worker with AG-Kit", () => {
  let site;
  before(async () => {
    site = await openSite();
  });
  after(() => site?.close());

  const post = (body) =>
    fetch(`${site.url}/send-message`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
  /** A turn, which has to be legal. */
  async function turn(input, clientTools = []) {
    const body = JSON.stringify({
      ...(await createRequest(site.url, input).json()),
      demo: { delay: 0 },
    });
    const { snapshot: response, report } = await read(post(body), {
      protocol: "ag-kit",
      clientTools,
    }).finished();
    assert.deepEqual(report.violations, []);
    return response;
  }
  const asking = (content, more = {}) => ({
    conversationId: "c",
    messages: [{ role: "user", content }],
    ...more,
  });
  const textOf = ({ parts }) => parts.map(({ text }) => text ?? "").join("");

  test("basic chat", async () => {
    const answer = await turn(asking("echo 你好 🙂"));
    assert.deepEqual([answer.status, textOf(answer)], ["completed", "你好 🙂"]);
  });

  test("client tool calls: the run continues with the result of the client's tool", async () => {
    const question = asking("Change the background to rebeccapurple", { tools: [TOOL] });
    const called = await turn(question, [TOOL.name]);
    assert.equal(called.status, "awaiting-tool-results");
    const call = called.parts.find(({ type }) => type === "tool-call");
    assert.deepEqual(
      [call.toolCallName, call.parsedArguments],
      [TOOL.name, { color: "rebeccapurple" }],
    );
    const next = await turn(
      submitToolResults({ conversationId: "c" }, called, { [call.toolCallId]: "it is purple now" }),
    );
    assert.equal(next.status, "completed");
    assert.match(textOf(next), /it is purple now/);
  });

  test("a conversation continues by its id, including tool messages", async () => {
    const conversationId = crypto.randomUUID();
    const said = async (input) => textOf(await turn({ conversationId, ...input }, [TOOL.name]));
    const recall = { messages: [{ role: "user", content: "What did I say?" }] };
    assert.equal(await said(recall), "You have said nothing before.");
    const question = asking("Change the background to red", { conversationId, tools: [TOOL] });
    const called = await turn(question, [TOOL.name]);
    const call = called.parts.find(({ type }) => type === "tool-call");
    await turn(
      submitToolResults({ conversationId }, called, { [call.toolCallId]: "it is red now" }),
    );
    assert.equal(
      await said(recall),
      "Before this you said: “What did I say?”, “Change the background to red”.",
    );
    assert.equal(
      textOf(await turn({ ...recall, conversationId: crypto.randomUUID() })),
      "You have said nothing before.",
    );
    // A client that sends the whole conversation has it once.
    const own = ["one", "two", "What did I say?"].map((content) => ({ role: "user", content }));
    const whole = [own[0], { id: "a1", role: "assistant", content: "1" }, ...own.slice(1)];
    assert.equal(await said({ messages: whole }), "Before this you said: “one”, “two”.");
    assert.equal(
      await said({ messages: [{ role: "user", content: "我刚才说了什么" }] }),
      "Before this you said: “one”, “two”, “What did I say?”.",
    );
  });

  test("a tool that the request does not list is not called", async () => {
    const answer = await turn(asking("Change the background to red"));
    assert.deepEqual([answer.status, answer.parts.length], ["completed", 1]);
  });

  test("server tool calls", async () => {
    const answer = await turn(asking("What is the weather like in 杭州?"));
    assert.equal(answer.status, "completed");
    const call = answer.parts.find(({ type }) => type === "tool-call");
    assert.deepEqual(call.parsedArguments, { city: "杭州", unit: "celsius", days: 5 });
    assert.equal(JSON.parse(call.result).city, "Hangzhou");
    assert.match(textOf(answer), /杭州现在/);
  });

  test("interrupts: the run pauses and continues with the decision", async () => {
    const paused = await turn(asking("Delete all files"));
    assert.equal(paused.status, "interrupted");
    const question = paused.parts.find(({ type }) => type === "interrupt");
    assert.deepEqual(
      [question.reason, question.payload],
      ["approval", { question: "Delete all files?", text: "Delete all files?" }],
    );
    assert.match(
      textOf(
        await turn(resume({ conversationId: "c" }, paused, { [question.id]: { approved: true } })),
      ),
      /^Approved/,
    );
    assert.match(
      textOf(
        await turn(resume({ conversationId: "c" }, paused, { [question.id]: { approved: false } })),
      ),
      /^Declined/,
    );
  });

  test("a run that fails sends an error and ends", async () => {
    const answer = await turn(asking("fail, please"));
    assert.equal(answer.status, "failed");
    assert.match(answer.error.message, /weather station/);
  });

  test("an invalid request is rejected in the form of the AG-Kit server", async () => {
    const refused = await post("{}");
    assert.deepEqual(
      [refused.status, (await refused.json()).detail[0].loc],
      [422, ["body", "conversationId"]],
    );
  });

  test("heartbeats are sent while the agent is silent", async () => {
    const text = await (
      await post(
        '{"conversationId":"c","messages":[{"role":"user","content":"echo a b"}],"demo":{"delay":400,"heartbeat":100}}',
      )
    ).text();
    assert.match(text, /^: /m);
  });

  test("the same conversation works in the Agent API", async () => {
    const ask = async (input, tools) => {
      const body = JSON.stringify({
        input,
        tools,
        session_id: "s",
        biz_params: { demo: { delay: 0 } },
      });
      const {
        snapshot: response,
        toolCalls,
        report,
      } = await read(
        fetch(`${site.url}/process`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
        }),
        { protocol: "agent-api" },
      ).finished();
      assert.deepEqual(report.violations, []);
      return { response, toolCalls };
    };
    const user = {
      role: "user",
      content: [{ type: "text", text: "Change the background to teal" }],
    };
    const { response, toolCalls } = await ask([user], [{ type: "function", function: TOOL }]);
    assert.deepEqual([response.status, toolCalls[0].state], ["completed", "called"]);
    const output = {
      type: "function_call_output",
      role: "tool",
      content: [{ type: "data", data: { call_id: toolCalls[0].callId, output: "teal" } }],
    };
    const next = await ask([
      user,
      ...response.output.map(({ type, role, content }) => ({ type, role, content })),
      output,
    ]);
    assert.match(next.response.output[0].content[0].text, /teal/);
    const paused = await ask([
      { role: "user", content: [{ type: "text", text: "delete everything" }] },
    ]);
    assert.deepEqual(
      [paused.response.status, paused.response.output.at(-1).type],
      ["incomplete", "mcp_approval_request"],
    );
  });
});
