// Builds pages with React for the tests in Chromium.
import { build } from "esbuild";

/**
 * Bundles each entry point into a folder, for development: there, strict mode runs effects twice.
 * `alias` are other places of packages.
 */
export function buildReact(entryPoints, outdir, alias = {}) {
  return build({
    entryPoints,
    outdir,
    alias,
    bundle: true,
    format: "esm",
    splitting: true,
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"development"' },
    logLevel: "warning",
  });
}
