// Requests to a server of OpenAI Responses, and requests that continue a response.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createRequest,
  nextRequest,
  pendingToolCalls,
  read,
  resume,
  submitToolResults,
} from "agentwire/responses";
import { createHandler, parseRequest, responsesAdapter, validateRequest } from "agentwire/server";
import { TOOL } from "../../support/openai_tool.mjs";

const URL_ = "http://127.0.0.1/v1/responses";
const wrong = { code: "wrong-argument" };

/** Returns the request as a server reads it; asserts that it is valid. */
async function accepted(request) {
  const asked = parseRequest("responses", await request.text());
  assert.deepEqual(validateRequest("responses", asked), []);
  return asked;
}

/**
 * Calls two tools of the client, one for a number and one for a plain text; then writes their
 * results.
 */
async function agent(out, request) {
  const { input } = request.toJSON();
  const given = input.filter(({ type }) => /_output$|approval_response/.test(type ?? ""));
  if (given.length === 0) {
    await out.message().text().delta("Wait.");
    await out.tool("number", { callId: "c1", parallel: true }).arguments('{"of":1}');
    await out
      .tool("plain", { callId: "c2", type: "plugin_call", parallel: true })
      .arguments("as it is");
    return;
  }
  return out
    .message()
    .text()
    .delta(
      given
        .map(({ content }) => JSON.stringify(content[0].data.output ?? content[0].data.approve))
        .join(" "),
    );
}

/** Returns the snapshot of the response to a request, of a server that stores it. */
async function answered(request, run = agent) {
  const { snapshot, report } = await read(
    createHandler({ adapters: [responsesAdapter({ retrieve: () => undefined })], agent: run })(
      createRequest(URL_, request),
    ),
  ).finished();
  assert.deepEqual(report.violations, []);
  return { ...snapshot, output: snapshot.output.map(asCustomTool) };
}

/**
 * The plugin call, which the agent runs itself, as a call of a custom tool, which the client runs.
 */
function asCustomTool(item) {
  const { type, id, name, arguments: input } = item;
  return type === "mcp_call"
    ? { type: "custom_tool_call", id, call_id: "c2", name, input, status: "completed" }
    : item;
}

test("createRequest() turns a text, items or a request into a valid streaming request", async () => {
  const request = createRequest(URL_, "hi", {
    headers: { authorization: "Bearer x", accept: "text/event-stream, */*" },
  });
  assert.equal(request.method, "POST");
  const { "content-type": type, accept, authorization } = Object.fromEntries(request.headers);
  assert.deepEqual(
    [type, accept, authorization],
    ["application/json", "text/event-stream, */*", "Bearer x"],
  );
  assert.deepEqual(await accepted(request), { stream: true, input: "hi" });
  const items = [
    { role: "user", content: "hi" },
    { type: "function_call_output", call_id: "c", output: "1" },
  ];
  assert.deepEqual((await accepted(createRequest(URL_, items))).input, items);
  const whole = {
    model: "m",
    input: items,
    stream: false,
    tools: [TOOL],
    metadata: { id: 9007199254740993n },
  };
  assert.deepEqual(await accepted(createRequest(URL_, whole)), whole);
  assert.equal(
    (await accepted(createRequest(URL_, { previous_response_id: "resp_1" }))).input,
    undefined,
  );
  // The last is a request of Chat Completions.
  for (const none of [
    undefined,
    null,
    7,
    {},
    { model: "m", messages: [{ role: "user", content: "hi" }] },
  ]) {
    assert.throws(() => createRequest(URL_, none), wrong);
  }
});

test("aborting the signal stops the request and the agent", async () => {
  const controller = new AbortController();
  const run = read(
    createHandler({
      adapters: [responsesAdapter()],
      agent: (out) => new Promise((resolve) => out.signal.addEventListener("abort", resolve)),
    })(createRequest(URL_, "hi", { signal: controller.signal })),
    { signal: controller.signal },
  );
  setTimeout(() => controller.abort(), 10);
  assert.equal((await run.finished()).report.endReason, "aborted");
});

