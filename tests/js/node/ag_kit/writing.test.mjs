import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, Decoder, RequestError } from "agentwire";
import { EventWriter, parseRequest, validateRequest } from "agentwire/server";
import { createRequest, nextRequest, resume, submitToolResults } from "agentwire/ag-kit";

const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;

function turnOf(events, options) {
  const decoder = new Decoder({ protocol: "ag-kit", ...options });
  const writer = new EventWriter({ protocol: "ag-kit", ...options });
  const frames = events.map((event) => writer.write(event));
  decoder.push(new TextEncoder().encode([...frames, writer.finish()].join("")));
  const { snapshot: response, report } = decoder.finish();
  assert.deepEqual(report.violations, []);
  return response;
}

const call = (toolCallId, ...deltas) => [
  { type: "tool-call-start", toolCallId, toolCallName: "f" },
  ...deltas.map((delta) => ({ type: "tool-call-args", toolCallId, delta })),
  { type: "tool-call-end", toolCallId },
];

test("written events are read without violations and yield the expected snapshot", () => {
  const payload = { big: 12345678901234567890n };
  const turn = turnOf([
    { type: "text", content: "I look " },
    { type: "text", content: "it up. 🙂" },
    ...call("c1", '{"city":', '"北京"}'),
    { type: "tool-result", toolCallId: "c1", result: "晴" },
    { type: "interrupt", id: "i1", payload },
  ]);
  assert.equal(turn.status, "interrupted");
  assert.deepEqual(turn.parts, [
    { type: "text", text: "I look it up. 🙂" },
    {
      type: "tool-call",
      toolCallId: "c1",
      toolCallName: "f",
      state: "output-available",
      arguments: '{"city":"北京"}',
      parsedArguments: { city: "北京" },
      argumentsError: null,
      result: "晴",
    },
    { type: "interrupt", id: "i1", reason: null, payload },
  ]);
});

/** The body of a request. */
const bodyOf = (input) => createRequest("http://127.0.0.1/", input).text();

/** An interrupted turn. */
const interrupted = () => turnOf([{ type: "interrupt", id: "i1", payload: {} }]);

test("the results of client tools are sent in one request", async () => {
  const turn = turnOf([...call("a", "{}"), ...call("b", "{}")], { clientTools: ["f"] });
  assert.equal(turn.status, "awaiting-tool-results");
  const previous = { conversationId: "c" };
  const next = submitToolResults(previous, turn, { b: { ok: true }, a: "done" });
  assert.deepEqual(JSON.parse(await bodyOf(next)), {
    conversationId: "c",
    messages: [
      { role: "tool", content: "done", toolCallId: "a" },
      { role: "tool", content: '{"ok":true}', toolCallId: "b" },
    ],
  });
  assert.throws(() => submitToolResults(previous, turn, { a: "done" }), coded("answer-missing"));
  assert.throws(
    () => submitToolResults(previous, turn, { a: "", b: "", c: "" }),
    coded("not-pending"),
  );
});

test("createRequest() sends a text, and nextRequest() only the new message", async () => {
  assert.deepEqual(
    JSON.parse(await createRequest("http://127.0.0.1/", "hi", { conversationId: "c" }).text()),
    {
      conversationId: "c",
      messages: [{ role: "user", content: "hi" }],
    },
  );
  const next = nextRequest(
    { conversationId: "c", messages: [{ role: "user", content: "hi" }], resume: null },
    interrupted(),
    "and now?",
  );
  assert.deepEqual(next, {
    conversationId: "c",
    messages: [{ role: "user", content: "and now?" }],
  });
});

test("the decision on an interrupt is sent as text", async () => {
  const body = await bodyOf(
    resume({ conversationId: "c" }, interrupted(), { i1: { approved: true } }),
  );
  assert.deepEqual(JSON.parse(body), {
    conversationId: "c",
    messages: [],
    resume: { interruptId: "i1", payload: '{"approved":true}' },
  });
  assert.throws(() => resume({ conversationId: "c" }, interrupted(), {}), coded("answer-missing"));
  assert.throws(
    () => resume({ conversationId: "c" }, interrupted(), { i2: true }),
    coded("not-pending"),
  );
});

test("a text that resumes an interrupt is sent as JSON and parsed in both forms", async () => {
  const payload = (body) => JSON.parse(body).resume.payload;
  for (const answer of ["yes", "", "true", '{"a":1}', true, null, 12345678901234567890n]) {
    const sent = await bodyOf(resume({ conversationId: "c" }, interrupted(), { i1: answer }));
    assert.equal(
      payload(sent),
      typeof answer === "bigint" ? String(answer) : JSON.stringify(answer),
    );
    assert.deepEqual(JSON.parse(await bodyOf(parseRequest("ag-kit", sent))), JSON.parse(sent));
  }
  const plain = parseRequest(
    "ag-kit",
    '{"conversationId":"c","resume":{"interruptId":"i","payload":"yes"}}',
  );
  const official = parseRequest(
    "ag-kit",
    '{"conversationId":"c","resume":{"interruptId":"i","payload":"\\"yes\\""}}',
  );
  assert.deepEqual(plain, official);
  assert.equal(official.resume.payload, '"yes"');
});

test("a request is serialized in the form that the server expects", async () => {
  const tool = { name: "f", description: "d", parameters: { type: "object" } };
  const body = await bodyOf({
    conversationId: "c",
    messages: [{ role: "user", content: "hi" }],
    tools: [tool],
    resume: null,
  });
  assert.deepEqual(JSON.parse(body), {
    conversationId: "c",
    messages: [{ role: "user", content: "hi" }],
    tools: [{ ...tool, parameters: '{"type":"object"}' }],
  });
  const create = (input) => () => createRequest("http://127.0.0.1/", input);
  assert.throws(create({ messages: [] }), coded("wrong-argument"));
  assert.throws(
    create({ conversationId: "c", messages: [{ role: "assistant" }] }),
    coded("message-without-id"),
  );
  assert.throws(
    create({ conversationId: "c", tools: [{ ...tool, parameters: "{" }] }),
    coded("parameters-not-json"),
  );
});

test("requests are parsed in camel case and snake case", () => {
  const input = parseRequest(
    "ag-kit",
    '{"conversation_id":"c","messages":[{"role":"tool","tool_call_id":"a","content":"ok"}],"tools":null,"resume":{"interruptId":"i","payload":{"a":1}}}',
  );
  assert.deepEqual(input, {
    conversationId: "c",
    messages: [{ role: "tool", content: "ok", toolCallId: "a" }],
    resume: { interruptId: "i", payload: '{"a":1}' },
  });
  assert.deepEqual(
    validateRequest("ag-kit", { ...input, resume: { interruptId: "i", payload: { a: 1 } } }).map(
      ({ path }) => path,
    ),
    ["body.resume.payload"],
  );
  assert.deepEqual(validateRequest("ag-kit", input), []);
});

test("an invalid request is rejected with the error of the official server", async () => {
  let error;
  try {
    parseRequest("ag-kit", '{"messages":[]}');
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error instanceof RequestError);
  assert.deepEqual(
    error.problems.map(({ path, code }) => [path, code]),
    [["body.conversationId", "missing"]],
  );
  const response = error.toResponse();
  assert.equal(response.status, 422);
  assert.equal(response.headers.get("content-type"), "application/json");
  assert.deepEqual(await response.json(), {
    detail: [
      {
        type: "missing",
        loc: ["body", "conversationId"],
        msg: "Field required",
        input: { messages: [] },
      },
    ],
  });
});
