// Every case of the corpus and every random program in Chromium, in each module. The suite
// `browser` reads a selection of the cases.
import { after, before, test } from "node:test";
import { cases } from "../node/support/cases.mjs";
import { launchBrowser, noBrowser, withPage } from "../support/browser.mjs";
import { PAGES, assertReads, assertReadsPrograms } from "./in_chromium.mjs";

let browser;
before(async () => {
  browser = noBrowser ? undefined : await launchBrowser();
});
after(() => browser?.close());
const open = (...parameters) => withPage(browser, ...parameters);

for (const name of Object.keys(PAGES)) {
  test(`in Chromium ${name} reads every case of the corpus at any chunk boundary`, {
    skip: noBrowser,
  }, async (context) => {
    await assertReads(context, open, name, await cases());
  });
  test(`in Chromium ${name}: the events of the official builder yield the snapshot of its objects`, {
    skip: noBrowser,
  }, async (context) => {
    await assertReadsPrograms(context, open, name);
  });
}
