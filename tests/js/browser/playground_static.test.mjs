// The playground as static files below a folder, without a worker and with one at another origin.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { after, before, describe, sharedBrowser, test } from "./test.mjs";
import { buildStatic } from "../../../www/build.mjs";
import { ask, openSite, openSample, textOf, withPlayground } from "./playground.mjs";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** Serves a folder below `/docs/play/`, with no header but the type. */
async function serve(folder) {
  const server = createServer(async ({ url }, response) => {
    const path =
      /^\/docs\/play\/([\w./-]*)/.exec(url)?.[1].replace(/^$/, "index.html") ?? "nothing";
    try {
      const bytes = await readFile(join(folder, path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/plain" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/docs/play/`,
    close: () => server.close(),
  };
}

describe("the playground as static files", () => {
  let folder;
  let site;
  const servers = [];
  const open = async (worker) => {
    const page = join(folder, worker === undefined ? "alone" : "beside");
    await buildStatic(page, worker);
    const server = await serve(page);
    servers.push(server);
    return server.url;
  };
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "agentwire-static-"));
    site = await openSite();
  });
  after(async () => {
    servers.forEach((server) => server.close());
    await site?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("without a worker, samples, links and the policy work, and no request is sent", async () => {
    const url = await open();
    await withPlayground(
      sharedBrowser(),
      url,
      async (page) => {
        assert.equal(await page.locator("#tab-ask").isVisible(), false);
        assert.equal(await page.locator("#to-runs").isVisible(), false);
        assert.match(
          await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content"),
          /script-src 'self' 'wasm-unsafe-eval'.*require-trusted-types-for/,
        );
        const notices = await (await fetch(`${url}THIRD-PARTY-NOTICES.txt`)).text();
        assert.deepEqual(
          ["marked (MIT)", "Christopher Jeffrey", "simdutf8", "wasm-bindgen"].filter(
            (name) => !notices.includes(name),
          ),
          [],
        );
        await openSample(page, "61_agentscope_thinking_text_tool");
        assert.equal(await textOf(page, "#verdict-count"), "invalid, the answer is correct");
        await page.click("#tab-request");
        await page.waitForLoadState("networkidle");
        assert.equal(await page.locator("#request-proxy-label").isVisible(), false);
        await page.goto(`${url}#sample=interrupt.sse`);
        await page.reload();
        await page.waitForFunction(
          () => document.querySelector("#sample")?.value === "interrupt.sse",
        );
        await page.waitForLoadState("networkidle");
        assert.deepEqual(await page.locator(".top [role=tab]:visible").allTextContents(), [
          "URL",
          "File",
        ]);
        // The reload cancels a sample that is still loading.
      },
      { forgive: [/interrupt\.sse net::ERR_ABORTED/] },
    );
  });

  test("a worker at another origin serves the page", async () => {
    await withPlayground(sharedBrowser(), await open(`${site.url}/`), async (page) => {
      for (const protocol of ["ag-ui", "a2a"]) {
        await ask(page, "What is the weather like in Paris?", "", protocol);
        assert.equal(await textOf(page, "#verdict-count"), "valid", protocol);
      }
      assert.equal(await page.locator("#to-runs").evaluate(({ href }) => href), `${site.url}/runs`);
    });
  });
});
