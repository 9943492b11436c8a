// Refusals quote at most one kilobyte of what a client has sent, whatever its length.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createHandler, defineAdapter, responsesAdapter } from "agentwire/server";
import { memoryStore } from "agentwire/stores";
import { runsService } from "../support/runs_agent.mjs";

const LENGTH = 900_000;
/** Characters of one to four bytes, one that JSON escapes, and half a surrogate pair. */
const LONG = ["x", "é", "你", "\u{1f600}", "\n", "\ud800"].map((unit) =>
  unit.repeat(LENGTH / unit.length),
);
const rpc = (method, params) => ["/a2a", { jsonrpc: "2.0", id: 1, method, params }];
const message = (ids) => ({
  message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }], ...ids },
});
const CASES = {
  "A2A: GetTask": (long) => rpc("GetTask", { id: long }),
  "A2A: CancelTask": (long) => rpc("CancelTask", { id: long }),
  "A2A: SubscribeToTask": (long) => rpc("SubscribeToTask", { id: long }),
  "A2A: tasks/get of 0.3": (long) => rpc("tasks/get", { id: long }),
  "A2A: message of a task": (long) => rpc("SendMessage", message({ taskId: long })),
  "A2A: streamed message of a task": (long) =>
    rpc("SendStreamingMessage", message({ taskId: long })),
  "A2A: role": (long) => rpc("SendMessage", message({ role: long })),
  "A2A: page": (long) => rpc("ListTasks", { pageToken: long }),
  "A2A: id of a call": (long) => [
    "/a2a",
    { ...rpc("SendStreamingMessage", message({}))[1], id: long },
  ],
  "A2A: message of a task, REST": (long) => ["/a2a/message:send", message({ taskId: long })],
  "Responses: previous_response_id": (long) => [
    "/v1/responses",
    { model: "m", input: "x", previous_response_id: long },
  ],
  "Responses: role": (long) => [
    "/v1/responses",
    { model: "m", input: [{ role: long, content: "x" }] },
  ],
  "Responses: type": (long) => ["/v1/responses", { model: "m", input: [{ type: long }] }],
  "Chat Completions: type of a part": (long) => [
    "/v1/chat/completions",
    { model: "m", messages: [{ role: "user", content: [{ type: long, text: 1 }] }] },
  ],
  "Chat Completions: id of a call": (long) => [
    "/v1/chat/completions",
    { model: "m", messages: [{ role: "assistant", tool_calls: [{ id: long }] }] },
  ],
  "AG-UI: role": (long) => [
    "/ag-ui",
    {
      threadId: "t",
      runId: "r",
      messages: [{ id: "m", role: long, content: "x" }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    },
  ],
  "Anthropic: role": (long) => ["/v1/messages", { messages: [{ role: long, content: 7 }] }],
  "Anthropic: thread": (long) => [
    "/v1/messages",
    { messages: [], thread: { type: "continue", previous_message_id: long } },
  ],
  "Anthropic: content": (long) => [
    "/v1/messages/count_tokens",
    { messages: [{ role: "user", content: [{ type: long, text: 7 }] }] },
  ],
  "AI SDK: role": (long) => [
    "/api/chat",
    { id: "c", messages: [{ id: "m", role: long, parts: [] }] },
  ],
  "runs: ids": (long) => [
    "/api/v1/agent/runs",
    { threadId: long, runId: long, messages: [{ id: long, role: long }] },
  ],
};
const PROTOCOLS = ["agent-api", "agentscope", "ag-kit", "ag-ui", "responses", "a2a", "ai-sdk"];
const handler = createHandler({ agent: (out) => out.message().text().delta("x"), onError() {} });

for (const [name, make] of Object.entries(CASES)) {
  test(`${name}: the refusal is short`, async () => {
    const runs = runsService({
      store: memoryStore(),
      authenticate: () => "u",
      onError() {},
      agent: (out) => out.message().text().delta("x"),
      protocols: PROTOCOLS,
    });
    for (const long of LONG) {
      const [path, value] = make(long);
      for (const serve of path.startsWith("/api/v1") ? [runs] : [handler, runs]) {
        const response = await serve(
          new Request(`http://h${path}`, {
            method: "POST",
            headers: { "content-type": "application/json", "a2a-version": "1.0" },
            body: JSON.stringify(value),
          }),
        );
        const bytes = new Uint8Array(await response.arrayBuffer());
        assert.ok(
          bytes.length < 8000,
          `${bytes.length} bytes: ${new TextDecoder().decode(bytes.subarray(0, 200))}`,
        );
        new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      }
    }
    await runs.close();
  });
}

test("names in paths and headers are shortened", async () => {
  const long = "x".repeat(100_000);
  const own = defineAdapter({
    path: "/own",
    protocol: "agent-api",
    convertRequest: () => ({ input: [] }),
    retrieve: () => undefined,
  });
  const all = createHandler({ adapters: [responsesAdapter(), own], agent: () => {}, onError() {} });
  const runs = createHandler({
    store: memoryStore(),
    authenticate: () => "u",
    onError() {},
    adapters: [responsesAdapter(), own],
    agent: () => {},
  });
  const requests = [
    new Request(`http://h/v1/models/${long}`),
    new Request(`http://h/v1/responses/${long}`),
    new Request(`http://h/own/${long}`),
    new Request(`http://h/v1/responses/${long}/${long}`),
    new Request("http://h/own", { method: "POST", body: "x", headers: { "content-type": long } }),
  ];
  for (const request of requests) {
    for (const serve of [all, runs]) {
      const response = await serve(request.clone());
      assert.ok(response.status >= 400);
      assert.ok((await response.text()).length < 2000, request.url.slice(0, 30));
    }
  }
  await runs.close();
});
