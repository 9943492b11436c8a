// `useChat` of the AI SDK, majors 5 to 7, unmodified, in a page whose agent is the reference
// worker.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { serve } from "../support/serve.mjs";
import { openSite } from "./playground.mjs";
import { after, before, describe, test, withPage } from "./test.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** The package of the hook for each major of `ai`, which it brings. */
const HOOKS = { 5: "ai-sdk-react-2", 6: "@ai-sdk/react", 7: "ai-sdk-react-4" };

let folder;
let server;
let site;

before(async () => {
  folder = await mkdtemp(join(root, "node_modules/.use-chat-"));
  for (const [major, hook] of Object.entries(HOOKS)) {
    await writeFile(
      join(folder, `chat-${major}.html`),
      `<!doctype html><title>t</title><body><script type="module" src="chat-${major}.js"></script>`,
    );
    await build({
      entryPoints: [join(root, "tests/js/browser/use_chat.page.jsx")],
      outfile: join(folder, `chat-${major}.js`),
      alias: {
        "@ai-sdk/react": join(root, "node_modules", hook),
        ai: join(root, "node_modules", hook, "node_modules/ai"),
      },
      bundle: true,
      format: "esm",
      jsx: "automatic",
      // Strict mode runs effects twice in development only.
      define: { "process.env.NODE_ENV": '"development"' },
      logLevel: "warning",
    });
  }
  [server, site] = await Promise.all([serve(folder), openSite()]);
});
after(async () => {
  await Promise.all([server?.close(), site?.close()]);
  await rm(folder, { recursive: true, force: true });
});

const send = (page, text) =>
  page.evaluate((text) => void globalThis.chat.sendMessage({ text }), text);
const isReady = (page) => page.locator("#status", { hasText: "ready" }).waitFor();
/** Waits for a text of the last answer, and for its end. */
async function answered(page, text) {
  await page.locator("section.assistant:last-child p.text", { hasText: text }).waitFor();
  await isReady(page);
  assert.equal(await page.locator("#error").textContent(), "");
}

for (const major of Object.keys(HOOKS)) {
  describe(`ai ${major}`, () => {
    /** A test with the page. `requests` are the bodies that it sends. */
    const chatting = (name, use, options) =>
      test(name, () => {
        const requests = [];
        return withPage(
          `${server.url}/chat-${major}.html?api=${encodeURIComponent(`${site.url}/api/chat`)}`,
          async (page) => {
            page.on(
              "request",
              (request) => request.method() === "POST" && requests.push(request.postDataJSON()),
            );
            await page.waitForFunction(() => globalThis.chat !== undefined);
            await use(page, requests);
          },
          options,
        );
      });

    chatting("shows thought, tool, text and picture while they arrive", async (page) => {
      const states = page
        .waitForFunction(() => document.querySelector('[data-state="input-streaming"]'))
        .then(() =>
          page.waitForFunction(
            () => document.querySelector('.text[data-state="streaming"]')?.textContent.length > 0,
          ),
        );
      await send(page, "What is the weather like in Lisbon?");
      await states;
      await answered(page, /^Lisboa现在 .*👨‍👩‍👧:$/su);
      assert.match(await page.locator("p.reasoning").textContent(), /^They ask about Lisbon/);
      assert.deepEqual(
        await page
          .locator("p.tool-get_weather")
          .evaluateAll((all) =>
            all.map(({ textContent, dataset }) => [textContent, dataset.state]),
          ),
        [["Lisbon", "output-available"]],
      );
      assert.ok(
        await page
          .locator("img")
          .evaluate((image) => image.decode().then(() => image.naturalWidth > 100)),
      );
    });

    chatting("runs the tools of the page, and sends their outputs", async (page, requests) => {
      await send(page, "Both at once");
      await answered(page, "Your side says: tool_one got 1; tool_two got 1");
      assert.equal(requests.length, 2);
    });

    chatting(
      "shows an error after the text before it",
      async (page) => {
        await send(page, "The model is overloaded");
        await page.locator("#status", { hasText: "error" }).waitFor();
        assert.match(await page.locator("#error").textContent(), /overloaded/);
        assert.equal(await page.locator("p.text").last().textContent(), "I begin, ");
      },
      // The hook leaves the response at the error.
      { forgive: [/net::ERR_ABORTED/] },
    );

    chatting(
      "stops, and asks again",
      async (page, requests) => {
        await send(page, "Tell me a long story");
        await page.waitForFunction(
          () => document.querySelector(".assistant .text")?.textContent.length > 200,
        );
        await page.evaluate(() => globalThis.chat.stop());
        await isReady(page);
        const { length } = await page.locator(".assistant .text").textContent();
        assert.ok(length < 10_000, String(length));
        await send(page, "echo one");
        await answered(page, /^one$/);
        await page.evaluate(() => void globalThis.chat.regenerate());
        await page.waitForFunction(
          () => document.querySelectorAll("section.assistant").length === 2,
        );
        await answered(page, /^one$/);
        assert.deepEqual(
          requests.map(({ trigger }) => trigger),
          ["submit-message", "submit-message", "regenerate-message"],
        );
      },
      { forgive: [/net::ERR_ABORTED/] },
    );

    chatting("continues after a reload of the page", async (page, requests) => {
      await send(page, "echo before");
      await answered(page, /^before$/);
      await page.reload();
      await page.locator("p.text", { hasText: /^before$/ }).waitFor();
      await isReady(page);
      await send(page, "What did I say?");
      await answered(page, "Before this you said: “echo before”.");
      assert.equal(requests.length, 2);
    });

    // `ai` 5 has no approvals.
    if (major === "5") return;
    chatting("asks for an approval", async (page, requests) => {
      await send(page, "Delete all files");
      await page.getByRole("button", { name: "Approve" }).click();
      await answered(page, "Approved: the files are gone.");
      assert.equal(requests.length, 2);
    });
  });
}
