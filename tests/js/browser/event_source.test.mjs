// Checks the SSE cases themselves: the browser's own EventSource gives their expected events.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test, withPage } from "./test.mjs";
import { frameCases } from "../node/support/cases.mjs";

const cases = await frameCases();
/** The names of all events: a listener receives only the events of its name. */
const names = [...new Set(cases.flatMap(({ frames }) => frames.events.map(({ event }) => event)))];

describe("Chromium's EventSource", () => {
  let server;
  before(async () => {
    server = createServer((request, response) => void answer(request, response));
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test("the corpus has enough cases", () => {
    assert.ok(cases.length >= 100, `${cases.length}`);
  });

  for (const how of ["whole", "chunks"]) {
    const chosen =
      how === "whole" ? cases : cases.filter(({ frames }) => frames.chunks !== undefined);
    test(`dispatches the expected events, ${how === "whole" ? "each in one piece" : "cut where the case says"}`, async () => {
      assert.ok(chosen.length >= 10, `${chosen.length}`);
      const url = `http://127.0.0.1:${server.address().port}/`;
      await withPage(url, async (page) => {
        const given = await page.evaluate(listenToAll, {
          how,
          names,
          cases: chosen.map(({ name }) => name),
        });
        chosen.forEach(({ path, frames }, at) => assert.deepEqual(given[at], frames.events, path));
      });
    });
  }
});

async function answer(request, response) {
  const { pathname, searchParams } = new URL(request.url, "http://127.0.0.1");
  if (pathname !== "/case") {
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end("<!doctype html><title>cases</title>");
    return;
  }
  const { stream: bytes, frames } = cases.find(({ name }) => name === searchParams.get("name"));
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.socket.setNoDelay(true);
  let at = 0;
  for (const length of searchParams.get("how") === "chunks" ? frames.chunks : [bytes.length]) {
    if (length > 0) {
      response.write(bytes.subarray(at, at + length));
      // Long enough to be read by itself.
      await new Promise((resolve) => setTimeout(resolve, 3));
    }
    at += length;
  }
  response.end();
}

/** Runs in the page: the events of every case, in the form that the cases have them. */
async function listenToAll({ how, names, cases }) {
  const listen = (name) =>
    new Promise((resolve) => {
      const events = [];
      const source = new EventSource(`/case?how=${how}&name=${encodeURIComponent(name)}`);
      for (const type of names) {
        source.addEventListener(type, ({ data, lastEventId }) =>
          events.push({ event: type, data, id: lastEventId }),
        );
      }
      // The end of the stream: the source would connect again now.
      source.onerror = () => {
        source.close();
        resolve(events);
      };
    });
  const given = [];
  // As many at a time as a browser has connections to one server.
  for (let at = 0; at < cases.length; at += 6) {
    given.push(...(await Promise.all(cases.slice(at, at + 6).map(listen))));
  }
  return given;
}
