// Pages of the matrix in a browser: the results of their programs.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser, withPage } from "../support/browser.mjs";
import { serve } from "../support/serve.mjs";
import { page } from "./programs.mjs";

const TWO_MINUTES = 120_000;

export async function inChromium(url) {
  const browser = await launchBrowser();
  try {
    return await withPage(browser, url, async (page) => {
      await page.waitForFunction(() => globalThis.outcome !== undefined);
      return page.evaluate(() => globalThis.outcome);
    });
  } finally {
    await browser.close();
  }
}

export async function served(folder, look = inChromium) {
  const server = await serve(folder);
  try {
    return await look(`${server.url}/index.html`);
  } finally {
    await server.close();
  }
}

/** Opens an address in Firefox; the page sends the result to the server. */
export async function inFirefox(folder, program) {
  const profile = await mkdtemp(join(tmpdir(), "agentwire-firefox-"));
  const script = await readFile(join(folder, "dist/main.js"));
  let tell;
  const reported = new Promise((resolve) => (tell = resolve));
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    if (pathname === "/outcome") {
      let body = "";
      for await (const chunk of request) body += chunk;
      tell(JSON.parse(body));
      return response.writeHead(204).end();
    }
    const isScript = pathname === "/main.js";
    response
      .writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" })
      .end(isScript ? script : page("./main.js"));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}/?tell`;
  const child = spawn(program, ["--headless", "--no-remote", "--profile", profile, url], {
    stdio: "ignore",
    detached: true,
  });
  const late = new Promise((_, reject) =>
    setTimeout(
      () => reject(new Error("the page said nothing for two minutes")),
      TWO_MINUTES,
    ).unref(),
  );
  try {
    return await Promise.race([reported, late]);
  } finally {
    process.kill(-child.pid, "SIGTERM");
    server.close();
    server.closeAllConnections();
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
