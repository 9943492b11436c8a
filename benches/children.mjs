// Other programs that measure: their last line is one JSON document, everything before it is for people.
import { spawn } from "node:child_process";

/** Nothing here takes that long; what hangs must not hang the run. */
const LIMIT = 20 * 60 * 1000;

/** A node process of its own, so that nothing measured before has warmed or spoilt it. Resolves to what it says. */
export function inNode(script, args = [], flags = ["--expose-gc"]) {
  return said(process.execPath, [...flags, script, ...args.map(String)]);
}

/** What a program says on its last line. */
export async function said(program, args, env = {}) {
  const { output } = await run(program, args, env);
  return JSON.parse(output.trimEnd().split("\n").at(-1));
}

/** Runs a program; rejects with what it wrote to standard error if it fails. */
export function run(program, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
      timeout: LIMIT,
    });
    let output = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) {
        resolve({ output, errors });
      } else {
        reject(new Error(`${program} ${args.join(" ")} ended with ${signal ?? code}:\n${errors.slice(-4000)}`));
      }
    });
  });
}
