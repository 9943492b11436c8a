// The deployed project on this machine: the built worker and page in the real edge runtime.
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { buildSite } from "./build.mjs";

/**
 * Builds and starts everything on 127.0.0.1. Resolves to the address (without a slash at the end) and a function that
 * stops it. Port 0 is any free one; `dist` is where the build goes.
 */
export async function startSite({ port = 0, dist } = {}) {
  const { worker, page } = await buildSite(dist);
  const runtime = new Miniflare({
    host: "127.0.0.1",
    port,
    // Otherwise it asks a server on the internet what the request's origin might be.
    cf: false,
    // It would be on a disk, which would have to be cleaned.
    cache: false,
    compatibilityDate: "2026-07-01",
    compatibilityFlags: ["enable_request_signal"],
    rootPath: worker,
    modules: true,
    modulesRoot: worker,
    scriptPath: join(worker, "index.js"),
    modulesRules: [
      { type: "ESModule", include: ["**/*.js"] },
      { type: "CompiledWasm", include: ["**/*.wasm"] },
    ],
    assets: {
      directory: page,
      binding: "ASSETS",
      routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
    },
  });
  try {
    const url = await runtime.ready;
    return { url: url.origin, close: () => runtime.dispose() };
  } catch (error) {
    await runtime.dispose();
    throw error;
  }
}
