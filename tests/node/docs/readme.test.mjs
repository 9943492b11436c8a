// The programs of the README, of the page of the npm package, and of guides print the output that they show.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Replaces the server of OpenAI by a handler of the package, which answers in the same protocol. */
const OPENAI = `
import { createHandler } from "agentwire/server";
const handler = createHandler({ protocols: ["responses"], agent: (out) => out.message().text().delta("Hello! How can I help you today?") });
globalThis.fetch = async (request) => {
  const { url, headers } = request;
  if (url !== "https://api.openai.com/v1/responses" || headers.get("authorization") !== "Bearer key") {
    throw new Error("another request than OpenAI's server takes");
  }
  return handler(request);
};
`;

for (const path of ["README.md", "pkg/README.md", "docs/guides/reading.md", "docs/guides/connect.md"]) {
  const text = await readFile(join(root, path), "utf8");
  const programs = [...text.matchAll(/^```js (\S+)\n([\s\S]*?)^```$/gm)].filter(([, name]) => name !== "slim");

  test(`${path} has programs`, () => assert.ok(programs.length >= 1));

  for (const [, name, code] of programs) {
    test(`${path}: ${name} prints what it shows`, async (context) => {
      // Inside the repository, so that Node finds the package.
      const folder = await mkdtemp(join(root, "node_modules/.readme-"));
      context.after(() => rm(folder, { recursive: true, force: true }));
      await writeFile(join(folder, "program.mjs"), code);
      await writeFile(join(folder, "openai.mjs"), OPENAI);
      const env = { ...process.env, OPENAI_API_KEY: "key", NO_COLOR: "1" };
      const { stdout } = await promisify(execFile)(process.execPath, ["--import", "./openai.mjs", "program.mjs"], { cwd: folder, env });
      const shown = code.match(/(?:^\/\/ .*\n)+$/m)?.[0].replace(/^\/\/ /gm, "") ?? assert.fail("it shows no output");
      assert.equal(stdout, shown);
    });
  }
}
