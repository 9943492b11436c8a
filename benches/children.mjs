// Runs other programs that measure: their last line is one JSON document, the lines before it are
// for people.
import { spawn } from "node:child_process";

/** A timeout for programs that hang, longer than any measurement. */
const LIMIT = 20 * 60 * 1000;

/**
 * Runs a script in a node process of its own, so that earlier measurements do not affect it.
 * Resolves to its result.
 */
export function inNode(script, args = [], flags = ["--expose-gc"]) {
  return said(process.execPath, [...flags, script, ...args.map(String)]);
}

/** Runs a program; resolves to the JSON on its last line. */
export async function said(program, args, env = {}) {
  const { output } = await run(program, args, env);
  return JSON.parse(output.trimEnd().split("\n").at(-1));
}

/** Runs a program; if it fails, rejects with its output on standard error. */
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
        reject(
          new Error(
            `${program} ${args.join(" ")} ended with ${signal ?? code}:\n${errors.slice(-4000)}`,
          ),
        );
      }
    });
  });
}
