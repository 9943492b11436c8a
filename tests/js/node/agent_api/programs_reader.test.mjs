// `agentwire/reader` in a separate process: if `agentwire` is loaded too, its module does the
// reading.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import * as agentwire from "agentwire/reader";
import { complaintsAbout } from "../../support/builder_programs.mjs";

test("agentwire/reader alone: the events of the official builder yield the snapshot of its objects", async () => {
  const programs = await readFile(
    new URL(
      "../../../data/corpus/agent-api/build_random_programs/programs.jsonl.gz",
      import.meta.url,
    ),
  );
  assert.deepEqual(await complaintsAbout(agentwire, programs), []);
});
