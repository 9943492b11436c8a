// A worker in the real edge runtime, bundled the way the deploying tools do it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { Miniflare } from "miniflare";

/**
 * The oldest date that the package promises to run at, and a recent one: the runtime behaves by the
 * date.
 */
export const COMPATIBILITY_DATES = ["2025-01-01", "2026-07-01"];

/**
 * Bundles `entry` and starts it. `worker` goes to the runtime on top of our settings (bindings,
 * Durable Objects, …). Resolves to the Miniflare instance, whose `dispose` also removes the bundle.
 * The caller disposes of it.
 */
export async function startWorker(
  entry,
  { compatibilityDate = COMPATIBILITY_DATES.at(-1), ...worker } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-worker-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await bundle(entry, folder);
    const runtime = new Miniflare({
      host: "127.0.0.1",
      port: 0,
      // Otherwise it requests the possible origin of the request from a server on the internet.
      cf: false,
      compatibilityDate,
      rootPath: folder,
      modules: true,
      scriptPath: join(folder, "worker.js"),
      modulesRoot: folder,
      modulesRules: [
        { type: "ESModule", include: ["**/*.js"] },
        { type: "CompiledWasm", include: ["**/*.wasm"] },
      ],
      ...worker,
    });
    const dispose = runtime.dispose.bind(runtime);
    runtime.dispose = () => dispose().finally(remove);
    await runtime.ready;
    return runtime;
  } catch (error) {
    await remove();
    throw error;
  }
}

/**
 * Code becomes one module; the wasm stays a file, which the runtime compiles before the worker
 * starts.
 */
async function bundle(entry, folder) {
  await build({
    entryPoints: { worker: entry },
    outdir: folder,
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    loader: { ".wasm": "copy" },
    external: ["cloudflare:*", "node:*"],
    logLevel: "silent",
  });
}
