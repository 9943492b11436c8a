// Starts a Chromium, and a server on this machine with a bundle of the page.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { ROOT } from "../place.mjs";

const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A garbage collection is forced before each pass, as in node.
  "--js-flags=--expose-gc",
];

const USUAL_PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Isolation, because otherwise the clock of a page is not finer than 0.1 ms. */
const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

/**
 * Calls `use(ask, version)`; `ask(section, ...arguments)` runs a section in a fresh page and
 * resolves to its result.
 */
export async function withChromium(use) {
  const executablePath = process.env.CHROMIUM || USUAL_PLACES.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      "no Chromium: run `cargo xtask setup`, or set CHROMIUM to the path of its program",
    );
  }
  const server = await serve(await bundle());
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    return await use((section, ...rest) => ask(browser, server, section, rest), browser.version());
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}

async function ask(browser, server, section, rest) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => globalThis.bench !== undefined && crossOriginIsolated);
    return await page.evaluate(
      ([section, rest]) => globalThis.bench[section](...rest),
      [section, rest],
    );
  } finally {
    await context.close();
  }
}

async function bundle() {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, "benches/browser/page.mjs")],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    conditions: ["browser"],
    logLevel: "silent",
  });
  return outputFiles[0].text;
}

async function serve(script) {
  const wasm = await readFile(join(ROOT, "pkg/dist/wasm/reader.wasm"));
  const server = createServer((request, response) => {
    if (request.url === "/page.js") {
      response
        .writeHead(200, { ...ISOLATED, "content-type": "text/javascript; charset=utf-8" })
        .end(script);
    } else if (request.url === "/reader.wasm") {
      response.writeHead(200, { ...ISOLATED, "content-type": "application/wasm" }).end(wasm);
    } else {
      const page =
        '<!doctype html><meta charset="utf-8"><title>bench</title><script type="module" src="page.js"></script>';
      response
        .writeHead(200, { ...ISOLATED, "content-type": "text/html; charset=utf-8" })
        .end(page);
    }
  });
  await new Promise((resolve, reject) =>
    server.once("error", reject).listen(0, "127.0.0.1", resolve),
  );
  return server;
}
