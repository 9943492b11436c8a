// Requests that a page of another site can send without a preflight (a form, plain text, a body
// without a type) start no agent.
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineProtocol } from "agentwire";
import {
  a2aAdapter,
  agentApiAdapter,
  agKitAdapter,
  agUiAdapter,
  aiSdkAdapter,
  createHandler,
  defineAdapter,
  readBody,
  responsesAdapter,
} from "agentwire/server";

const AGENT = { name: "n", description: "d" };
const adapters = [
  agentApiAdapter(),
  agKitAdapter(),
  agUiAdapter(),
  responsesAdapter(),
  aiSdkAdapter(),
  a2aAdapter(AGENT),
  // Two adapters that share a path: the body selects one.
  agKitAdapter({ path: "/shared" }),
  agUiAdapter({ path: "/shared" }),
];
const message = '{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]}}';
const agUi = '{"threadId":"t","runId":"r","messages":[]}';
const ROUTES = {
  "/process": ['{"input":[]}', (said) => said.detail[0].type],
  "/send-message": ['{"conversationId":"c","messages":[]}', (said) => said.detail[0].type],
  "/ag-ui": [agUi, (said) => said.detail[0].type],
  "/shared": [agUi, (said) => said.detail[0].type],
  "/v1/responses": ['{"model":"m","input":"x","stream":true}', (said) => said.error.code],
  "/api/chat": [
    '{"id":"c","messages":[{"id":"m","role":"user","parts":[{"type":"text","text":"x"}]}]}',
    (said) => said.detail[0].type,
  ],
  "/a2a": [
    `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${message}}`,
    (said) => said.error.code,
  ],
  "/a2a/message:send": [message, (said) => said.error.code],
  "/a2a/v1/message:stream": [
    '{"message":{"messageId":"m","role":"ROLE_USER","content":[{"text":"x"}]}}',
    (said) => said.error?.code ?? said.code,
  ],
};
const CROSS_SITE = [
  "text/plain",
  "text/plain;charset=UTF-8",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/json",
  "application/json-seq",
  "text/plain, application/json",
  undefined,
];
const OURS = ["application/json", "Application/JSON ; charset=utf-8", "application/a2a+json"];

const posting = (path, body, type) =>
  new Request(`http://h${path}`, {
    method: "POST",
    headers: type === undefined ? {} : { "content-type": type },
    body: new TextEncoder().encode(body),
  });

for (const [path, [body, codeOf]] of Object.entries(ROUTES)) {
  test(`${path}: the agent starts only for JSON content types`, async () => {
    let started = 0;
    const handler = createHandler({ adapters, agent: () => void started++ });
    for (const type of CROSS_SITE) {
      const answer = await handler(posting(path, body, type));
      assert.equal(answer.status, 415, type);
      const said = await answer.json();
      assert.ok(["content_type", -32600, 415].includes(codeOf(said)), JSON.stringify(said));
      assert.match(JSON.stringify(said), /application\/json/);
      assert.equal(started, 0, type);
    }
    for (const type of OURS) {
      const answer = await handler(posting(path, body, type));
      assert.equal(answer.status, 200, `${type}: ${await answer.clone().text()}`);
      await answer.text();
    }
    assert.equal(started, OURS.length);
  });

  test(`${path}: \`contentTypes\` allows other types`, async () => {
    for (const [contentTypes, type] of [
      [["text/plain"], "Text/Plain; charset=utf-8"],
      [["*"], undefined],
      [["*"], "application/x-www-form-urlencoded"],
    ]) {
      let started = 0;
      const answer = await createHandler({ adapters, agent: () => void started++, contentTypes })(
        posting(path, body, type),
      );
      assert.equal(answer.status, 200);
      await answer.text();
      assert.equal(started, 1);
    }
    const answer = await createHandler({
      adapters,
      agent: assert.fail,
      contentTypes: ["text/plain"],
    })(posting(path, body, "application/x-www-form-urlencoded"));
    assert.equal(answer.status, 415);
  });
}

test("the `contentTypes` of an adapter override those of the handler, and also apply without a handler", async () => {
  const protocol = defineProtocol({ name: "p", encode: () => {} });
  const lines = defineAdapter({
    path: "/lines",
    protocol,
    contentTypes: ["text/plain"],
    convertRequest: () => ({ input: [] }),
  });
  assert.equal((await lines.answer(posting("/lines", "x", "text/plain"), () => {})).status, 200);
  assert.equal((await lines.answer(posting("/lines", "x", "text/html"), assert.fail)).status, 415);
  assert.equal(
    (
      await createHandler({ adapters: [lines], agent: () => {}, contentTypes: [] })(
        posting("/lines", "x", "text/plain"),
      )
    ).status,
    200,
  );
  assert.equal(
    (await a2aAdapter(AGENT).answer(posting("/a2a", message, "text/plain"), assert.fail)).status,
    415,
  );
});

test("at most 32 MiB of a rejected body are read, and an empty body needs no content type", async () => {
  let pulled = 0;
  const chunk = new Uint8Array(1 << 20);
  const body = new ReadableStream(
    { pull: (out) => (pulled++ < 1000 ? out.enqueue(chunk) : out.close()) },
    { highWaterMark: 0 },
  );
  const request = new Request("http://h/process", { method: "POST", body, duplex: "half" });
  await assert.rejects(readBody(request), { code: "bad-request", status: 415 });
  assert.ok(pulled <= 34, `${pulled}`);
  assert.equal(await readBody(posting("/", "", "text/plain")), "");
  await assert.rejects(
    readBody(posting("/", "{}", "application/json"), { contentTypes: "text/plain" }),
    { code: "wrong-option" },
  );
});
