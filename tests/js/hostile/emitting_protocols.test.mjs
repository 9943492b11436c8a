// Custom protocols whose functions throw: all other output is written, and no process dies.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, Converter, defineProtocol, read } from "agentwire";
import { respond } from "agentwire/server";
import { THROWN, coded, fails, nobody } from "./thrown.mjs";
import { until } from "../support/until.mjs";
import { unhandledIn } from "./unhandled.mjs";

const line = (step) =>
  JSON.stringify(step.type === "text" ? { say: step.piece } : { at: step.type });
const breaking = (at, more = {}) =>
  defineProtocol({
    name: "breaking",
    encode(step, emit) {
      if (step.type === at) {
        throw new RangeError(`no word for ${at}`);
      }
      emit(line(step));
    },
    ...more,
  });

test("an encode() that throws fails the run, and the remaining steps are written", async () => {
  for (const [at, last] of [
    ["start", "end"],
    ["open", "end"],
    ["text", "end"],
    ["end-part", "end"],
    // If the end cannot be written, the last step is the one before it.
    ["end", "close"],
  ]) {
    const received = [];
    const unhandled = await unhandledIn(async () => {
      const onError = (error) => void received.push([error.code, error.cause?.name]);
      const answer = respond(nobody, { protocol: breaking(at), onError }, async (out) => {
        const text = out.message().text();
        await text.delta("a");
        await text.delta("b");
      });
      const lines = (await answer.text())
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      assert.equal(lines.at(-1).at, last, at);
    });
    assert.deepEqual(unhandled, [], at);
    assert.deepEqual(received[0], ["protocol-threw", "RangeError"], at);
  }
});

test("a heartbeat that encode() cannot write does not end the process", async () => {
  const received = [];
  let isWritten = false;
  const protocol = defineProtocol({
    name: "breaking",
    encode(step, emit) {
      if (step.type === "heartbeat") {
        isWritten = true;
        throw new RangeError("no word for heartbeat");
      }
      emit(line(step));
    },
  });
  const unhandled = await unhandledIn(async () => {
    const onError = (error) => void received.push(error.code);
    const answer = respond(nobody, { protocol, heartbeatMs: 2, onError }, async (out) => {
      await until(() => isWritten);
      await out.message().text().delta("a");
    });
    assert.match(await answer.text(), /"say":"a".*"at":"end"/s);
  });
  assert.deepEqual(unhandled, []);
  assert.deepEqual(received, ["protocol-threw"]);
});

test("an encode() that throws during an abort does not cause unhandled rejections", async () => {
  const unhandled = await unhandledIn(async () => {
    const controller = new AbortController();
    const answer = respond(
      { signal: controller.signal },
      { protocol: breaking("end") },
      () => new Promise(() => {}),
    );
    controller.abort();
    await answer.text();
  });
  assert.deepEqual(unhandled, []);
});

test("an exception of decode() is not reported as a broken connection", async () => {
  const thrown = new TypeError("no such word");
  const lines = (...events) =>
    new TextEncoder().encode(events.map((event) => `${event}\n`).join(""));
  const protocol = defineProtocol({
    name: "picky",
    decode(event, hub) {
      if (event === "bad") {
        throw thrown;
      }
      hub.text(event);
    },
  });
  const fault = (error) =>
    error instanceof AgentwireError &&
    error.name === "AgentwireError" &&
    error.code === "protocol-threw" &&
    error.cause === thrown;
  await assert.rejects(
    read(new Blob([lines("a", "bad", "b")]).stream(), { protocol }).finished(),
    fault,
  );
  // A caller that continues has lost only that event.
  const converter = new Converter({ from: protocol, to: "agent-api" });
  assert.throws(() => converter.push(lines("a", "bad", "b")), fault);
  const rest =
    new TextDecoder().decode(converter.push(lines("c"))) +
    new TextDecoder().decode(converter.finish());
  assert.match(rest, /"text":"abc"/);
});

test("an async function of a protocol is rejected, and its rejection is handled", async () => {
  const rejects = async () => fails();
  const unhandled = await unhandledIn(async () => {
    const protocol = (more) =>
      defineProtocol({ name: "p", decode: () => {}, encode: () => {}, ...more });
    const bytes = new TextEncoder().encode("x\n");
    const converting = (more) => new Converter({ from: protocol(more), to: "ag-kit" }).push(bytes);
    assert.throws(() => converting({ decode: rejects }), coded("protocol-async"));
    assert.throws(() => converting({ state: rejects }), coded("protocol-async"));
    assert.throws(() => protocol({ detect: rejects }).detect("x"), coded("protocol-async"));
    assert.throws(
      () => new Converter({ from: "ag-kit", to: protocol({ encode: rejects }) }).finish(),
      coded("protocol-async"),
    );
    const received = [];
    await respond(
      nobody,
      { protocol: protocol({ encode: rejects }), onError: ({ code }) => void received.push(code) },
      () => {},
    ).text();
    assert.equal(received[0], "protocol-async");
  });
  assert.deepEqual(unhandled, []);
});

test("a function of a protocol can throw any value", () => {
  for (const [name, thrown] of Object.entries(THROWN)) {
    for (const part of ["decode", "encode", "detect", "state"]) {
      const throws = () => {
        throw thrown;
      };
      const protocol = defineProtocol({
        name: "p",
        decode: () => {},
        encode: () => {},
        [part]: throws,
      });
      const use = {
        decode: () =>
          new Converter({ from: protocol, to: "ag-kit" }).push(new TextEncoder().encode("x\n")),
        encode: () => new Converter({ from: "ag-kit", to: protocol }).finish(),
        detect: () => protocol.detect("x"),
        state: () => new Converter({ from: protocol, to: "ag-kit" }),
      };
      assert.throws(
        use[part],
        (error) => coded("protocol-threw")(error) && Object.is(error.cause, thrown),
        `${part}: ${name}`,
      );
    }
  }
});
