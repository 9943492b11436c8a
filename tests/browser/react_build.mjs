// Builds pages with React for the tests in Chromium.
import { build } from "esbuild";

/** Bundles each entry point into a folder, for development: there, strict mode runs effects twice. */
export function buildReact(entryPoints, outdir) {
  return build({
    entryPoints,
    outdir,
    bundle: true,
    format: "esm",
    splitting: true,
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"development"' },
    logLevel: "warning",
  });
}
