// Stores that refuse to store a run: always, some of its rows, or only its end. The run ends, and
// its thread is not locked.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RunsClient } from "agentwire/runs";
import { handlerStore, memoryStore } from "agentwire/stores";
import { answersOn } from "../../support/answers.mjs";
import { agent, runsService } from "../../support/runs_agent.mjs";
import { until } from "../../support/until.mjs";

const URL_ = "http://runs.example/api/v1/agent";
const request = (text, threadId = crypto.randomUUID()) => ({
  threadId,
  runId: crypto.randomUUID(),
  messages: [{ id: "u", role: "user", content: text }],
  forwardedProps: { runtime_mode: "chat" },
});

/** A store in memory whose methods call `before` with their name and values. */
function storeWith(before) {
  const memory = memoryStore();
  return Object.fromEntries(
    ["append", "read", "list", "delete"].map((name) => [
      name,
      (...values) => before(name, values, memory, () => memory[name](...values)),
    ]),
  );
}

/**
 * Opens a service whose store calls `refuses` before it appends, which may throw. It receives what
 * is appended: `added` to a thread is a record, `events` of a run are texts, which are the `first`
 * ones if the run has none, and `messages` are those of the end of a run.
 */
function open(refuses, options) {
  const store = storeWith((name, values, memory, call) => {
    if (name === "append") {
      const [log, after, entries] = values;
      const texts = entries.map(({ text }) => text);
      const events = texts.filter((text) => text.startsWith("["));
      const isRun = log.includes("/") && after > 0 && events.length > 0;
      const [record] = log.includes("/") ? [] : texts.map((text) => JSON.parse(text.slice(1)));
      refuses({
        record,
        events,
        isFirst: isRun && memory.read(log, 0, 2).entries.length === 1,
        isEnd: isRun && /"(RUN_FINISHED|RUN_ERROR)"/.test(events.at(-1)),
        messages: isRun ? texts.filter((text) => text.startsWith("=")) : [],
      });
    }
    return call();
  });
  const errors = [];
  const runs = runsService({
    ...options,
    store: handlerStore(store),
    onError: (error) => errors.push(error),
    limits: { keepAliveMs: 100, ...options?.limits },
  });
  const ask = (path, init = {}) =>
    runs(
      new Request(URL_ + path, {
        ...init,
        headers: {
          authorization: "Bearer ann",
          "content-type": "application/json",
          ...init.headers,
        },
      }),
    );
  const create = async (run) => {
    const response = await ask("/runs", { method: "POST", body: JSON.stringify(run) });
    return [response.status, (await response.json()).code];
  };
  const client = new RunsClient(URL_, {
    headers: { authorization: "Bearer ann" },
    fetch: (url, init) => runs(new Request(url, init)),
    baseDelayMs: 20,
    maxDelayMs: 200,
    attempts: 1000,
  });
  /** Follows a run to its end. */
  const followed = async ({ threadId, runId }) =>
    (await client.events(threadId, runId).finished()).snapshot;
  return { runs, ask, create, followed, errors };
}

const full = () => {
  throw new Error("the row cannot be stored");
};

/** The stores, and whether the thread accepts the next run. Each refuses while `isOn()`. */
const REFUSALS = {
  "the end with messages": ({ messages }) => messages.length > 0 && full(),
  "rows with a text": ({ events }) => events.some((text) => text.includes('"2 "')) && full(),
  "rows with a text, and the messages": ({ events, messages }) =>
    (messages.length > 0 || events.some((text) => text.includes('"2 "'))) && full(),
  "its status": ({ record }) => record?.to?.status === "running" && full(),
  "the first row": ({ isFirst, isEnd }) => isFirst && !isEnd && full(),
};

describe("a run that cannot be stored", { concurrency: true }, () => {
  for (const [what, refuses] of Object.entries(REFUSALS)) {
    test(`ends, and its thread accepts the next one: ${what}`, async () => {
      let isOn = true;
      let starts = 0;
      const counted = (...given) => {
        starts++;
        return agent(...given);
      };
      const { runs, create, followed, errors } = open((appended) => isOn && refuses(appended), {
        agent: counted,
      });
      const run = request("count 3 20");
      assert.deepEqual(await create(run), [202, undefined]);
      const { error } = await followed(run);
      assert.equal(error.code, "AGENT_RUN_INTERRUPTED");
      assert.ok(starts <= 1, "its tools may have had effects");
      assert.ok(
        errors.some(({ message, cause }) =>
          /cannot be stored/.test(`${message} ${cause?.message}`),
        ),
        "the loss is reported",
      );
      // The place of the run is free when its work is over.
      await until(async () => (await create(request("count 1", run.threadId)))[0] === 202, 20);
      isOn = false;
      await runs.close();
    });
  }

  test("ends for its followers also if the store accepts nothing: then the thread answers 503, and continues with the store", async () => {
    let isOn = true;
    const { runs, ask, create, followed, errors } = open(
      ({ events }) => isOn && events.length > 0 && full(),
    );
    const run = request("count 3 20");
    await create(run);
    const { error, messages } = await followed(run);
    assert.equal(error.code, "AGENT_RUN_INTERRUPTED");
    assert.deepEqual(messages, []);
    assert.deepEqual(await create(request("count 1", run.threadId)), [
      503,
      "AGENT_STORAGE_UNAVAILABLE",
    ]);
    assert.equal(
      (
        await ask(`/runs/${run.threadId}/events?runId=${run.runId}`, {
          headers: { authorization: "Bearer eve" },
        })
      ).status,
      403,
    );
    isOn = false;
    await until(async () => (await create(request("count 1", run.threadId)))[0] === 202, 20);
    assert.equal(
      (await followed(run)).error.code,
      "AGENT_RUN_INTERRUPTED",
      "the stored end is the one that was sent",
    );
    assert.ok(errors.length > 0);
    await runs.close();
  });

  test("ends with its messages if the store recovers", async () => {
    let refused = 0;
    const { runs, ask, create, followed } = open(
      ({ messages }) => messages.length > 0 && refused++ < 2 && full(),
    );
    const run = request("count 3 20");
    await create(run);
    assert.equal((await followed(run)).error.code, "AGENT_RUN_INTERRUPTED");
    const { messages } = await (await ask(`/history?threadId=${run.threadId}`)).json();
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant"],
    );
    await runs.close();
  });

  test("does not keep the user's place if it was never stored", async () => {
    let isOn = true;
    const { runs, create } = open(({ record }) => isOn && record?.run && full(), {
      limits: { userRuns: 1 },
    });
    assert.equal((await create(request("count 1")))[0], 503);
    isOn = false;
    assert.equal((await create(request("count 1")))[0], 202);
    await runs.close();
  });
});

