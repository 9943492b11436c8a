// Responses over WebSocket: the official client against a server in Rust, and against the gateway in
// front of an agent. The variables GATEWAY and SOCKETS_AGENT are the paths of the programs.
import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { startProgram } from "../conversations/support/program.mjs";
import { officialSocket, testSockets } from "../support/sockets.mjs";
import { until } from "../support/until.mjs";

const compiled = (name) => fileURLToPath(new URL(`../../../target/debug/${name}`, import.meta.url));

async function startAgent() {
  const program = process.env.SOCKETS_AGENT ?? compiled("examples/sockets_agent");
  const server = await startProgram(program, []);
  return { ...server, url: `${server.url}/v1` };
}

/** Starts the same agent, and the gateway in front of it. */
const startGateway =
  (protocol, ...more) =>
  async () => {
    const upstream = await startAgent();
    const program = process.env.GATEWAY ?? compiled("agentwire");
    const upstreamOptions = ["--upstream", upstream.url, "--upstream-protocol", protocol];
    const limits = ["--model", "agent", "--max-body-bytes", "4096"];
    const server = await startProgram(
      program,
      ["serve", "--listen", "127.0.0.1:0", ...upstreamOptions, ...limits, ...more],
      { AGENTWIRE_CLIENT_KEYS: "key", AGENTWIRE_UPSTREAM_KEY: "key" },
    );
    const close = () => Promise.all([server.close(), upstream.close()]);
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

describe("the gateway", () => {
  test("logs the handshake and each message as a request of its client", async () => {
    const { url, lines, close } = await startGateway("chat")();
    const { socket, ask } = officialSocket(url);
    await ask("hi");
    await ask("again");
    const requests = () => lines.filter((line) => line.startsWith("{")).map(JSON.parse);
    await until(() => requests().length === 3);
    assert.deepEqual(
      requests().map(({ method, path, status, end, user }) => [method, path, status, end, user]),
      [
        ["GET", "/v1/responses", 101, "complete", "client"],
        ["POST", "/v1/responses", 200, "complete", "client"],
        ["POST", "/v1/responses", 200, "complete", "client"],
      ],
    );
    socket.close();
    await close();
  });

  test("counts an open socket among its connections", async () => {
    const { url, close } = await startGateway("chat", "--max-connections", "1")();
    const { socket, ask } = officialSocket(url);
    await ask("hi");
    const status = async () => (await fetch(url.replace("/v1", "/healthz"))).status;
    assert.equal(await status(), 503);
    socket.close();
    await until(async () => (await status()) === 200);
    await close();
  });

  test("limits the requests of a client at once", async () => {
    const { url, close } = await startGateway("chat", "--max-requests-per-client", "1")();
    const { socket, ask, ended } = officialSocket(url);
    socket.send({ type: "response.create", model: "agent", stream_id: "a", input: "wait" });
    const refused = await ask("hi", { stream_id: "b" });
    assert.deepEqual(
      [refused.status, refused.error.code, refused.stream_id],
      [429, "too_many_requests", "b"],
    );
    assert.equal((await ended()).stream_id, "a");
    assert.equal((await ask("hi")).type, "response.completed");
    socket.close();
    await close();
  });
});
