// The other readers and writers after a call into the module fails: because memory is exhausted, by
// a panic, or by a trap.
// The package needs no hook for this: the tests exhaust memory from outside, and pass a wrong
// address to a call.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as agentwire from "../../../pkg/build/entries/agentwire.js";
import * as server from "../../../pkg/build/entries/server.js";
import { core } from "../../../pkg/build/core/wasm.js";
import { concat, shortRun } from "../node/support/events.mjs";
import { body, settled, updatesOf } from "../node/support/sources.mjs";
import { derail, exhaust, panic } from "./breaking.mjs";

const { AgentwireError, Converter, Decoder, read } = agentwire;
const { AgentApiStreamBuilder, EventWriter, parseRequest } = server;

const PAGE = 64 * 1024;
const textOf = (response) => response.output[0]?.content[0]?.text;
const chunks = shortRun();
const whole = concat(chunks);
const expected = (() => {
  const decoder = new Decoder();
  decoder.push(whole);
  return textOf(decoder.finish().snapshot);
})();
const request = JSON.stringify({
  input: [{ role: "user", content: [{ type: "text", text: "?" }] }],
});

/** An event too long for the remaining memory. */
const long = new TextEncoder().encode(
  `data: {"object":"response","id":"${"x".repeat(32 * 1024 * 1024)}`,
);

const trapped = (error) => {
  assert.ok(error instanceof AgentwireError, String(error?.stack));
  assert.equal(error.code, "core-trapped", String(error.stack));
  return true;
};

/** A reader that has read its first text. */
function startedDecoder() {
  const decoder = new Decoder();
  chunks.slice(0, 2).forEach((chunk) => decoder.push(chunk));
  return decoder;
}

/**
 * Asserts that the decoder reads the rest correctly or throws; returns whether it could read the
 * rest.
 */
function readsRest(decoder) {
  try {
    chunks.slice(2).forEach((chunk) => decoder.push(chunk));
    const { snapshot: response, report } = decoder.finish();
    assert.equal(textOf(response), expected);
    assert.deepEqual(report.violations, []);
    assert.equal(report.endReason, "completed");
    return true;
  } catch (error) {
    trapped(error);
    assert.equal(textOf(error.outcome.snapshot), textOf(decoder.snapshot));
    return false;
  }
}

/** Asserts that all new readers and writers work. */
function assertNewReadersWork() {
  assert.ok(agentwire.ready());
  assert.ok(readsRest(startedDecoder()));
  const converter = new Converter({ from: "agent-api", to: "ag-kit" });
  assert.match(
    new TextDecoder().decode(concat([converter.push(whole), converter.finish()])),
    /\[DONE\]/,
  );
  assert.equal(new AgentApiStreamBuilder().finishWith("completed").length, 3);
  assert.equal(parseRequest("agent-api", request).input.length, 1);
}

beforeEach(assertNewReadersWork);

test("a decoder that runs out of memory fails; others continue or report the loss, and new ones work", () => {
  const others = Array.from({ length: 5 }, startedDecoder);
  const greedy = startedDecoder();
  exhaust();
  assert.throws(
    () => greedy.push(long),
    (error) => {
      assert.equal(textOf(error.outcome.snapshot), textOf(greedy.snapshot));
      return trapped(error);
    },
  );
  assertNewReadersWork();
  // They need no large allocation, so they continue.
  assert.deepEqual(others.map(readsRest), [true, true, true, true, true]);
  assertNewReadersWork();
  // A failed decoder throws the same error again, and can be freed.
  assert.throws(() => greedy.push(whole), trapped);
  assert.throws(() => greedy.finish(), trapped);
  assert.throws(() => greedy.abort(), trapped);
  assert.throws(() => greedy.report, trapped);
  greedy.free();
});

test("after a panic other decoders continue, and after a second one in their instance they report the loss", () => {
  for (const [panics, sound] of [
    [1, true],
    [2, false],
  ]) {
    const others = Array.from({ length: 5 }, startedDecoder);
    const broken = Array.from({ length: panics }, startedDecoder);
    const { bindings } = core();
    const { push } = bindings.RawReader.prototype;
    for (const decoder of broken) {
      bindings.RawReader.prototype.push = () => new bindings.Exchange(2 ** 32 - 1);
      assert.throws(() => decoder.push(whole), trapped);
      bindings.RawReader.prototype.push = push;
    }
    assertNewReadersWork();
    assert.deepEqual(
      others.map(readsRest),
      others.map(() => sound),
      `${panics} panics`,
    );
    assertNewReadersWork();
  }
});

