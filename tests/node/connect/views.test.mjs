// The messages of a chat for every stream of the corpus, at every update: the AI SDK accepts them, visible content stays visible, and
// unchanged parts are the same objects.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import * as ai6 from "ai";
import { DIALECTS } from "../../../pkg/dist/generated/registry/dialects.js";
import * as agentwire from "../../../pkg/dist/entries/agentwire/browser.js";
import { cases } from "../support/cases.mjs";

const { resolve } = createRequire(createRequire(import.meta.url).resolve("ai-sdk-react-4"));
const ai7 = await import(resolve("ai"));

before(() => agentwire.init(readFile(new URL("../../../pkg/dist/agentwire.wasm", import.meta.url))));

/** The most updates of one stream whose messages are validated. */
const MOST = 60;
const USER = { id: "u", parts: [{ type: "text", text: "Hi" }] };
const exchange = (status, snapshot, replies = []) => ({ id: "a", user: USER, status, snapshot, replies });

async function accepted(messages) {
  const given = messages.map((message) => ({ ...message }));
  for (const { validateUIMessages, convertToModelMessages } of [ai6, ai7]) {
    await validateUIMessages({ messages: given });
    await convertToModelMessages(given);
  }
}

/** Returns the chunks of a stream: one per line, at most. */
function* chunksOf(stream) {
  for (let start = 0; start < stream.length; ) {
    const end = stream.indexOf(10, start) + 1 || stream.length;
    yield stream.subarray(start, end);
    start = end;
  }
}

/** Returns the part after `from` that a part has become; undefined if it is gone. */
function successor({ type, text, toolCallId }, parts, from) {
  const at = parts.findIndex((part, index) => index >= from && (text === undefined ? part.type === type && part.toolCallId === toolCallId : part.type === type && part.text.startsWith(text)));
  return at < 0 ? undefined : at;
}

/** The objects of a snapshot that parts are made of. */
const UNITS = {
  "agent-api": ({ output }) => output.flatMap(({ content }) => content.flatMap((each) => (each.data == null ? [each] : [each.data]))),
  "ag-kit": ({ parts }) => parts,
  responses: ({ output }) => output.flatMap((item) => [item, ...(item.content ?? []), ...(item.summary ?? [])]),
  a2a: ({ task, message }) => [...(task?.artifacts ?? []), ...(task?.history ?? []), task?.status?.message ?? {}, message ?? {}].flatMap(({ parts = [] }) => parts),
  "ai-sdk": ({ parts }) => parts,
  "ag-ui": ({ messages }) => messages.flatMap((message) => [message, ...(message.toolCalls ?? [])]),
};

function mustStay(parts, next) {
  let from = 0;
  for (const part of parts) {
    // Progress is replaced by the next one.
    if (part.type === "data-status") continue;
    const at = successor(part, next, from);
    assert.notEqual(at, undefined, `${JSON.stringify(part)} is gone: ${JSON.stringify(next)}`);
    from = at + 1;
  }
}

for (const { path, protocol, options, stream, violations } of await cases()) {
  const dialect = DIALECTS[protocol];
  if (dialect === undefined) {
    continue;
  }
  test(`${path}: messages`, async () => {
    const view = dialect.view(new Set(["get_weather"]));
    const decoder = new agentwire.Decoder({ protocol, ...options });
    // What violates the protocol may also be taken back.
    const mayRetract = JSON.parse(violations).length > 0;
    let [shown, checked, units] = [[], 0, new Set()];
    const look = async (status, snapshot) => {
      const messages = view([exchange(status, snapshot)]);
      if (messages === shown) {
        return;
      }
      const [now, then] = [messages, shown].map((each) => each.find(({ role }) => role === "assistant")?.parts ?? []);
      mayRetract || mustStay(then, now);
      const list = UNITS[protocol](snapshot);
      const created = now.filter((part, at) => part !== then[at] && isDeepStrictEqual(part, then[at]));
      const fresh = list.filter((unit) => !units.has(unit));
      assert.ok(created.length <= fresh.length, `${created.length} equal parts are other objects, and ${fresh.length} objects have changed`);
      units = new Set(list);
      JSON.stringify(messages);
      if (checked++ < MOST || status !== "streaming") {
        await accepted(messages);
      }
      shown = messages;
    };
    for (const chunk of chunksOf(stream)) {
      decoder.push(chunk);
      const { snapshot } = decoder;
      snapshot && (await look("streaming", snapshot));
    }
    const { snapshot } = decoder.finish();
    for (const status of ["streaming", "stopped", "done"]) {
      await look(status, snapshot);
    }
    const parts = shown.flatMap((message) => message.parts);
    assert.deepEqual(parts.filter(({ state }) => state === "streaming"), []);
    const again = dialect.view(new Set(["get_weather"]))([exchange("done", snapshot)]);
    assert.deepEqual(again, shown);
    assert.equal(dialect.view(new Set())([exchange("done", JSON.parse(agentwire.stringifyJson(snapshot)))]).length, again.length);
  });
}
