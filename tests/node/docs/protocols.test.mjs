// The JavaScript examples of the pages about the Agent API, OpenAI Responses and A2A behave as documented.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import * as agentwire from "agentwire";
import { createRequest as createA2aRequest } from "agentwire/a2a";
import * as server from "agentwire/server";
import { asked, posting } from "../support/asking.mjs";
import { examplesOf } from "../support/examples.mjs";

const agentApi = await examplesOf("docs/protocols/agent-api.md", 18);
const responses = await examplesOf("docs/protocols/responses.md", 16);
const a2a = await examplesOf("docs/protocols/a2a.md", 18);
const run = [];
after(() => assert.deepEqual(run.sort(), [agentApi, responses, a2a].flatMap(({ names }) => names).sort(), "every example is run"));

function example({ example }, name, ...given) {
  run.push(name);
  return example(name, ...given);
}

/** `fetch` of a page whose server is this handler, and the bodies of its requests as JSON. */
function served({ fetch: handler }) {
  const questions = [];
  const fetch = async (path, init) => {
    const request = path instanceof Request ? path : new Request(new URL(path, "http://127.0.0.1"), init);
    questions.push(await asked(request.clone()));
    return handler(request);
  };
  return { fetch, questions };
}

/** An agent that calls a tool of the client, and then writes its result. */
async function calling(out, { input }) {
  const result = input.findLast(({ type }) => type === "function_call_output");
  if (result === undefined) {
    const call = out.tool("paint", { callId: "c1" });
    await call.arguments('{"color":"blue"}');
    return call.complete();
  }
  return out.message().text().delta(`It is ${result.content[0].data.output}.`);
}

const tools = [{ type: "function", function: { name: "paint", parameters: { type: "object", properties: {} } } }];
const painted = { rows: 9007199254740993n };
async function* model(input) {
  yield* ["You said: ", input.at(-1).content[0].text];
}

test("the Agent API: asking, and answering calls", async () => {
  const { fetch, questions } = served({ fetch: server.createHandler({ adapters: [server.agentApiAdapter()], agent: calling }) });
  const [ran, drawn] = [[], []];
  const runTool = async (...call) => (ran.push(call), painted);
  const code = example(agentApi, "asking", "fetch", "session", "tools", "runTool", "render");
  const snapshot = await code({}, fetch, "s", tools, runTool, (output, changes) => drawn.push([output.length, changes.length]));
  assert.deepEqual(ran, [["paint", { color: "blue" }]]);
  assert.equal(snapshot.output[0].content[0].text, 'It is {"rows":9007199254740993}.');
  assert.deepEqual(questions.map(({ session_id }) => session_id), ["s", "s"]);
  assert.ok(drawn.some(([messages, changes]) => messages === 1 && changes > 0));
});

test("the Agent API: writing", async () => {
  const writer = await example(agentApi, "writing", "model")({}, model);
  const input = [{ role: "user", content: [{ type: "text", text: "hi" }] }];
  const answer = await writer.fetch(posting("/process", { session_id: "s", input }));
  const { snapshot, report } = await agentwire.read(answer, { protocol: "agent-api" }).finished();
  assert.deepEqual(report.violations, []);
  assert.deepEqual(snapshot.output.map(({ type }) => type), ["reasoning", "function_call", "function_call_output", "message"]);
  assert.deepEqual([snapshot.session_id, snapshot.output[3].content[0].text], ["s", "You said: hi"]);
  const alone = await agentwire.read(await writer.fetch(posting("/process", { session_id: null, input })), { protocol: "agent-api" }).finished();
  assert.match(alone.snapshot.session_id, /^[0-9a-f]{8}-/, "a request whose session is null has a new one");
});

test("the Agent API: the builder", async () => {
  const frames = [];
  const send = (...events) => frames.push(...events.map((event) => event.toSse()));
  await example(agentApi, "builder", "session", "tokens", "send")({}, "s", ["Hel", "lo"], send);
  const { snapshot, report } = await agentwire.read(new Response(frames.join("")).body, { protocol: "agent-api" }).finished();
  assert.deepEqual([report.violations, report.endReason, snapshot.status], [[], "completed", "completed"]);
  assert.equal(snapshot.output[0].content[0].text, "Hello");
  const nobody = new server.AgentApiStreamBuilder({ sessionId: null, responseId: null, ids: "numbered" });
  assert.equal(nobody.created().toObject().session_id, null);
  nobody.free();
});

