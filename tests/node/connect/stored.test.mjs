// Stored conversations that do not fit: `onError` and an empty conversation, in every protocol and for every poisoned value.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError } from "agentwire";
import { createConversation } from "agentwire/store";
import { PROTOCOLS, connected } from "./agents.mjs";

const storageOf = (text) => {
  const items = new Map(text === undefined ? [] : [["chat", text]]);
  return { items, getItem: (key) => items.get(key) ?? null, setItem: (key, value) => items.set(key, value), removeItem: (key) => items.delete(key) };
};

/** Opens the conversation in a storage, and sends a message. */
async function open(protocol, text, persist = {}) {
  const errors = [];
  const { agent } = connected(protocol);
  const conversation = createConversation(agent, { persist: { key: "chat", storage: storageOf(text), onError: (error) => errors.push(error), ...persist } });
  await conversation.finished();
  const { turns } = conversation.getSnapshot();
  assert.equal(conversation.send("Hello"), true);
  const { status, error } = await conversation.finished();
  return { turns, status, error, errors };
}

/** A conversation with a call, an approval and a stopped turn, as it is stored. */
async function stored(protocol) {
  const storage = storageOf();
  const { agent } = connected(protocol, { tools: { paint: { execute: ({ color }) => color } } });
  const conversation = createConversation(agent, { persist: { key: "chat", storage } });
  for (const text of ["Hi", "Paint it.", "Delete all."]) {
    conversation.send(text);
    const { pending } = await conversation.finished();
    for (const { id, kind } of pending) {
      kind === "call" ? conversation.answer(id, "done") : conversation.approve(id);
    }
    await conversation.finished();
  }
  return storage.items.get("chat");
}

const POISONS = [null, true, 5, "poison", [], [null], {}, { id: 5 }];

/** Texts in which one value is replaced or removed: each value by three of these, or by all with `PROGRAMS`. */
function* poisoned(text) {
  const places = [];
  const visit = (value, path) => {
    path.length > 0 && places.push(path);
    if (value !== null && typeof value === "object") {
      Object.keys(value).forEach((name) => visit(value[name], [...path, name]));
    }
  };
  visit(JSON.parse(text), []);
  const all = [undefined, ...POISONS];
  for (const [at, path] of places.entries()) {
    for (const poison of all.filter((_, which) => process.env.PROGRAMS || which % 3 === at % 3)) {
      const copy = JSON.parse(text);
      const holder = path.slice(0, -1).reduce((value, name) => value[name], copy);
      if (poison === undefined) {
        Array.isArray(holder) ? holder.splice(Number(path.at(-1)), 1) : delete holder[path.at(-1)];
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
    const { turns, status, errors } = await open(protocol, whole);
    assert.deepEqual([turns.length >= 3, status, errors], [true, "done", []]);
    let refused = 0;
    for (const { about, text } of poisoned(whole)) {
      const { turns, status, error, errors } = await open(protocol, text);
      // What has the right types may still be refused by the server.
      const isFine = status === "done" || error.code === "http-status" || /^-32\d{3}$/.test(error.code);
      assert.ok(isFine && errors.length <= 1, `${about}: ${status} ${error?.code} ${error?.message}`);
      assert.ok(errors.every((error) => error instanceof AgentwireError && turns.length === 0), `${about}: ${errors[0]?.stack}`);
      refused += errors.length;
    }
    assert.ok(refused > 50, `${refused}`);
  });

  test(`${protocol}: the conversation of another protocol is refused`, async () => {
    for (const other of Object.keys(PROTOCOLS).filter((other) => other !== protocol)) {
      const { turns, status, errors } = await open(protocol, await stored(other));
      assert.deepEqual([turns, status, errors.map(({ code }) => code)], [[], "done", ["wrong-argument"]], other);
    }
  });

  test(`${protocol}: the option \`state\` of \`connect\` with poisoned turns is an error of the call`, async () => {
    const { connect, more } = PROTOCOLS[protocol];
    for (const turns of [null, {}, [null], [5], [{}], [{ message: 5, answers: [], status: "done" }], [{ message: "a", answers: [], status: "done", snapshot: {} }]]) {
      const state = { protocol, id: "a", turns };
      assert.throws(() => connect("http://agent.test/", { ...more, state }), { name: "AgentwireError", code: "wrong-option" }, JSON.stringify(turns));
    }
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
    for (const load of [() => 5, async () => 5, async () => Promise.reject(new Error("no")), () => failing(), () => ({ id: "", turns: [] })]) {
      const { turns, status } = await open("ag-ui", undefined, { key: undefined, storage: undefined, load, save: () => {}, onError: failing });
      assert.deepEqual([turns, status], [[], "done"]);
    }
  } finally {
    console.error = log;
  }
  assert.equal(logged.length, 5);
});

test("null instead of an absent property is accepted", async () => {
  const { turns, errors } = await open("responses", '{"id":"a","turns":[{"message":"hi","answers":[],"snapshot":null,"status":"aborted"}]}');
  assert.deepEqual([turns.map(({ message, snapshot }) => [message, snapshot]), errors], [[["hi", undefined]], []]);
});
