// The texts of rules, from the module that has them.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { Decoder } from "agentwire/reader";
import { explain } from "agentwire/rules";

test("explain() returns the texts of docs/reference/rules.md for every rule", async () => {
  const page = await readFile(
    new URL("../../../../docs/reference/rules.md", import.meta.url),
    "utf8",
  );
  const rows = [
    ...page.matchAll(
      /^## (.+)$|^\| <a id="[\w-]+"><\/a>`(.+)` \| \w+ \| (.+) \| (.+) \| \[(.+?)\]\(.*\|$/gm,
    ),
  ];
  const names = rows
    .map(([, title]) => title)
    .filter((title) => title !== undefined && title !== "All protocols");
  assert.ok(names.length >= 5, `${names}`);
  let protocols;
  let count = 0;
  for (const [, title, rule, expected, recovery, source] of rows) {
    if (title !== undefined) {
      protocols = title === "All protocols" ? names : [title];
      continue;
    }
    for (const protocol of protocols) {
      const clause = source === "limits" ? "Limits" : source;
      assert.deepEqual(
        explain(rule, protocol),
        { clause, expected, recovery },
        `${protocol}: ${rule}`,
      );
      count++;
    }
  }
  assert.ok(count > 70, `${count} rules`);
});

test("explain() accepts a violation or a rule, and returns undefined for an unknown rule", () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(new TextEncoder().encode('data: {"object":"response","status":"completed"}\n\n'));
  const { violations } = decoder.finish().report;
  assert.ok(violations.length > 0);
  for (const violation of violations) {
    assert.equal(typeof explain(violation).recovery, "string");
    assert.deepEqual(explain(violation.rule), explain(violation));
  }
  assert.equal(explain("constructor"), undefined);
  assert.equal(explain(violations[0].rule, "ag-ui"), undefined);
});
