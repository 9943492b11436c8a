// The rows of the stores of the runs service.
import { services } from "../runs/stores.mjs";
import { installedVersions } from "./node.mjs";
import { Sections } from "./sections.mjs";

export async function stores(effort, say) {
  const sections = new Sections("stores", say);
  const all = services(effort.stores);
  for (const { name, missing, measure } of all) {
    if (!missing) await sections.run("rows", name, measure, { many: true });
  }
  const missing = all
    .filter(({ missing }) => missing)
    .map(({ name, missing }) => `${name}: ${missing}`);
  const versions = {
    node: process.version.slice(1),
    ...installedVersions([
      "agentwire",
      "miniflare",
      "workerd",
      "pg",
      "redis",
      "resumable-stream",
      "@tanstack/ai",
    ]),
  };
  return {
    versions,
    stores: { effort: effort.stores, rows: sections.results.rows ?? [], missing },
    failures: sections.failures,
  };
}
