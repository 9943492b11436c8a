// The Python clients. `PYTHON` is an interpreter with the packages of requirements.txt; without it
// these tests are skipped.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { start } from "./server.mjs";

const { PYTHON } = process.env;

for (const name of ["OpenAiAgents", "LangChain", "GoogleAdk"]) {
  test(name, { skip: PYTHON === undefined && "no `PYTHON`" }, async () => {
    const site = await start();
    try {
      const env = { ...process.env, AGENTWIRE_URL: site.url, OPENAI_AGENTS_DISABLE_TRACING: "1" };
      const tests = spawn(PYTHON, ["-m", "unittest", `clients.${name}`], {
        cwd: import.meta.dirname,
        env,
      });
      let output = "";
      for (const stream of [tests.stdout, tests.stderr])
        stream.setEncoding("utf8").on("data", (text) => void (output += text));
      const [code] = await once(tests, "close");
      assert.equal(code, 0, output);
    } finally {
      await site.close();
    }
  });
}
