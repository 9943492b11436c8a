// The pages of the built site have no errors that axe finds, on a desktop and on a phone, in light
// and dark colors, and the search finds guides first.
import assert from "node:assert/strict";
import { readFile, readdir, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launchBrowser, noBrowser, openContext } from "../support/browser.mjs";

const site = fileURLToPath(new URL("../../../target/site/", import.meta.url));
const { homepage } = JSON.parse(
  await readFile(new URL("../../../pkg/package.json", import.meta.url), "utf8"),
);
const base = new URL(homepage).pathname;
const axe = await readFile(
  new URL("../../../node_modules/axe-core/axe.min.js", import.meta.url),
  "utf8",
);
/** One page of each kind, for the other sizes and colors. */
const KINDS = [
  "",
  "quick-start",
  "guides/chat",
  "protocols/ag-ui",
  "reference/rules",
  "reference/api/agentwire/ag-ui",
  "help/comparison",
];
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".woff2": "font/woff2",
  ".svg": "image/svg+xml",
};

let browser;
let server;
let origin;
before(async () => {
  if (noBrowser) return;
  browser = await launchBrowser();
  // As GitHub serves the folder: below the path of the site, and pages without their ending.
  server = createServer(async ({ url }, response) => {
    const path = decodeURIComponent(new URL(url, "http://site").pathname);
    const name = path.startsWith(base) ? path.slice(base.length) : undefined;
    const choices = name === undefined ? [] : [name, `${name}.html`, `${name}index.html`];
    for (const file of choices.map((choice) => join(site, choice))) {
      if ((await stat(file).catch(() => undefined))?.isFile()) {
        response
          .writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" })
          .end(await readFile(file));
        return;
      }
    }
    response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});
after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

/**
 * Opens pages one after the other, and returns the problems that axe, the network and the console
 * report, by page.
 */
async function problems(pages, viewport, colorScheme) {
  const context = await openContext(browser, { viewport, colorScheme });
  const tab = await context.newPage();
  const found = {};
  let trouble = [];
  tab.on(
    "response",
    (response) =>
      response.status() >= 400 && trouble.push(`${response.status()} ${response.url()}`),
  );
  tab.on("pageerror", (error) => trouble.push(error.message));
  tab.on("console", (message) => message.type() === "error" && trouble.push(message.text()));
  for (const page of pages) {
    trouble = [];
    await tab.goto(origin + base + page, { waitUntil: "networkidle" });
    await tab.evaluate(axe);
    const violations = await tab.evaluate(async () =>
      (await globalThis.axe.run()).violations.map(
        ({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`,
      ),
    );
    const isWide = await tab.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    const all = [...trouble, ...violations, ...(isWide ? ["wider than the window"] : [])];
    if (all.length > 0) found[page] = all;
  }
  await context.close();
  return found;
}

const inBrowser = (name, work) => test(name, { skip: noBrowser }, work);

inBrowser("every page has no problems", async () => {
  const files = await readdir(site, { recursive: true });
  const pages = files
    .filter((name) => name.endsWith(".html") && !/^(rust[\\/]|404)/.test(name))
    .map((name) => name.replaceAll("\\", "/").replace(/(^|\/)index\.html$|\.html$/, "$1"));
  assert.ok(pages.length > 50, `${pages.length} pages`);
  assert.deepEqual(
    KINDS.filter((page) => !pages.includes(page)),
    [],
  );
  assert.deepEqual(await problems(pages, DESKTOP, "light"), {});
});

inBrowser("dark colors have no problems", async () =>
  assert.deepEqual(await problems(KINDS, DESKTOP, "dark"), {}),
);
inBrowser("pages on a phone have no problems", async () =>
  assert.deepEqual(await problems(KINDS, PHONE, "light"), {}),
);

inBrowser("the search lists guides before the API reference", async () => {
  const context = await openContext(browser, { viewport: DESKTOP });
  const tab = await context.newPage();
  await tab.goto(origin + base, { waitUntil: "networkidle" });
  await tab.keyboard.press("Control+k");
  await tab.locator("#localsearch-input").fill("stored conversations");
  await tab.locator(".VPLocalSearchBox .result").first().waitFor();
  assert.match(await tab.locator(".VPLocalSearchBox .result").first().innerText(), /Build a chat/);
  await tab.keyboard.press("Enter");
  await tab.waitForURL(/guides\/chat/);
  await context.close();
});
