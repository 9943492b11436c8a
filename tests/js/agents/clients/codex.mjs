// Codex, with the configuration of the guide.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sample } from "../support/guide.mjs";
import { run } from "../support/run.mjs";

const path = (file) => fileURLToPath(new URL(file, import.meta.url));

/** A server of the Model Context Protocol, whose tools Codex offers in a namespace. */
const MCP = `
[mcp_servers.notes]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(path("mcp_server.mjs"))}]
`;

/**
 * Codex with a model: one of the catalog of the gateway, or one of which Codex has a description of
 * its own. With `sockets` it uses Responses over WebSocket.
 */
export const codex = (model, { sockets = false } = {}) => ({
  name: `Codex with ${model ?? "the catalog of the gateway"}${sockets ? ", over WebSocket" : ""}`,
  usesSockets: sockets,
  async configure({ home }, { url, model: ofUpstream }) {
    const catalog = join(home, "agentwire.json");
    const response = await fetch(`${url}/v1/models?client_version=1`);
    writeFileSync(catalog, await response.text());
    const named = [["claude-sonnet-4-5", model ?? ofUpstream]];
    const known = model ? [/^model_catalog_json.*\n/m, ""] : [/\/home\/you.*json/, catalog];
    const config = sample("toml codex", url, named).replace(...known);
    const transport = sockets ? "supports_websockets = true\n" : "";
    writeFileSync(join(home, "config.toml"), config.trimEnd() + "\n" + transport + MCP);
  },
  /** Gives Codex a task; `continues`: in the same session as the last one. */
  ask({ home, work }, prompt, { continues = false } = {}) {
    const options = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
    const args = ["exec", ...options, ...(continues ? ["resume", "--last"] : []), prompt];
    const env = { HOME: home, CODEX_HOME: home, AGENTWIRE_KEY: "test-key" };
    return run(path("../node_modules/.bin/codex"), args, { cwd: work, env });
  },
});
