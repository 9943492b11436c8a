// The worker with a model: a server on this machine that speaks Chat Completions, behind every protocol of the worker.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { read, toolCalls } from "agentwire";
import * as a2a from "agentwire/a2a";
import * as agKit from "agentwire/ag-kit";
import * as aiSdk from "agentwire/ai-sdk";
import * as agUi from "agentwire/ag-ui";
import * as agentApi from "agentwire/agent-api";
import * as responses from "agentwire/responses";
import { openSite } from "../browser/playground.mjs";

describe("the worker with a model", () => {
  const asked = [];
  let server, site;
  before(async () => {
    server = createServer(async (request, response) => {
      const parts = [];
      for await (const part of request) parts.push(part);
      const body = JSON.parse(Buffer.concat(parts));
      asked.push({ url: request.url, key: request.headers.authorization, body });
      const last = body.messages.at(-1);
      const call = { index: 0, id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Lisbon"}' } };
      const choices = last.role === "tool" ? [{ content: `It is ${JSON.parse(last.content).celsius} °C.` }] : [{ tool_calls: [call] }];
      response.writeHead(200, { "content-type": "text/event-stream" });
      const send = (event) => response.write(`data: ${JSON.stringify({ id: "c", ...event })}\n\n`);
      choices.forEach((delta) => send({ choices: [{ index: 0, delta: { role: "assistant", ...delta } }] }));
      send({ choices: [{ index: 0, delta: {}, finish_reason: last.role === "tool" ? "stop" : "tool_calls" }] });
      response.end("data: [DONE]\n\n");
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const MODEL_URL = `http://127.0.0.1:${server.address().port}/v1`;
    site = await openSite({ vars: { MODEL_PROTOCOL: "chat", MODEL_URL, MODEL_KEY: "secret", MODEL: "some" } });
  });
  after(async () => {
    await site?.close();
    server?.close();
  });

  const REQUESTS = {
    "agent-api": () => agentApi.createRequest(`${site.url}/process`, "How warm is it in Lisbon?"),
    "ag-ui": () => agUi.createRequest(`${site.url}/ag-ui`, "How warm is it in Lisbon?"),
    "ag-kit": () => agKit.createRequest(`${site.url}/send-message`, { conversationId: crypto.randomUUID(), messages: [{ role: "user", content: "How warm is it in Lisbon?" }] }),
    responses: () => responses.createRequest(`${site.url}/v1/responses`, { model: "any", input: "How warm is it in Lisbon?", store: false }),
    "ai-sdk": () => aiSdk.createRequest(`${site.url}/api/chat`, "How warm is it in Lisbon?"),
    a2a: () => a2a.createRequest(`${site.url}/a2a`, "How warm is it in Lisbon?"),
  };
  for (const [protocol, request] of Object.entries(REQUESTS)) {
    test(`serves ${protocol} with the agent's tool`, async () => {
      asked.length = 0;
      const { snapshot, report } = await read(fetch(request()), { protocol, as: "agent-api" }).finished();
      assert.deepEqual(report.violations, []);
      const [call] = toolCalls(snapshot);
      assert.deepEqual([call.name, call.arguments, call.result.value.city], ["get_weather", { city: "Lisbon" }, "Lisbon"]);
      const texts = snapshot.output.filter(({ type, role }) => type === "message" && role === "assistant").flatMap(({ content }) => content.map(({ text }) => text));
      assert.deepEqual(texts, [`It is ${call.result.value.celsius} °C.`]);
      assert.deepEqual(asked.map(({ url, key, body }) => [url, key, body.model, body.messages.length]), [
        ["/v1/chat/completions", "Bearer secret", "some", 1],
        ["/v1/chat/completions", "Bearer secret", "some", 3],
      ]);
    });
  }
});
