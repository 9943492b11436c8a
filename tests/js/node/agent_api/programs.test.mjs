import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as agentwire from "agentwire";
import { complaintsAbout } from "../../support/builder_programs.mjs";

// Another `programs.jsonl.gz` than the committed one may be read.
const other = process.env.AGENTWIRE_PROGRAMS;
const path =
  other ??
  new URL(
    "../../../data/corpus/agent-api/build_random_programs/programs.jsonl.gz",
    import.meta.url,
  );

test("the events of the official builder yield the snapshot of its objects", async () => {
  assert.deepEqual(await complaintsAbout(agentwire, await readFile(path), other === undefined), []);
});
