// Random programs of the builder, through AG-UI's official client: it accepts every stream without
// an error or a warning, and has the same state as the reader. `PROGRAMS` sets the number of
// programs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, Decoder } from "agentwire";
import { AgUiStreamBuilder } from "agentwire/server";
import { official } from "../../support/official_ag_ui.mjs";
import { randomOf } from "../../support/random.mjs";

const PROGRAMS = Number(process.env.PROGRAMS ?? 500);

function value(random) {
  const number = random(4);
  return {
    n: number,
    list: Array(number).fill("an element"),
    deep: { "a/b": "x".repeat(number * 9), "~": null },
  };
}

/** One call, legal or not. */
function act(out, random) {
  const id = (kind) => kind + random(3);
  const lane = () => (random(3) === 0 ? { subagentRunId: id("s") } : {});
  const event = (type, members) => out.event({ type, ...members, ...lane() });
  switch (random(34)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return out.text(["a", "", "é\n\u2028", "\ud83d", '"\\'][random(5)]);
    case 5:
    case 6:
      return out.reasoning("r");
    case 7:
      return out.toolCallStart(id("c"), "tool");
    case 8:
    case 9:
      return out.toolCallArgs(id("c"), "{}");
    case 10:
    case 11:
      return out.toolCallEnd(id("c"));
    case 12:
      return out.toolResult(id("c"), random(2) ? "out" : [{ type: "text", text: "part" }]);
    case 13:
    case 14:
      return out.state(random(5) ? value(random) : [null, 0, "", false, []][random(5)]);
    case 15:
      return out.activity(id("a"), "KIND", value(random));
    case 16:
      return event("STEP_STARTED", { stepName: id("p") });
    case 17:
      return event("STEP_FINISHED", { stepName: id("p") });
    case 18:
      return out.event({ type: "SUBAGENT_STARTED", subagentRunId: id("s"), name: "sub" });
    case 19:
      return out.event({
        type: "SUBAGENT_FINISHED",
        subagentRunId: id("s"),
        result: value(random),
      });
    case 20:
      return out.event({ type: "SUBAGENT_ERROR", subagentRunId: id("s"), message: "m" });
    case 21:
      out.lane(random(2) ? id("s") : undefined);
      return [];
    case 22:
      return event("TEXT_MESSAGE_START", {
        messageId: id("m"),
        role: ["user", "assistant", "system"][random(3)],
        metadata: { a: 1 },
      });
    case 23:
      return event("TEXT_MESSAGE_CONTENT", {
        messageId: id("m"),
        delta: "d",
        metadata: { b: value(random) },
      });
    case 24:
      return event("TEXT_MESSAGE_END", { messageId: id("m") });
    case 25:
      return event("REASONING_START", { messageId: id("r") });
    case 26:
      return event("REASONING_MESSAGE_START", { messageId: id("r"), role: "reasoning" });
    case 27:
      return event("REASONING_MESSAGE_END", { messageId: id("r") });
    case 28:
      return event("REASONING_ENCRYPTED_VALUE", {
        subtype: "message",
        entityId: id("m"),
        encryptedValue: "x",
      });
    case 29:
      return event("TOOL_CALL_START", {
        toolCallId: id("c"),
        toolCallName: "tool",
        parentMessageId: id("n"),
      });
    case 30:
      return event("CUSTOM", { name: "n", value: null });
    case 31:
      return event("RAW", { event: value(random), source: "s" });
    case 32:
      return out.event({ type: "MESSAGES_SNAPSHOT", messages: messages(random) });
    default:
      switch (random(6)) {
        case 0:
          return out.finish();
        case 1:
          return out.finish({
            type: "interrupt",
            interrupts: [{ id: "i", reason: "confirmation" }],
          });
        case 2:
          return out.error("failed", "code");
        default:
          return out.start();
      }
  }
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

function program(number) {
  const random = randomOf(number);
  const out = new AgUiStreamBuilder({
    threadId: "t",
    runId: "r",
    chunks: number % 3 === 0,
    ids: "numbered",
    state: {},
  });
  let refused = 0;
  const events = number % 7 === 0 ? [] : out.start();
  for (let calls = random(40); calls > 0; calls--) {
    try {
      events.push(...act(out, random));
    } catch (error) {
      assert.ok(error instanceof AgentwireError, `${number}: ${error.stack}`);
      refused++;
    }
  }
  events.push(...out.finishWith());
  out.free();
  return { sse: events.map((event) => event.toSse()).join(""), count: events.length, refused };
}

function ours(sse) {
  const decoder = new Decoder({ protocol: "ag-ui" });
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

test("the official client accepts every stream of the builder", async () => {
  let events = 0;
  let refused = 0;
  for (let number = 0; number < PROGRAMS; number++) {
    const made = program(number);
    events += made.count;
    refused += made.refused;
    const [theirs, own] = [await official(made.sse), ours(made.sse)];
    const clean = own.violations.every(({ rule }) => WARNED.has(rule));
    assert.ok(clean, `program ${number}: ${JSON.stringify(own.violations)} in\n${made.sse}`);
    const warned = own.violations.length > 0;
    assert.ok(
      warned || theirs.said.length === 0,
      `program ${number}: ${theirs.said} of\n${made.sse}`,
    );
    assert.ok(
      !theirs.said.some((said) => said.startsWith("threw")),
      `program ${number}: ${theirs.said} of\n${made.sse}`,
    );
    for (const part of ["messages", "state", "pendingInterrupts"]) {
      assert.deepEqual(own[part], theirs[part], `program ${number}: ${part} of\n${made.sse}`);
    }
  }
  assert.ok(events > PROGRAMS * 10 && refused > PROGRAMS, `${events} events, ${refused} rejected`);
});
