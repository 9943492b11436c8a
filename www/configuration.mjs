// Reads `wrangler.jsonc` for the local runtime: the tests use the configuration of the deployment.
import { readFile } from "node:fs/promises";

/** Returns the configuration. Comments may be on lines of their own, or after a value. */
export async function configuration(path = new URL("wrangler.jsonc", import.meta.url)) {
  const text = await readFile(path, "utf8");
  return JSON.parse(
    text.replace(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*/g, (found) => (found.startsWith("//") ? "" : found)),
  );
}

/**
 * Returns options of the local runtime. Unknown options are refused: they would be deployed and not
 * tested.
 */
export function runtimeOptions(configured) {
  const {
    name,
    main,
    no_bundle,
    migrations = [],
    assets,
    compatibility_date,
    compatibility_flags,
    durable_objects = { bindings: [] },
    r2_buckets = [],
    ratelimits = [],
    vars = {},
    // Other environments do not apply to the local runtime.
    env: _,
    ...unknown
  } = configured;
  if (Object.keys(unknown).length > 0) {
    throw new Error(
      `www/configuration.mjs does not know ${Object.keys(unknown).join(", ")} of wrangler.jsonc`,
    );
  }
  const withSql = new Set(migrations.flatMap(({ new_sqlite_classes = [] }) => new_sqlite_classes));
  return {
    name,
    compatibilityDate: compatibility_date,
    compatibilityFlags: compatibility_flags,
    bindings: vars,
    durableObjects: Object.fromEntries(
      durable_objects.bindings.map(({ name, class_name }) => [
        name,
        { className: class_name, useSQLite: withSql.has(class_name) },
      ]),
    ),
    r2Buckets: Object.fromEntries(
      r2_buckets.map(({ binding, bucket_name }) => [binding, bucket_name]),
    ),
    ratelimits: Object.fromEntries(
      ratelimits.map(({ name, namespace_id, simple }) => [name, { namespace_id, simple }]),
    ),
  };
}
