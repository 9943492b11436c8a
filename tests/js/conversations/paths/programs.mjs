// Servers in Rust: the gateway, and a server with tools of its own. The variables GATEWAY and
// CONVERSATIONS_AGENT are the paths of the programs; without them, those of the last compilation
// are started.
import { fileURLToPath } from "node:url";
import { startProgram } from "../support/program.mjs";

const compiled = (name) =>
  fileURLToPath(new URL(`../../../../target/debug/${name}`, import.meta.url));

const serve = (name, ...options) => ({
  name,
  /** The clients add the settings of the model, because no developer does. */
  isConfiguredByClients: true,
  start({ url, protocol, model }) {
    const args = [
      "serve",
      "--listen",
      "127.0.0.1:0",
      "--upstream",
      url,
      "--upstream-protocol",
      protocol,
      "--model",
      model,
      ...options,
    ];
    return startProgram(process.env.GATEWAY ?? compiled("agentwire"), args, {
      AGENTWIRE_UPSTREAM_KEY: "test-key",
    });
  },
});

export const gateway = serve("gateway");

export const storingGateway = serve("gateway_store", "--store", "memory");

export const rust = {
  name: "run_tools_rust",
  serverTools: true,
  start({ url, protocol, model, parameters }) {
    const program = process.env.CONVERSATIONS_AGENT ?? compiled("examples/conversations_agent");
    return startProgram(program, [protocol, url, model, JSON.stringify(parameters)]);
  },
};
