// The official OpenAI clients, both majors, against the demo worker at both of its paths: no error,
// and the output of the agent.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { openSite } from "../browser/playground.mjs";
import { TOOL } from "../support/openai_tool.mjs";
import { until } from "../support/until.mjs";

const metadata = { demo: "answer" };

for (const [from, path] of [
  ["../../..", "/v1"],
  ["../official_clients/openai-6", "/compatible-mode/v1"],
]) {
  const required = createRequire(new URL(`${from}/package.json`, import.meta.url));
  const { OpenAI } = required("openai");
  const { VERSION } = required("openai/version");

  describe(`openai ${VERSION} and the demo worker at ${path}`, () => {
    let site;
    let client;
    before(async () => {
      site = await openSite();
      client = new OpenAI({ apiKey: "unused", baseURL: site.url + path, maxRetries: 0 });
    });
    after(() => site?.close());

    /**
     * Returns the streamed response to a question; asserts that the numbers of its events have no
     * gaps.
     */
    async function answered(input, more = {}) {
      const events = [];
      const stream = client.responses.stream({ model: "demo", input, ...more });
      stream.on("event", (event) => void events.push(event));
      const response = await stream.finalResponse();
      assert.deepEqual(
        events.map(({ sequence_number }) => sequence_number),
        [...events.keys()],
      );
      return response;
    }
    const types = ({ output }) => output.map(({ type }) => type);

    test("a text", async () => {
      const { output_text, status } = await answered("echo 你好 👋");
      assert.deepEqual([output_text, status], ["你好 👋", "completed"]);
    });

    test("reasoning, a server tool, an image and usage", async () => {
      const response = await answered("What is the weather like in Paris?", { metadata });
      assert.deepEqual(types(response), [
        "reasoning",
        "mcp_call",
        "message",
        "image_generation_call",
      ]);
      const [thought, call, message, image] = response.output;
      assert.match(thought.content[0].text, /I should not guess/);
      assert.deepEqual([call.name, JSON.parse(call.arguments).city], ["get_weather", "Paris"]);
      assert.deepEqual([call.status, JSON.parse(call.output).city], ["completed", "Paris"]);
      assert.match(message.content[0].text, /^Paris现在/);
      assert.match(atob(image.result), /^<svg/);
      assert.ok(
        response.usage.output_tokens > 0 &&
          response.usage.total_tokens > response.usage.output_tokens,
      );
    });

    test("parallel client tools", async () => {
      const response = await answered("two at once");
      assert.deepEqual(
        response.output.map(({ type, call_id, name, arguments: args }) => [
          type,
          call_id,
          name,
          args,
        ]),
        [
          ["function_call", "call_one", "tool_one", '{"n":1}'],
          ["function_call", "call_two", "tool_two", '{"n":1}'],
        ],
      );
    });

    test("a client tool and its result", async () => {
      const asked = [{ role: "user", content: "Change the background to rebeccapurple" }];
      const { output } = await answered(asked, { tools: [TOOL] });
      const call = output.find(({ type }) => type === "function_call");
      assert.deepEqual(JSON.parse(call.arguments), { color: "rebeccapurple" });
      const result = {
        type: "function_call_output",
        call_id: call.call_id,
        output: "it is purple now",
      };
      const next = await answered([...asked, ...output, result], { tools: [TOOL] });
      assert.match(next.output_text, /it is purple now/);
    });

    test("a refusal", async () => {
      const { output } = await answered("please refuse");
      assert.deepEqual(
        output[0].content.map(({ type, refusal }) => [type, refusal]),
        [["refusal", "I will not do that. 恕难从命。"]],
      );
    });

    test("a question and its answer", async () => {
      for (const [approve, says] of [
        [true, /^Approved/],
        [false, /^Declined/],
      ]) {
        const asked = [{ role: "user", content: "Delete all files" }];
        const { output } = await answered(asked);
        const question = output.at(-1);
        assert.deepEqual(
          [question.type, JSON.parse(question.arguments)],
          ["mcp_approval_request", { question: "Delete all files?", text: "Delete all files?" }],
        );
        const answer = { type: "mcp_approval_response", approval_request_id: question.id, approve };
        assert.match((await answered([...asked, ...output, answer])).output_text, says);
      }
    });

    test("failed, cancelled, incomplete and rejected runs", async () => {
      for (const [input, status, error, reason] of [
        ["Weather in Paris, and fail", "failed", "WEATHER_STATION_SILENT"],
        ["Weather in Paris, but cancel", "cancelled"],
        ["Weather in Paris, but incomplete", "incomplete", undefined, "max_output_tokens"],
        ["reject this", "failed", "rejected"],
      ]) {
        const response = await answered(input);
        assert.deepEqual(
          [response.status, response.error?.code, response.incomplete_details?.reason],
          [status, error, reason],
          input,
        );
        const whole = await client.responses.create({ model: "demo", input });
        assert.deepEqual(
          [whole.status, whole.error?.code, whole.output_text],
          [status, error, response.output_text],
          input,
        );
      }
    });

    test("invalid requests are rejected", async () => {
      await assert.rejects(
        client.responses.create({ model: "demo", input: [{ role: "wizard", content: "hi" }] }),
        ({ status, param }) => status === 400 && param === "input[0].role",
      );
      await assert.rejects(
        client.responses.retrieve("resp_1", { stream: true, starting_after: 3 }),
        ({ status, code }) => status === 404 && code === "not_found",
      );
    });

    // A stored response continues without its reader: responses_kept.test.mjs.
    test("a client that disconnects stops the agent of a response that is not stored", async () => {
      const health = async () => (await (await fetch(`${site.url}/health`)).json()).runs;
      const before = await health();
      for await (const event of await client.responses.create({
        model: "demo",
        input: "a long story",
        stream: true,
        store: false,
        metadata: { demo: "slow" },
      })) {
        if (event.type === "response.output_text.delta") break;
      }
      await until(async () => (await health()).stopped !== before.stopped, 50);
      const { stopped, active } = await health();
      assert.deepEqual([stopped, active], [before.stopped + 1, before.active]);
    });
  });
}
