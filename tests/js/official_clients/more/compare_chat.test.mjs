// The chats of docs/help/compare-chat.md: all compile, with the versions of the libraries in its
// table.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { root, samplesOf } from "../../node/support/programs.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const chats = await samplesOf("docs/help/compare-chat.md");

test("all four chats compile", async (context) => {
  const folder = await mkdtemp(join(here, "node_modules/.chats-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  for (const { name, code } of chats) await writeFile(join(folder, `${name}.tsx`), code);
  const lib = ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable", "ESNext.Disposable"];
  const paths = { ai: ["../ai-6"] }; // the major that `@ai-sdk/react` requires
  const options = {
    paths,
    target: "ES2022",
    lib,
    types: [],
    module: "ESNext",
    moduleResolution: "bundler",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    jsx: "react-jsx",
  };
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, include: ["*.tsx"] }),
  );
  const tsc = [join(root, "node_modules/typescript/bin/tsc"), "--pretty", "false", "-p", folder];
  await promisify(execFile)(process.execPath, tsc).catch(({ stdout }) => assert.fail(stdout));
});

test("the table contains the versions of the libraries", async () => {
  const text = await readFile(join(root, "docs/help/compare-chat.md"), "utf8");
  const { dependencies } = JSON.parse(await readFile(join(here, "package.json"), "utf8"));
  const names = ["@tanstack/ai-react", "@tanstack/ai", "@ai-sdk/react", "ai-6"];
  for (const name of names)
    assert.ok(
      text.includes(`\`${name.replace("-6", "")}\` ${dependencies[name].replace(/^npm:.*@/, "")}`),
      name,
    );
});