/** The ways in which a store fails: at once, by a promise, by another thenable. */
const FAILURES = [
  (error) => {
    throw error;
  },
  (error) => Promise.reject(error),
  (error) => ({ then: (_resolve, reject) => reject(error) }),
];

test("a request whose call of the store fails is a 503 with `retry-after`, whatever the store throws", async () => {
  const message = { role: "user", content: [{ type: "text", text: "count 1" }] };
  const question = { messageId: "m", role: "ROLE_USER", parts: [{ text: "count 1" }] };
  const call = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message: question } };
  for (const [path, body] of [
    ["/process", () => ({ session_id: crypto.randomUUID(), input: [message] })],
    ["/v1/responses", () => ({ model: "m", input: "count 1" })],
    ["/a2a", () => call],
  ]) {
    let failures = 0;
    for (let at = 0; at < 8; at++) {
      let calls = Number.NEGATIVE_INFINITY;
      const store = storeWith((_name, _values, _memory, run) =>
        calls++ === at ? FAILURES[at % 3](new TypeError("a secret of the store")) : run(),
      );
      const runs = answersOn(handlerStore(store), { onError: () => {} });
      await new Promise((resolve) => setTimeout(resolve, 5));
      calls = 0;
      const response = await runs(
        new Request(`http://h${path}`, {
          method: "POST",
          body: JSON.stringify(body()),
          headers: {
            authorization: "Bearer ann",
            "content-type": "application/json",
            "a2a-version": "1.0",
          },
        }),
      );
      const text = await response.text();
      assert.doesNotMatch(text, /secret/);
      if (response.status !== 200) {
        failures++;
        assert.equal(response.status, 503, `${path}, call ${at}: ${text}`);
        assert.ok(response.headers.has("retry-after"), path);
      }
      await runs.close();
    }
    assert.ok(failures > 1, path);
  }
});

test("a thread that is deleted while its run is about to be driven is no error", async () => {
  let seed = 1;
  // Each method takes some time, as that of a database.
  const store = storeWith(async (_name, _values, _memory, call) => {
    await new Promise((resolve) => setTimeout(resolve, (seed = (seed * 16807) % 2147483647) % 3));
    return call();
  });
  const errors = [];
  const runs = runsService({
    store: handlerStore(store),
    onError: (error) => errors.push(error),
  });
  const ask = (path, init) =>
    runs(
      new Request(URL_ + path, {
        ...init,
        headers: { authorization: "Bearer ann", "content-type": "application/json" },
      }),
    );
  await Promise.all(
    Array.from({ length: 15 }, async (_, at) => {
      for (let round = 0; round < 6; round++) {
        const run = request("count 1");
        assert.equal(
          (await ask("/runs", { method: "POST", body: JSON.stringify(run) })).status,
          202,
        );
        await new Promise((resolve) => setTimeout(resolve, at));
        assert.equal((await ask(`/runs/${run.threadId}`, { method: "DELETE" })).status, 200);
      }
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.deepEqual(errors, []);
  await runs.close();
});

test("an `onError` that throws, rejects or is a thenable does not end the process", async () => {
  const handlers = [
    () => full(),
    async () => full(),
    () => ({ then: (_, reject) => reject(new Error("no promise")) }),
  ];
  for (const onError of handlers) {
    const runs = runsService({
      store: memoryStore(),
      onError,
    });
    const run = request("fail");
    await runs(
      new Request(`${URL_}/runs`, {
        method: "POST",
        body: JSON.stringify(run),
        headers: { authorization: "Bearer ann", "content-type": "application/json" },
      }),
    );
    const text = await (
      await runs(
        new Request(`${URL_}/runs/${run.threadId}/events?runId=${run.runId}`, {
          headers: { authorization: "Bearer ann" },
        }),
      )
    ).text();
    assert.match(text, /AGENT_FAILED/);
    await runs.close();
  }
  assert.throws(
    () =>
      runsService({
        store: memoryStore(),
        onError: "log",
      }),
    {
      code: "wrong-option",
    },
  );
});
