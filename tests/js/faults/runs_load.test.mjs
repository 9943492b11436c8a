// The load figures of the runs service are measured with few events, and only checked for
// plausibility. `cargo xtask bench --home runs` measures the speed, on a machine without other
// load.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../../../benches/report/sections.mjs";
import { runsLoad } from "../../../benches/runs/load.mjs";

test("every load figure is measured", async () => {
  const effort = {
    rounds: 1,
    events: 300,
    threads: 3,
    each: 50,
    readers: 20,
    ticks: 20,
    replayed: 2,
  };
  const figures = await runsLoad(effort, () => {});
  const [[one], [many], [alone], [fanOut], [replay]] = [
    figures.one,
    figures.many,
    figures.alone,
    figures.fanOut,
    figures.replay,
  ];
  // All tokens, and the events at the start and the end of a run.
  assert.ok(one.events >= 300 && one.events < 320, `${one.events} events`);
  assert.ok(many.events >= 150 && many.events < 210, `${many.events} events`);
  assert.ok(one.perSecond > 0 && many.perSecond > 0);
  assert.deepEqual([alone.deliveries, fanOut.deliveries], [20, 400]);
  for (const { p50, p99 } of [alone, fanOut]) {
    assert.ok(p50 >= 0 && p99 >= p50, `${p50} ${p99}`);
  }
  // The pieces of a text are replayed as few events.
  assert.ok(
    replay.events >= 600 && replay.frames < replay.events / 4 && replay.bytes > 1000,
    JSON.stringify(replay),
  );
  assert.ok(
    figures.memory.perReader > 0 && figures.memory.perThread > 0,
    JSON.stringify(figures.memory),
  );
  assert.equal(load(figures).match(/^\| /gm).length, 10);
});
