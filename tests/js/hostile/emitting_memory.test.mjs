// Runs that end badly release their memory in the core, also where their agent never returns.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { respond } from "../../../pkg/build/entries/server.js";
import { core } from "../../../pkg/build/core/wasm.js";
import { settled } from "../node/support/sources.mjs";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

const hangs = async (out) => {
  await out.message().text().delta("x".repeat(2000));
  await new Promise(() => {});
};
const fails = async (out) => {
  await out.message().text().delta("x".repeat(2000));
  throw new Error("no");
};
const ways = {
  async "an agent that hangs when its request is aborted"() {
    const controller = new AbortController();
    const answer = respond({ signal: controller.signal }, { protocol: "agent-api" }, hangs);
    controller.abort();
    await answer.text();
  },
  "an agent that hangs when its client disconnects": () =>
    respond({}, { protocol: "agent-api" }, hangs).body.cancel(),
  "an agent and an onError that throw": () =>
    respond({}, { protocol: "agent-api", onError: () => fails() }, fails).text(),
};

for (const [name, run] of Object.entries(ways)) {
  test(`no memory is leaked by ${name}`, async (context) => {
    context.mock.method(console, "error", () => {});
    const inUse = async (runs) => {
      for (let at = 0; at < runs; at++) {
        await run();
        if (at % 250 === 249) {
          // The collector finds the objects of an agent that hangs; its finalizers run in separate
          // tasks.
          collect();
          await settled();
        }
      }
      return core().memory.buffer.byteLength;
    };
    const before = await inUse(500);
    const after = await inUse(3000);
    // A leak is at least 2 KB per run. The finalizers of some runs may be late.
    assert.ok(after - before <= 4 << 20, `${after - before} more bytes`);
  });
}
