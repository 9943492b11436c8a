// A real Chromium for tests. Errors of the page are errors of the test: nothing fails silently.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  // Without these it contacts remote hosts at every start.
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const USUAL_PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/**
 * For a test's `skip` option: the reason why the browser is missing, or false. The task runner sets
 * it.
 */
export const noBrowser = process.env.AGENTWIRE_NO_BROWSER || false;

/** Starts the browser with a fresh profile. The caller closes it. */
export function launchBrowser() {
  const executablePath = process.env.CHROMIUM || USUAL_PLACES.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(
      "no Chromium: run `cargo xtask setup`, or set CHROMIUM to the path of its program",
    );
  }
  return chromium.launch({ executablePath, args: FLAGS, timeout: 0 });
}

/** Opens a context whose pages wait without a time limit: a busy machine fails no test. */
export async function openContext(browser, options) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(0);
  return context;
}

/**
 * Opens an address, runs `use(page)` and returns its result. An uncaught error, a failed request or
 * a message on `console.error` ends it immediately with that message, unless it matches one of the
 * patterns `forgive`, which belong to the test. Other options are those of the browser's context.
 */
export async function withPage(browser, url, use, { forgive = [], ...options } = {}) {
  const context = await openContext(browser, options);
  try {
    const page = await context.newPage();
    const trouble = new Promise((_, reject) => {
      const isForgiven = (what) => forgive.some((pattern) => pattern.test(String(what)));
      const fail = (what) => isForgiven(what) || reject(new Error(`${url}: ${what}`));
      page.on("pageerror", (error) => fail(error.stack ?? error));
      page.on("console", (message) => message.type() === "error" && fail(message.text()));
      page.on("requestfailed", (request) =>
        fail(`${request.url()} ${request.failure()?.errorText}`),
      );
      page.on(
        "response",
        (answer) => answer.status() >= 400 && fail(`${answer.url()} ${answer.status()}`),
      );
      page.on("crash", () => fail("the page crashed"));
    });
    const work = (async () => {
      await page.goto(url);
      return await use(page);
    })();
    // The promise that loses the race may still reject when the page is closed.
    trouble.catch(() => {});
    work.catch(() => {});
    return await Promise.race([work, trouble]);
  } finally {
    await context.close();
  }
}
