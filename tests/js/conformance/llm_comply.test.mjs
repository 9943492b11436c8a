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
 * The forms of APIs, with the tests that do not pass. The tests of reasoning are for models with
 * certain names. The tests of errors expect that a request without a model is refused: the
 * specification of Open Responses does not require one, and an agent needs none.
 */
const FORMS = {
  "open-responses": {
    tests: 13,
    others: { "reasoning-summary": "skipped", "error-handling": "failed" },
  },
  "openai-chat": {
    tests: 9,
    others: { "chat-reasoning-summary": "skipped", "chat-error-handling": "failed" },
  },
};

/** Compaction is not served. The tests expect 404, and to a handler the path is that of a response. */
const COMPACTION = { "compact-response": "failed", "compact-missing-model": "failed" };

for (const [name, start] of Object.entries({ handler, service, gateway })) {
  for (const [form, { tests, others }] of Object.entries(FORMS)) {
    const isResponse = form === "open-responses" && name !== "gateway";
    const expected = { ...others, ...(isResponse && COMPACTION) };
    test(`${name}: ${form}`, async (context) => {
      const { origin, stop } = await start();
      context.after(stop);
      const given = ["-m", "llm_comply.cli", "-u", `${origin}/v1`, "-k", "key", "-m", "small"];
      const ended = await run(PYTHON, [...given, "--format", form, "--timeout", "20", "--json"])
        // Its exit status is 1 if a test has failed.
        .catch((error) => error);
      const { results } = JSON.parse(ended.stdout);
      const found = results.filter(({ status }) => status !== "passed");
      assert.deepEqual(
        Object.fromEntries(found.map(({ id, status }) => [id, status])),
        expected,
        JSON.stringify(found, null, 1),
      );
      assert.equal(results.length, tests);
    });
  }
}
