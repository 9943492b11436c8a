// Where the playground gets streams from: files in several formats, and requests to a URL, directly
// and through the worker's proxy.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { after, before, describe, test } from "./test.mjs";
import { agKitStream, paste, playground, replaced, textOf } from "./playground.mjs";

const corpus = new URL("../../data/corpus/", import.meta.url);
const text = agKitStream({ type: "text", content: "Hello" }, { type: "text", content: " there" });
const exported = (url, mimeType, content, more = {}) => ({
  request: {
    method: "POST",
    url,
    headers: [
      { name: "content-type", value: "application/json" },
      { name: "cookie", value: "secret=1" },
    ],
    postData: { text: '{"a":1}' },
  },
  response: { status: 200, content: { mimeType, ...content } },
  time: 340,
  timings: { blocked: -1, send: 10, wait: 110, receive: 220 },
  ...more,
});
/** A reader cancels a response that is still open after the terminal event. */
const AFTER_THE_END = /\/proxy net::ERR_ABORTED/;
const har = (...entries) => JSON.stringify({ log: { version: "1.2", entries } });

describe("the playground opens recordings", () => {
  const play = playground();
  const openFile = async (page, name, buffer) => {
    await page.click("#tab-open");
    await page.setInputFiles("#file-input", {
      name,
      mimeType: "application/octet-stream",
      buffer: Buffer.from(buffer),
    });
  };

  test("NDJSON, also with CRLF and without a last line end", () =>
    play(async (page) => {
      const stream = await readFile(
        new URL("ag-ui/u36_state_snapshot_delta/stream.sse", corpus),
        "utf8",
      );
      const lines = stream
        .split("\n")
        .filter((line) => line.startsWith("data: "))
        .map((line) => line.slice(6));
      for (const content of [`${lines.join("\n")}\n`, lines.join("\r\n\r\n")]) {
        await paste(page, content);
        assert.equal(await page.locator("#protocol option:checked").textContent(), "Auto: AG-UI");
        assert.match(await textOf(page, "#events-count"), new RegExp(`^${lines.length} events`));
        assert.equal(await textOf(page, "#verdict-count"), "valid");
      }
    }));

  test("gzip, and a HAR archive with one stream among other responses", () =>
    play(async (page) => {
      await replaced(page, () => openFile(page, "run.sse.gz", gzipSync(text)));
      assert.equal(await textOf(page, "#chat .part"), "Hello there");
      const one = har(
        exported("https://a.test/page", "text/html", { text: "<p>" }),
        exported("https://a.test/run", "text/event-stream", {
          text: Buffer.from(text).toString("base64"),
          encoding: "base64",
        }),
      );
      await replaced(page, () => openFile(page, "run.har", one));
      assert.equal(await textOf(page, "#chat .part"), "Hello there");
      assert.match(
        await textOf(page, "#frame-text"),
        /First byte 120 ms after the request, last byte after 340 ms\./,
      );
    }));

  test("a HAR archive with several streams offers a choice", () =>
    play(async (page) => {
      const other = agKitStream({ type: "text", content: "Other" });
      await openFile(
        page,
        "runs.har",
        har(
          exported("https://a.test/one", "text/event-stream", { text }),
          exported("https://a.test/two", "text/event-stream; charset=utf-8", { text: other }),
        ),
      );
      assert.deepEqual(await page.locator("#har-responses b").allTextContents(), [
        "POST https://a.test/one",
        "POST https://a.test/two",
      ]);
      await replaced(page, () => page.click("#har-responses button >> nth=1"));
      assert.equal(await textOf(page, "#chat .part"), "Other");
    }));

  test("an error is shown for a HAR archive without bodies, and an invalid one is read as a stream", () =>
    play(async (page) => {
      await openFile(
        page,
        "empty.har",
        har(exported("https://a.test/one", "text/event-stream", {}), null, 3, {
          response: { content: [] },
        }),
      );
      await page.waitForSelector("#trouble:visible");
      assert.match(await textOf(page, "#trouble"), /no response with a body/);
      for (const content of ['{"log":{"entries":', '{"log":{"entries":{}}}', '{"log":null}']) {
        await replaced(page, () => openFile(page, "broken.har", content));
        assert.match(await textOf(page, "#verdict-count"), /invalid/);
      }
    }));
});

