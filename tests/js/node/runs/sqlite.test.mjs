// The tests of the store in SQLite, which run in a Node that has `node:sqlite`.
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { run } from "../../support/process.mjs";
import { sqliteNode, withoutSqlite } from "../../support/runs_stores.mjs";

test("the SQLite store passes its tests", { skip: withoutSqlite }, async () => {
  await run(
    sqliteNode,
    ["--no-warnings", "--test", fileURLToPath(new URL("sqlite.mjs", import.meta.url))],
    { env: { NODE_TEST_CONTEXT: "" } },
  );
});
