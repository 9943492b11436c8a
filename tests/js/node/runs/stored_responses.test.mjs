// Stored OpenAI responses of a service on a store, with the official client: read by id, resumed,
// continued, cancelled, deleted, owned.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import OpenAI from "openai";
import { memoryStore } from "agentwire/stores";
import { language, onlyTypeScript, openService } from "../../support/services.mjs";
import { numbers, taken } from "../../support/response_events.mjs";
import { until } from "../../support/until.mjs";

const ORIGIN = "http://service.test";
const clientOf = (service, apiKey = "ann", path = "/v1") =>
  new OpenAI({
    apiKey,
    baseURL: ORIGIN + path,
    maxRetries: 0,
    fetch: (url, init) => service(new Request(url, init)),
  });
const notFound = { status: 404, code: "not_found" };
const withoutText = ({ output_text, ...response }) => JSON.parse(JSON.stringify(response));

describe(`stored responses: ${language}`, () => {
  const runs = openService(memoryStore());
  after(() => runs.close());
  const client = clientOf(runs);
  const create = (input, more = {}) => client.responses.create({ model: "demo", input, ...more });

  test("a stream is resumed after each of its events", async () => {
    const whole = await taken(await create("count 20", { stream: true }));
    const { id } = whole[0].response;
    assert.match(id, /^resp_[0-9a-f]{64}$/);
    assert.deepEqual(numbers(whole), [...whole.keys()]);
    for (let after = -1; after < whole.length; after++) {
      const query = { stream: true, ...(after >= 0 && { starting_after: after }) };
      const events = await taken(await client.responses.retrieve(id, query));
      assert.deepEqual(events, whole.slice(after + 1), `after ${after}`);
    }
    assert.deepEqual(
      withoutText(await client.responses.retrieve(id)),
      withoutText(whole.at(-1).response),
    );
    await assert.rejects(
      client.responses.retrieve(id, { stream: true, starting_after: whole.length + 1 }),
      { status: 400, param: "starting_after" },
    );
    const wrong = await runs(
      new Request(`${ORIGIN}/v1/responses/${id}?stream=true&starting_after=x`, {
        headers: { authorization: "Bearer ann" },
      }),
    );
    assert.equal(wrong.status, 400);
  });

  test("a run continues without a reader, and can be read while it runs", async () => {
    const events = await taken(await create("count 200 2", { stream: true }), 7);
    const { id } = events[0].response;
    const halfway = await client.responses.retrieve(id);
    assert.deepEqual([halfway.id, halfway.status], [id, "in_progress"]);
    while (events.at(-1).type !== "response.completed") {
      const more = await taken(
        await client.responses.retrieve(id, {
          stream: true,
          starting_after: events.at(-1).sequence_number,
        }),
        50,
      );
      assert.ok(more.length > 0);
      events.push(...more);
    }
    assert.deepEqual(numbers(events), [...events.keys()]);
    const done = await client.responses.retrieve(id);
    assert.ok(
      done.output_text.startsWith(halfway.output_text) && done.output_text.endsWith("200 好 "),
    );
  });

  test("a request has a large image, also in the turn after it", async () => {
    const image_url = `data:image/png;base64,${"iVBO".repeat(475_000)}`;
    const content = [
      { type: "input_image", detail: "auto", image_url },
      { type: "input_text", text: "count 1" },
    ];
    const { id } = await create([{ role: "user", content }]);
    const next = await create("recall", { previous_response_id: id });
    assert.equal(next.output_text, "count 1|1 好 ");
    const { data } = await client.responses.inputItems.list(next.id, { order: "asc" });
    assert.equal(data[0].content[0].image_url, image_url);
  });

  test("a response is at each path of its protocol", onlyTypeScript, async () => {
    const response = await create("count 3");
    const other = clientOf(runs, "ann", "/compatible-mode/v1");
    assert.deepEqual(
      withoutText(await other.responses.retrieve(response.id)),
      withoutText(response),
    );
  });

  test("a response that is not streamed is stored; `store: false` stores nothing", async () => {
    const response = await create("count 3");
    assert.equal(response.output_text, "1 好 2 好 3 好 ");
    assert.deepEqual(
      withoutText(await client.responses.retrieve(response.id)),
      withoutText(response),
    );
    const { id, output_text } = await create("count 1", { store: false });
    assert.equal(output_text, "1 好 ");
    await assert.rejects(client.responses.retrieve(id), notFound);
    await assert.rejects(create("count 1", { store: false, background: true }), {
      status: 400,
      param: "background",
    });
  });

  test("a background response is polled until it has ended", async () => {
    const begun = await create("count 50 5", { background: true });
    assert.equal(begun.status, "in_progress");
    let response = begun;
    await until(
      async () => (response = await client.responses.retrieve(begun.id)).status !== "in_progress",
      20,
    );
    assert.deepEqual(
      [response.id, response.status, response.background],
      [begun.id, "completed", true],
    );
    assert.match(response.output_text, /50 好 $/);
  });

  test("a response is cancelled twice, and deleted", async () => {
    const begun = await create("count 100000 2", { background: true });
    const following = client.responses
      .retrieve(begun.id, { stream: true })
      .then((stream) => taken(stream));
    const cancelled = await client.responses.cancel(begun.id);
    assert.deepEqual([cancelled.id, cancelled.status], [begun.id, "cancelled"]);
    assert.equal((await following).at(-1).response.status, "cancelled");
    assert.deepEqual(await client.responses.cancel(begun.id), cancelled);
    await client.responses.delete(begun.id);
    for (const method of ["retrieve", "cancel", "delete"])
      await assert.rejects(client.responses[method](begun.id), notFound);
  });

  test("a response continues an earlier one, which keeps its items", async () => {
    const first = await create("count 1");
    const second = await create("recall", { previous_response_id: first.id });
    assert.equal(second.output_text, "count 1|1 好 ");
    assert.equal(second.previous_response_id, first.id);
    const third = await create("recall", { previous_response_id: second.id, store: false });
    assert.equal(third.output_text, "count 1|1 好 |recall|count 1|1 好 ");
    const { data } = await client.responses.inputItems.list(second.id, { order: "asc" });
    assert.deepEqual(
      data.map(({ role, content }) => [role, content[0].text]),
      [
        ["user", "count 1"],
        ["assistant", "1 好 "],
        ["user", "recall"],
      ],
    );
    await assert.rejects(create("recall", { previous_response_id: "resp_1" }), {
      status: 400,
      code: "previous_response_not_found",
    });
    const slow = await create("count 100000 2", { background: true });
    await assert.rejects(create("recall", { previous_response_id: slow.id }), {
      status: 400,
      code: "previous_response_in_progress",
    });
    await client.responses.delete(slow.id);
  });

  test("a response belongs to its user", async () => {
    const { id } = await create("count 1");
    const bob = clientOf(runs, "bob");
    await assert.rejects(bob.responses.retrieve(id), notFound);
    await assert.rejects(bob.responses.delete(id), notFound);
    await assert.rejects(
      bob.responses.create({ model: "demo", input: "recall", previous_response_id: id }),
      { code: "previous_response_not_found" },
    );
    const { status } = await runs(new Request(`${ORIGIN}/v1/responses/${id}`));
    assert.equal(status, 401);
    assert.equal((await client.responses.retrieve(id)).id, id);
  });

  test("a response that the agent fails to begin has failed, and a request that is refused is not stored", async () => {
    const failed = await create("fail");
    assert.equal(failed.status, "failed");
    assert.deepEqual(withoutText(await client.responses.retrieve(failed.id)), withoutText(failed));
    await assert.rejects(create(17), { status: 400 });
  });

  test("a response whose process has ended has failed in the next one", async (context) => {
    const store = memoryStore();
    const first = openService(store);
    const { id } = await clientOf(first).responses.create({
      model: "demo",
      input: "count 100000 2",
      background: true,
    });
    await first.close();
    const second = openService(store);
    context.after(() => second.close());
    let response;
    await until(
      async () =>
        (response = await clientOf(second).responses.retrieve(id)).status !== "in_progress",
      20,
    );
    assert.deepEqual([response.status, response.error.code], ["failed", "AGENT_RUN_INTERRUPTED"]);
  });

  test("paths and methods without a meaning are refused in OpenAI's form", async () => {
    const headers = { authorization: "Bearer ann" };
    const ask = (path, method = "GET") =>
      runs(new Request(`${ORIGIN}/v1/responses/${path}`, { method, headers }));
    for (const [path, method, status] of [
      ["", "GET", 404],
      ["resp_1/nothing", "GET", 404],
      ["resp_1/constructor", "GET", 404],
      ["resp_1", "PUT", 405],
      ["resp_1", "GET", 404],
    ]) {
      const response = await ask(path, method);
      assert.equal(response.status, status, path);
      assert.equal((await response.json()).error.type, "invalid_request_error");
    }
    // createHandler answers OPTIONS, for pages of other origins.
    const { headers: answered } = await ask("resp_1", "OPTIONS");
    const methods = `GET, HEAD, DELETE${language === "Rust" ? "" : ", OPTIONS"}`;
    assert.equal(answered.get("allow"), methods);
  });
});
