// The tests of llm-comply, a program of others that judges servers of model APIs. The variable
// PYTHON is an interpreter with the packages of requirements.txt.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { gateway, handler, service } from "./servers.mjs";

const run = promisify(execFile);
const { PYTHON } = process.env;

/**
 * The forms of APIs: the path below the origin, the number of tests that pass, and those that do
 * not. Compaction is not served, and the agent of the servers does not reason.
 */
const FORMS = {
  "open-responses": {
    path: "/v1",
    passed: 10,
    others: { "compact-response": "passed_with_warnings", "reasoning-summary": "skipped" },
  },
};

for (const [name, start] of Object.entries({ handler, service, gateway })) {
  for (const [form, { path, passed, others }] of Object.entries(FORMS)) {
    test(`${name}: ${form}`, async (context) => {
      const { origin, stop } = await start();
      context.after(stop);
      const given = ["-m", "llm_comply.cli", "-u", origin + path, "-k", "key", "-m", "small"];
      const ended = await run(PYTHON, [...given, "--format", form, "--timeout", "20", "--json"])
        // Its exit status is 1 if a test has failed.
        .catch((error) => error);
      const { results } = JSON.parse(ended.stdout);
      const found = results.filter(({ status }) => status !== "passed");
      assert.deepEqual(
        Object.fromEntries(found.map(({ id, status }) => [id, status])),
        others,
        JSON.stringify(found, null, 1),
      );
      assert.equal(results.length - found.length, passed);
    });
  }
}
