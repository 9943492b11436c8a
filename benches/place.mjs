// Where this checkout is, and where packages come from that only the benchmarks need.
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** A folder with a `node_modules` of its own: for opponents that are not installed in the checkout. */
export const ELSEWHERE = process.env.AGENTWIRE_BENCH_MODULES;

/** A package, or undefined if it is not installed: a row is then left out, with a word on why. */
export async function installed(name) {
  try {
    return await import(name);
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") {
      throw error;
    }
  }
  try {
    const found = ELSEWHERE && createRequire(`${ELSEWHERE}/`).resolve(name);
    return found && (await import(pathToFileURL(found).href));
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") {
      return undefined;
    }
    throw error;
  }
}
