// The examples to copy, in folders outside of this repository: the documented command installs the
// tarball without a registry, and the example works with it. The other dependencies are those of
// this repository.
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as vite from "vite";
import { freePort, startServer } from "../support/process.mjs";
import { run, tarball } from "./package.mjs";

const examples = fileURLToPath(new URL("../../../examples", import.meta.url));
const modules = [
  fileURLToPath(new URL("../../../node_modules", import.meta.url)),
  join(examples, "react-chat/node_modules"),
  join(examples, "servers/node_modules"),
];

/** Copies an example, and installs the tarball in it by the command `npm install …` of the file. */
async function installed(context, example, documented) {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-example-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await cp(join(examples, example), folder, {
    recursive: true,
    filter: (path) => !path.includes("node_modules"),
  });
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  assert.equal(
    manifest.dependencies.agentwire,
    undefined,
    "the registry does not have the package",
  );
  const [, flags] = /npm install ((?:--\S+ )*)\S*agentwire-\S+\.tgz/.exec(
    await readFile(join(examples, documented), "utf8"),
  );
  // Without a registry, so without the other dependencies.
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ ...manifest, dependencies: {}, devDependencies: {} }),
  );
  const offline = [
    "--offline",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel",
    "error",
  ];
  await run("npm", ["install", ...offline, ...flags.split(" ").filter(Boolean), await tarball()], {
    cwd: folder,
  });
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
    await linkPackage(folder, name);
  }
  return folder;
}

/**
 * Links a dependency of the example, if this repository has it: the tests of the matrix install
 * Next and jose.
 */
async function linkPackage(folder, name) {
  for (const from of modules) {
    const names = await readdir(join(from, name)).catch(() => []);
    if (names.length > 0) {
      await mkdir(dirname(join(folder, "node_modules", name)), { recursive: true });
      return symlink(join(from, name), join(folder, "node_modules", name));
    }
  }
  return undefined;
}

test("react-chat compiles and is built", async (context) => {
  const folder = await installed(context, "react-chat", "react-chat/README.md");
  await run(process.execPath, [join(modules[0], "typescript/bin/tsc"), "--noEmit", "-p", "."], {
    cwd: folder,
  });
  await vite.build({ root: folder, logLevel: "silent" });
  assert.ok((await readdir(join(folder, "dist"))).includes("index.html"));
});

test("servers answers", async (context) => {
  const folder = await installed(context, "servers", "servers/README.md");
  for (const program of ["node.mjs", "express.mjs"]) {
    const port = await freePort();
    const { url, close } = await startServer(process.execPath, [program], {
      port,
      cwd: folder,
      env: { PORT: String(port) },
    });
    context.after(close);
    const body = JSON.stringify({
      conversationId: "c",
      messages: [{ role: "user", content: "Hi" }],
    });
    const response = await fetch(`${url}/send-message`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    assert.match(await response.text(), /You asked: [^]*Hi[^]*\[DONE\]/);
  }
});

for (const [example, documented] of [
  ["servers/runs", "servers/runs/Dockerfile"],
  ["servers/next", "servers/README.md"],
]) {
  test(`${example} finds the package`, async (context) => {
    const folder = await installed(context, example, documented);
    const agent =
      "import('./agent.mjs').then((names) => console.log(Object.keys(names).length > 0))";
    assert.equal((await run(process.execPath, ["-e", agent], { cwd: folder })).stdout, "true\n");
  });
}
