// The sample `reload` of docs/protocols/runs.md in a page, with the reference worker at the page's own origin and at another one.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { samplesOf } from "../node/support/programs.mjs";
import { serve } from "../support/serve.mjs";
import { openSite } from "./playground.mjs";
import { after, before, test, withPage } from "./test.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder, site, other;

before(async () => {
  site = await openSite();
  folder = await mkdtemp(join(root, "node_modules/.runs-reload-"));
  const { code } = (await samplesOf("docs/protocols/runs.md")).find(({ name }) => name === "reload");
  const pages = { own: code, other: code.replace('"/process"', JSON.stringify(`${site.url}/process`)) };
  assert.notEqual(pages.own, pages.other);
  for (const [name, sample] of Object.entries(pages)) {
    await writeFile(join(folder, `${name}.ts`), `${sample}\nObject.assign(window, { conversation });`);
    await writeFile(join(folder, `${name}.html`), `<!doctype html><title>t</title><link rel="icon" href="data:," /><script type="module" src="/built/${name}.js"></script>`);
  }
  const entryPoints = Object.keys(pages).map((name) => join(folder, `${name}.ts`));
  await build({ entryPoints, outdir: join(folder, "built"), bundle: true, format: "esm", splitting: true, logLevel: "warning" });
  other = await serve(folder);
});
after(async () => {
  await Promise.all([site?.close(), other?.close()]);
  await rm(folder, { recursive: true, force: true });
});

const state = (page) =>
  page.evaluate(() => {
    const { turns, status } = window.conversation.getSnapshot();
    return { status, turns: turns.map(({ message, snapshot }) => [message, snapshot?.output.at(-1)?.content[0]?.text]) };
  });

for (const name of ["own", "other"]) {
  test(`a chat with an agent at ${name === "own" ? "its own" : "another"} origin continues after a reload in the middle of an answer, without a second run`, () =>
    withPage(
      "about:blank",
      async (page) => {
        const asked = [];
        page.on("request", (request) => request.url().startsWith(site.url) && !/\.(html|js)$/.test(request.url()) && asked.push(request.method()));
        if (name === "own") {
          // The files of the page at the origin of the worker.
          await page.route(/\/(own\.html|built\/.*)$/, async (route) => route.fulfill({ response: await route.fetch({ url: route.request().url().replace(site.url, other.url) }) }));
        }
        await page.goto(`${name === "own" ? site.url : other.url}/${name}.html`);
        await page.waitForFunction(() => "conversation" in window);
        await page.evaluate(() => {
          window.conversation.subscribe(() => {});
          window.conversation.send("Tell me a long story");
        });
        await page.waitForFunction(() => window.conversation.getSnapshot().turns.at(-1)?.snapshot?.output.at(-1)?.content[0]?.text?.length > 100);
        await page.reload();
        await page.waitForFunction(() => "conversation" in window);
        const kept = await page.evaluate(() => JSON.parse(sessionStorage.getItem("chat")));
        assert.equal(new URL(kept.address).origin, site.url, "an absolute address");
        const textBefore = kept.turns[0].snapshot.output.at(-1).content[0].text;
        await page.waitForFunction(() => window.conversation.getSnapshot().status === "done");
        const { turns } = await state(page);
        assert.equal(turns.length, 1);
        assert.equal(turns[0][0], "Tell me a long story");
        assert.ok(turns[0][1].startsWith(textBefore) && turns[0][1].length > textBefore.length);
        assert.equal(asked.filter((method) => method === "POST").length, 1, "the agent is asked once");
        // No answer is cut off any more: the next page sends no request, and its user continues.
        await page.reload();
        await page.waitForFunction(() => "conversation" in window);
        assert.equal(await page.evaluate(() => window.conversation.getSnapshot().isBusy), false);
        await page.evaluate(() => window.conversation.send("echo and now?"));
        await page.waitForFunction(() => window.conversation.getSnapshot().turns.length === 2 && window.conversation.getSnapshot().status === "done");
        assert.deepEqual((await state(page)).turns[1], ["echo and now?", "and now?"]);
      },
      { forgive: [/net::ERR_ABORTED/] },
    ));
}
