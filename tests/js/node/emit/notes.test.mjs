// The output of agents in addition to messages: state, activities, steps, subagents, questions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineProtocol, read } from "agentwire";
import { respond } from "agentwire/server";
import { nobody, outcomeOf, run } from "../support/runs.mjs";

/** The steps of a run, as a custom protocol receives them. */
async function stepsOf(agent, options = {}) {
  const steps = [];
  const protocol = defineProtocol({ name: "steps", encode: (step) => void steps.push(step) });
  await respond(nobody, { ids: "numbered", ...options, protocol }, agent).text();
  return steps.map(({ event, message, part, ...step }) => step);
}

const ofType = (steps, ...types) => steps.filter(({ type }) => types.includes(type));

test("state, activities, steps, subagents and custom events become hub steps", async () => {
  const steps = await stepsOf(async (out) => {
    await out.state({ city: null });
    const step = out.step("look-up");
    const activity = out.activity("SEARCH");
    await activity.update({ query: "Paris" });
    await activity.update({ query: "Paris", hits: 3 });
    await out.activity("PLAN", { id: "plan_1" }).update({ steps: [] });
    const helper = out.subagent("atlas", { task: "find it" });
    await helper.complete({ found: true });
    await helper.complete({ found: false });
    const other = out.subagent("map");
    await other.fail({ code: "LOST", message: "no map" });
    await step.complete();
    await step[Symbol.asyncDispose]();
    await out.custom("confetti", [1]);
    await out.state(null);
  });
  const notes = steps.filter(({ type }) => !["start", "end", "heartbeat"].includes(type));
  const [activityId] = notes.filter(({ type }) => type === "activity").map(({ id }) => id);
  const [atlas, map] = notes.filter(({ type }) => type === "subagent-start").map(({ id }) => id);
  assert.match(activityId, /^activity_/);
  assert.ok(atlas !== map);
  assert.deepEqual(notes, [
    { type: "state", value: { city: null } },
    { type: "step-start", name: "look-up" },
    { type: "activity", id: activityId, activityType: "SEARCH", content: { query: "Paris" } },
    {
      type: "activity",
      id: activityId,
      activityType: "SEARCH",
      content: { query: "Paris", hits: 3 },
    },
    { type: "activity", id: "plan_1", activityType: "PLAN", content: { steps: [] } },
    { type: "subagent-start", id: atlas, name: "atlas", text: "find it" },
    { type: "subagent-end", id: atlas, status: "completed", result: { found: true } },
    { type: "subagent-start", id: map, name: "map" },
    { type: "subagent-end", id: map, status: "failed", error: { code: "LOST", message: "no map" } },
    { type: "step-end", name: "look-up" },
    { type: "custom", name: "confetti", value: [1] },
    { type: "state", value: null },
  ]);
});

test("a step completes open messages; state and activities do not", async () => {
  const { snapshot: response } = await run(async (out) => {
    const text = out.message().text();
    await text.delta("a");
    await out.state({ n: 1 });
    await out.activity("SEARCH").update({});
    await text.delta("b");
    const step = out.step("s");
    await out.message().text().delta("c");
    await step.complete();
    await out.subagent("t").complete();
  });
  const notes = [
    "agentwire.state",
    "agentwire.activity",
    "message",
    "agentwire.step-start",
    "message",
    "agentwire.step-end",
  ];
  assert.deepEqual(
    response.output.map(({ type }) => type),
    [...notes, "agentwire.lane-start", "agentwire.lane-end"],
  );
  const messages = response.output.filter(({ type }) => type === "message");
  assert.deepEqual(
    messages.map(({ content }) => content[0].text),
    ["ab", "c"],
  );
});

test("out.interrupt() ends the run, and every protocol contains the questions", async () => {
  const questions = [
    {
      id: "q1",
      reason: "approval",
      payload: { question: "Delete?" },
      text: "Delete all files?",
      responseSchema: { type: "object" },
    },
    { reason: "choice", payload: ["a", "b"] },
  ];
  const agent = async (out) => {
    await out.message().text().delta("One moment.");
    await out.interrupt(...questions);
    assert.ok(out.ended);
  };
  const { snapshot: response } = await outcomeOf(respond(nobody, { protocol: "agent-api" }, agent));
  assert.deepEqual(
    [response.status, response.incomplete_details.reason],
    ["incomplete", "interrupt"],
  );
  const steps = await stepsOf(agent);
  const [first, second] = ofType(steps, "interrupt");
  assert.deepEqual(first, { type: "interrupt", ...questions[0] });
  assert.match(second.id, /^interrupt_/);
  assert.deepEqual(second.payload, ["a", "b"]);
  assert.deepEqual(
    [ofType(steps, "end")[0].status, ofType(steps, "end")[0].reason],
    ["incomplete", "interrupt"],
  );
  const turn = (
    await read(
      respond(nobody, { protocol: "ag-kit" }, (out) => out.interrupt(questions[0])),
      { protocol: "ag-kit" },
    ).finished()
  ).snapshot;
  assert.deepEqual(
    [turn.status, turn.parts.at(-1).id, turn.parts.at(-1).reason],
    ["interrupted", "q1", "approval"],
  );
  // The payload of AG-Kit is the only place for the text.
  assert.deepEqual(turn.parts.at(-1).payload, { question: "Delete?", text: "Delete all files?" });
});

test("notes after the end are rejected", async () => {
  let late;
  await respond(nobody, { protocol: "agent-api" }, async (out) => {
    const step = out.step("s");
    await out.cancel();
    late = await Promise.allSettled([out.state(1), step[Symbol.asyncDispose]()]);
    assert.throws(() => out.step("t"), { code: "ended" });
  }).text();
  assert.deepEqual(
    late.map(({ status }) => status),
    ["rejected", "fulfilled"],
  );
});
