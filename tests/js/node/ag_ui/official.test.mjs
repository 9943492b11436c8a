// Random events, converted from AG-UI to AG-UI, through AG-UI's official client: it accepts every
// written stream without an error or a warning, and has the same state as the reader. `PROGRAMS`
// sets the number of streams.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Converter, Decoder } from "agentwire";
import { official } from "../../support/official_ag_ui.mjs";
import { randomOf } from "../../support/random.mjs";

const PROGRAMS = Number(process.env.PROGRAMS ?? 200);

function value(random) {
  const number = random(4);
  return {
    n: number,
    list: Array(number).fill("an element"),
    deep: { "a/b": "x".repeat(number * 9), "~": null },
  };
}

const RUN = { threadId: "t", runId: "r" };

/** One event, legal or not. */
function eventOf(random) {
  const id = (kind) => kind + random(3);
  const lane = () => (random(3) === 0 ? { subagentRunId: id("s") } : {});
  const event = (type, members) => ({ type, ...members, ...lane() });
  switch (random(36)) {
    case 0:
    case 1:
    case 2:
      return event("TEXT_MESSAGE_CONTENT", {
        messageId: id("m"),
        delta: ["a", "", "é\n\u2028", "\ud83d", '"\\'][random(5)],
      });
    case 3:
    case 4:
      return event("TEXT_MESSAGE_CHUNK", { messageId: id("m"), delta: "a" });
    case 5:
      return event("REASONING_MESSAGE_CHUNK", { messageId: id("r"), delta: "r" });
    case 6:
      return event("REASONING_MESSAGE_CONTENT", { messageId: id("r"), delta: "r" });
    case 7:
    case 8:
      return event("TOOL_CALL_START", { toolCallId: id("c"), toolCallName: "tool" });
    case 9:
    case 10:
      return event("TOOL_CALL_ARGS", { toolCallId: id("c"), delta: "{}" });
    case 11:
    case 12:
      return event("TOOL_CALL_END", { toolCallId: id("c") });
    case 13:
      return event("TOOL_CALL_RESULT", {
        messageId: id("t"),
        toolCallId: id("c"),
        content: random(2) ? "out" : [{ type: "text", text: "part" }],
      });
    case 14:
      return event("STATE_SNAPSHOT", {
        snapshot: random(5) ? value(random) : [null, 0, "", false, []][random(5)],
      });
    case 15:
      return event("STATE_DELTA", { delta: patch(random) });
    case 16:
      return event("ACTIVITY_SNAPSHOT", {
        messageId: id("a"),
        activityType: "KIND",
        content: value(random),
        ...(random(3) ? {} : { replace: false }),
      });
    case 17:
      return event("ACTIVITY_DELTA", {
        messageId: id("a"),
        activityType: "KIND",
        patch: patch(random),
      });
    case 18:
      return event("STEP_STARTED", { stepName: id("p") });
    case 19:
      return event("STEP_FINISHED", { stepName: id("p") });
    case 20:
      return { type: "SUBAGENT_STARTED", subagentRunId: id("s"), name: "sub" };
    case 21:
      return { type: "SUBAGENT_FINISHED", subagentRunId: id("s"), result: value(random) };
    case 22:
      return { type: "SUBAGENT_ERROR", subagentRunId: id("s"), message: "m" };
    case 23:
      return event("TEXT_MESSAGE_START", {
        messageId: id("m"),
        role: ["user", "assistant", "system"][random(3)],
        metadata: { a: 1 },
      });
    case 24:
      return event("TEXT_MESSAGE_END", { messageId: id("m"), metadata: { b: value(random) } });
    case 25:
      return event("REASONING_START", { messageId: id("r") });
    case 26:
      return event("REASONING_MESSAGE_START", { messageId: id("r"), role: "reasoning" });
    case 27:
      return event("REASONING_MESSAGE_END", { messageId: id("r") });
    case 28:
      return event("REASONING_END", { messageId: id("r") });
    case 29:
      return event("REASONING_ENCRYPTED_VALUE", {
        subtype: "message",
        entityId: id("m"),
        encryptedValue: "x",
      });
    case 30:
      return event("TOOL_CALL_START", {
        toolCallId: id("c"),
        toolCallName: "tool",
        parentMessageId: id("n"),
      });
    case 31:
      return event("CUSTOM", { name: "n", value: null });
    case 32:
      return event("RAW", { event: value(random), source: "s" });
    case 33:
      return { type: "MESSAGES_SNAPSHOT", messages: messages(random) };
    default:
      return endOf(random);
  }
}

