// A server of Responses that stores nothing: it states that in each response, and refuses to
// continue a response that it does not have.
import assert from "node:assert/strict";
import { test } from "node:test";
import OpenAI from "openai";
import { connect } from "agentwire/responses";
import { createHandler, responsesAdapter } from "agentwire/server";
import { memoryStore } from "agentwire/stores";

const echo = async (out, request) =>
  out.text(`${request.toJSON().input.length} ${request.settings.previous_response_id || "-"}`);
const serve = (definition) =>
  createHandler({ adapters: [responsesAdapter(definition)], agent: echo });
const client = (handler) =>
  new OpenAI({
    baseURL: "http://h/v1",
    apiKey: "k",
    maxRetries: 0,
    fetch: (url, init) => handler(new Request(url, init)),
  });
const asked = { model: "m", input: "Hi" };

test("each response of a server that stores nothing has `store: false`, whatever the request has", async () => {
  const openai = client(serve());
  for (const store of [undefined, true, false, null]) {
    assert.equal((await openai.responses.create({ ...asked, store })).store, false);
    const events = [];
    for await (const event of await openai.responses.create({ ...asked, store, stream: true }))
      events.push(event);
    assert.deepEqual(
      events.filter(({ response }) => response).map(({ response }) => response.store),
      [false, false, false],
    );
  }
  // Also if the adapter cannot repeat the request.
  const own = serve({
    convertRequest: () => ({
      stream: false,
      input: [{ role: "user", content: [{ type: "text", text: "x" }] }],
    }),
  });
  assert.equal((await client(own).responses.create(asked)).store, false);
});

test("a server that stores responses repeats `store` of the request", async () => {
  const openai = client(serve({ retrieve: () => undefined }));
  assert.equal((await openai.responses.create({ ...asked, store: true })).store, true);
  assert.equal((await openai.responses.create({ ...asked, store: false })).store, false);
  assert.notEqual((await openai.responses.create(asked)).store, false);
  const runs = createHandler({ store: memoryStore(), authenticate: () => "u", agent: echo });
  const stored = client(runs);
  const first = await stored.responses.create(asked);
  assert.notEqual(first.store, false);
  // The service resolves the id, also for a response that it does not store.
  const second = await stored.responses.create({ ...asked, previous_response_id: first.id });
  assert.match(second.output_text, /^3 /);
  const third = await stored.responses.create({
    ...asked,
    previous_response_id: second.id,
    store: false,
  });
  assert.deepEqual([third.output_text.split(" ")[0], third.store], ["5", false]);
  await assert.rejects(
    stored.responses.create({ ...asked, previous_response_id: third.id, store: false }),
    { status: 400, code: "previous_response_not_found" },
  );
  await runs.close();
});

test("`previous_response_id` is refused as by OpenAI's server, and no agent starts", async () => {
  let started = 0;
  const handler = createHandler({ protocols: ["responses"], agent: () => void started++ });
  for (const stream of [true, false]) {
    const error = await client(handler)
      .responses.create({ ...asked, previous_response_id: "resp_1", stream })
      .then(assert.fail, (error) => error);
    assert.deepEqual(
      [error.status, error.code, error.param, error.type],
      [400, "previous_response_not_found", "previous_response_id", "invalid_request_error"],
    );
    assert.match(error.message, /Previous response with id 'resp_1' not found\./);
  }
  assert.equal(started, 0);
  // A value that is as long as a body may be is not repeated.
  const response = await handler(
    new Request("http://h/v1/responses", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...asked, previous_response_id: "\u{1f600}".repeat(200_000) }),
    }),
  );
  const text = await response.text();
  assert.ok(
    response.status === 400 && text.length < 2000 && !text.includes("\ufffd"),
    text.slice(0, 3000),
  );
  // An empty id is none.
  for (const none of ["", null]) {
    assert.equal(
      (await client(serve()).responses.create({ ...asked, previous_response_id: none }))
        .output_text,
      "1 -",
    );
  }
});

test("an agent can resolve `previous_response_id` itself", async () => {
  assert.equal(
    (
      await client(serve({ retrieve: () => undefined })).responses.create({
        ...asked,
        previous_response_id: "resp_1",
      })
    ).output_text,
    "1 resp_1",
  );
  const convertRequest = (body) => ({
    stream: false,
    input: [{ role: "user", content: [{ type: "text", text: "x" }] }],
    previous_response_id: JSON.parse(body).previous_response_id,
  });
  assert.equal(
    (
      await client(serve({ convertRequest })).responses.create({
        ...asked,
        previous_response_id: "resp_1",
      })
    ).output_text,
    "1 resp_1",
  );
});

test("connect() repeats the conversation to a server that stores nothing", async () => {
  const handler = serve();
  const agent = connect("http://h/v1/responses", { fetch: handler });
  for (const expected of ["1 -", "3 -", "5 -"]) {
    const { snapshot } = await agent.send("Hi").finished();
    assert.equal(snapshot.output[0].content[0].text, expected);
  }
});
