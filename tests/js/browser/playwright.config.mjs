// The tests in Chromium: two files at a time, one browser for each of the two workers. A failed
// test runs again, with a trace in target/playwright, which `npx playwright show-trace` opens; the
// run fails, also if the test passes then. `--project=package` selects the tests of the package and
// one file of the playground, and `--project=playground` the other files of the playground.
import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export default defineConfig({
  testDir: ".",
  projects: [
    { name: "package", testMatch: "**/*.test.mjs", testIgnore: "**/playground_*" },
    { name: "playground", testMatch: "**/playground_*.test.mjs" },
  ],
  outputDir: "../../../target/playwright",
  workers: 2,
  // Tests wait for conditions. This ends one that hangs.
  timeout: 5 * 60_000,
  reporter: [["list", { printSteps: false }]],
  retries: 1,
  failOnFlakyTests: true,
  forbidOnly: true,
  use: {
    // Recording each test would slow all of them.
    trace: "on-first-retry",
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
