// The folder of this checkout, and packages that only the benchmarks need.
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** A folder with its own `node_modules`: for opponents that are not installed in the checkout. */
export const ELSEWHERE = process.env.AGENTWIRE_BENCH_MODULES;

/**
 * Imports a package; resolves to undefined if it is not installed: the row is then omitted, with
 * the reason.
 */
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
