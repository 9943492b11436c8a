// Every case of the corpus and every random program in the edge runtime, in each module and at each
// compatibility date. The suite `workerd` reads a selection of the cases.
import { describe, test } from "node:test";
import { cases } from "../node/support/cases.mjs";
import { COMPATIBILITY_DATES } from "../support/worker.mjs";
import { assertReads, assertReadsPrograms } from "./in_workerd.mjs";

for (const compatibilityDate of COMPATIBILITY_DATES) {
  describe(`in workerd of ${compatibilityDate}`, () => {
    for (const name of ["agentwire", "agentwire/reader"]) {
      test(`${name} reads every case of the corpus at any chunk boundary`, async (context) => {
        await assertReads(context, name, compatibilityDate, await cases());
      });
      test(`${name}: the events of the official builder yield the snapshot of its objects`, async (context) => {
        await assertReadsPrograms(context, name, compatibilityDate);
      });
    }
  });
}
