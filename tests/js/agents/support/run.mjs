// Runs a program in an empty folder, with a temporary HOME, within a time.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The time of a task. Each task of this folder takes a few seconds. */
const TIMEOUT_MS = 120_000;

/** Creates the folder of a task, with its `home` and the empty folder `work`. */
export function taskFolder() {
  const root = mkdtempSync(join(tmpdir(), "agentwire-agents-"));
  const [home, work] = ["home", "work"].map((name) => mkdtempSync(join(root, `${name}-`)));
  return { home, work, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/**
 * Runs a program to its end. Resolves to its exit code, output and errors; `code` is "timeout" if it
 * had to be ended.
 */
export async function run(file, args, { cwd, env }) {
  const child = spawn(file, args, {
    cwd,
    env: { PATH: process.env.PATH, NO_COLOR: "1", CI: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that the programs that it has started end with it.
    detached: true,
  });
  const output = { stdout: "", stderr: "" };
  for (const name of Object.keys(output))
    child[name].setEncoding("utf8").on("data", (text) => (output[name] += text));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill(-child.pid, "SIGKILL");
  }, TIMEOUT_MS);
  const code = await new Promise((resolve, reject) =>
    child.on("error", reject).on("close", resolve),
  ).finally(() => clearTimeout(timer));
  return { code: isLate ? "timeout" : code, ...output };
}