test("Responses: asking, and answering calls", async () => {
  const { fetch, questions } = served({ fetch: server.createHandler({ adapters: [server.responsesAdapter()], agent: calling }) });
  const [ran, drawn] = [[], []];
  const runTool = async (...call) => (ran.push(call), painted);
  const code = example(responses, "asking", "fetch", "key", "model", "tools", "runTool", "render");
  const flat = [{ type: "function", name: "paint", strict: false, parameters: { type: "object", properties: {} } }];
  const snapshot = await code({}, fetch, "k", "m", flat, runTool, (output) => drawn.push(output.length));
  assert.deepEqual(ran, [["paint", { color: "blue" }]]);
  assert.equal(snapshot.output[0].content[0].text, 'It is {"rows":9007199254740993}.');
  assert.deepEqual(questions[1].input.map(({ type }) => type), [undefined, "function_call", "function_call_output"]);
  assert.ok(drawn.includes(1));
});

test("Responses: writing", async () => {
  const writer = await example(responses, "writing", "model")({}, model);
  const answer = await writer.fetch(posting("/v1/responses", { model: "m", input: "hi", stream: true, temperature: 0.5 }));
  const { snapshot, report } = await agentwire.read(answer, { protocol: "responses" }).finished();
  assert.deepEqual(report.violations, []);
  assert.deepEqual([snapshot.model, snapshot.temperature, snapshot.status], ["m", 0.5, "completed"]);
  assert.deepEqual(snapshot.output.map(({ type }) => type), ["reasoning", "message"]);
  assert.equal(snapshot.output[1].content[0].text, "You said: hi");
});

test("A2A: a server whose task waits, and a client that answers", async () => {
  const { fetch, questions } = served(await example(a2a, "server")());
  const [confirmed, drawn] = [[], []];
  const confirm = async (text) => (confirmed.push(text), true);
  const code = example(a2a, "asking", "fetch", "render", "confirm");
  const { task } = await code({}, fetch, (artifacts) => drawn.push(artifacts.length), confirm);
  assert.deepEqual(confirmed, ["Really?"]);
  assert.equal(task.status.state, "TASK_STATE_COMPLETED");
  assert.equal(task.artifacts.at(-1).parts[0].text, "Deleted.");
  const [first, second] = questions.map(({ params }) => params.message);
  assert.deepEqual([first.taskId, second.taskId, second.contextId], [undefined, task.id, task.contextId]);
  assert.ok(drawn.includes(1));
});

test("A2A: a task is followed by its id, and got when it is over", async () => {
  let end;
  const ended = new Promise((resolve) => (end = resolve));
  const agent = async (out) => {
    const text = out.message().text();
    await text.delta("One, ");
    await ended;
    await text.delta("two.");
  };
  const { fetch } = served({ fetch: server.createHandler({ adapters: [server.a2aAdapter({ name: "n", description: "d" })], agent: agent }) });
  let id;
  for await (const { snapshot } of agentwire.read(fetch(createA2aRequest("http://127.0.0.1/a2a", "Count.")), { protocol: "a2a" })) {
    id = snapshot.task?.id;
    if (snapshot.task?.artifacts?.length > 0) break;
  }
  const code = example(a2a, "following", "fetch", "render", "id");
  const follow = (render) => code({}, fetch, render, id);
  const drawn = [];
  const textOf = (artifacts) => artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join("");
  const task = await follow((artifacts) => {
    drawn.push(textOf(artifacts));
    end();
  });
  assert.deepEqual([drawn[0], textOf(task.artifacts), task.status.state], ["One, ", "One, two.", "TASK_STATE_COMPLETED"]);
  const got = await follow(() => {});
  assert.deepEqual([got.id, textOf(got.artifacts), got.status.state], [id, "One, two.", "TASK_STATE_COMPLETED"]);
});
