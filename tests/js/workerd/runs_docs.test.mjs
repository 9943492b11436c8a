// The examples of docs/protocols/runs.md against the reference worker; the sample `reload` is in
// tests/js/browser/runs_reload.test.mjs.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { folderFor, outputOf, samplesOf, show, shownIn } from "../node/support/programs.mjs";
import { openRuns } from "../support/runs_site.mjs";
import { configuration } from "../../../www/configuration.mjs";

const samples = await samplesOf("docs/protocols/runs.md");
let site;
before(async () => (site = await openRuns({})));
after(() => site?.close());

test("the page has the expected samples", () =>
  assert.deepEqual(
    samples.map(({ name }) => name),
    ["client", "resumable", "reload"],
  ));

for (const program of samples.filter(({ name }) => name !== "reload")) {
  test(`${program.name} prints the documented output`, async (context) => {
    const output = await outputOf(
      await folderFor(context),
      program.code.replaceAll("http://127.0.0.1:8787", site.url),
    );
    if (process.env.UPDATE_SNAPSHOTS) return show(program, output);
    assert.equal(output, shownIn(program.code));
  });
}

test("the documented environment has exactly the bindings of the tests", async () => {
  const text = await readFile(new URL("../../../www/worker/README.md", import.meta.url), "utf8");
  const [, jsonc] = text.match(/^```jsonc\n([\s\S]*?)```/m);
  const {
    env: { production },
  } = JSON.parse(`{${jsonc.replace(/(^|\s)\/\/.*$/gm, "")}}`);
  const tested = await configuration();
  const binding = ({ name, binding }) => name ?? binding;
  assert.deepEqual(production.durable_objects, tested.durable_objects);
  for (const kind of ["r2_buckets", "ratelimits"]) {
    assert.deepEqual(production[kind].map(binding), tested[kind].map(binding), kind);
  }
  const known = await readFile(new URL("../../../www/worker/runs/env.ts", import.meta.url), "utf8");
  for (const name of [...Object.keys(production.vars), production.ai.binding]) {
    assert.match(known, new RegExp(`readonly ${name}\\??:`), name);
  }
});
