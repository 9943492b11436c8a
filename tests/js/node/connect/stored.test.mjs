// Stored conversations that do not fit: `onError` and an empty conversation, in every protocol and
// for every poisoned value.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError } from "agentwire";
import { PROTOCOLS, opened, storageOf } from "./agents.mjs";

/** Opens the conversation in a storage, and sends a message. */
async function open(protocol, text, persist = {}) {
  const errors = [];
  const { chat } = opened(protocol, {
    persist: {
      key: "chat",
      storage: storageOf(text),
      onError: (error) => errors.push(error),
      ...persist,
    },
  });
  const { messages } = await chat.finished();
  assert.notEqual(chat.send("Hello").messageId, undefined);
  const { status, error } = await chat.finished();
  return { messages, status, error, errors, chat };
}

/** A conversation with a call, an approval and a stopped answer, as it is stored. */
async function stored(protocol) {
  const storage = storageOf();
  const { chat } = opened(protocol, {
    tools: { paint: { execute: ({ color }) => color } },
    persist: { key: "chat", storage },
  });
  for (const text of ["Hi", "Paint it.", "Delete all."]) {
    const { pending } = await chat.send(text).finished();
    for (const part of pending) {
      if (part.state === "approval-requested") {
        chat.approve(part.approval.id);
      } else {
        chat.answer(part.toolCallId, "done");
      }
    }
    await chat.finished();
  }
  return storage.items.get("chat");
}

const POISONS = [null, true, 5, "poison", [], [null], {}, { id: 5 }];

/**
 * Texts in which one value is replaced or removed: each value by three of these, or by all with
 * `PROGRAMS`.
 */
function* poisoned(text) {
  const places = [];
  const visit = (value, path) => {
    if (path.length > 0) {
      places.push(path);
    }
    if (value !== null && typeof value === "object") {
      Object.keys(value).forEach((name) => visit(value[name], [...path, name]));
    }
  };
  visit(JSON.parse(text), []);
  const all = [undefined, ...POISONS];
  for (const [at, path] of places.entries()) {
    for (const poison of all.filter(
      (_, which) => process.env.PROGRAMS > 200 || which % 3 === at % 3,
    )) {
      const copy = JSON.parse(text);
      const holder = path.slice(0, -1).reduce((value, name) => value[name], copy);
      if (poison === undefined) {
        if (Array.isArray(holder)) {
          holder.splice(Number(path.at(-1)), 1);
        } else {
          delete holder[path.at(-1)];
        }
      } else {
        holder[path.at(-1)] = poison;
      }
      yield { about: `${path.join(".")} = ${JSON.stringify(poison)}`, text: JSON.stringify(copy) };
    }
  }
  yield* POISONS.map((poison) => ({ about: JSON.stringify(poison), text: JSON.stringify(poison) }));
}

for (const protocol of Object.keys(PROTOCOLS)) {
  test(`${protocol}: a poisoned conversation never throws, and the next message is sent`, async () => {
    const whole = await stored(protocol);
    const { messages, status, errors } = await open(protocol, whole);
    assert.deepEqual([messages.length >= 6, status, errors], [true, "ready", []]);
    let refused = 0;
    for (const { about, text } of poisoned(whole)) {
      const { messages, status, error, errors, chat } = await open(protocol, text);
      // What has the right types may still be refused by the server.
      const isFine =
        status === "ready" || error.code === "http-status" || /^-32\d{3}$/.test(error.code);
      assert.ok(
        isFine && errors.length <= 1,
        `${about}: ${status} ${error?.code} ${error?.message}`,
      );
      assert.ok(
        errors.every((error) => error instanceof AgentwireError && messages.length === 0),
        `${about}: ${errors[0]?.stack}`,
      );
      assert.ok(
        chat.getSnapshot().messages.some(({ parts }) => parts[0]?.text === "Hello"),
        `${about}: the message is shown`,
      );
      refused += errors.length;
    }
    assert.ok(refused > 50, `${refused}`);
  });

  test(`${protocol}: the conversation of another protocol, and of another version, is refused`, async () => {
    for (const other of Object.keys(PROTOCOLS).filter((other) => other !== protocol)) {
      const { messages, status, errors } = await open(protocol, await stored(other));
      assert.deepEqual(
        [messages, status, errors.map(({ code }) => code)],
        [[], "ready", ["wrong-argument"]],
        other,
      );
    }
    const { messages, errors } = await open(
      protocol,
      JSON.stringify({ ...JSON.parse(await stored(protocol)), version: 2 }),
    );
    assert.deepEqual(
      [messages, errors.map(({ message }) => message)],
      [[], ["the stored conversation has another version"]],
    );
  });
}

test("loads that reject, and an `onError` that throws, do not throw either", async () => {
  const failing = () => {
    throw new Error("onError");
  };
  const log = console.error;
  const logged = [];
  console.error = (...given) => logged.push(given);
  try {
    for (const load of [
      () => 5,
      async () => 5,
      async () => Promise.reject(new Error("no")),
      () => failing(),
      () => ({ id: "", exchanges: [] }),
    ]) {
      const { messages, status } = await open("ag-ui", undefined, {
        key: undefined,
        storage: undefined,
        load,
        save: () => {},
        onError: failing,
      });
      assert.deepEqual([messages, status], [[], "ready"]);
    }
  } finally {
    console.error = log;
  }
  assert.equal(logged.length, 5);
});

test("null instead of an absent property is accepted", async () => {
  const exchange = {
    id: "x",
    user: { id: "u", parts: [{ type: "text", text: "hi" }] },
    snapshot: null,
    status: "stopped",
    replies: [],
    error: null,
    isCut: null,
    resumeUrl: null,
  };
  const { messages, errors } = await open(
    "responses",
    JSON.stringify({ version: 1, protocol: "responses", id: "a", exchanges: [exchange] }),
  );
  assert.deepEqual(
    [messages.map(({ status, parts }) => [status, parts[0].text]), errors],
    [[["stopped", "hi"]], []],
  );
});
