// The playground with assistive technology, without a mouse, and on a phone.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, test } from "./test.mjs";
import { ask, openSample, playground, settled, textOf } from "./playground.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Asserts that axe finds nothing on the page. */
async function accessible(page, where) {
  // With its own script the page would need another policy.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, { resultTypes: ["violations"] }),
  );
  const found = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ target, failureSummary }) => `${target} ${failureSummary}`)
        .join("; ")
        .slice(0, 600)}`,
  );
  assert.deepEqual(found, [], where);
}

describe("accessibility of the playground", () => {
  const play = playground();

  for (const [name, options] of [
    ["a light window", { viewport: { width: 1280, height: 800 } }],
    ["a dark window", { viewport: { width: 1280, height: 800 }, colorScheme: "dark" }],
    ["a phone", PHONE],
  ]) {
    test(`axe finds no violations in ${name}`, () =>
      play(async (page) => {
        await accessible(page, "start");
        await ask(page, "What is the weather like in Paris?", "", "ag-ui");
        await accessible(page, "an answer");
        await openSample(page, "61_agentscope_thinking_text_tool");
        for (const form of ["json", "convert", "compare", "chat"]) {
          await page.click(`#as-${form}`);
          await settled(page);
          await accessible(page, form);
        }
        if (options === PHONE) {
          for (const pane of ["events", "verdict"]) {
            await page.tap(`#show-${pane}`);
            await settled(page);
            await accessible(page, pane);
          }
          return;
        }
        await page.click("#share");
        await accessible(page, "share");
        await page.keyboard.press("Escape");
        await page.click("#tab-request");
        await accessible(page, "request");
        for (const [button, dialog] of [
          ["#request-more", "#request-dialog"],
          ["#shortcuts", "#shortcuts-dialog"],
        ]) {
          await page.click(button);
          await accessible(page, dialog);
          await page.keyboard.press("Escape");
        }
      }, options));
  }

  test("axe finds no violations on the page of runs", () =>
    play(
      async (page) => {
        await page.goto(`${play.url()}/runs`);
        await page.waitForSelector("body.ready");
        await accessible(page, "start");
        await page.click('#examples button:has-text("Compare Paris and Tokyo")');
        await page.waitForFunction(
          () => document.querySelector("#run-status").textContent === "finished",
        );
        await accessible(page, "a run");
      },
      { forgive: [/net::ERR_ABORTED/] },
    ));

  test("the keyboard controls the filter, the list of shortcuts and a whole session", () =>
    play(async (page) => {
      await page.keyboard.press("?");
      await page.waitForSelector("#shortcuts-dialog[open]");
      await page.keyboard.press("Escape");
      await page.locator("#tab-ask").focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      assert.equal(await page.evaluate(() => document.activeElement.id), "tab-open");
      await page.locator("#sample").focus();
      await page.waitForSelector('#sample option[value="interrupt.sse"]', { state: "attached" });
      await page.selectOption("#sample", "interrupt.sse");
      await page.waitForFunction(() => document.querySelector(".panes").dataset.stream !== "");
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press("/");
      assert.equal(await page.evaluate(() => document.activeElement.id), "filter");
      // In a field the keys are text.
      await page.keyboard.type("inter/?");
      assert.equal(await page.inputValue("#filter"), "inter/?");
      assert.equal(await page.locator("dialog[open]").count(), 0);
      await page.fill("#filter", "");
      await page.locator("#share").focus();
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.activeElement.role === "menuitem");
      await page.keyboard.press("ArrowDown");
      assert.match(
        await page.evaluate(() => document.activeElement.textContent),
        /^Copy as TypeScript/,
      );
      await page.keyboard.press("Escape");
      assert.equal(await page.evaluate(() => document.activeElement.id), "share");
    }));

  test("the text of every control is visible on a phone", () =>
    play(async (page) => {
      await openSample(page, "interrupt");
      for (const tab of ["ask", "request", "open"]) {
        await page.tap(`#tab-${tab}`);
        await settled(page);
        const cut = await page
          .locator("button:visible, label:visible:not(.hidden, [for=protocol])")
          .evaluateAll((all) =>
            all
              .filter(
                (one) =>
                  one.scrollWidth > one.clientWidth + 1 ||
                  one.getBoundingClientRect().right > innerWidth,
              )
              .map((one) => one.id || one.textContent),
          );
        assert.deepEqual(cut, [], tab);
      }
      assert.equal(await textOf(page, "#answer-status"), "interrupted");
    }, PHONE));
});