test("after a panic in the next instance, the decoders of the one before report the loss", () => {
  const first = startedDecoder();
  panic("RawReader", "push");
  assert.throws(() => startedDecoder().push(whole), trapped);
  const second = startedDecoder();
  panic("RawReader", "push");
  assert.throws(() => startedDecoder().push(whole), trapped);
  assert.deepEqual([first, second].map(readsRest), [false, true]);
  assertNewReadersWork();
});

test("after use of a freed object, other decoders continue", () => {
  const others = Array.from({ length: 5 }, startedDecoder);
  const broken = startedDecoder();
  const { bindings, exchange } = core();
  const { push } = bindings.RawReader.prototype;
  const freed = { __wbg_ptr: 0 };
  bindings.RawReader.prototype.push = () => push.call(freed, exchange.raw, 0, 1);
  assert.throws(() => broken.push(whole), trapped);
  bindings.RawReader.prototype.push = push;
  assertNewReadersWork();
  assert.deepEqual(others.map(readsRest), [true, true, true, true, true]);
  assertNewReadersWork();
});

test("after a call that may have corrupted memory, all decoders of the instance fail", () => {
  const others = Array.from({ length: 5 }, startedDecoder);
  const broken = startedDecoder();
  const { memory } = core();
  derail("RawReader", "push", (memory.buffer.byteLength + 8 * PAGE) | 0);
  assert.throws(() => broken.push(whole), trapped);
  assertNewReadersWork();
  assert.deepEqual(others.map(readsRest), [false, false, false, false, false]);
  others.forEach((other) => other.free());
  assertNewReadersWork();
});

test("a run that traps rejects with its outcome so far, in the loop and in finished()", async () => {
  const { stream, log } = body([...chunks.slice(0, 3), long, "never"], {
    onPull: (pulled) => pulled === 3 && exhaust(),
  });
  const other = read(body(chunks).stream);
  const run = read(stream);
  const seen = [];
  await assert.rejects(async () => {
    for await (const update of run) {
      seen.push(textOf(update.snapshot));
    }
  }, trapped);
  assert.equal(seen.length, 3);
  await assert.rejects(run.finished(), (error) => {
    assert.equal(textOf(error.outcome.snapshot), seen[2]);
    assert.equal(error.outcome.protocol, "agent-api");
    return trapped(error);
  });
  await settled();
  assert.ok(log.canceled, "the body is canceled");
  await other
    .finished()
    .then(({ snapshot: response }) => assert.equal(textOf(response), expected), trapped);
  assert.equal(textOf((await read(body(chunks).stream).finished()).snapshot), expected);
});

test("a run that traps at its end rejects, also if it is not iterated or is canceled", async () => {
  const end = { release: undefined };
  const openStream = () => {
    const held = new Promise((resolve) => (end.release = resolve));
    return body([...chunks.slice(0, 3), held]).stream;
  };
  for (const finish of [() => end.release(whole), (run) => void run.cancel().catch(() => {})]) {
    const run = read(openStream());
    const done = run.finished();
    await settled();
    derail("RawReader", "finish", 0);
    finish(run);
    await assert.rejects(done, trapped);
    await assert.rejects(() => updatesOf(read(body([chunks[0]]).stream)).then(() => done), trapped);
  }
});

