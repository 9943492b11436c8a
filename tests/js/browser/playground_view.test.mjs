// The panes: Markdown, state and activities, times, the target of a conversion, and the layout in a
// window of 1280 × 800.
import assert from "node:assert/strict";
import { describe, test } from "./test.mjs";
import { agKitStream, ask, openSample, paste, playground, settled, textOf } from "./playground.mjs";

const MARKDOWN = [
  "# Title",
  "Some *emphasis*, **strong**, `code` and a [link](https://example.com/page).\nA second line.",
  "- one\n- two\n  1. nested",
  "```js\nconst a = '<b>';\n```",
  "| a | b |\n|---|---|\n| 1 | 2 |",
  "> quoted <b>html</b>",
  "[script](javascript:alert(1)) <script>alert(2)</script> ![picture](https://example.com/x.png)",
];

describe("the panes of the playground", () => {
  const play = playground();

  test("Markdown is rendered, and markup in it stays text", () =>
    play(async (page) => {
      const requests = [];
      page.on("request", (request) => requests.push(request.url()));
      await paste(page, agKitStream({ type: "text", content: MARKDOWN.join("\n\n") }));
      const text = page.locator('#chat .part[data-type="text"]');
      for (const [selector, expected] of [
        ["h3", "Title"],
        ["em", "emphasis"],
        ["strong", "strong"],
        ["p > code", "code"],
        ["ul > li > ol > li", "nested"],
        ["pre code", "const a = '<b>';"],
        ["td >> nth=1", "2"],
        ["blockquote", "quoted <b>html</b>"],
      ]) {
        assert.equal(
          (await text.locator(selector).first().textContent()).trim(),
          expected,
          selector,
        );
      }
      const links = await text
        .locator("a")
        .evaluateAll((all) => all.map(({ href, rel, textContent }) => [href, rel, textContent]));
      assert.deepEqual(links, [
        ["https://example.com/page", "noopener noreferrer nofollow", "link"],
      ]);
      assert.match(
        await text.locator("> p").last().textContent(),
        /^\[script\]\(javascript:alert\(1\)\) <script>alert\(2\)<\/script> image at example\.com/,
      );
      assert.equal(await text.locator("script, b:not(.fact > b), img").count(), 0);
      assert.deepEqual(requests, []);
    }));

  test("a growing text keeps the elements of its complete blocks", () =>
    play(async (page) => {
      const pieces = ["First **bl", "ock**.\n\n", "Second", " block.\n\nThird"];
      await paste(page, agKitStream(...pieces.map((content) => ({ type: "text", content }))));
      const at = async (position) => {
        await page.locator("#position").fill(String(position));
        await settled(page);
      };
      await at(2);
      await page
        .locator("#chat .part p")
        .first()
        .evaluate((block) => (block.dataset.kept = "yes"));
      for (const [position, count] of [
        [3, 2],
        [4, 3],
      ]) {
        await at(position);
        assert.equal(await page.locator("#chat .part p").count(), count);
        assert.equal(await page.locator('#chat .part p[data-kept="yes"]').count(), 1);
      }
      // As it came, without Markdown: that many delimiters would take the parser seconds.
      for (const costly of ["_a*".repeat(10_000), `${"a.".repeat(4_000)}@`, "~a".repeat(4_000)]) {
        await paste(page, agKitStream({ type: "text", content: costly }));
        assert.equal(await page.locator("#chat .part").textContent(), costly);
        assert.equal(await page.locator("#chat [data-markdown]").count(), 0);
      }
    }));

  test("state and activities do not push the response out of view", () =>
    play(
      async (page) => {
        await ask(page, "What is the weather like in Paris?", "", "ag-ui");
        assert.equal(
          await page.locator('.message[data-type="activity"] details[open], .state[open]').count(),
          0,
        );
        await inside(
          page,
          '.message[data-type="message"] .part[data-type="text"] p >> nth=-1',
          "#chat",
        );
        await inside(page, ".thread img", "#chat");
        await page.click(".state > summary");
        assert.match(await textOf(page, ".tree"), /city ?"Paris"/);
        await ask(page, "What is the weather like in Paris?", "", "agent-api");
        assert.equal(
          (await page.locator('.message[data-type^="agentwire."] details:not([open])').count()) > 2,
          true,
        );
        assert.equal(
          await page.locator('.message[data-type^="agentwire."] details[open]').count(),
          0,
        );
        await inside(
          page,
          '.message[data-type="message"] .part[data-type="text"] p >> nth=-1',
          "#chat",
        );
      },
      { viewport: { width: 1280, height: 800 } },
    ));

  test("each event shows its time since the request, and the end shows a summary", () =>
    play(async (page) => {
      await ask(page, "成都");
      const times = (await page.locator(".row .time").allTextContents()).map(Number);
      assert.ok(
        times.length > 5 &&
          times.every((time, at) => time >= (times[at - 1] ?? 0)) &&
          times.at(-1) > 0,
        times.join(),
      );
      assert.match(
        await textOf(page, "#frame-text"),
        /^\d+ events, [\d.]+ kB in \d+ chunks\. First event [\d.]+ m?s after the request, end after [\d.]+ m?s\./,
      );
      const last = times.at(-1);
      await page.selectOption("#protocol", "agent-api");
      await settled(page);
      assert.equal(
        Number(await page.locator(".row .time").last().textContent()),
        last,
        "read again, the times stay",
      );
      await openSample(page, "41_heartbeat");
      assert.equal((await page.locator(".row .time").allTextContents()).join(""), "");
    }));

  test("a conversion opens on the target with the fewest losses", () =>
    play(async (page) => {
      for (const sample of [
        "u36_state_snapshot_delta",
        "61_agentscope_thinking_text_tool",
        "reasoning_summary",
      ]) {
        await openSample(page, sample);
        await page.click("#as-convert");
        await settled(page);
        const losses = async () =>
          Number((/^\d+/.exec(await textOf(page, "#losses-title")) ?? ["0"])[0]);
        const opened = await losses();
        const own = (await textOf(page, "#protocol option:checked")).replace("Auto: ", "");
        for (const option of await page.locator("#convert-to option").all()) {
          if ((await option.textContent()) !== own) {
            await page.selectOption("#convert-to", await option.getAttribute("value"));
            await settled(page);
            assert.ok(opened <= (await losses()), `${sample}: ${await option.textContent()}`);
          }
        }
        await page.reload();
        await page.waitForSelector("body.ready");
      }
    }));

  test("a window of 1280 × 800 shows every control and every suggestion", () =>
    play(
      async (page) => {
        await inside(page, ".suggestions button >> nth=-1", "#chat");
        for (const tab of await page.locator(".top [role=tab]").all()) {
          await tab.click();
          const cut = await page
            .locator(".top :is(button, a, p), .source :is(button, select, input, label)")
            .evaluateAll((all) =>
              all
                .filter((one) => one.checkVisibility())
                .filter(
                  (one) =>
                    one.scrollWidth > one.clientWidth + 1 ||
                    one.getBoundingClientRect().right > innerWidth,
                )
                .map((one) => one.id || one.outerHTML),
            );
          assert.deepEqual(
            cut.filter((id) => !/class="hidden"/.test(id)),
            [],
          );
        }
        assert.match(
          await page.locator(".pages a", { hasText: "Docs" }).getAttribute("href"),
          /^https:/,
        );
      },
      { viewport: { width: 1280, height: 800 } },
    ));

  test("the page of runs begins with examples", () =>
    play(
      async (page) => {
        await page.goto(`${play.url()}/runs`);
        await page.waitForSelector("body.ready");
        await page.click('#examples button:has-text("Please fail")');
        await page.waitForFunction(
          () => document.querySelector("#run-status").textContent === "failed",
        );
        assert.equal(await page.locator("#nothing").isVisible(), false);
      },
      { forgive: [/net::ERR_ABORTED/] },
    ));
});

/** Asserts that an element is within the visible area of another one. */
async function inside(page, selector, container) {
  const [inner, outer] = await Promise.all(
    [selector, container].map((each) => page.locator(each).boundingBox()),
  );
  const fits = inner.y >= outer.y - 1 && inner.y + inner.height <= outer.y + outer.height + 1;
  assert.ok(
    fits,
    `${selector} (${inner.y} to ${inner.y + inner.height}) in ${container} (${outer.y} to ${outer.y + outer.height})`,
  );
}
