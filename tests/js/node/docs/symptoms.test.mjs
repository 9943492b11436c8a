// The page of symptoms: each has a cause, a fix, and a test that exists under the quoted name.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

const PAGE = new URL("../../../../docs/help/symptoms.md", import.meta.url);
const [, ...sections] = readFileSync(PAGE, "utf8").split("\n## ");

describe("symptoms", () => {
  test("there are at least 25", () => assert.ok(sections.length >= 25, String(sections.length)));

  for (const section of sections) {
    const [title] = section.split("\n", 1);
    test(title, () => {
      for (const part of ["Cause", "Fix", "Test"])
        assert.match(section, new RegExp(`^\\*\\*${part}\\.\\*\\* \\S`, "m"), part);
      const [, , file, rest] = section.match(/\*\*Test\.\*\* \[([^\]]+)\]\(([^)]+)\): (.+)$/m);
      const source = readFileSync(new URL(file, PAGE), "utf8");
      const [, quoted] = rest.match(/^"(.+)"$/) ?? [];
      if (quoted !== undefined) assert.ok(source.includes(`"${quoted}"`), `${file}: ${quoted}`);
    });
  }
});
