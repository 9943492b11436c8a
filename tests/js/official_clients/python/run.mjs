// Starts the demo worker and runs the tests of the official Python clients against it. `PYTHON` is
// the interpreter.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSite } from "../../browser/playground.mjs";

const site = await openSite();
try {
  const tests = spawn(process.env.PYTHON ?? "python3", ["-m", "unittest", "-v", "official"], {
    cwd: import.meta.dirname,
    env: { ...process.env, AGENTWIRE_URL: site.url },
    stdio: "inherit",
  });
  [process.exitCode] = await once(tests, "exit");
} finally {
  await site.close();
}
