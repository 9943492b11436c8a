// Responses over WebSocket: the official client against a server in Deno. AGENTWIRE_TOOLS names the
// folder that `cargo xtask test platforms` has filled with the package and the tools.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "../conversations/support/program.mjs";
import { testSockets } from "../support/sockets.mjs";

const tools = process.env.AGENTWIRE_TOOLS;
const DENO = [
  "run",
  "--allow-net",
  "--allow-env",
  "--allow-read",
  "--no-lock",
  "--node-modules-dir=manual",
  "--cached-only",
];
const FILES = [
  "platforms/sockets.deno.mjs",
  "support/socket_handler.mjs",
  "support/socket_agent.mjs",
];

testSockets("Deno", {
  most: 8,
  async start() {
    const copy = await mkdtemp(join(tools, "homes/sockets-"));
    for (const file of FILES) {
      await cp(fileURLToPath(new URL(`../${file}`, import.meta.url)), join(copy, file));
    }
    const program = join(tools, "node_modules/.bin/deno");
    const server = await startProgram(program, [...DENO, join(copy, FILES[0])], { HOME: copy });
    const close = async () => {
      await server.close();
      await rm(copy, { recursive: true, force: true });
    };
    return { url: `${server.url}/v1`, close };
  },
});
