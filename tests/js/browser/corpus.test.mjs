// Streams of each protocol with each broken rule in Chromium: tests/js/corpus reads every case.
import { assertReads } from "../corpus/in_chromium.mjs";
import { distinctCases } from "../node/support/cases.mjs";
import { test, withPage } from "./test.mjs";

test("in Chromium agentwire/reader reads cases of each rule at any chunk boundary", async (context) => {
  await assertReads(context, withPage, "agentwire/reader", await distinctCases());
});
