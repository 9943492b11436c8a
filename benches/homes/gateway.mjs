// The rows of the gateway.
import { gatewayLoad } from "../gateway/load.mjs";
import { Sections } from "./sections.mjs";

export async function gateway(effort, say) {
  const sections = new Sections("gateway", say);
  await sections.run("gateway", "throughput", () =>
    gatewayLoad(effort.gateway, (line) => say(`gateway: ${line}`)),
  );
  return {
    versions: { node: process.version.slice(1) },
    ...sections.results,
    failures: sections.failures,
  };
}