/** An end of the run, seldom, or the start of another one. */
function endOf(random) {
  const interrupts = [{ id: "i", reason: "confirmation" }];
  switch (random(8)) {
    case 0:
      return { type: "RUN_FINISHED", ...RUN };
    case 1:
      return { type: "RUN_FINISHED", ...RUN, outcome: { type: "interrupt", interrupts } };
    case 2:
      return { type: "RUN_ERROR", message: "failed", code: "code" };
    default:
      return { type: "RUN_STARTED", ...RUN };
  }
}

/** A patch that may fail. */
function patch(random) {
  const path = ["/n", "/list/0", "/deep/a~1b", "/none/at/all"][random(4)];
  return [{ op: ["replace", "add", "remove"][random(3)], path, value: random(4) }];
}

function messages(random) {
  const all = [
    { id: "m0", role: "user", content: "hi" },
    {
      id: "n1",
      role: "assistant",
      content: "yo",
      toolCalls: [{ id: "c1", type: "function", function: { name: "tool", arguments: "{}" } }],
    },
    { id: "t1", role: "tool", toolCallId: "c1", content: "out" },
    { id: "r1", role: "reasoning", content: "thought" },
  ];
  return all.slice(0, random(all.length + 1));
}

/** The text of a random stream, and what it becomes. */
function program(number) {
  const random = randomOf(number);
  const events = number % 7 === 0 ? [] : [{ type: "RUN_STARTED", ...RUN }];
  for (let more = random(40); more > 0; more--) events.push(eventOf(random));
  const given = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const converter = new Converter({ ids: "numbered", from: "ag-ui", to: "ag-ui" });
  const decoder = new TextDecoder();
  const sse =
    decoder.decode(converter.push(new TextEncoder().encode(given))) +
    decoder.decode(converter.finish());
  return { given, sse };
}

function ours(sse) {
  const decoder = new Decoder({ protocol: "ag-ui", bigint: false });
  decoder.push(new TextEncoder().encode(sse));
  const { snapshot: response, report } = decoder.finish();
  decoder.free?.();
  const { messages, state, pendingInterrupts } = response;
  return { messages, state, pendingInterrupts, violations: report.violations };
}

/**
 * Rules for events that the client warns of, and does not refuse: ids that two kinds of messages
 * share, and renamed calls.
 */
const WARNED = new Set(["id-collision", "call-renamed", "activity-unknown"]);

test("the official client accepts whatever random events are converted to", async () => {
  let events = 0;
  let violations = 0;
  for (let number = 0; number < PROGRAMS; number++) {
    const { given, sse } = program(number);
    events += sse.split("\n\n").length - 1;
    violations += ours(given).violations.length;
    const [theirs, own] = [await official(sse), ours(sse)];
    const of = `program ${number}: ${JSON.stringify(own.violations)} ${theirs.said} of\n${sse}`;
    assert.ok(
      own.violations.every(({ rule }) => WARNED.has(rule)),
      of,
    );
    assert.ok(own.violations.length > 0 || theirs.said.length === 0, of);
    assert.ok(!theirs.said.some((said) => said.startsWith("threw")), of);
    const state = sse.includes('"STATE_SNAPSHOT"') ? own.state : (own.state ?? {});
    for (const [part, value] of Object.entries({ ...own, state })) {
      if (part !== "violations") assert.deepEqual(value, theirs[part], `${part}: ${of}`);
    }
  }
  assert.ok(events > PROGRAMS * 10 && violations > PROGRAMS, `${events}, ${violations}`);
});
