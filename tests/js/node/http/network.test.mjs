// The same over real connections: on abort and on loss the platform differs from a test's own
// stream.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { Readable } from "node:stream";
import { ConnectionError, HttpError, read } from "agentwire";
import { respond } from "agentwire/server";
import { concat, shortRun } from "../support/events.mjs";
import { updatesOf } from "../support/sources.mjs";

const TYPE = { "content-type": "text/event-stream; charset=utf-8" };
const textOf = (response) => response.output[0]?.content[0]?.text;

let url;
let server;
/** Resolves when the connection of the last request was closed by its client. */
let left;
/** Resolves when the last agent was aborted. */
let stopped;

const routes = {
  async "/run"(response) {
    response.writeHead(200, TYPE);
    for (const chunk of shortRun()) {
      response.write(chunk);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    response.end();
  },
  "/hangs"(response) {
    response.writeHead(200, TYPE).write(concat(shortRun().slice(0, 2)));
  },
  "/kept-open"(response) {
    response.writeHead(200, TYPE).write(concat(shortRun()));
  },
  async "/breaks"(response) {
    response.writeHead(200, TYPE).write(concat(shortRun().slice(0, 2)));
    await new Promise((resolve) => setTimeout(resolve, 20));
    response.destroy();
  },
  "/refuses"(response) {
    response
      .writeHead(422, { "content-type": "application/json" })
      .end('{"detail":[{"msg":"Field required"}]}');
  },
  "/emits"(response) {
    const leave = new AbortController();
    response.on("close", () => leave.abort());
    const answer = respond({ signal: leave.signal }, { protocol: "agent-api" }, async (out) => {
      stopped = new Promise((resolve) => out.signal.addEventListener("abort", resolve));
      const text = out.message().text();
      for (;;) {
        await text.delta("x".repeat(1000));
      }
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    Readable.fromWeb(answer.body)
      .on("error", () => {})
      .pipe(response);
  },
};

before(async () => {
  server = createServer((request, response) => {
    left = new Promise((resolve) => response.on("close", resolve));
    routes[request.url](response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

test("a run is read over HTTP", async () => {
  const run = read(fetch(`${url}/run`), { protocol: "agent-api" });
  assert.ok((await updatesOf(run)).length >= 2);
  assert.equal(textOf((await run.finished()).snapshot), "Hello");
});

test("aborting the request ends the run as aborted and closes the connection", async () => {
  for (const told of [true, false]) {
    const controller = new AbortController();
    const { signal } = controller;
    const run = read(fetch(`${url}/hangs`, { signal }), told ? { signal } : {});
    for await (const update of run) {
      if (textOf(update.snapshot) === "He") {
        setTimeout(() => controller.abort(), 5);
      }
    }
    const { snapshot: response, report } = await run.finished();
    assert.deepEqual([report.endReason, textOf(response)], ["aborted", "He"]);
    await left;
  }
});

test("leaving the loop or cancel() closes the connection", async () => {
  const run = read(fetch(`${url}/hangs`), { protocol: "agent-api" });
  for await (const _ of run) {
    break;
  }
  await left;
  const other = read(await fetch(`${url}/hangs`), { protocol: "agent-api" });
  assert.equal((await other.cancel()).report.endReason, "aborted");
  await left;
});

test("a broken connection throws a ConnectionError with the snapshot so far", async () => {
  const error = await read(fetch(`${url}/breaks`), { protocol: "agent-api" })
    .finished()
    .catch((error) => error);
  assert.ok(error instanceof ConnectionError, error);
  assert.equal(textOf(error.outcome.snapshot), "He");
  await assert.rejects(
    read(fetch("http://127.0.0.1:9"), { protocol: "agent-api" }).finished(),
    ConnectionError,
  );
});

test("a connection that stays open after the end is closed after `drainMs`", async () => {
  const { report } = await read(fetch(`${url}/kept-open`), {
    protocol: "agent-api",
    drainMs: 20,
  }).finished();
  assert.equal(report.endReason, "completed");
  await left;
});

test("an HttpError contains the status and the body of the response", async () => {
  const error = await read(fetch(`${url}/refuses`, { method: "POST" }), { protocol: "agent-api" })
    .finished()
    .catch((error) => error);
  assert.ok(error instanceof HttpError);
  assert.deepEqual([error.status, error.json.detail[0].msg], [422, "Field required"]);
});

test("the agent is aborted when its client disconnects", async () => {
  const run = read(fetch(`${url}/emits`), { protocol: "agent-api" });
  for await (const { snapshot } of run) {
    if (textOf(snapshot)?.length > 100_000) {
      break;
    }
  }
  await left;
  await stopped;
});
