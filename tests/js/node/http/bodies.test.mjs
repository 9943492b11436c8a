// The bytes of a successful response decide what it is: for `read`, `connect`, `callModel` and
// `out.forward` alike.
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "node:test";
import { HttpError, events, read } from "agentwire";
import * as agUi from "agentwire/ag-ui";
import { callModel, createHandler } from "agentwire/server";

const encoder = new TextEncoder();
const sse = (...list) =>
  list
    .map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
    .join("");
const chunk = (delta, more = {}) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, ...more }],
});
const CHAT = sse(
  chunk({ role: "assistant", content: "Hello" }),
  chunk({}, { finish_reason: "stop" }),
  "[DONE]",
);
const AG_UI = sse(
  { type: "RUN_STARTED", threadId: "t", runId: "r" },
  { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "Hello" },
  { type: "TEXT_MESSAGE_END", messageId: "m" },
  { type: "RUN_FINISHED", threadId: "t", runId: "r" },
);

/** A response in chunks of so many bytes. */
function respond(text, headers, size = Infinity, status = 200) {
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  let at = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
  return new Response(body, { headers, status });
}

/** The text, or the error, that each reader makes of a body. */
const READERS = {
  read: async (make) =>
    (await read(make(CHAT), { protocol: "chat" }).finished()).snapshot.choices[0]?.message.content,
  events: async (make) => {
    for await (const event of events(make(CHAT), { protocol: "chat" }))
      if (event.kind === "event") return "Hello";
  },
  connect: async (make) =>
    agUi
      .connect("http://localhost/", { fetch: async () => make(AG_UI) })
      .send("Hi")
      .text(),
  callModel: async (make) => {
    let error;
    const handler = createHandler({
      protocols: ["ag-ui"],
      onError: (thrown) => void (error = thrown),
      agent: async (out, request) =>
        out.forward(
          await callModel({
            protocol: "chat",
            key: "k",
            model: "m",
            request,
            fetch: async () => make(CHAT),
          }),
        ),
    });
    const { snapshot } = await read(
      await handler(agUi.createRequest("http://localhost/ag-ui", "Hi")),
      { protocol: "ag-ui" },
    ).finished();
    if (error !== undefined) throw error;
    return snapshot.messages.find(({ role }) => role === "assistant")?.content;
  },
};

const TYPES = [
  "text/event-stream",
  "application/json",
  "text/plain; charset=utf-8",
  "application/octet-stream",
  "text/html",
  "application/x-ndjson",
  undefined,
];

for (const [name, readBy] of Object.entries(READERS)) {
  test(`${name}: a stream is read under any content type, at any chunk boundary`, async () => {
    for (const type of TYPES) {
      for (const size of [1, 3, Infinity]) {
        for (const start of [
          "",
          "\n\n",
          ": hello\n\n",
          "\ufeff",
          "id: 1\n",
          "retry: 5\n\n",
          "event: message\n",
        ]) {
          const make = (text) =>
            respond(start + text, type === undefined ? {} : { "content-type": type }, size);
          assert.equal(await readBy(make), "Hello", JSON.stringify([type, size, start]));
        }
      }
    }
  });

  test(`${name}: a body that is no stream is an error with its text`, async () => {
    const bodies = [
      [
        "<!doctype html><title>Log in</title>",
        "text/html",
        /text\/html, not text\/event-stream: Log in$/,
      ],
      ["\n  <html><head><title>Log in</title>", "application/xhtml+xml", /Log in$/],
      ["no quota left", "text/plain", /text\/plain, not text\/event-stream: no quota left$/],
      ["data was not found", "text/plain", /data was not found$/],
      ["dat", "text/plain", /: dat$/],
      ["", "application/json", /application\/json, not text\/event-stream$/],
      ["   ", "text/html", /text\/html/],
      [new Uint8Array([0, 1, 2, 255]), "application/octet-stream", /application\/octet-stream/],
    ];
    for (const [body, type, says] of bodies) {
      for (const size of [1, Infinity]) {
        await assert.rejects(
          readBy(() => respond(body, { "content-type": type }, size)),
          (error) => {
            assert.ok(error instanceof HttpError, String(error));
            assert.deepEqual([error.code, error.status], ["content-type", 200]);
            assert.match(error.message, says);
            return true;
          },
        );
      }
    }
  });

  test(`${name}: a body that is still compressed is an error that names the compression`, async () => {
    for (const type of ["text/event-stream", "application/json"]) {
      for (const size of [1, Infinity]) {
        const zipped = (text) =>
          respond(gzipSync(text), { "content-type": type, "content-encoding": "gzip" }, size);
        await assert.rejects(readBy(zipped), {
          code: "content-type",
          message: /compressed \(gzip\).*`fetch`/,
        });
        const other = () =>
          respond(
            new Uint8Array([0x8b, 0x01, 0x80, 0x64]),
            { "content-type": type, "content-encoding": "br" },
            size,
          );
        await assert.rejects(readBy(other), { code: "content-type", message: /compressed \(br\)/ });
        // Platforms that decompress keep the header.
        for (const start of [
          "",
          ...(type === "application/json" ? [] : ["other: field\n", "é\n"]),
        ]) {
          assert.equal(
            await readBy((text) =>
              respond(start + text, { "content-type": type, "content-encoding": "gzip" }, size),
            ),
            "Hello",
          );
        }
      }
    }
  });
}

test("an endless body that is no stream is read up to 64 KiB", async () => {
  for (const text of ["x", " ", "\n"]) {
    let pulled = 0;
    const body = new ReadableStream(
      {
        pull: (controller) => {
          pulled++;
          return controller.enqueue(encoder.encode(text.repeat(10_000)));
        },
      },
      { highWaterMark: 0 },
    );
    const error = await read(new Response(body, { headers: { "content-type": "text/plain" } }), {
      protocol: "chat",
    })
      .finished()
      .catch((error) => error);
    assert.equal(error.code, "content-type");
    assert.ok(error.body.length <= 65_536 && pulled <= 8, `${error.body.length} ${pulled}`);
  }
});

test("blank lines that keep a connection open are passed on at once", async () => {
  let controller;
  const body = new ReadableStream({ start: (given) => void (controller = given) });
  const iterator = events(new Response(body, { headers: { "content-type": "text/event-stream" } }))[
    Symbol.asyncIterator
  ]();
  controller.enqueue(encoder.encode("\n"));
  const first = iterator.next();
  controller.enqueue(encoder.encode(": hi\n\n"));
  assert.equal((await first).value.kind, "comment");
  await iterator.return();
});
