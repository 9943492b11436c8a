// The module that only reads, in a process of its own: where the toolkit is loaded too, that one does the reading.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as agentwire from "agentwire/reader";
import { cases } from "../support/cases.mjs";
import { complaints } from "../support/corpus.mjs";

for (const wanted of await cases()) {
  test(`agentwire/reader alone reads ${wanted.protocol} ${wanted.name} at any chunk boundary`, () => {
    assert.deepEqual(complaints(agentwire, wanted), []);
  });
}
