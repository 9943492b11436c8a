// The memory of a long conversation: its turns, and nothing of their runs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { read } from "agentwire";
import { createConversation } from "agentwire/store";
import { shortRun } from "../support/events.mjs";
import { answer, settled } from "../support/sources.mjs";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

async function heap() {
  for (let time = 0; time < 3; time++) {
    collect();
    await settled();
  }
  return process.memoryUsage().heapUsed;
}

test("a hundred turns keep their snapshots, but no run, signal or listener", async () => {
  const signals = [];
  const bodies = [];
  const conversation = createConversation({
    request({ signal }) {
      signals.push(new WeakRef(signal));
      const { response } = answer(shortRun("x".repeat(1000)));
      bodies.push(new WeakRef(response));
      return read(response, { protocol: "agent-api", signal });
    },
  });
  const talk = async (turns) => {
    for (let turn = 0; turn < turns; turn++) {
      // As a component that is shown and goes.
      const leave = conversation.subscribe(() => {});
      conversation.send("question");
      await conversation.finished();
      leave();
    }
  };
  await talk(100);
  const before = await heap();
  await talk(100);
  const after = await heap();
  assert.equal(conversation.getSnapshot().turns.length, 200);
  const first = new WeakRef(conversation.getSnapshot().turns[0]);
  // A snapshot with 1,000 characters, its message, its report and its turn.
  assert.ok((after - before) / 100 < 6_000, `${(after - before) / 100} bytes per turn`);
  const alive = (references) => references.filter((reference) => reference.deref() !== undefined).length;
  assert.ok(alive(signals) <= 2 && alive(bodies) <= 2, `${alive(signals)} signals and ${alive(bodies)} bodies of 200`);
  conversation.clear();
  await heap();
  assert.equal(first.deref(), undefined, "a cleared turn is freed");
});
