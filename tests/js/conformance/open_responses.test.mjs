// Open Responses: the requests of its compliance suite that use HTTP, against a handler, a service
// that stores responses, and the gateway. Answers and events are judged by the OpenAPI document of
// the specification, which the package llm-comply contains. The variable PYTHON is an interpreter
// with the packages of requirements.txt.
//
// The suite itself, `bin/compliance-test.ts` of its repository, is in no package registry. These
// requests follow it by the names of its tests. Its tests of WebSocket connections and of
// `/responses/compact` are left out: for the first there is `tests/js/gateway/sockets.test.mjs`, and
// the servers do not have the second.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import Ajv from "ajv/dist/2020.js";
import { gateway, handler, service } from "./servers.mjs";

const run = promisify(execFile);
const { PYTHON } = process.env;

const LOCATE = "import llm_comply, os; print(os.path.dirname(llm_comply.__file__))";
const { stdout: folder } = await run(PYTHON, ["-c", LOCATE]);
const document = JSON.parse(readFileSync(`${folder.trim()}/specs/openresponses.json`, "utf8"));

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(document, "spec");
const schema = (name) => ajv.getSchema(`spec#/components/schemas/${name}`);

/** The schemas of events, by their types. */
const EVENTS = Object.fromEntries(
  Object.entries(document.components.schemas)
    .filter(([name]) => name.endsWith("StreamingEvent"))
    .map(([name, { properties }]) => [properties.type.enum[0], schema(name)]),
);

function assertValid(validate, value, what) {
  assert.ok(
    validate(value),
    `${what}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(value)}`,
  );
}

const message = (content, role = "user") => ({ type: "message", role, content });

const weather = {
  type: "function",
  name: "get_weather",
  description: "Returns the weather of a city.",
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
  },
};
const ASK = "What is the weather in Paris? Use the tool.";
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const PDF = "data:application/pdf;base64,JVBERi0xLjEKJSVFT0Y=";

const texts = ({ output }) => output.filter(({ type }) => type === "message");
const calls = ({ output }) => output.filter(({ type }) => type === "function_call");

/** The tests of the suite with one request: the request, and what its response has. */
const TESTS = {
  "basic-response": [{ input: [message("Say hello in three words.")] }, texts],
  "system-prompt": [{ input: [message("Talk like a pirate.", "system"), message("Hello")] }, texts],
  "tool-calling": [{ input: [message(ASK)], tools: [weather] }, calls],
  "image-input": [
    {
      input: [
        message([
          { type: "input_text", text: "What is in this image?" },
          { type: "input_image", image_url: PIXEL },
        ]),
      ],
    },
    texts,
  ],
  "file-input": [
    {
      input: [
        message([
          { type: "input_text", text: "What is the title?" },
          { type: "input_file", filename: "a.pdf", file_data: PDF },
        ]),
      ],
    },
    texts,
  ],
  "multi-turn": [
    {
      input: [
        message("My name is Alice."),
        message("Hello Alice.", "assistant"),
        message("What is my name?"),
      ],
    },
    texts,
  ],
  // Settings that the response repeats.
  settings: [
    {
      input: "Hello",
      instructions: "Be brief.",
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 100,
      text: { verbosity: "low" },
      reasoning: { effort: "low" },
      metadata: { a: "b" },
      tools: [{ type: "function", name: "bare" }],
      tool_choice: "none",
      truncation: "auto",
    },
    ({ output }) => output,
  ],
};

/** Sends a request without a stream. Resolves to its valid response. */
async function ask(origin, body) {
  const response = await fetch(`${origin}/v1/responses`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer key" },
    body: JSON.stringify({ model: "small", ...body, stream: false }),
  });
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  assertValid(schema("ResponseResource"), answer, "response");
  assert.equal(answer.status, "completed");
  return answer;
}

/** Sends a request with a stream. Resolves to its valid last response. */
async function stream(origin, body) {
  const response = await fetch(`${origin}/v1/responses`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer key" },
    body: JSON.stringify({ model: "small", ...body, stream: true }),
  });
  assert.match(response.headers.get("content-type"), /^text\/event-stream/);
  const events = (await response.text())
    .split("\n\n")
    .filter((frame) => frame !== "" && !frame.startsWith(":"))
    .map((frame) => Object.fromEntries(frame.split("\n").map((line) => line.split(/: (.*)/s))));
  const parsed = events.filter(({ data }) => data !== "[DONE]").map(({ data }) => JSON.parse(data));
  for (const [number, event] of parsed.entries()) {
    assert.ok(event.type in EVENTS, `the specification has no event ${event.type}`);
    assertValid(EVENTS[event.type], event, event.type);
    assert.deepEqual([events[number].event, event.sequence_number], [event.type, number]);
  }
  const last = parsed.at(-1);
  assert.equal(last.type, "response.completed");
  assertValid(schema("ResponseResource"), last.response, "response");
  return { last: last.response, types: new Set(parsed.map(({ type }) => type)) };
}

for (const [name, start] of Object.entries({ handler, service, gateway })) {
  describe(`Open Responses ${document.info.version}: ${name}`, () => {
    for (const [id, [body, found]] of Object.entries(TESTS)) {
      test(id, async (context) => {
        const { origin, stop } = await start();
        context.after(stop);
        assert.ok(found(await ask(origin, body)).length > 0);
        assert.ok(found((await stream(origin, body)).last).length > 0);
      });
    }

    test("streaming-response", async (context) => {
      const { origin, stop } = await start();
      context.after(stop);
      const { types } = await stream(origin, { input: [message("Count from 1 to 5.")] });
      const all = [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
      ];
      assert.deepEqual([...types], all);
    });

    test("tool-calling-streaming", async (context) => {
      const { origin, stop } = await start();
      context.after(stop);
      const { types } = await stream(origin, { input: [message(ASK)], tools: [weather] });
      for (const type of ["delta", "done"]) {
        assert.ok(types.has(`response.function_call_arguments.${type}`), [...types].join());
      }
    });

    test("function-call-roundtrip", async (context) => {
      const { origin, stop } = await start();
      context.after(stop);
      const tool_choice = { type: "function", name: "get_weather" };
      const asked = { input: [message(ASK)], tools: [weather], store: false };
      const first = await ask(origin, { ...asked, tool_choice });
      const [call] = calls(first);
      assert.equal(call.name, "get_weather");
      assert.deepEqual(JSON.parse(call.arguments), { city: "Paris" });
      const { call_id } = call;
      const result = { type: "function_call_output", call_id, output: '{"celsius":18}' };
      const second = await ask(origin, { ...asked, input: [...asked.input, call, result] });
      assert.ok(texts(second).length > 0);
    });

    test("previous-response-id", async (context) => {
      const { origin, stop } = await start();
      context.after(stop);
      const first = await ask(origin, { input: "Remember the word papaya." });
      // The other servers store nothing, and their responses have `store: false`.
      assert.equal(first.store, name === "service");
      const response = await fetch(`${origin}/v1/responses`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          model: "small",
          input: "Which word?",
          previous_response_id: first.id,
        }),
      });
      const answer = await response.json();
      if (name !== "service") {
        assert.equal(response.status, 400);
        assert.equal(answer.error.type, "invalid_request_error");
        return;
      }
      assertValid(schema("ResponseResource"), answer, "response");
      assert.equal(answer.previous_response_id, first.id);
      assert.ok(texts(answer).length > 0);
    });
  });
}