describe("the playground requests a URL", () => {
  const play = playground();
  let server;
  let base;
  const received = [];
  before(async () => {
    server = createServer((request, response) => {
      let body = "";
      request
        .on("data", (chunk) => (body += chunk))
        .on("end", () => {
          const { pathname } = new URL(request.url, "http://localhost");
          received.push({ pathname, method: request.method, headers: request.headers, body });
          const cors = pathname.startsWith("/open")
            ? { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }
            : {};
          if (request.method === "OPTIONS" || pathname === "/redirect") {
            return response
              .writeHead(request.method === "OPTIONS" ? 204 : 302, { ...cors, location: "/closed" })
              .end();
          }
          const [status, type, content] = pathname.endsWith("/fails")
            ? [503, "text/plain", "busy"]
            : pathname.endsWith("/lines")
              ? [200, "application/x-ndjson", '{"type":"text","content":"Lines"}\n']
              : [200, "text/event-stream", text];
          response
            .writeHead(status, { ...cors, "content-type": type, "set-cookie": "a=1" })
            .end(content);
        });
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${server.address().port}`;
  });
  after(() => server?.close());

  const request = async (
    page,
    path,
    {
      headers = "content-type: application/json\nauthorization: Bearer t",
      body = '{"q":1}',
      isProxied = false,
    } = {},
  ) => {
    received.length = 0;
    await page.click("#tab-request");
    await page.fill("#request-url", `${base}${path}`);
    await page.click("#request-more");
    await page.fill("#request-headers", headers);
    await page.fill("#request-body", body);
    await page.click('#request-dialog button:has-text("Done")');
    if (isProxied) {
      await page.waitForSelector("#request-proxy:visible");
      await page.check("#request-proxy");
    }
    await replaced(page, () => page.click("#request-send"));
    await page.waitForSelector("#request-send:visible");
  };

  for (const isProxied of [false, true]) {
    test(`with method, headers and body: ${isProxied ? "through the proxy" : "directly"}`, () =>
      play(
        async (page) => {
          await request(page, isProxied ? "/closed" : "/open", { isProxied });
          assert.equal(await textOf(page, "#chat .part"), "Hello there");
          assert.equal(await textOf(page, "#verdict-count"), "valid");
          assert.ok(
            (await page.locator(".row .time").allTextContents()).every((time) => time !== ""),
          );
          const { headers, body } = received.at(-1);
          assert.equal(body, '{"q":1}');
          assert.equal(headers.authorization, "Bearer t");
          assert.equal(headers.cookie, undefined);
          await request(page, isProxied ? "/closed/lines" : "/open/lines", { isProxied });
          assert.equal(await textOf(page, "#chat .part"), "Lines");
        },
        { forgive: [AFTER_THE_END] },
      ));
  }

  test("each failure shows its reason: CORS, a status, a redirect of the proxy, a rejected header", () =>
    play(
      async (page) => {
        const reason = () => textOf(page, "#chat .failure");
        await request(page, "/closed");
        assert.match(await reason(), /could not be read.*CORS/);
        await request(page, "/open/fails");
        assert.match(await reason(), /the server answered 503 busy/);
        await request(page, "/redirect", { isProxied: true });
        assert.match(await reason(), /redirects to \/closed/);
        await request(page, "/closed", { isProxied: true, headers: "host: other.test" });
        assert.match(await reason(), /422.*host/);
        assert.deepEqual(received, []);
        assert.equal(await textOf(page, "#verdict-count"), "no stream");
      },
      { forgive: [/CORS/, /status of/, /ERR_FAILED/] },
    ));
});
