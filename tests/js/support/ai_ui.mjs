// An agent behind the transport of the AI SDK, and the result of its reader: the same tests for
// each major of `ai`.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { AgentError, createHandler } from "agentwire/server";

const CORPUS = new URL("../../data/corpus/ai-sdk/", import.meta.url);

/** Writes text, runs a tool, calls a tool of the client, asks a question, or fails. */
async function agent(out, request) {
  const [given] = request.answers;
  const asked = request.text;
  if (given !== undefined) {
    return out
      .message()
      .text()
      .delta(given.kind === "call" ? `You picked ${given.text}.` : `Decided: ${given.approved}.`);
  }
  if (asked.includes("weather")) {
    await out.message().text().delta("Let me look. ");
    const call = out.tool("get_weather", { callId: "call_1", type: "plugin_call" });
    await call.arguments('{"city":');
    await call.arguments('"Paris"}');
    await call.result({ celsius: 19 });
    return out.message().text().delta("19 degrees.");
  }
  if (asked.includes("color")) {
    const call = out.tool("pick_color", { callId: "call_2" });
    await call.arguments('{"of":"sky"}');
    return call.complete();
  }
  if (asked.includes("delete")) {
    return out.interrupt({
      id: "question_1",
      reason: "approval",
      payload: { name: "delete_files", arguments: "{}" },
    });
  }
  if (asked.includes("fail")) {
    await out.message().text().delta("half");
    throw new AgentError("QUOTA", "no more today");
  }
  const text = out.message().text();
  for (const piece of ["Hel", "lo 你好"]) await text.delta(piece);
}

/** Returns the last message that the client reads from a response, and its errors. */
export async function fold({ DefaultChatTransport, readUIMessageStream }, fetch, messages = []) {
  const transport = new DefaultChatTransport({ api: "http://localhost/api/chat", fetch });
  const errors = [];
  const stream = await transport.sendMessages({
    chatId: "c1",
    trigger: "submit-message",
    messageId: undefined,
    messages,
  });
  let last;
  for await (const message of readUIMessageStream({
    stream,
    onError: (error) => errors.push(error.message),
  }))
    last = message;
  return { message: last && JSON.parse(JSON.stringify(last)), errors };
}

/** Registers the tests. `major` is 5, 6 or 7. */
export function uiTests(test, ai, major) {
  const handler = createHandler({ protocols: ["ai-sdk"], agent, onError: () => {} });
  const serve = (url, init) => handler(new Request(url, init));
  const user = (text) => ({ id: "u1", role: "user", parts: [{ type: "text", text }] });
  const ask = async (text) => fold(ai, serve, [user(text)]);
  const partsOf = ({ parts }) => parts.filter(({ type }) => type !== "step-start");

  test("the transport reads the text of an agent", async () => {
    const { message, errors } = await ask("hi");
    assert.deepEqual(errors, []);
    assert.deepEqual(partsOf(message), [{ type: "text", text: "Hello 你好", state: "done" }]);
    assert.equal(message.metadata.sessionId, "c1");
  });

  test("a tool of the agent has its input and its output", async () => {
    const { message, errors } = await ask("the weather");
    assert.deepEqual(errors, []);
    const [first, call, last] = partsOf(message);
    assert.deepEqual([first.text, last.text], ["Let me look. ", "19 degrees."]);
    assert.deepEqual(call, {
      type: "tool-get_weather",
      toolCallId: "call_1",
      state: "output-available",
      input: { city: "Paris" },
      output: { celsius: 19 },
      providerExecuted: true,
    });
  });

  test("the result of a client tool is sent in the next request", async () => {
    const { message, errors } = await ask("a color");
    assert.deepEqual(errors, []);
    const [call] = partsOf(message);
    assert.deepEqual(
      [call.type, call.state, call.input],
      ["tool-pick_color", "input-available", { of: "sky" }],
    );
    const answered = {
      ...message,
      parts: message.parts.map((part) =>
        part.toolCallId ? { ...part, state: "output-available", output: "blue" } : part,
      ),
    };
    const next = await fold(ai, serve, [user("a color"), answered]);
    assert.deepEqual(
      partsOf(next.message).map(({ text }) => text),
      ["You picked blue."],
    );
  });

  test("a decision is sent in the next request", async () => {
    const { message, errors } = await ask("delete all");
    if (major === 5) {
      assert.match(
        errors.join(),
        /^Type validation failed: Value: {"type":"tool-approval-request"/,
      ); // `ai` 5 has no such chunk
      return;
    }
    assert.deepEqual(errors, []);
    const [call] = partsOf(message);
    assert.deepEqual(
      [call.type, call.state, call.approval.id],
      ["tool-delete_files", "approval-requested", "question_1"],
    );
    for (const approved of [true, false]) {
      const parts = message.parts.map((part) =>
        part.toolCallId
          ? { ...part, state: "approval-responded", approval: { id: "question_1", approved } }
          : part,
      );
      const next = await fold(ai, serve, [user("delete all"), { ...message, parts }]);
      assert.deepEqual(
        partsOf(next.message).map(({ text }) => text),
        [`Decided: ${approved}.`],
      );
    }
  });

  test("a failure is reported as an error after the text", async () => {
    const { message, errors } = await ask("fail");
    assert.deepEqual(errors, ["QUOTA: no more today"]);
    assert.deepEqual(
      partsOf(message).map(({ text }) => text),
      ["half"],
    );
  });

  test("reconnectToStream() returns null", async () => {
    const transport = new ai.DefaultChatTransport({
      api: "http://localhost/api/chat",
      fetch: serve,
    });
    assert.equal(await transport.reconnectToStream({ chatId: "c1" }), null);
  });

  test("the client reads the corpus as recorded in `client.json`", async () => {
    let compared = 0;
    for (const name of readdirSync(CORPUS)) {
      const file = (which) => new URL(`${name}/${which}`, CORPUS);
      let client;
      try {
        client = JSON.parse(readFileSync(file("client.json"), "utf8"));
      } catch {
        continue;
      }
      const { message, errors } = await fold(
        ai,
        async () => new Response(readFileSync(file("stream.sse"))),
      );
      const older = major === 5 ? (client.ai5 ?? client.ai6) : client.ai6;
      const expected = major === 7 || older === "same" ? client : older;
      if (expected.error !== undefined) {
        assert.ok(
          errors.some((error) => error.startsWith(expected.error)),
          `${name}: ${errors}`,
        );
      } else {
        assert.deepEqual(message, expected.final ?? undefined, name);
      }
      compared++;
    }
    assert.ok(compared >= 60, String(compared));
  });
}
