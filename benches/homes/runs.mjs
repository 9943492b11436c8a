// The rows of the runs service.
import { installedVersions } from "./node.mjs";
import { Sections } from "./sections.mjs";
import { runsLoad } from "../runs/load.mjs";

export async function runs(effort, say) {
  const sections = new Sections("runs", say);
  await sections.run("load", "load", () => runsLoad(effort.runs, (line) => say(`runs: ${line}`)));
  const versions = {
    node: process.version.slice(1),
    ...installedVersions(["agentwire", "miniflare", "workerd"]),
  };
  return { versions, ...sections.results, failures: sections.failures };
}
