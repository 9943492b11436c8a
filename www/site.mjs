// Runs the project as it is deployed on this machine: the built worker and page in the edge
// runtime.
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { buildSite } from "./build.mjs";
import { configuration, runtimeOptions } from "./configuration.mjs";

/**
 * Builds and starts everything on 127.0.0.1. Resolves to the address (without a slash at the end)
 * and a function that stops it. Port 0 selects a free one; `dist` is the folder of the build;
 * `persist` a folder for the worker's data, which is temporary by default; `vars` replace those in
 * wrangler.jsonc, `services` are further bindings, and `runsLimit` is the number of runs that may
 * be started in ten seconds. The bindings in `without` are omitted.
 */
export async function startSite({
  port = 0,
  dist,
  persist,
  vars,
  services,
  runsLimit,
  without = [],
} = {}) {
  const { worker, page } = await buildSite(dist);
  const configured = await configuration();
  const ratelimits = configured.ratelimits.map((each) =>
    runsLimit === undefined ? each : { ...each, simple: { ...each.simple, limit: runsLimit } },
  );
  const isBound = ({ name, binding = name }) => !without.includes(binding);
  const bound = {
    durable_objects: { bindings: configured.durable_objects.bindings.filter(isBound) },
    r2_buckets: configured.r2_buckets.filter(isBound),
  };
  const runtime = new Miniflare({
    // A deployment has its own secret, and no demo token.
    ...runtimeOptions({
      ...configured,
      ...bound,
      ratelimits,
      vars: {
        ...configured.vars,
        DEMO_TOKEN: "demo",
        PROXY: "loopback",
        SIGNING_SECRET: crypto.randomUUID(),
        ...vars,
      },
    }),
    ...(services !== undefined && { serviceBindings: services }),
    ...(persist !== undefined && {
      durableObjectsPersist: join(persist, "objects"),
      r2Persist: join(persist, "r2"),
    }),
    host: "127.0.0.1",
    port,
    // By default it requests the origin of requests from a server on the internet.
    cf: false,
    // A cache would be stored on the disk, and would have to be removed.
    cache: false,
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
    return { url: url.origin, runtime, close: () => runtime.dispose() };
  } catch (error) {
    await runtime.dispose();
    throw error;
  }
}
