// Servers in Rust: the gateway, and a server with tools of its own. The variables GATEWAY and
// CONVERSATIONS_AGENT are the paths of the programs; without them, those of the last compilation
// are started.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "../support/program.mjs";

const compiled = (name) =>
  fileURLToPath(new URL(`../../../../target/debug/${name}`, import.meta.url));

const started = (options) =>
  startProgram(
    process.env.GATEWAY ?? compiled("agentwire"),
    ["serve", "--listen", "127.0.0.1:0", ...options],
    { AGENTWIRE_UPSTREAM_KEY: "test-key" },
  );

export const gateway = {
  name: "gateway",
  /** The clients add the settings of the model. */
  isConfiguredByClients: true,
  start: ({ url, protocol, model }) =>
    started(["--upstream", url, "--upstream-protocol", protocol, "--model", model]),
};

/** The gateway with a store. Its operator adds the settings of the model. */
export const storingGateway = {
  name: "gateway_store",
  hasStore: true,
  async start({ url, protocol, model, parameters }) {
    const folder = await mkdtemp(join(tmpdir(), "agentwire-gateway-"));
    const file = join(folder, "gateway.toml");
    // A text of JSON is also one of TOML; a table is not.
    const table = (value) =>
      value !== null && typeof value === "object" && !Array.isArray(value)
        ? `{ ${Object.entries(value).map(([name, member]) => `${name} = ${table(member)}`)} }`
        : JSON.stringify(value);
    await writeFile(
      file,
      [
        `default_model = ${table(model)}`,
        `store = ${table({ address: "sqlite:gateway.sqlite" })}`,
        `upstreams = [${table({ name: "u", url, protocol })}]`,
        "[[models]]",
        `name = ${table(model)}`,
        `upstreams = [${table({ upstream: "u", settings: parameters })}]`,
      ].join("\n"),
    );
    const server = await started(["--config", file]);
    return {
      ...server,
      close: () => server.close().then(() => rm(folder, { recursive: true })),
    };
  },
};

export const rust = {
  name: "run_tools_rust",
  serverTools: true,
  start({ url, protocol, model, parameters }) {
    const program = process.env.CONVERSATIONS_AGENT ?? compiled("examples/conversations_agent");
    return startProgram(program, [protocol, url, model, JSON.stringify(parameters)]);
  },
};
