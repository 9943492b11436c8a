// The checks of the store in a SQLite file, in a Node that has `node:sqlite`.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sqliteStore } from "agentwire/stores";
import { testStore } from "agentwire/stores/testing";

const folder = await mkdtemp(join(tmpdir(), "agentwire-kit-"));
const store = sqliteStore(join(folder, "kit.sqlite"));
after(() => {
  store.close();
  return rm(folder, { recursive: true, force: true });
});
testStore("SQLite", () => store, { test });
