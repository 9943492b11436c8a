// The list of models of a handler, in the forms of its clients; the official clients read it.
import assert from "node:assert/strict";
import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { agUiAdapter, chatAdapter, createHandler } from "agentwire/server";

const agent = (out) => out.message().text().delta("hi");
const MODELS = [
  "small",
  { id: "claude-large", displayName: "Large", contextWindowTokens: 200_000 },
];
const handler = createHandler({ agent, models: MODELS });
const fetch = (url, init) => handler(new Request(url, init));
const get = async (path, headers = {}, serve = handler) => {
  const response = await serve(new Request(`http://localhost${path}`, { headers }));
  return [response.status, await response.json()];
};

test("the client of OpenAI reads the list and a model", async () => {
  const client = new OpenAI({ baseURL: "http://localhost/v1", apiKey: "k", fetch });
  const ids = (await client.models.list()).data.map(({ id }) => id);
  assert.deepEqual(ids, ["small", "claude-large"]);
  assert.equal((await client.models.retrieve("small")).object, "model");
  await assert.rejects(client.models.retrieve("other"), { status: 404, code: "model_not_found" });
});

test("the client of Anthropic reads the pages of the list and a model", async () => {
  const client = new Anthropic({ baseURL: "http://localhost", apiKey: "k", fetch });
  const models = [];
  for await (const model of client.models.list({ limit: 1 })) models.push(model);
  assert.deepEqual(
    models.map(({ id, type, display_name: name, max_input_tokens: tokens }) => [
      id,
      type,
      name,
      tokens,
    ]),
    [
      ["small", "model", "small", null],
      ["claude-large", "model", "Large", 200_000],
    ],
  );
  assert.equal((await client.models.retrieve("claude-large")).display_name, "Large");
  await assert.rejects(client.models.retrieve("other"), { status: 404 });
});

test("Codex receives its catalog", async () => {
  const [status, { models }] = await get("/v1/models?client_version=0.171.0");
  assert.equal(status, 200);
  assert.deepEqual(
    models.map(({ slug, context_window: window, use_responses_lite: isLite }) => [
      slug,
      window,
      isLite,
    ]),
    [
      ["small", undefined, false],
      ["claude-large", 200_000, false],
    ],
  );
});

test("the list is beside each API whose clients ask for it, and lists the agent by default", async () => {
  const adapters = [chatAdapter({ path: "/own/chat/completions" }), agUiAdapter()];
  const serve = createHandler({ agent, adapters });
  assert.deepEqual((await get("/own/models", {}, serve))[1].data[0].id, "agent");
  assert.equal((await get("/v1/models", {}, serve))[0], 404);
});

test("an option that is no list of models is refused", () => {
  for (const models of ["small", [1], [{}], null])
    assert.throws(() => createHandler({ agent, models }), { code: "wrong-option" });
});
