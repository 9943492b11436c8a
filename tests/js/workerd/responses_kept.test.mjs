// Stored responses: retrieved by id with the official client, whole and from an event on;
// interrupted, killed, cancelled, deleted.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import OpenAI from "openai";
import { VERSION } from "openai/version";
import { killRuntime, openRuns } from "../support/runs_site.mjs";
import { numbers, taken } from "../support/response_events.mjs";
import { until } from "../support/until.mjs";

const long = { demo: "long" };

describe(`stored responses and openai ${VERSION}`, () => {
  let site;
  let client;
  before(async () => {
    site = await openRuns({ KEEP_ALIVE: "100" }, { runsLimit: 100_000 });
    client = new OpenAI({ apiKey: "unused", baseURL: `${site.url}/v1`, maxRetries: 0 });
  });
  after(() => site?.close());

  const create = (input, more = {}) => client.responses.create({ model: "demo", input, ...more });
  const asked = (input, more) => create(input, { stream: true, ...more });
  const notFound = { status: 404, code: "not_found" };

  /** Reads the events after `events`, on connections that are closed after `each` of them. */
  async function rest(id, events, each = Infinity) {
    while (!/completed|failed|incomplete/.test(events.at(-1).type)) {
      const more = await taken(
        await client.responses.retrieve(id, {
          stream: true,
          starting_after: events.at(-1).sequence_number,
        }),
        each,
      );
      assert.ok(more.length > 0, "no event follows, although the run has not ended");
      events.push(...more);
    }
    return events;
  }

  const textOf = (events) =>
    events.map(({ type, delta }) => (type === "response.output_text.delta" ? delta : "")).join("");

  test("an interrupted stream can be resumed after each of its events, without loss or duplicates", async () => {
    const whole = await taken(await asked("Weather in Paris?", { metadata: { demo: "answer" } }));
    const { response } = whole.at(-1);
    const { id } = whole[0].response;
    assert.match(id, /^resp_[0-9a-f]{64}$/);
    assert.equal(response.id, id);
    assert.deepEqual(numbers(whole), [...whole.keys()]);
    assert.deepEqual(await taken(await client.responses.retrieve(id, { stream: true })), whole);
    for (let after = 0; after < whole.length; after++) {
      const events = await taken(
        await client.responses.retrieve(id, { stream: true, starting_after: after }),
      );
      assert.deepEqual(events, whole.slice(after + 1), `after ${after}`);
    }
    const { output_text, ...got } = await client.responses.retrieve(id);
    assert.deepEqual(got, JSON.parse(JSON.stringify({ ...response, output_text: undefined })));
    assert.match(output_text, /^Paris/);
  });

  test("a run continues without a reader and can be read while it runs", async () => {
    const events = await taken(await asked("a long story", { metadata: long }), 7);
    const { id } = events[0].response;
    const halfway = await client.responses.retrieve(id);
    assert.deepEqual([halfway.id, halfway.status], [id, "in_progress"]);
    await rest(id, events, 100);
    assert.deepEqual(numbers(events), [...events.keys()]);
    const done = await client.responses.retrieve(id);
    assert.equal(done.status, "completed");
    assert.equal(textOf(events), done.output_text);
    assert.ok(done.output_text.startsWith(halfway.output_text));
  });

  test("the stream helper of the client resumes by response id", async () => {
    const { id } = await create("echo once more");
    const response = await client.responses
      .stream({ response_id: id, starting_after: 2 })
      .finalResponse();
    assert.deepEqual(
      [response.id, response.status, response.output_text],
      [id, "completed", "once more"],
    );
  });

  test("a response that is not streamed is stored, at both paths", async () => {
    const response = await create("echo hi");
    assert.deepEqual(await client.responses.retrieve(response.id), response);
    const other = new OpenAI({
      apiKey: "unused",
      baseURL: `${site.url}/compatible-mode/v1`,
      maxRetries: 0,
    });
    assert.deepEqual(await other.responses.retrieve(response.id), response);
  });

  test("`store: false` stores nothing", async () => {
    const { id, output_text } = await create("echo hi", { store: false });
    assert.equal(output_text, "hi");
    await assert.rejects(client.responses.retrieve(id), notFound);
    await assert.rejects(create("echo hi", { store: false, background: true }), {
      status: 400,
      param: "background",
    });
  });

  test("a background response can be polled until it is complete", async () => {
    const begun = await create("a long story", { background: true, metadata: long });
    assert.equal(begun.status, "in_progress");
    let response = begun;
    await until(
      async () => (response = await client.responses.retrieve(begun.id)).status !== "in_progress",
      50,
    );
    assert.deepEqual([response.id, response.status], [begun.id, "completed"]);
    assert.ok(response.output_text.length > 5000);
  });

  test("a response can be cancelled twice and deleted", async () => {
    const begun = await create("a long story", { background: true, metadata: { demo: "slow" } });
    const following = client.responses
      .retrieve(begun.id, { stream: true })
      .then((stream) => taken(stream));
    const cancelled = await client.responses.cancel(begun.id);
    assert.deepEqual([cancelled.id, cancelled.status], [begun.id, "cancelled"]);
    assert.equal((await following).at(-1).response.status, "cancelled");
    assert.deepEqual(await client.responses.cancel(begun.id), cancelled);
    await client.responses.delete(begun.id);
    await assert.rejects(client.responses.retrieve(begun.id), notFound);
    await assert.rejects(client.responses.cancel(begun.id), notFound);
    await assert.rejects(client.responses.delete(begun.id), notFound);
  });

  test("stored responses are available after the process was killed, and the run in progress has failed", async () => {
    const done = await create("echo before");
    const stream = await asked("a long story", { metadata: { demo: "slow" } });
    const events = [];
    await assert.rejects(async () => {
      for await (const event of stream) {
        events.push(event);
        if (events.length === 20) killRuntime();
      }
      throw new Error("cut off");
    });
    const { id } = events[0].response;
    const seen = events.length;
    for (let attempt = 0; ; attempt++) {
      try {
        await rest(id, events);
        break;
      } catch (error) {
        if (attempt > 10_000) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    assert.ok(events.length > seen);
    assert.deepEqual(numbers(events), [...events.keys()]);
    const { type, response } = events.at(-1);
    assert.deepEqual(
      [type, response.status, response.error.code],
      ["response.failed", "failed", "AGENT_RUN_INTERRUPTED"],
    );
    const got = await client.responses.retrieve(id);
    assert.deepEqual([got.status, got.output_text], ["failed", textOf(events)]);
    assert.equal(
      (await client.responses.stream({ response_id: id }).finalResponse()).output_text,
      got.output_text,
    );
    assert.deepEqual(await client.responses.retrieve(done.id), done);
  });

  test("unknown ids and invalid parameters are rejected", async () => {
    const { id } = await create("echo hi");
    for (const starting_after of [999, -2, 1.5, "x"]) {
      await assert.rejects(client.responses.retrieve(id, { stream: true, starting_after }), {
        status: 400,
        param: "starting_after",
      });
    }
    const number = `resp_${"0".repeat(64)}`;
    for (const unknown of [number, "resp_1", "nobody"]) {
      await assert.rejects(client.responses.retrieve(unknown), notFound);
    }
    await assert.rejects(create([{ role: "wizard", content: "hi" }]), {
      status: 400,
      param: "input[0].role",
    });
    await assert.rejects(create("x".repeat(4 << 20)), { status: 413 });
    const put = await fetch(`${site.url}/v1/responses/${id}`, { method: "PUT" });
    assert.deepEqual([put.status, put.headers.get("allow")], [405, "GET, HEAD, DELETE, OPTIONS"]);
    // A stored response of another protocol is not found.
    const body = JSON.stringify({
      conversationId: "c",
      messages: [{ role: "user", content: "hi" }],
    });
    const answer = await fetch(`${site.url}/send-message`, {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "resumable" },
      body,
    });
    await answer.text();
    const name = answer.headers.get("content-location").split("/").at(-1);
    await assert.rejects(client.responses.retrieve(`resp_${name}`), notFound);
    await assert.rejects(client.responses.retrieve(`resp_${name}`, { stream: true }), notFound);
  });
});
