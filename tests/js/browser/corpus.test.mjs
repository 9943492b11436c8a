// Streams of each protocol with each broken rule in Chromium: tests/js/corpus reads every case.
import { PAGES, assertReads } from "../corpus/in_chromium.mjs";
import { distinctCases } from "../node/support/cases.mjs";
import { test, withPage } from "./test.mjs";

for (const name of Object.keys(PAGES)) {
  test(`in Chromium ${name} reads cases of each rule at any chunk boundary`, async (context) => {
    await assertReads(context, withPage, name, await distinctCases());
  });
}
