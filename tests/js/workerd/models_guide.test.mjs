// The worker of docs/guides/models.md in the edge runtime, with a server of Chat Completions on
// this machine.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as agUi from "agentwire/ag-ui";
import * as aiSdk from "agentwire/ai-sdk";
import * as agentApi from "agentwire/agent-api";
import * as responses from "agentwire/responses";
import { samplesOf } from "../node/support/programs.mjs";
import { COMPATIBILITY_DATES, startWorker } from "../support/worker.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const asked = [];
let folder, model;
const workers = [];

before(async () => {
  model = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const { messages, model } = JSON.parse(Buffer.concat(parts));
    asked.push({ key: request.headers.authorization, model, count: messages.length });
    const choices = [
      { delta: { role: "assistant", content: `You said: ${messages.at(-1).content}` } },
      { delta: {}, finish_reason: "stop" },
    ];
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(
      choices
        .map(
          (choice) =>
            `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, ...choice }] })}\n\n`,
        )
        .join("") + "data: [DONE]\n\n",
    );
  });
  await new Promise((resolve) => model.listen(0, "127.0.0.1", resolve));
  const { code } = (await samplesOf("docs/guides/models.md")).find(
    ({ name }) => name === "gateway",
  );
  // Inside the repository, so that the sample finds the package.
  folder = await mkdtemp(join(root, "node_modules/.models-guide-"));
  await writeFile(join(folder, "worker.ts"), code);
  const bindings = {
    MODEL_KEY: "secret",
    MODEL_URL: `http://127.0.0.1:${model.address().port}/v1`,
  };
  for (const compatibilityDate of COMPATIBILITY_DATES) {
    workers.push(await startWorker(join(folder, "worker.ts"), { compatibilityDate, bindings }));
  }
});
after(async () => {
  await Promise.all(workers.map((worker) => worker.dispose()));
  model?.close();
  await rm(folder, { recursive: true, force: true });
});

test("each compatibility date serves the model", async () => {
  for (const worker of workers) {
    const { snapshot } = await agentApi
      .read(fetch(agentApi.createRequest(new URL("/process", await worker.ready), "Hi")))
      .finished();
    assert.equal(snapshot.output[0].content[0].text, "You said: Hi");
  }
  assert.deepEqual(
    asked.splice(0),
    workers.map(() => ({ key: "Bearer secret", model: "gpt-5-mini", count: 1 })),
  );
});

/**
 * The protocols, and the number of messages that the model receives with the second message of the
 * user, as the guide lists them.
 */
const COUNTS = [
  [agUi.connect, "/ag-ui", {}, 3],
  [aiSdk.connect, "/api/chat", {}, 3],
  [responses.connect, "/v1/responses", { store: false }, 3],
  [agentApi.connect, "/process", {}, 1],
];
for (const [connect, path, options, count] of COUNTS) {
  test(`the second message at ${path} has ${count === 1 ? "no history" : "the history"}`, async () => {
    const chat = connect(new URL(path, await workers.at(-1).ready), options);
    await chat.send("One").finished();
    const { status, messages } = await chat.send("Two").finished();
    assert.deepEqual(
      [status, messages.map(({ status }) => status)],
      ["ready", ["done", "done", "done", "done"]],
    );
    assert.deepEqual(
      asked.splice(0).map(({ count }) => count),
      [1, count],
    );
  });
}
