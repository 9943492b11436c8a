// The rows of the stores of the runs service.
import { installedVersions } from "./node.mjs";
import { Sections } from "./sections.mjs";
import { storesLoad } from "../runs/stores.mjs";

export async function stores(effort, say) {
  const sections = new Sections("stores", say);
  await sections.run("stores", "load", () => storesLoad(effort.stores, (line) => say(`stores: ${line}`)));
  const versions = { node: process.version.slice(1), ...installedVersions(["agentwire", "miniflare", "workerd", "pg", "redis", "resumable-stream", "@tanstack/ai"]) };
  return { versions, ...sections.results, failures: sections.failures };
}
