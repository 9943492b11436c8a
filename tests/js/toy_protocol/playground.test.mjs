// The playground with one more protocol: its protocols come from the package, so the toy is listed
// without a change of the page.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launchBrowser, noBrowser } from "../support/browser.mjs";
import { serve } from "../support/serve.mjs";
import { buildPlayground } from "../../../www/build.mjs";
import { paste, settled, textOf, withPlayground } from "../browser/playground.mjs";

const says = (who, text, nonce) => ({ kind: "says", who, text, nonce, at: 1.5 });
const stream = (...events) =>
  events.map((event) => `event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`).join("");
const RUN = [
  says("ann", "Hel", "x"),
  says("ann", "lo 你", "y"),
  says("bob", "好", "z"),
  { kind: "bye" },
];

describe("the playground with the toy protocol", { skip: noBrowser }, () => {
  let folder;
  let site;
  let browser;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "agentwire-toy-"));
    const modules = join(process.env.TOY_PACKAGE, "build");
    // The requests of a protocol need no separate module.
    const requests = ["agent-api", "ag-kit", "ag-ui", "responses", "a2a"].map((name) => [
      `agentwire/${name}`,
      join(modules, "generated", name.replace("-", "_"), "reading.js"),
    ]);
    const entries = {
      "agentwire/rules": join(modules, "rules.js"),
      agentwire: join(modules, "entries/agentwire.js"),
    };
    await buildPlayground(folder, { ...Object.fromEntries(requests), ...entries });
    [site, browser] = await Promise.all([serve(folder), launchBrowser()]);
  });
  after(async () => {
    await Promise.all([browser?.close(), site?.close()]);
    await rm(folder, { recursive: true, force: true });
  });
  const play = (use) => withPlayground(browser, site.url, use);

  test("the protocol is listed, detected by its first event, folded and valid", () =>
    play(async (page) => {
      assert.ok((await page.locator("#protocol option").allTextContents()).includes("Toy"));
      await paste(page, stream(...RUN));
      assert.equal(await textOf(page, "#protocol option:checked"), "Auto: Toy");
      assert.equal(await textOf(page, "#verdict-count"), "valid");
      assert.equal(await textOf(page, "#answer-status"), "over");
      const answer = JSON.parse(await page.locator("#chat pre").textContent());
      assert.deepEqual(
        answer.speeches.map(({ who, text }) => [who, text]),
        [
          ["ann", "Hello 你"],
          ["bob", "好"],
        ],
      );
      await page.locator("#position").fill("1");
      await settled(page);
      assert.match(await page.locator("#chat pre").textContent(), /"text":\s*"Hel"/);
    }));

  test("violations are reported", () =>
    play(async (page) => {
      await paste(page, stream(...RUN, says("ann", "!", "w")));
      assert.equal(await textOf(page, "#verdict-count"), "invalid, content lost");
      assert.ok(
        (await page.locator(".rule h3").allTextContents()).some((rule) =>
          rule.startsWith("after-bye"),
        ),
      );
    }));

  test("the protocol is converted to and from another one", () =>
    play(async (page) => {
      await paste(page, stream(...RUN));
      await page.click("#as-convert");
      await page.selectOption("#convert-to", "agent-api");
      await settled(page);
      assert.match(await textOf(page, "#converted"), /"object":"response".*"text":"Hel"/);
      assert.equal(await textOf(page, "#convert-verdict"), "valid");
      await paste(page, 'data: {"type":"text","content":"Hi"}\n\ndata: [DONE]\n\n');
      await page.selectOption("#convert-to", "toy");
      await settled(page);
      assert.match(await textOf(page, "#converted"), /"kind":"says".*"text":"Hi"/);
      assert.match(await textOf(page, "#converted"), /"kind":"bye"/);
    }));
});
