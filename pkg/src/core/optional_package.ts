// Modules that only some services use: the packages of databases, and the modules of Node.

import { AgentwireError } from "./errors.js";

/**
 * Imports an optional peer dependency for a function of the public API.
 *
 * @throws AgentwireError `wrong-option` if it is not installed
 */
export async function optionalPackage<T>(name: string, user: string): Promise<T> {
  try {
    // The name is not a literal: bundlers for the edge and the browser cannot resolve packages for
    // Node.
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as T;
  } catch (cause) {
    throw new AgentwireError("wrong-option", `${user}: the package \`${name}\` is not installed`, {
      cause,
    });
  }
}

/**
 * Returns a module of Node, Deno or Bun; undefined on other platforms. Bundlers for other platforms
 * cannot resolve an import of it.
 */
export function builtinModule<T>(name: string): T | undefined {
  return (
    globalThis as { process?: { getBuiltinModule?: (name: string) => T | undefined } }
  ).process?.getBuiltinModule?.(name);
}
