// Programs that print their address on standard error.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/**
 * Starts a program. Resolves to its address, its lines on standard error, and the functions that
 * stop it.
 */
export async function startProgram(file, args, env = {}) {
  const child = spawn(file, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env.PATH, ...env },
  });
  const ended = once(child, "exit");
  const lines = [];
  const url = await new Promise((resolve, reject) => {
    child
      .on("error", reject)
      .on("exit", (code) => reject(new Error(`${file} ended with ${code}:\n${lines.join("\n")}`)));
    createInterface(child.stderr).on("line", (line) => {
      lines.push(line);
      const [, address] = /listening on (http:\S+)/.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
  return {
    url,
    lines,
    close: () => {
      child.kill("SIGKILL");
      return ended;
    },
    /** Asks the program to end, and resolves when it has. */
    terminate: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
