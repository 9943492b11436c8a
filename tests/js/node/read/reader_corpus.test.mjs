// `agentwire/reader` in a separate process: if `agentwire` is loaded too, its module does the
// reading.
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
