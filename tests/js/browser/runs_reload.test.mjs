// The sample `reload` of docs/protocols/runs.md in a page, with the reference worker at the page's
// own origin and at another one.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { samplesOf } from "../node/support/programs.mjs";
import { serve } from "../support/serve.mjs";
import { openSite } from "./playground.mjs";
import { after, before, test, withPage } from "./test.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
let folder, site, other;

before(async () => {
  site = await openSite();
  folder = await mkdtemp(join(root, "node_modules/.runs-reload-"));
  const { code } = (await samplesOf("docs/protocols/runs.md")).find(
    ({ name }) => name === "reload",
  );
  const pages = {
    own: code,
    other: code.replace('"/process"', JSON.stringify(`${site.url}/process`)),
  };
  assert.notEqual(pages.own, pages.other);
  for (const [name, sample] of Object.entries(pages)) {
    await writeFile(join(folder, `${name}.ts`), `${sample}\nObject.assign(window, { chat });`);
    await writeFile(
      join(folder, `${name}.html`),
      `<!doctype html><title>t</title><link rel="icon" href="data:," /><script type="module" src="/built/${name}.js"></script>`,
    );
  }
  const entryPoints = Object.keys(pages).map((name) => join(folder, `${name}.ts`));
  await build({
    entryPoints,
    outdir: join(folder, "built"),
    bundle: true,
    format: "esm",
    splitting: true,
    logLevel: "warning",
  });
  other = await serve(folder);
});
after(async () => {
  await Promise.all([site?.close(), other?.close()]);
  await rm(folder, { recursive: true, force: true });
});

/** The role and the text of each message. */
const texts = (page) =>
  page.evaluate(() =>
    window.chat
      .getSnapshot()
      .messages.map(({ role, parts }) => [role, parts.map(({ text = "" }) => text).join("")]),
  );
const isDone = (page, count) =>
  page.waitForFunction(
    (count) =>
      window.chat.getSnapshot().messages.length === count && !window.chat.getSnapshot().isBusy,
    count,
  );

for (const name of ["own", "other"]) {
  test(`a chat with an agent at ${name === "own" ? "its own" : "another"} origin continues after a reload in the middle of an answer, without a second run`, () =>
    withPage(
      "about:blank",
      async (page) => {
        const asked = [];
        page.on(
          "request",
          (request) =>
            request.url().startsWith(site.url) &&
            !/\.(html|js)$/.test(request.url()) &&
            asked.push(request.method()),
        );
        if (name === "own") {
          // The files of the page at the origin of the worker.
          await page.route(/\/(own\.html|built\/.*)$/, async (route) =>
            route.fulfill({
              response: await route.fetch({
                url: route.request().url().replace(site.url, other.url),
              }),
            }),
          );
        }
        await page.goto(`${name === "own" ? site.url : other.url}/${name}.html`);
        await page.waitForFunction(() => "chat" in window);
        await page.evaluate(() => void window.chat.send("Tell me a long story"));
        await page.waitForFunction(
          () => window.chat.getSnapshot().messages.at(-1)?.parts.at(-1)?.text?.length > 100,
        );
        await page.reload();
        await page.waitForFunction(() => "chat" in window);
        // What was visible is visible at once, and stays.
        const [, [, textBefore]] = await texts(page);
        assert.ok(textBefore.length > 100, textBefore);
        await page.evaluate(() => {
          const lengthNow = () =>
            window.chat
              .getSnapshot()
              .messages[1].parts.map(({ text = "" }) => text)
              .join("").length;
          window.lengths = [lengthNow()];
          window.chat.subscribe(() => window.lengths.push(lengthNow()));
        });
        await isDone(page, 2);
        const [[, question], [, answer]] = await texts(page);
        assert.equal(question, "Tell me a long story");
        assert.ok(answer.startsWith(textBefore) && answer.length > textBefore.length);
        assert.ok(
          await page.evaluate(() =>
            window.lengths.every((length, at) => length >= (window.lengths[at - 1] ?? 0)),
          ),
          "the text never shrinks",
        );
        assert.equal(
          asked.filter((method) => method === "POST").length,
          1,
          "the agent is asked once",
        );
        // No answer is cut off any more: the next page sends no request, and its user continues.
        await page.reload();
        await page.waitForFunction(() => "chat" in window);
        assert.equal(await page.evaluate(() => window.chat.getSnapshot().isBusy), false);
        await page.evaluate(() => void window.chat.send("echo and now?"));
        await isDone(page, 4);
        assert.deepEqual((await texts(page)).at(-1), ["assistant", "and now?"]);
      },
      { forgive: [/net::ERR_ABORTED/] },
    ));
}
