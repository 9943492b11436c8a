// The tests in Chromium: two files at a time, one browser for each of the two workers. No test runs
// twice: one that fails is described by its error, and by a trace if the run has `--trace on`,
// which
// `npx playwright show-trace` opens from target/playwright. `--project=package` selects the tests
// of the package, `--project=playground` those of the playground, and `--project=chats` with
// EVERY_CASE every test of the README's chat in each protocol.
import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export default defineConfig({
  testDir: ".",
  projects: [
    { name: "package", testMatch: "**/*.test.mjs", testIgnore: "**/playground*" },
    { name: "chats", testMatch: "**/chat_protocols.test.mjs" },
    { name: "playground", testMatch: "**/playground*.test.mjs" },
  ],
  outputDir: "../../../target/playwright",
  workers: 2,
  // Tests wait for conditions. This ends one that hangs.
  timeout: 5 * 60_000,
  reporter: [["list", { printSteps: false }]],
  forbidOnly: true,
  use: {
    launchOptions: {
      executablePath: process.env.CHROMIUM || PLACES.find((path) => existsSync(path)),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        // Without these it contacts hosts of its own at every start.
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
