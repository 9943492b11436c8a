// A stream that is cut anywhere goes on with the events after the last one that was received: with
// `resumable`, at every byte, and with `resumeRequest` and one decoder, after every event. Nothing is
// lost, and nothing is there twice.
import assert from "node:assert/strict";
import { test } from "node:test";
import { convert } from "agentwire";
import { Decoder, read, resumable, resumeRequest } from "agentwire/interactions";
import { callModel } from "agentwire/server";
import { cases } from "../support/cases.mjs";

const URL = "http://localhost/v1beta/interactions";

/** The events of a stream, each with an id. */
const framesOf = (bytes) =>
  new TextDecoder()
    .decode(bytes)
    .split(/(?<=\n\n)/)
    .filter((frame) => frame.includes("data: {"))
    .map((frame, at) => frame.replace(/\}\n\n$/, `,"event_id":"e${at}"}\n\n`));

/** A server that has the events, and cuts each connection after a number of bytes. */
function server(frames, cut) {
  const asked = [];
  const send = (list) => {
    const bytes = new TextEncoder().encode(list.join(""));
    return new Response(bytes.slice(0, cut(asked.length)));
  };
  return {
    asked,
    first: () => send(frames),
    fetch: async ({ method, url }) => {
      const { pathname, searchParams } = new globalThis.URL(url);
      asked.push([method, pathname, searchParams.get("stream")]);
      const last = Number(searchParams.get("last_event_id").slice(1));
      return send(frames.slice(last + 1));
    },
  };
}

const streams = (await cases()).filter(
  ({ protocol, name, violations, options }) =>
    protocol === "interactions" &&
    JSON.parse(violations).length === 0 &&
    Object.keys(options).length === 0 &&
    !name.startsWith("whole_answer") &&
    !["event_ids", "keepalive", "not_stored"].includes(name),
);
const SOME = ["text", "parallel_calls", "google_search", "unicode", "error_midstream"];

for (const { name, stream: bytes } of streams) {
  const frames = framesOf(bytes);
  const whole = await read(new Response(frames.join(""))).finished();

  test(`${name}: one decoder, cut after every event`, () => {
    for (let cut = 1; cut <= frames.length; cut++) {
      const decoder = new Decoder();
      decoder.push(new TextEncoder().encode(frames.slice(0, cut).join("")));
      const { searchParams } = new globalThis.URL(
        resumeRequest(
          URL,
          decoder.snapshot.id === "" ? { ...decoder.snapshot, id: "v1_a" } : decoder.snapshot,
        ).url,
      );
      const last = Number(searchParams.get("last_event_id").slice(1));
      decoder.push(new TextEncoder().encode(frames.slice(last + 1).join("")));
      const { snapshot, report } = decoder.finish();
      assert.deepEqual([snapshot, report.violations], [whole.snapshot, []], `event ${cut}`);
    }
  });

  if (!SOME.includes(name)) continue;
  test(`${name}: resumable(), cut at every byte`, async () => {
    const first = new TextEncoder().encode(frames[0]).length;
    const length = new TextEncoder().encode(frames.join("")).length;
    for (let at = first; at <= length; at++) {
      const {
        asked,
        first: response,
        fetch,
      } = server(frames, (count) => (count === 0 ? at : length));
      const outcome = await read(resumable(URL, response(), { fetch, pause: 0 })).finished();
      assert.deepEqual(outcome.snapshot, whole.snapshot, `byte ${at}`);
      // The last event is whole without the blank line after it.
      const isWhole = at >= length - 2;
      const rules = outcome.report.violations.map(({ rule }) => rule);
      const isCut = isWhole && at < length;
      assert.deepEqual(rules, isCut ? ["framing-unterminated"] : [], `byte ${at}`);
      assert.deepEqual(asked, isWhole ? [] : [["GET", "/v1beta/interactions/v1_a", "true"]]);
    }
  });
}

const { stream: text } = streams.find(({ name }) => name === "text");
const frames = framesOf(text);

test("resumable() goes on through many short connections", async () => {
  const { asked, first, fetch } = server(frames, () => 600);
  const { snapshot } = await read(resumable(URL, first(), { fetch, pause: 0 })).finished();
  assert.equal(snapshot.status, "completed");
  assert.ok(asked.length > 1, `${asked.length} connections`);
});

test("resumable() stops after connections without an event, and when the server has none", async () => {
  for (const [answer, expected] of [
    [() => new Response(""), 3],
    [() => new Response("", { status: 503 }), 3],
    [() => Promise.reject(new TypeError("no network")), 3],
    [() => new Response("", { status: 404 }), 1],
  ]) {
    let asked = 0;
    const fetch = async () => {
      asked++;
      return answer();
    };
    const first = new Response(frames.slice(0, 3).join(""));
    const options = { fetch, pause: 0 };
    const { report } = await read(resumable(URL, first, options)).finished();
    assert.equal(report.endReason, "truncated");
    assert.equal(asked, expected);
  }
});

