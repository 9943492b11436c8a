import assert from "node:assert/strict";
import { test } from "node:test";
import { HttpError, read } from "agentwire";
import { answer, updatesOf } from "../support/sources.mjs";

const encoder = new TextEncoder();

test("an error status throws an HttpError with the details of the server", async () => {
  const detail = [
    { type: "missing", loc: ["body", "input"], msg: "Field required", input: {} },
    {
      type: "literal_error",
      loc: ["body", "input", 0, "role"],
      msg: "Input should be 'user'",
      input: "critic",
    },
    "something else",
  ];
  const { response } = answer([encoder.encode(JSON.stringify({ detail }))], {
    status: 422,
    contentType: "application/json",
  });
  const run = read(response, { protocol: "agent-api" });
  await assert.rejects(updatesOf(run), (error) => {
    assert.ok(error instanceof HttpError);
    assert.equal(error.code, "http-status");
    assert.equal(error.status, 422);
    assert.equal(error.contentType, "application/json");
    assert.deepEqual(error.json, { detail });
    const said = `input: Field required; input.0.role: Input should be 'user'; "something else"`;
    assert.equal(error.message, `the server answered 422: ${said}`);
    return true;
  });
  await assert.rejects(run.finished(), HttpError);
});

test("the message for a rejected body describes a missing content type", async () => {
  const messageFor = async (detail) => {
    const { response } = answer([encoder.encode(JSON.stringify({ detail }))], {
      status: 422,
      contentType: "application/json",
    });
    return (
      await read(response, { protocol: "agent-api" })
        .finished()
        .catch((error) => error)
    ).message;
  };
  // The response of FastAPI to a JSON text that was sent as text/plain.
  const whole = {
    type: "model_attributes_type",
    loc: ["body"],
    msg: "Input should be a valid dictionary",
    input: "{}",
  };
  assert.match(
    await messageFor([whole]),
    /422: Input should be a valid dictionary\n[^]*sent with `content-type: application\/json`\?\)$/,
  );
  assert.doesNotMatch(
    await messageFor([{ type: "missing", loc: ["body", "input"], msg: "Field required" }]),
    /content-type/,
  );
});

test("a response that is not an event stream throws", async () => {
  const page = "<!doctype html><p>Sign in";
  const { response } = answer([encoder.encode(page)], { contentType: "text/html" });
  await assert.rejects(read(response, { protocol: "agent-api" }).finished(), (error) => {
    assert.equal(error.code, "content-type");
    assert.equal(error.status, 200);
    assert.equal(error.body, page);
    assert.equal(error.json, undefined);
    return true;
  });
});

test("only the first 64 KiB of an error body are read", async () => {
  const { response, log } = answer(Array(100).fill(encoder.encode("x".repeat(10_000))), {
    status: 500,
  });
  const error = await read(response, { protocol: "agent-api" })
    .finished()
    .catch((error) => error);
  assert.equal(error.body.length, 65_536);
  assert.equal(log.pulled, 7);
  assert.ok(log.canceled);
});

test("an error body that is interrupted is kept up to that point", async () => {
  const { response } = answer([encoder.encode("bad gate"), new TypeError("terminated")], {
    status: 502,
  });
  const error = await read(response, { protocol: "agent-api" })
    .finished()
    .catch((error) => error);
  assert.equal(error.status, 502);
  assert.equal(error.body, "bad gate");
});

test("an abort while an error body is read ends the run as aborted", async () => {
  const controller = new AbortController();
  const { response, log } = answer([encoder.encode("x"), "never"], { status: 500 });
  const run = read(response, { protocol: "agent-api", signal: controller.signal });
  setTimeout(() => controller.abort(), 5);
  assert.equal((await run.finished()).report.endReason, "aborted");
  assert.ok(log.canceled);
});

test("the content type is matched case-insensitively and without parameters", async () => {
  for (const contentType of [
    "text/event-stream",
    "Text/Event-Stream;charset=UTF-8",
    " text/event-stream ; x=y",
  ]) {
    const { response } = answer([], { contentType });
    assert.equal(
      (await read(response, { protocol: "agent-api" }).finished()).report.endReason,
      "truncated",
      contentType,
    );
  }
  for (const contentType of ["text/event-streaming", "application/x-ndjson"]) {
    await assert.rejects(
      read(answer([], { contentType }).response, { protocol: "agent-api" }).finished(),
      HttpError,
      contentType,
    );
  }
});

test("status and headers are ignored if only the body is passed", async () => {
  const { response } = answer([], { contentType: "application/octet-stream", status: 500 });
  assert.equal(
    (await read(response.body, { protocol: "agent-api" }).finished()).report.endReason,
    "truncated",
  );
});
