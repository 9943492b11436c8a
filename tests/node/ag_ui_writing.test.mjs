import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AgUiStreamBuilder,
  AgentError,
  AgentwireError,
  RequestError,
  answerToolCalls,
  continueRun,
  parseRunAgentInput,
  read,
  respond,
  resumeRun,
  runAgentInputBody,
  validateRunAgentInput,
} from "agentwire";

const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;
const INPUT = { threadId: "t", runId: "r", state: {}, messages: [], tools: [], context: [], forwardedProps: {} };

/** What an agent writes, as a reader holds it, which must find nothing wrong. */
async function answerOf(agent, options = {}) {
  const answer = respond({}, { protocol: "ag-ui", ids: "numbered", input: INPUT, ...options }, agent);
  const { snapshot, report } = await read(answer, { protocol: "ag-ui" }).finished();
  assert.deepEqual(report.violations, []);
  assert.equal(report.ended, "terminal");
  return snapshot;
}

const names = (events) => events.map((event) => event.toObject().type);

test("text goes on until something else is said, and pieces are written without the core", () => {
  for (const chunks of [false, true]) {
    const out = new AgUiStreamBuilder({ threadId: "t", runId: "r", chunks, ids: "numbered" });
    const events = [out.start(), out.text("Hel"), out.text("lo"), out.reasoning("hm"), out.text("\u2028\ud83d"), out.finish()].flat();
    const kind = chunks ? "TEXT_MESSAGE_CHUNK" : "TEXT_MESSAGE_CONTENT";
    const pieces = events.map((event) => event.toObject()).filter(({ type, delta }) => type === kind && delta !== undefined);
    assert.deepEqual(pieces.map(({ delta }) => delta), ["Hel", "lo", "\u2028\ufffd"]);
    assert.ok(events.some((event) => event.toSse().includes("\\u2028")));
    assert.equal(names(events).includes("REASONING_MESSAGE_END"), !chunks);
  }
});

test("an illegal call is refused with the words of the official client, and changes nothing", () => {
  const out = new AgUiStreamBuilder({ threadId: "t", runId: "r" });
  assert.throws(() => out.text("a"), coded("first-event"));
  out.start();
  assert.throws(() => out.event({ type: "TEXT_MESSAGE_END", messageId: "m" }), (error) => {
    assert.match(error.message, /Cannot send 'TEXT_MESSAGE_END' event: No active text message found with ID 'm'/);
    return coded("not-started")(error);
  });
  assert.throws(() => out.event({ type: "STATE_DELTA", delta: [{ op: "add", path: "a", value: 1 }] }), coded("malformed-event"));
  assert.throws(() => out.toolCallArgs("c", "{}"), coded("not-started"));
  assert.throws(() => out.text(5), coded("wrong-argument"));
  out.toolCallStart("c", "f");
  assert.throws(() => out.finish(), coded("finished-early"));
  assert.deepEqual(names(out.finishWith()), ["RUN_ERROR"]);
  assert.deepEqual(out.finishWith(), []);
  assert.throws(() => out.text("late"), coded("after-error"));
});

test("an agent writes what only AG-UI has", async () => {
  const snapshot = await answerOf(async (out) => {
    await out.state({ city: "Oslo", why: "a long weekend by the sea", n: 1 });
    await out.state({ city: "Oslo", why: "a long weekend by the sea", n: 2 });
    await out.activity("plan", "PLAN", { steps: [] });
    assert.equal(await out.step("search", () => 7), 7);
    await out.text("I ask ");
    await out.text("a colleague.");
    const said = await out.subagent("colleague", async (lane) => {
      await lane.text("Yes?");
      await lane.toolCall("look", { q: 1 }, { result: { found: true } });
      await lane.state({ city: "Bergen", why: "a long weekend by the sea", n: 2 });
      return "done";
    });
    assert.equal(said, "done");
    await out.text("So.");
    await out.custom("n", null);
    out.usage([{ model: "m", inputTokens: 3 }]);
    out.result({ ok: true });
  });
  assert.deepEqual(snapshot.state, { city: "Bergen", why: "a long weekend by the sea", n: 2 });
  const lanes = snapshot.messages.map(({ role, subagentRunId }) => [role, subagentRunId !== undefined]);
  assert.deepEqual(lanes, [["activity", false], ["assistant", false], ["assistant", true], ["tool", true], ["assistant", false]]);
  assert.deepEqual(snapshot.messages[1].content, "I ask a colleague.");
  assert.deepEqual([snapshot.result, snapshot.usage], [{ ok: true }, [{ model: "m", inputTokens: 3 }]]);
  assert.deepEqual([snapshot.subagents[0].status, snapshot.steps[0].status], ["finished", "finished"]);
});

