import assert from "node:assert/strict";
import { test } from "node:test";
import * as agentwire from "agentwire";
import { cases } from "../support/cases.mjs";
import { complaints } from "../support/corpus.mjs";

for (const wanted of await cases()) {
  test(`${wanted.protocol} ${wanted.name} is read correctly at any chunk boundary`, () => {
    assert.deepEqual(complaints(agentwire, wanted), []);
  });
}
