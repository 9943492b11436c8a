// The script that serves the worker and the playground.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

describe("www/dev.mjs", () => {
  const dev = fileURLToPath(new URL("../../../www/dev.mjs", import.meta.url));

  test("--check prints one run and validates it", async () => {
    const { status, output } = await run(dev, "--check", "--port", "0");
    assert.equal(status, 0, output);
    assert.match(output, /get_weather\(\{"city":"杭州"/);
    assert.match(output, /杭州现在/);
    assert.match(output, /ended completed · completed · no violations/);
  });

  test("serves until SIGINT and leaves no process behind", async () => {
    let url;
    const { status, output } = await run(dev, "--port", "0", async (child, text) => {
      url ??= text.match(/playground\s+(http:\S+)/)?.[1];
      if (url !== undefined && (await fetch(url)).ok) {
        child.kill("SIGINT");
      }
    });
    assert.equal(status, 0, output);
    await assert.rejects(fetch(url));
  });

  test("reports that a port is in use", async () => {
    const server = createServer();
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = server.address();
      const { status, output } = await run(dev, "--check", "--port", String(port));
      assert.equal(status, 2);
      assert.match(output, new RegExp(`port ${port} is taken`));
    } finally {
      server.close();
    }
  });
});

/**
 * Runs a script; `watch(child, output)` may be the last argument, and is called whenever it has
 * printed something.
 */
async function run(...args) {
  const watch = typeof args.at(-1) === "function" ? args.pop() : () => {};
  const child = spawn(process.execPath, args, { env: { ...process.env, NO_COLOR: "1" } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => watch(child, (output += text)));
  }
  const status = await new Promise((resolve) => child.on("close", resolve));
  return { status, output };
}
