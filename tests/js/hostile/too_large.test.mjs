// Values that JavaScript cannot hold: a string that is too long for the engine, bytes that do not
// fit into memory. Only the call fails, and the module continues. The tests throw the exceptions of
// the engine themselves, because a real one needs gigabytes.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { bind } from "../../../pkg/build/agentwire.js";
import { core, load } from "../../../pkg/build/core/wasm.js";
import { ALL } from "../../../pkg/build/generated/registry/protocols.js";
import * as agentwire from "../../../pkg/build/index.js";
import * as server from "../../../pkg/build/server.js";
import { Events, shortRun } from "../node/support/events.mjs";
import { outcomeOf } from "../node/support/runs.mjs";
import { body } from "../node/support/sources.mjs";

const { AgentwireError, Converter, Decoder, EventDecoder, read } = agentwire;
const { agentApiAdapter, createHandler, parseRequest } = server;

// As in a page: texts are read by a `TextDecoder`, which the tests replace.
await load(bind, ALL, () => readFile(new URL(import.meta.resolve("agentwire/agentwire.wasm"))));

const request = JSON.stringify({
  input: [{ role: "user", content: [{ type: "text", text: "?" }] }],
});
const ask = (body) =>
  new Request("http://h/process", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });

/** Exceptions that engines throw where a string or a buffer is too large. */
const EXCEPTIONS = {
  "a string that is too long, in Node": () =>
    Object.assign(new Error("Cannot create a string longer than 0x1fffffe8 characters"), {
      code: "ERR_STRING_TOO_LONG",
    }),
  "a string that is too long, in browsers": () => new RangeError("Invalid string length"),
  "an allocation that fails": () => new RangeError("Array buffer allocation failed"),
  "a TextDecoder that fails": () =>
    new TypeError("The encoded data was not valid for encoding utf-8"),
};

/** Calls `work` while no text can be decoded. */
function undecodable(exception, work) {
  const { decode } = TextDecoder.prototype;
  TextDecoder.prototype.decode = () => {
    throw exception();
  };
  try {
    return work();
  } finally {
    TextDecoder.prototype.decode = decode;
  }
}

const tooLarge = (error) => {
  assert.ok(error instanceof AgentwireError, String(error?.stack));
  assert.equal(error.code, "too-large", String(error.stack));
  assert.ok(error.cause instanceof Error);
  return true;
};

for (const [name, exception] of Object.entries(EXCEPTIONS)) {
  test(`${name}: only the call fails, and another stream of the instance completes`, async () => {
    const { bindings } = core();
    let goOn;
    const handler = createHandler({
      adapters: [agentApiAdapter()],
      agent: async (out) => {
        const text = out.message().text();
        await text.delta("a");
        await new Promise((resolve) => (goOn = resolve));
        await text.delta("b");
      },
    });
    const other = await handler(ask(request));
    const reading = outcomeOf(other);
    while (goOn === undefined) {
      await new Promise(setImmediate);
    }
    const decoder = new Decoder();
    shortRun()
      .slice(0, 2)
      .forEach((chunk) => decoder.push(chunk));
    for (let round = 0; round < 20; round++) {
      undecodable(exception, () =>
        assert.throws(() => parseRequest("agent-api", request), tooLarge),
      );
    }
    assert.equal(parseRequest("agent-api", request).input.length, 1);
    goOn();
    const { snapshot: response, report } = await reading;
    assert.equal(response.status, "completed");
    assert.equal(response.output[0].content[0].text, "ab");
    assert.equal(report.endReason, "completed");
    shortRun()
      .slice(2)
      .forEach((chunk) => decoder.push(chunk));
    assert.equal(decoder.finish().report.endReason, "completed");
    assert.equal(core().bindings, bindings, "the instance is the same");
  });
}

test("a decoder that has lost a patch fails from then on, and keeps its snapshot", async () => {
  const { bindings } = core();
  const text = new Events().text("m", 0, "x".repeat(200_000));
  const chunks = shortRun();
  const decoder = new Decoder();
  chunks.slice(0, 2).forEach((chunk) => decoder.push(chunk));
  const { snapshot } = decoder;
  undecodable(EXCEPTIONS["an allocation that fails"], () =>
    assert.throws(() => decoder.push(text), tooLarge),
  );
  for (const call of [
    () => decoder.push(chunks[2]),
    () => decoder.report,
    () => decoder.finish(),
    () => decoder.abort(),
  ]) {
    assert.throws(call, tooLarge);
  }
  assert.equal(decoder.snapshot, snapshot);
  decoder.free();

  const { decode } = TextDecoder.prototype;
  const { stream } = body([...chunks.slice(0, 2), text, ...chunks.slice(2)], {
    onPull: (pulled) => {
      if (pulled === 2) {
        TextDecoder.prototype.decode = () => {
          throw EXCEPTIONS["an allocation that fails"]();
        };
      }
    },
  });
  await assert
    .rejects(read(stream).finished(), tooLarge)
    .finally(() => (TextDecoder.prototype.decode = decode));
  assert.equal(core().bindings, bindings);
});

test("events and converted bytes that JavaScript cannot hold fail one call with a typed error", () => {
  const { bindings } = core();
  const events = new EventDecoder();
  const long = new Events().text("m", 0, "x".repeat(10_000));
  undecodable(EXCEPTIONS["an allocation that fails"], () =>
    assert.throws(() => events.push(long), tooLarge),
  );
  assert.equal(events.push(long).length, 1);
  const converter = new Converter({ from: "agent-api", to: "ag-kit" });
  const { slice } = Uint8Array.prototype;
  Object.getPrototypeOf(Uint8Array.prototype).slice = () => {
    throw EXCEPTIONS["an allocation that fails"]();
  };
  try {
    assert.throws(() => converter.push(shortRun()[0]), tooLarge);
  } finally {
    Object.getPrototypeOf(Uint8Array.prototype).slice = slice;
  }
  assert.match(new TextDecoder().decode(converter.abort()), /\[DONE\]/);
  assert.equal(core().bindings, bindings);
});
