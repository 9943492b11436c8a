import assert from "node:assert/strict";
import { test } from "node:test";
import * as agentwire from "agentwire";
import { cases } from "../support/cases.mjs";
import { complaints } from "../support/corpus.mjs";

for (const wanted of await cases()) {
  test(`reads ${wanted.protocol} ${wanted.name} however it is cut`, () => {
    assert.deepEqual(complaints(agentwire, wanted), []);
  });
}
