// Streams of each protocol with each broken rule in the edge runtime: tests/js/corpus reads every
// case.
import { test } from "node:test";
import { assertReads } from "../corpus/in_workerd.mjs";
import { distinctCases } from "../node/support/cases.mjs";
import { COMPATIBILITY_DATES } from "../support/worker.mjs";

const [first, last] = COMPATIBILITY_DATES;
for (const [name, compatibilityDate] of [
  ["agentwire", first],
  ["agentwire/reader", last],
]) {
  test(`in workerd of ${compatibilityDate} ${name} reads cases of each rule at any chunk boundary`, async (context) => {
    await assertReads(context, name, compatibilityDate, await distinctCases());
  });
}