test("an agent that is written for any protocol is served, too", async () => {
  const snapshot = await answerOf(async (out) => {
    const thought = out.reasoning();
    await thought.delta("hm");
    const message = out.message();
    const text = message.text();
    await text.delta("Hel");
    await text.delta("lo");
    message.metadata({ mood: "good" });
    await message.complete();
    const call = out.tool("get_weather", { callId: "c1" });
    await call.arguments('{"city":');
    await call.arguments('"Oslo"}');
    await call.result({ degrees: 21 });
    await out.message().image("https://example.com/cat.png");
    const refusal = out.message().refusal();
    await refusal.delta("No.");
    out.usage({ input_tokens: 1, output_tokens: 2, total_tokens: 3 });
    assert.throws(() => out.response, coded("protocol-not-converted"));
  });
  const [thought, message, result, refusal] = snapshot.messages;
  assert.deepEqual([thought.role, thought.content], ["reasoning", "hm"]);
  assert.deepEqual([message.content, message.metadata], ["Hello", { mood: "good" }]);
  assert.deepEqual(message.toolCalls[0].function, { name: "get_weather", arguments: '{"city":"Oslo"}' });
  assert.deepEqual([result.toolCallId, result.content], ["c1", '{"degrees":21}']);
  assert.deepEqual([refusal.content, refusal.metadata], ["No.", { kind: "refusal" }]);
  assert.deepEqual(snapshot.usage, [{ inputTokens: 1, outputTokens: 2, totalTokens: 3 }]);
});

test("every run ends, however it does", async () => {
  const ends = {
    finished: async (out) => out.text("a"),
    interrupted: (out) => out.interrupt({ id: "i", reason: "r" }, { id: "j", reason: "r" }),
    cancelled: async (out) => (await out.text("a"), out.cancel()),
    failed: async (out) => {
      await out.text("a");
      throw new AgentError("QUOTA", "no more");
    },
  };
  for (const [status, agent] of Object.entries(ends)) {
    assert.equal((await answerOf(agent)).status, status);
  }
  assert.deepEqual((await answerOf(ends.failed)).error, { message: "no more", code: "QUOTA" });
  assert.deepEqual((await answerOf((out) => out.incomplete("too long"))).error, { message: "too long", code: "incomplete" });
  assert.equal((await answerOf((out) => out.reject())).error.code, "rejected");
  const open = await answerOf(async (out) => {
    await out.tool("delete_all").arguments('{"path":"/');
    throw new AgentError("BROKEN", "cut");
  });
  assert.deepEqual([open.status, open.pendingToolCallIds], ["failed", []]);
  const done = await answerOf((out) => out.tool("look", { callId: "c" }).arguments("{}"));
  assert.deepEqual(done.pendingToolCallIds, ["c"], "what is open is completed when the agent returns");
});

test("a subagent that throws has failed, and the agent may go on", async () => {
  const snapshot = await answerOf(async (out) => {
    const failure = await out.subagent("s", async (lane) => (await lane.text("a"), Promise.reject(new Error("secret")))).catch((error) => error);
    assert.equal(failure.message, "secret");
    await out.text("goes on");
  });
  assert.deepEqual([snapshot.subagents[0].status, snapshot.status], ["failed", "finished"]);
  assert.ok(!JSON.stringify(snapshot).includes("secret"));
});

test("requests are read, written and checked", () => {
  const input = parseRunAgentInput('{"thread_id":"t","runId":"r","messages":[{"role":"user","id":"m","content":[{"type":"binary","mimeType":"audio/wav","url":"u"}]}]}');
  assert.deepEqual(input.messages[0].content, [{ type: "audio", source: { type: "url", value: "u", mimeType: "audio/wav" } }]);
  assert.equal(JSON.parse(runAgentInputBody(input)).protocolVersion, "1.0");
  assert.throws(() => parseRunAgentInput('{"messages":{}}'), (error) => error instanceof RequestError && error.problems.length === 3);
  assert.deepEqual(validateRunAgentInput(INPUT), []);
  assert.equal(validateRunAgentInput({ ...INPUT, messages: [{ role: "wizard" }] })[0].code, "union_tag_invalid");
});

test("the next request is made of what a stream left", async () => {
  const asked = await answerOf(async (out) => {
    await out.activity("plan", "PLAN", {});
    await out.toolCall("f", {}, { id: "c1" });
  });
  assert.throws(() => answerToolCalls(INPUT, asked, {}), coded("answer-missing"));
  assert.throws(() => answerToolCalls(INPUT, asked, { c1: 1, c2: 2 }), coded("not-pending"));
  const next = answerToolCalls({ ...INPUT, parentRunId: "p" }, asked, { c1: { a: 1 } }, "r2");
  assert.deepEqual([next.runId, next.parentRunId, next.messages.length], ["r2", undefined, 2]);
  assert.equal(next.messages[1].content, '{"a":1}');
  assert.ok(continueRun(INPUT, asked).runId.length > 10);

  const expired = { id: "j", reason: "r", expiresAt: "2020-01-01T00:00:00Z" };
  const waiting = await answerOf((out) => out.interrupt({ id: "i", reason: "r" }, expired));
  const resolved = (interruptId) => ({ interruptId, status: "resolved", payload: true });
  assert.throws(() => resumeRun(INPUT, waiting, [resolved("i")]), coded("answer-missing"));
  assert.throws(() => resumeRun(INPUT, waiting, [resolved("i"), resolved("j"), resolved("k")]), coded("not-pending"));
  assert.throws(() => resumeRun(INPUT, waiting, [resolved("i"), resolved("j")]), coded("interrupt-expired"));
  const { resume } = resumeRun(INPUT, waiting, [resolved("i"), { interruptId: "j", status: "cancelled" }]);
  assert.equal(resume.length, 2);
});
