// Servers that have read the body before the agent is asked: `express.json()`, `express.text()`, `express.raw()`.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { read } from "agentwire";
import { agentApiAdapter, createHandler } from "agentwire/server";
import { createRequest } from "agentwire/agent-api";
import { answer } from "../../../examples/servers/node_bridge.mjs";

const PARSERS = {
  "express.json()": (body) => JSON.parse(body),
  "express.text()": (body) => String(body),
  "express.raw()": (body) => body,
};

for (const [name, parse] of Object.entries(PARSERS)) {
  test(`${name} before the agent`, async () => {
    const serve = createHandler({ adapters: [agentApiAdapter()], agent: (out, { input }) => out.message().text().delta(input[0].content[0].text) });
    const server = createServer(async (request, response) => {
      const pieces = [];
      for await (const piece of request) pieces.push(piece);
      request.body = parse(Buffer.concat(pieces));
      await answer(serve, request, response);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const asked = createRequest(`http://127.0.0.1:${server.address().port}/process`, "你好");
      const { snapshot } = await read(fetch(asked), { protocol: "agent-api" }).finished();
      assert.equal(snapshot.output[0].content[0].text, "你好");
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
}
