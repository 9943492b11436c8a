// Responses over WebSocket: the official client against a server in Rust, and against the gateway in
// front of an agent. The variables GATEWAY and SOCKETS_AGENT are the paths of the programs.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { toNodeListener } from "agentwire/node";
import { createHandler } from "agentwire/server";
import { WebSocket } from "ws";
import { startProgram } from "../conversations/support/program.mjs";
import { officialSocket, socketAgent, testSockets } from "../support/sockets.mjs";
import { until } from "../support/until.mjs";

const compiled = (name) => fileURLToPath(new URL(`../../../target/debug/${name}`, import.meta.url));

async function startAgent() {
  const program = process.env.SOCKETS_AGENT ?? compiled("examples/sockets_agent");
  const server = await startProgram(program, []);
  return { ...server, url: `${server.url}/v1` };
}

/** Starts an agent that stores no responses, and the gateway in front of it. */
const startGateway = (protocol) => async () => {
  const upstream = createServer(toNodeListener(createHandler({ agent: socketAgent() })));
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const program = process.env.GATEWAY ?? compiled("agentwire");
  const address = `http://127.0.0.1:${upstream.address().port}/v1`;
  const upstreamOptions = ["--upstream", address, "--upstream-protocol", protocol];
  const limits = ["--model", "agent", "--max-body-bytes", "4096"];
  const server = await startProgram(
    program,
    ["serve", "--listen", "127.0.0.1:0", ...upstreamOptions, ...limits],
    { AGENTWIRE_CLIENT_KEYS: "key" },
  );
  const close = async () => {
    await server.close();
    upstream.closeAllConnections();
    upstream.close();
  };
  return { ...server, url: `${server.url}/v1`, close };
};

const SERVERS = [
  ["AgentService", { start: startAgent }],
  ["the gateway, converted", { start: startGateway("chat"), most: 8 }],
  ["the gateway, passed through", { start: startGateway("responses"), most: 8 }],
];

for (const [name, options] of SERVERS) {
  testSockets(name, options);

  describe(`${name}: a server`, () => {
    test("opens no socket for the page of another origin", async () => {
      const { url, close } = await options.start();
      const socket = new WebSocket(`${url.replace("http", "ws")}/responses`, {
        headers: { authorization: "Bearer key", origin: "https://evil.example" },
      });
      const [, response] = await once(socket, "unexpected-response");
      assert.equal(response.statusCode, 403);
      response.destroy();
      await close();
    });

    test("that stops ends the response in progress, and closes its sockets with 1001", async () => {
      const { url, terminate, close } = await options.start();
      const { socket, received, events } = officialSocket(url);
      const idle = officialSocket(url);
      const opened = ({ socket }) => until(() => socket.socket.readyState === WebSocket.OPEN);
      await Promise.all([opened({ socket }), opened(idle)]);
      const codes = {};
      socket.socket.once("close", (code) => (codes.busy = code));
      idle.socket.socket.once("close", (code) => (codes.idle = code));
      socket.send({ type: "response.create", model: "agent", input: "wait for it" });
      await received(({ type }) => type === "response.created");
      await terminate();
      await until(() => codes.busy !== undefined && codes.idle !== undefined);
      assert.deepEqual(codes, { busy: 1001, idle: 1001 });
      assert.equal(events.at(-1).type, "response.completed");
      await close();
    });
  });
}
