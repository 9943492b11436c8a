import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, toolCalls as viewsOf } from "agentwire";
import { respond, sseHeaders } from "agentwire/server";
import { nobody, outcomeOf, run, texts } from "../support/runs.mjs";

const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;

test("an agent writes a text", async () => {
  const answer = respond(
    nobody,
    { protocol: "agent-api", sessionId: "s", responseId: "r" },
    async (out) => {
      const text = out.message().text();
      for (const token of ["Hel", "lo", null, undefined]) {
        await text.delta(token);
      }
      out.usage({ total_tokens: 2 });
    },
  );
  assert.ok(answer instanceof Response);
  assert.equal(answer.status, 200);
  const { snapshot: response, report } = await outcomeOf(answer);
  assert.deepEqual(report.counts, {});
  assert.equal(response.id, "r");
  assert.equal(response.session_id, "s");
  assert.equal(response.status, "completed");
  assert.deepEqual(response.usage, { total_tokens: 2 });
  assert.deepEqual(texts(response), [["Hello"]]);
});

test("an agent without output completes", async () => {
  const { snapshot: response } = await run(() => {});
  assert.equal(response.status, "completed");
  assert.deepEqual(response.output, []);
});

test("the headers prevent caching and buffering", () => {
  const { headers } = respond(
    nobody,
    {
      protocol: "agent-api",
      requestId: "r1",
      headers: { "Cache-Control": "no-store", "x-run": "7" },
    },
    () => {},
  );
  const expected = {
    ...sseHeaders(),
    "cache-control": "no-store",
    "x-run": "7",
    "x-request-id": "r1",
  };
  assert.deepEqual(Object.fromEntries(headers), expected);
  assert.deepEqual(sseHeaders(), {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
  });
});

test("each content type is written, and the next content completes the previous one", async () => {
  const { snapshot: response } = await run(async (out) => {
    const message = out.message({ role: "assistant" });
    await message.text().delta("a");
    await message.refusal().delta("b");
    await message.image("https://x/i");
    await message.video("https://x/v");
    await message.audio({ data: "AAAA", format: "wav" });
    await message.file({ file_id: "f", filename: "n" });
    await message.data({ a: 1 });
    const data = message.data();
    await data.delta({ n: 1, s: "a" });
    await data.delta({ n: 2, s: "b" });
    message.metadata({ m: 1 });
    message.usage({ u: 1 });
    const text = message.text();
    await text.delta("c");
    await text.complete();
    await message.complete();
    await out.reasoning().delta("hm");
    await out.message({ role: "user", type: "a2ui_action" }).data({ x: 1 });
  });
  const [message, reasoning, action] = response.output;
  assert.deepEqual(
    message.content.map(({ type, status, text, refusal, image_url, video_url, data, filename }) => [
      type,
      status,
      text ?? refusal ?? image_url ?? video_url ?? data ?? filename,
    ]),
    [
      ["text", "completed", "a"],
      ["refusal", "completed", "b"],
      ["image", "completed", "https://x/i"],
      ["video", "completed", "https://x/v"],
      ["audio", "completed", "AAAA"],
      ["file", "completed", "n"],
      ["data", "completed", { a: 1 }],
      ["data", "completed", { n: 3, s: "ab" }],
      ["text", "completed", "c"],
    ],
  );
  assert.deepEqual([message.metadata, message.usage], [{ m: 1 }, { u: 1 }]);
  assert.deepEqual([reasoning.type, reasoning.content[0].text], ["reasoning", "hm"]);
  assert.deepEqual([action.type, action.role], ["a2ui_action", "user"]);
});

test("a tool call and its result are written", async () => {
  const { snapshot: response, toolCalls } = await run(async (out) => {
    const tool = out.tool("search");
    for (const piece of ['{"q":', '"x"}']) {
      await tool.arguments(piece);
    }
    await tool.result([{ title: "found", id: 12345678901234567890n }]);
    const other = out.tool("ask", { callId: "c2", type: "mcp_call" });
    await other.arguments({ question: "?" });
    await other.complete();
    await out.message().text().delta("done");
  });
  assert.deepEqual(
    response.output.map(({ type, role, status }) => [type, role, status]),
    [
      ["function_call", "assistant", "completed"],
      ["function_call_output", "tool", "completed"],
      ["mcp_call", "assistant", "completed"],
      ["message", "assistant", "completed"],
    ],
  );
  const [search, ask] = toolCalls;
  assert.deepEqual([search.name, search.state], ["search", "answered"]);
  assert.deepEqual([ask.name, ask.state, ask.callId], ["ask", "called", "c2"]);
  assert.match(search.callId, /^call_/);
  const [searched, asked] = viewsOf(response);
  assert.deepEqual(searched.arguments, { q: "x" });
  assert.deepEqual(searched.result.value, [{ title: "found", id: 12345678901234567890n }]);
  assert.deepEqual(asked.arguments, { question: "?" });
});

test("parallel messages and contents are not completed by later ones", async () => {
  const { snapshot: response } = await run(async (out) => {
    const calls = ["a", "b"].map((name) => out.tool(name, { parallel: true }));
    for (const piece of ['{"n"', ":1}"]) {
      await Promise.all(calls.map((call) => call.arguments(piece)));
    }
    await calls[1].result("B");
    await calls[0].result("A");
    const message = out.message();
    const [left, right] = [message.text({ parallel: true }), message.text({ parallel: true })];
    await left.delta("l");
    await right.delta("r");
    await left.delta("L");
  });
  assert.deepEqual(
    viewsOf(response)
      .map(({ name, state, result }) => [name, state, result.text])
      .sort(),
    [
      ["a", "answered", "A"],
      ["b", "answered", "B"],
    ],
  );
  assert.deepEqual(
    response.output.at(-1).content.map(({ text }) => text),
    ["lL", "r"],
  );
});

test("a new message completes the open one", async () => {
  const { snapshot: response } = await run(async (out) => {
    const first = out.message().text();
    await first.delta("one");
    const second = out.message().text();
    await second.delta("two");
    await assert.rejects(first.delta("more"), AgentwireError);
  });
  assert.deepEqual(texts(response), [["one"], ["two"]]);
});

test("out.builder and out.send() write custom events", async () => {
  const { snapshot: response } = await run(async (out) => {
    const message = out.builder.createMessageBuilder("assistant", "component_call");
    await out.send(message.inProgress());
    const data = { call_id: "c", name: "n", arguments: "{}" };
    await out.send(message.addContent({ type: "data", data }), message.complete());
  });
  assert.equal(response.output[0].type, "component_call");
});

test("an illegal call is rejected and keeps the output so far", async () => {
  const { snapshot: response } = await run(async (out) => {
    const message = out.message();
    await message.text().delta("x");
    await assert.rejects(message.data([1]), coded("not-an-object"));
    assert.throws(() => out.message({ role: "critic" }), coded("unknown-role"));
    await message.text().delta("y");
  });
  assert.deepEqual(texts(response), [["x", "y"]]);
});

test("invalid options throw synchronously", () => {
  assert.throws(
    () => respond(nobody, { protocol: "telegraph" }, () => {}),
    coded("unknown-protocol"),
  );
  assert.throws(
    () => respond(nobody, { protocol: "agent-api", style: "loose" }, () => {}),
    coded("wrong-option"),
  );
});
