// The playground as its users have it: the built site in the edge runtime, opened in Chromium.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, sharedBrowser } from "./test.mjs";
import { openContext } from "../support/browser.mjs";
import { startSite } from "../../../www/site.mjs";

/** Builds and starts the site in a folder of its own; `close` stops it and removes the folder. */
export async function openSite(options) {
  const dist = await mkdtemp(join(tmpdir(), "agentwire-site-"));
  const remove = () => rm(dist, { recursive: true, force: true });
  try {
    const site = await startSite({ ...options, dist });
    return { url: site.url, close: () => site.close().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * A site for a group of tests. Returns a function that opens the playground for one of them; its
 * `url()` is the address.
 */
export function playground() {
  let site;
  before(async () => {
    site = await openSite();
  });
  after(() => site?.close());
  const play = (use, options) => withPlayground(sharedBrowser(), site.url, use, options);
  play.url = () => site.url;
  return play;
}

/** A reload cancels the request of the icon when it is still under way. */
const CANCELLED_ICON = /\/icon\.svg net::ERR_ABORTED$/;

/**
 * Opens the playground and runs `use(page)`. Whatever the page complains about fails the test,
 * policy violations included. `forgive` are patterns of complaints that belong to the test;
 * `prepare(page)` runs before it is opened.
 */
export async function withPlayground(
  browser,
  url,
  use,
  { forgive = [], prepare, ...options } = {},
) {
  const context = await openContext(browser, { reducedMotion: "reduce", ...options });
  const complaints = [];
  const forgiven = [CANCELLED_ICON, ...forgive];
  const complain = (what) =>
    forgiven.some((pattern) => pattern.test(what)) || complaints.push(what);
  try {
    const page = await context.newPage();
    page.on("pageerror", (error) => complain(String(error.stack ?? error)));
    page.on(
      "console",
      (message) => ["error", "warning"].includes(message.type()) && complain(message.text()),
    );
    page.on("requestfailed", (request) =>
      complain(`${request.url()} ${request.failure()?.errorText}`),
    );
    page.on("dialog", (dialog) => complain(`a dialog: ${dialog.message()}`));
    await prepare?.(page);
    await page.goto(url);
    await page.waitForSelector("body.ready, body.broken");
    await use(page);
  } catch (error) {
    throw complaints.length === 0
      ? error
      : new Error(`${error.message}\nthe page complained: ${complaints.join("\n")}`);
  } finally {
    await context.close();
  }
  if (complaints.length > 0) {
    throw new Error(`the page complained: ${complaints.join("\n")}`);
  }
}

/**
 * Sends a question to the demo agent and waits for the end of its answer, and of the page's
 * requests after it.
 */
export async function ask(page, question, variant = "", protocol = "agent-api") {
  await page.fill("#question", question);
  await page.selectOption("#endpoint", protocol);
  await page.selectOption("#variant", variant);
  await page.click("#send");
  await answered(page);
}

/** Waits until no answer is arriving. */
export async function answered(page) {
  await page.waitForSelector("#send:visible");
  await settled(page);
}

/** Makes a stream of AG-Kit out of events. */
export function agKitStream(...events) {
  return [...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), "data: [DONE]\n\n"].join(
    "",
  );
}

/** Opens a text as a stream, by pasting it. */
export async function paste(page, text) {
  await page.click("#tab-open");
  await page.click("#paste");
  // `page.fill` inserts a text line by line, which takes half a minute for 1,500 events.
  await page.locator("#paste-text").evaluate((area, value) => (area.value = value), text);
  await replaced(page, () => page.click("#paste-read"));
}

/** Opens one of the samples. */
export async function openSample(page, folder) {
  await page.click("#tab-open");
  await page.waitForSelector(`#sample option[value="${folder}.sse"]`, { state: "attached" });
  // Selecting the selected option again has no effect.
  await page.locator("#sample").evaluate((select) => (select.value = ""));
  await replaced(page, () => page.selectOption("#sample", `${folder}.sse`));
}

/** Does something that opens a stream, and waits until that stream is shown. */
export async function replaced(page, act) {
  const before = await page.locator(".panes").getAttribute("data-stream");
  await act();
  await page.waitForFunction(
    (before) => document.querySelector(".panes").dataset.stream !== before,
    before,
  );
  await settled(page);
}

/** Waits until everything that has been done is on the screen. */
export async function settled(page) {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** Returns the text of an element, with every run of white space as one space. */
export async function textOf(page, selector) {
  const text = await page.locator(selector).first().textContent();
  return (text ?? "").replace(/\s+/g, " ").trim();
}
