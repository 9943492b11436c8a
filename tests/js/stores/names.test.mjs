// Names, ids and texts that databases do not store as they are: on each store they are what they
// are in memory, and different users are different.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { STORES, closeServers } from "../support/runs_stores.mjs";
import { randomOf } from "../support/random.mjs";
import { until } from "../support/until.mjs";

const PNG = Uint8Array.from("\x89PNG\r\n\x1a\n and more", (one) => one.charCodeAt(0));

/**
 * Texts of which several are equal to a database that ends a text at NUL, replaces unpaired
 * surrogates, or folds or normalizes texts.
 */
const TEXTS = [
  "al",
  "AL",
  "al ",
  " al",
  "al\0",
  "al\0x",
  "al\ufffd",
  "al\ud800",
  "al\ud801",
  "al\udfff",
  "\udc00al",
  "\u0001",
  "\u0001al",
  '\u0001"al"',
  '\u0001"al\\u0000"',
  "\u00e9",
  "e\u0301",
  "\ufeffal",
  "a\\u0000l",
  'a"l',
  "a'; DROP TABLE threads; --",
  "a\\",
  "a\nl",
  "a\r\nl",
  "%",
  "_",
  "*",
  "a:b",
  "a b",
  "__proto__",
  "constructor",
  "null",
  "0",
  "{}",
  "🙂",
  "\u202eal",
  "u".repeat(2046),
  `${"u".repeat(2045)}v`,
];
/** Ids and texts of messages have no such limit as names. */
const LONG = [2000, 2704, 8191, 60_000].map((length) =>
  Array.from({ length }, (_, at) => String.fromCharCode(97 + ((at * at + length) % 26))).join(""),
);

after(closeServers);

/** Asks a service as a user of any name. */
function clientOf(site) {
  const ask = (user, path, { headers, ...init } = {}) => {
    const send = () =>
      fetch(site.base + path, {
        ...init,
        headers: {
          "x-user": encodeURIComponent(JSON.stringify(user)),
          ...(typeof init.body === "string" && { "content-type": "application/json" }),
          ...headers,
        },
      });
    // The local runtime of Durable Objects loses connections.
    return send().catch(send);
  };
  /** Starts a run with these messages, and returns the ids and the joined deltas of its events. */
  const run = async (user, threadId, messages, more) => {
    const runId = crypto.randomUUID();
    const body = JSON.stringify({
      threadId,
      runId,
      messages,
      forwardedProps: { runtime_mode: "chat" },
      ...more,
    });
    let created;
    await until(
      async () =>
        ![409, 429].includes((created = await ask(user, "/runs", { method: "POST", body })).status),
      20,
    );
    assert.equal(created.status, 202, await created.clone().text());
    const text = await (await ask(user, `/runs/${threadId}/events?runId=${runId}`)).text();
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data));
    const ids = events.flatMap(({ type, messageId, toolCallId, toolCallName }) =>
      type.endsWith("START") ? [[type, messageId, toolCallId, toolCallName]] : [],
    );
    return { ids, delta: events.map(({ delta = "" }) => delta).join("") };
  };
  return { ask, run };
}

/**
 * A conversation whose texts and ids are random; returns everything that the service answers,
 * without random ids and times.
 */
async function conversation(site, program) {
  const { ask, run } = clientOf(site);
  const random = randomOf(program);
  const some = (texts) => texts[random(texts.length)];
  const any = () => some([...TEXTS, ...LONG]) + (random(3) === 0 ? some(TEXTS) : "");
  const user = some(TEXTS);
  const threadId = crypto.randomUUID();
  const answers = [];
  const ids = [];
  for (let turn = 0; turn < 4; turn++) {
    const [id, text, call] = [any(), any(), any()];
    ids.push(id, call);
    const own = some([id, "u"]);
    answers.push(
      await run(user, threadId, [
        { id: own, role: "user", content: `say ${JSON.stringify([text, id, call])}` },
      ]),
    );
    // The assistant's message is known by the id of its message or of its call; another id is
    // another message.
    const [messageId, callId] = [some(ids), some([...ids, ...TEXTS])];
    const repeated = {
      id: messageId,
      role: "assistant",
      toolCalls: [{ id: callId, type: "function", function: { name: "f", arguments: "{}" } }],
    };
    const result = { id: any(), role: "tool", toolCallId: callId, content: any() };
    answers.push(
      await run(
        user,
        threadId,
        [repeated, result, { id: any(), role: "user", content: "history" }],
        {},
      ),
    );
  }
  const { messages } = await (await ask(user, `/history?threadId=${threadId}`)).json();
  return [...answers, ...messages.map(({ seq: _, timestamp: __, ...message }) => message)].map(
    (one) => JSON.stringify(one).replace(/msg_[0-9a-f-]{36}/g, "m"),
  );
}

for (const [name, { open, skip = false }] of Object.entries(STORES).filter(
  ([, { isRust }]) => !isRust,
)) {
  describe(`names and texts: ${name}`, { skip }, () => {
    let site;
    let memory;
    before(async () => {
      [site, memory] = await Promise.all([open({}), STORES.memory.open({})]);
    });
    after(() => Promise.all([site?.close(), memory?.close()]));

    test("different users own different threads, and each has its own latest thread", async () => {
      const { ask, run } = clientOf(site);
      const threads = [];
      for (const user of TEXTS) {
        const threadId = crypto.randomUUID();
        const { delta } = await run(user, threadId, [
          { id: "u", role: "user", content: "history" },
        ]);
        assert.equal(JSON.parse(delta).user, user, "the agent receives the name unchanged");
        threads.push(threadId);
      }
      for (const [at, user] of TEXTS.entries()) {
        assert.equal(
          (await (await ask(user, "/history")).json()).threadId,
          threads[at],
          JSON.stringify(user),
        );
        const others = TEXTS.map((_, other) => other).filter(
          (other) => other !== at && Math.abs(other - at) < 6,
        );
        const statuses = await Promise.all(
          others.map(
            async (other) => (await ask(TEXTS[other], `/history?threadId=${threads[at]}`)).status,
          ),
        );
        assert.deepEqual(
          statuses,
          others.map(() => 403),
          JSON.stringify(user),
        );
      }
    });

    test("limits and attachments of a user are not those of another", async () => {
      const { ask } = clientOf(site);
      const upload = async (user) => {
        const body = new FormData();
        body.set("threadId", crypto.randomUUID());
        body.set("file", new Blob([PNG], { type: "image/png" }), "a.png");
        const encoded = new Response(body);
        const bytes = await encoded.arrayBuffer();
        const response = await ask(user, "/attachments", {
          method: "POST",
          body: bytes,
          headers: { "content-type": encoded.headers.get("content-type") },
        });
        return (await response.json()).attachment;
      };
      const folders = new Set();
      for (const user of TEXTS) folders.add((await upload(user)).path.split("/")[0]);
      assert.equal(folders.size, TEXTS.length);
    });

    test("ids and texts are those of the memory store", async () => {
      for (let program = 0; program < 6; program++) {
        const [expected, answers] = [
          await conversation(memory, program),
          await conversation(site, program),
        ];
        assert.deepEqual(answers, expected, `program ${program}`);
      }
    });
  });
}