test("nextRequest() names a stored response, or repeats the items with `store: false`", async () => {
  const request = { model: "m", input: "hi", instructions: "Be brief.", tools: [TOOL] };
  const first = await answered(request);
  const said = { type: "message", role: "user", content: "and now?" };
  const kept = nextRequest(request, first, "and now?");
  assert.deepEqual(kept, { ...request, previous_response_id: first.id, input: "and now?" });
  assert.deepEqual(
    request,
    { model: "m", input: "hi", instructions: "Be brief.", tools: [TOOL] },
    "the request is unchanged",
  );
  // The response before that one is not named any more.
  assert.equal(nextRequest(kept, { ...first, id: "resp_2" }).previous_response_id, "resp_2");

  const whole = [{ type: "message", role: "user", content: "hi" }, ...first.output, said];
  for (const [asked, response] of [
    [{ ...request, store: false }, first],
    [request, { ...first, store: false }],
  ]) {
    assert.deepEqual(nextRequest(asked, response, [said]), { ...asked, input: whole });
  }
  const third = nextRequest({ ...request, store: false, input: whole }, first);
  assert.deepEqual(third.input, [...whole, ...first.output]);
  // Items that are referenced by id keep their previous response.
  assert.equal(
    nextRequest({ ...request, store: false, previous_response_id: "resp_0" }, first)
      .previous_response_id,
    "resp_0",
  );

  // A conversation keeps its name: servers refuse a request that names both a conversation and a
  // response.
  const held = nextRequest({ ...request, conversation: "conv_1" }, first, "and now?");
  assert.deepEqual(
    [held.conversation, held.previous_response_id, held.input],
    ["conv_1", undefined, "and now?"],
  );
  await Promise.all([kept, third, held].map((next) => accepted(createRequest(URL_, next))));
});

test("submitToolResults() adds an output item of the matching type for each call, in order", async () => {
  const request = { model: "m", input: "go", store: false };
  const asked = await answered(request);
  assert.deepEqual(
    pendingToolCalls(asked).map(({ id }) => id),
    ["c1", "c2"],
  );
  const next = submitToolResults(
    request,
    asked,
    { c2: "two", c1: { one: 9007199254740993n } },
    { input: "Now say it." },
  );
  assert.deepEqual(next.input.slice(-3), [
    { type: "function_call_output", call_id: "c1", output: '{"one":9007199254740993}' },
    { type: "custom_tool_call_output", call_id: "c2", output: "two" },
    { type: "message", role: "user", content: "Now say it." },
  ]);
  const done = await answered(next);
  assert.equal(done.output[0].content[0].text, '"{\\"one\\":9007199254740993}" "two"');
  // If the server stores the response, only the results are sent.
  const { input, previous_response_id } = submitToolResults({ ...request, store: true }, asked, {
    c1: 1,
    c2: null,
  });
  assert.deepEqual(
    [previous_response_id, input.map(({ output }) => output)],
    [asked.id, ["1", "null"]],
  );
});

test("missing and unknown results are rejected before the request is sent", async () => {
  const request = { input: "go" };
  const asked = await answered(request);
  assert.throws(() => submitToolResults(request, asked, { c1: 1 }), {
    code: "answer-missing",
    message: /`c2`/,
  });
  assert.throws(() => submitToolResults(request, asked, { c1: 1, c2: 1, c3: 1 }), {
    code: "not-pending",
    message: /`c3`/,
  });
  for (const none of [
    [undefined, asked, {}],
    [request, asked, undefined],
  ]) {
    assert.throws(() => submitToolResults(...none), wrong);
  }
  assert.throws(() => submitToolResults(request, {}, {}), { code: "missing-argument" });
  assert.throws(() => nextRequest(request, { output: [] }), { code: "missing-argument" });
});

test("resume() approves only with `true` or `approve: true`", async () => {
  const asks = (out, request) =>
    request.answers.some(({ kind }) => kind === "approval")
      ? agent(out, request)
      : out.interrupt({ id: "q1", reason: "delete", payload: {} });
  const request = { input: "go", store: false };
  const asked = await answered(request, asks);
  for (const [answer, approve, reason] of [
    [true, true],
    [{ approve: true }, true],
    [{ approve: false, reason: "No." }, false, "No."],
    [false, false],
    ["yes", false],
    [null, false],
    [1, false],
  ]) {
    const next = resume(request, asked, { q1: answer });
    const item = {
      type: "mcp_approval_response",
      approval_request_id: "q1",
      approve,
      ...(reason && { reason }),
    };
    assert.deepEqual(next.input.at(-1), item);
    assert.equal((await answered(next, asks)).output[0].content[0].text, String(approve));
  }
});