test("resumable() leaves out events that the server repeats", async () => {
  const whole = await read(new Response(frames.join(""))).finished();
  const without = (numbers) =>
    frames.map((frame, at) =>
      numbers.includes(at) ? frame.replace(/,"event_id":"e\d+"/, "") : frame,
    );
  const servers = {
    after: (all, last) => all.slice(last + 1),
    all: (all) => all,
    inclusive: (all, last) => all.slice(last),
    earlier: (all, last) => all.slice(Math.max(0, last - 2)),
    created: (all, last) => [all[0], ...all.slice(last + 1)],
    marked: (all, last) => ["\ufeff", ...all.slice(last + 1)],
  };
  for (const [name, more] of Object.entries(servers)) {
    for (const numbers of [[], [3, 6, 7]]) {
      if (numbers.length > 0 && ["earlier", "created"].includes(name)) continue;
      const all = without(numbers);
      for (let cut = 1; cut < all.length - 1; cut++) {
        for (const end of ["", "data: {"]) {
          const fetch = async ({ url }) => {
            const last = new globalThis.URL(url).searchParams.get("last_event_id");
            return new Response(more(all, Number(last.slice(1))).join(""));
          };
          const first = new Response(all.slice(0, cut).join("") + end);
          const { snapshot, report } = await read(
            resumable(URL, first, { fetch, pause: 0 }),
          ).finished();
          const { last_event_id: _, ...expected } = whole.snapshot;
          const { last_event_id: __, ...actual } = snapshot;
          assert.deepEqual([actual, report.violations], [expected, []], `${name} ${cut}`);
        }
      }
    }
  }
});

test("resumable() stops if the server sends only what was received", async () => {
  let asked = 0;
  const fetch = async () => {
    asked++;
    return new Response(frames.slice(0, 3).join(""));
  };
  const first = new Response(frames.slice(0, 3).join(""));
  const { report } = await read(resumable(URL, first, { fetch, pause: 0 })).finished();
  assert.deepEqual([report.endReason, asked], ["truncated", 3]);
});

test("resumable() throws the error that has cut the stream if it cannot be resumed", async () => {
  for (const status of [404, 410, 500]) {
    const body = new ReadableStream({
      start: (out) => out.enqueue(new TextEncoder().encode(`${frames[0]}data: `)),
      pull: (out) => out.error(new TypeError("cut")),
    });
    const fetch = async () => new Response("", { status });
    const parts = [];
    const reading = async () => {
      for await (const part of resumable(URL, new Response(body), { fetch, pause: 0 }))
        parts.push(new TextDecoder().decode(part));
    };
    await assert.rejects(reading(), { message: "cut" });
    assert.equal(parts.join(""), `${frames[0]}data: `);
  }
});

test("resumable() leaves a stream without ids as it is", async () => {
  const body = new TextDecoder().decode(text).slice(0, 700);
  const fetch = () => assert.fail("nothing can be resumed");
  const parts = [];
  for await (const part of resumable(URL, new Response(body), { fetch })) parts.push(...part);
  assert.equal(new TextDecoder().decode(new Uint8Array(parts)), body);
  const refused = new Response('{"error":{"code":429,"message":"m"}}', { status: 429 });
  const { snapshot } = await read(resumable(URL, refused, { fetch })).finished();
  assert.equal(snapshot.error.message, "m");
});

test("a resumed stream is converted as a whole one", async () => {
  const { first, fetch } = server(frames, (count) => (count === 0 ? 600 : 1e9));
  const options = { from: "interactions", to: "ag-ui" };
  const names = async (source) => {
    const out = await new Response(
      ReadableStream.from(source).pipeThrough(convert(options)),
    ).text();
    return [...out.matchAll(/"type":"(\w+)"/g)].map(([, type]) => type);
  };
  assert.deepEqual(
    await names(resumable(URL, first(), { fetch, pause: 0 })),
    await names(new Response(frames.join("")).body),
  );
});

test("callModel() continues a stream that is cut, with the key, and converts it whole", async () => {
  const { first, fetch } = server(frames, (count) => (count === 0 ? 600 : 1e9));
  const requests = [];
  const response = await callModel({
    protocol: "interactions",
    url: "http://localhost/v1beta",
    key: "a-key",
    model: "m",
    request: "Hi",
    fetch: async (request) => {
      requests.push([request.method, request.headers.get("x-goog-api-key")]);
      return request.method === "POST" ? first() : fetch(request);
    },
  });
  const { snapshot, report } = await read(response).finished();
  const whole = await read(new Response(frames.join(""))).finished();
  assert.deepEqual([snapshot, report.violations], [whole.snapshot, []]);
  assert.deepEqual(requests, [
    ["POST", "a-key"],
    ["GET", "a-key"],
  ]);
});

test("callModel(): a reader that leaves closes the connection to the model", async () => {
  let isClosed = false;
  const body = new ReadableStream({
    start: (out) => out.enqueue(new TextEncoder().encode(frames[0])),
    cancel: () => void (isClosed = true),
  });
  const response = await callModel({
    ...{ protocol: "interactions", model: "m", request: "Hi" },
    fetch: async ({ method }) =>
      method === "POST" ? new Response(body) : assert.fail("nothing is resumed"),
  });
  const reader = response.body.getReader();
  await reader.read();
  const next = reader.read();
  await reader.cancel();
  await next;
  assert.ok(isClosed);
});
