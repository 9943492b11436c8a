// The stores and the hooks as installed by a user, with the installed version of React.
import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { consumer, manifest, runNode } from "./package.mjs";
import { typeErrors } from "./type_errors.mjs";

const modules = fileURLToPath(new URL("../../../node_modules", import.meta.url));

let folder;
before(async () => {
  folder = await consumer("react");
  // Linked manually, because the tests have no registry.
  for (const name of ["react", "react-dom", "scheduler", "@types", "csstype"]) {
    await symlink(join(modules, name), join(folder, "node_modules", name));
  }
});

test("React is an optional peer dependency", () => {
  assert.equal(manifest.dependencies, undefined);
  const names = Object.keys(manifest.peerDependencies);
  assert.deepEqual(
    manifest.peerDependenciesMeta,
    Object.fromEntries(names.map((name) => [name, { optional: true }])),
  );
  assert.ok(names.includes("react"));
});

test("in Node, the stores, the hooks and agentwire share one instance", async () => {
  assert.deepEqual(await runNode(folder, "main.mjs"), {
    html: "<p>idle undefined</p>",
    status: "done",
    text: "Hello",
    answer: "Hello",
    page: "<p>0</p>",
  });
});

const projects = [
  ["nodenext", "nodenext"],
  ["bundler", "esnext"],
];
let errors;
for (const [at, [resolution]] of projects.entries()) {
  test(`a strict TypeScript project with React that resolves as ${resolution} and checks its libraries`, async () => {
    errors ??= typeErrors(
      folder,
      "main.tsx",
      projects.map(([moduleResolution, module]) => ({
        noUncheckedIndexedAccess: true,
        target: "es2022",
        lib: ["es2022", "dom"],
        types: [],
        jsx: "react-jsx",
        module,
        moduleResolution,
      })),
    );
    assert.deepEqual((await errors)[at], []);
  });
}
