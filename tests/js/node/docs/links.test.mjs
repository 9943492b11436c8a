// Relative links of all pages of the repository lead to files, those of a package's page excepted:
// `tests/js/packaging` checks it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

test("every relative link leads to a file", async () => {
  const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
  assert.ok(pages.length > 40, `${pages.length} pages`);
  const dead = [];
  for (const page of pages.filter((name) => existsSync(join(root, name)))) {
    const text = (await readFile(join(root, page), "utf8")).replace(
      /```[\s\S]*?```|`[^`\n]*`/g,
      "",
    );
    for (const [, target] of text.matchAll(/\]\((?![a-z]+:|#)([^)\s#]+)/g)) {
      if (!existsSync(join(root, dirname(page), target))) dead.push(`${page}: ${target}`);
    }
  }
  assert.deepEqual(dead, []);
});
