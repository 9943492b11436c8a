// Playwright's runner with the functions of `node:test`, whose assertions the tests use.
import { test as playwright } from "@playwright/test";
import { withPage as withPageOf } from "../support/browser.mjs";

let current;

/** The browser of this worker. */
export function sharedBrowser() {
  return current;
}

/** Opens an address in the browser of this worker: see `withPage` of support/browser.mjs. */
export const withPage = (...parameters) => withPageOf(current, ...parameters);

/** A hook or test of Playwright, which names the fixtures that it needs by its parameter. */
const withBrowser =
  (body) =>
  async ({ browser }) => {
    current = browser;
    await body();
  };

export const { describe } = playwright;
export const before = (body) => playwright.beforeAll(withBrowser(body));
export const after = (body) => playwright.afterAll(withBrowser(body));

/** A test; `context.after(cleanup)` runs after it, last one first. */
export function test(name, body) {
  playwright(
    name,
    withBrowser(async () => {
      const cleanups = [];
      try {
        await body({ after: (cleanup) => cleanups.push(cleanup) });
      } finally {
        for (const cleanup of cleanups.reverse()) {
          await cleanup();
        }
      }
    }),
  );
}
