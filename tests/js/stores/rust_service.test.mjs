// The tests of a handler with a store, on the service in Rust: `AgentService::store`.
import { test } from "node:test";
import { compiledRust, withoutCargo } from "../support/runs_stores.mjs";

if (withoutCargo) {
  test("the service in Rust", { skip: withoutCargo }, () => {});
} else {
  process.env.RUNS_PROGRAM = compiledRust();
  for (const name of [
    ...[
      "answers",
      "conversations",
      "stored_responses",
      "stored_tasks",
      "threads",
      "while_running",
    ].map((one) => `runs/${one}`),
    "agentscope/sessions",
  ])
    await import(`../node/${name}.test.mjs`);
}
