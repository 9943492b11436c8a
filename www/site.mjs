// The deployed project on this machine: the built worker and page in the real edge runtime.
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { buildSite } from "./build.mjs";
import { configuration, runtimeOptions } from "./configuration.mjs";

/**
 * Builds and starts everything on 127.0.0.1. Resolves to the address (without a slash at the end) and a function that
 * stops it. Port 0 is any free one; `dist` is where the build goes; `persist` a folder for what the worker keeps, which
 * otherwise is gone with it; `vars` take the place of those in wrangler.jsonc, `services` are further bindings, and
 * `runsLimit` is how many runs may be started in ten seconds. Bindings `without` which it shall be are left out.
 */
export async function startSite({ port = 0, dist, persist, vars, services, runsLimit, without = [] } = {}) {
  const { worker, page } = await buildSite(dist);
  const configured = await configuration();
  const ratelimits = configured.ratelimits.map((each) => (runsLimit === undefined ? each : { ...each, simple: { ...each.simple, limit: runsLimit } }));
  const isBound = ({ name, binding = name }) => !without.includes(binding);
  const bound = {
    durable_objects: { bindings: configured.durable_objects.bindings.filter(isBound) },
    r2_buckets: configured.r2_buckets.filter(isBound),
  };
  const runtime = new Miniflare({
    // A deployment has a secret of its own, and no token for everybody.
    ...runtimeOptions({ ...configured, ...bound, ratelimits, vars: { ...configured.vars, DEMO_TOKEN: "demo", PROXY: "loopback", SIGNING_SECRET: crypto.randomUUID(), ...vars } }),
    ...(services !== undefined && { serviceBindings: services }),
    ...(persist !== undefined && { durableObjectsPersist: join(persist, "objects"), r2Persist: join(persist, "r2") }),
    host: "127.0.0.1",
    port,
    // Otherwise it asks a server on the internet what the request's origin might be.
    cf: false,
    // It would be on a disk, which would have to be cleaned.
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