test("a trapped converter or builder throws typed errors in every later call", () => {
  const converter = new Converter({ from: "agent-api", to: "ag-kit" });
  converter.push(chunks[0]);
  panic("RawConverter", "push");
  assert.throws(() => converter.push(chunks[1]), trapped);
  assertNewReadersWork();
  assert.throws(() => converter.push(chunks[2]), trapped);
  assert.throws(() => converter.finish(), trapped);
  converter.free();

  const response = new AgentApiStreamBuilder();
  response.created();
  response.inProgress();
  const message = response.createMessageBuilder();
  message.inProgress();
  const content = message.createContentBuilder("text");
  const other = new EventWriter({ protocol: "ag-kit" });
  panic("RawContentBuilder", "pieceTemplate");
  assert.throws(() => content.addTextDelta("a"), trapped);
  for (const call of [
    () => content.complete(),
    () => message.complete(),
    () => response.finishWith("failed"),
  ]) {
    assert.throws(call, trapped);
  }
  [content, message, response].forEach((builder) => builder.free());
  assertNewReadersWork();
  assert.match(other.write({ type: "text", content: "hello" }), /"content":"hello"/);
});

test("a run whose writer has trapped is closed without a terminal event, and onError is called", async () => {
  const reported = [];
  const agent = async (out) => {
    const text = out.message().text();
    await text.delta("a");
    // Deltas are written without the core, which receives them when the text ends.
    panic("RawContentBuilder", "addWritten");
    await text.delta("b");
  };
  const response = server.respond(
    {},
    { protocol: "agent-api", onError: (error) => void reported.push(error) },
    agent,
  );
  const outcome = await read(response).finished();
  assert.equal(outcome.report.endReason, "truncated");
  assert.equal(textOf(outcome.snapshot), "ab");
  assert.ok(reported.length > 0);
  reported.forEach(trapped);
  assertNewReadersWork();
});

test("a request that traps throws a typed error", () => {
  const { bindings } = core();
  const other = startedDecoder();
  exhaust();
  assert.throws(
    () => parseRequest("agent-api", `{"input":"${"x".repeat(32 * 1024 * 1024)}"}`),
    trapped,
  );
  assert.notEqual(core().bindings, bindings);
  readsRest(other);
});

test("if an instance cannot be created synchronously, calls throw until init() resolves", async () => {
  const { Instance } = WebAssembly;
  const other = startedDecoder();
  panic("RawReader", "push");
  assert.throws(() => startedDecoder().push(whole), trapped);
  // As in pages of older browsers, which reject a large synchronous compilation.
  WebAssembly.Instance = class {
    constructor() {
      throw new RangeError("WebAssembly.Instance is disallowed on the main thread");
    }
  };
  try {
    assert.equal(agentwire.ready(), false);
    assert.throws(() => new Decoder(), trapped);
    assert.throws(() => parseRequest("agent-api", request), trapped);
    await agentwire.init("not looked at: it was initialised before");
    assertNewReadersWork();
  } finally {
    WebAssembly.Instance = Instance;
  }
  assert.ok(readsRest(other) === false, "the instance was discarded to free memory");
});

test("a stack overflow throws to the caller or traps, and new decoders work", () => {
  const decoder = startedDecoder();
  const errors = [];
  const recurse = () => {
    try {
      recurse();
    } catch {
      // On the way back up, from where nothing fits to where everything does.
      try {
        decoder.push(chunks[3]);
      } catch (error) {
        errors.push(error);
      }
      throw errors;
    }
  };
  assert.throws(recurse);
  assert.ok(errors.length > 0);
  for (const error of errors) {
    assert.ok(error instanceof RangeError || trapped(error));
  }
  assertNewReadersWork();
});

test("an instance is garbage-collected when all its users have failed", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const others = Array.from({ length: 5 }, startedDecoder);
  const broken = startedDecoder();
  const instance = new WeakRef(core().memory);
  derail("RawReader", "push", -PAGE);
  assert.throws(() => broken.push(whole), trapped);
  await settled();
  collect();
  assert.equal(instance.deref(), undefined, "though the readers are held");
  assert.deepEqual([broken, ...others].map(readsRest), [false, false, false, false, false, false]);
});

test("after 200 traps a new instance works", () => {
  for (let round = 0; round < 200; round++) {
    const others = Array.from({ length: 3 }, startedDecoder);
    const broken = startedDecoder();
    if (round % 2 === 0) {
      panic("RawReader", "push");
    } else {
      derail("RawReader", "push", -PAGE);
    }
    assert.throws(() => broken.push(whole), trapped);
    others.forEach(readsRest);
  }
  assertNewReadersWork();
});
