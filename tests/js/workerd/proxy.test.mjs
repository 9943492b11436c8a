// The proxy of the playground: off unless a variable enables it, only for pages of its own origin,
// and only to public servers.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startSite } from "../../../www/site.mjs";

/** Names that end like an internal one, and are public. */
const PUBLIC = [
  "https://example.com/",
  "https://example.com./",
  "https://box.example.com/",
  "https://svc.example.com/",
  "https://mysvc.com/",
  "https://inbox.dev/",
  "https://a.xn--fiqs8s/",
];

async function withSite(vars, use) {
  const dist = await mkdtemp(join(tmpdir(), "agentwire-proxy-"));
  const site = await startSite({ dist, vars });
  const post = (body, headers = {}) =>
    fetch(`${site.url}/proxy`, {
      method: "POST",
      headers: { origin: site.url, "content-type": "application/json", ...headers },
      body:
        typeof body === "string"
          ? body
          : JSON.stringify({ method: "POST", headers: [], body: "", ...body }),
    });
  const mode = async () => (await (await fetch(`${site.url}/proxy`)).json()).proxy;
  try {
    await use({ url: site.url, post, mode });
  } finally {
    await site.close();
    await rm(dist, { recursive: true, force: true });
  }
}

test("the proxy is off by default", () =>
  withSite({ PROXY: "" }, async ({ post, mode }) => {
    assert.equal(await mode(), "off");
    assert.equal((await post({ url: "https://example.com/" })).status, 403);
  }));

test("a public proxy forwards only over https to public names", () =>
  withSite({ PROXY: "public" }, async ({ post, mode }) => {
    assert.equal(await mode(), "public");
    for (const url of [
      "http://example.com/",
      "https://example.com:8443/",
      "https://user:password@example.com/",
      "https://localhost/",
      "https://a.localhost/",
      "https://intranet/",
      "https://db.internal/",
      "https://router.local./",
      ...[
        "svc",
        "default.svc",
        "localdomain",
        "service.consul",
        "fritz.box",
        "cluster",
        "corp",
        "home.arpa",
        "alt",
        "example",
        "lan",
        "docker",
        "onion",
      ].map((end) => `https://db.${end}/`),
      ...[
        "https://DB.SVC/",
        "https://db.svc./",
        "https://db.svc../",
        "https://example.com../",
        "https://localhost../",
        "https://127.0.0.1../",
        "https://a..example.com/",
        "https://router。localdomain/",
      ],
      ...[
        "https://127.0.0.1.nip.io/",
        "https://10-0-0-1.sslip.io/",
        "https://localtest.me/",
        "https://a.lvh.me./",
      ],
      "https://127.0.0.1/",
      "https://10.0.0.1/",
      "https://169.254.169.254/latest/meta-data",
      "https://2130706433/",
      "https://0x7f.1/",
      "https://0177.0.0.1/",
      "https://[::1]/",
      "https://[::ffff:127.0.0.1]/",
      "https://[fd00::1]/",
      "https://127.0.0.1./",
      "https://1.0.0.127.in-addr.arpa/",
      "file:///etc/passwd",
      "ftp://example.com/",
      "example.com",
    ]) {
      assert.equal((await post({ url })).status, 422, url);
    }
    // The method is refused, after the name was accepted: no request is sent.
    for (const url of PUBLIC) {
      const response = await post({ url, method: "DELETE" });
      assert.deepEqual(
        [response.status, /public name/.test(await response.text())],
        [422, false],
        url,
      );
    }
  }));

test("a proxy on a loopback address accepts only pages of its own origin, and limits responses", async () => {
  const received = [];
  const server = createServer((request, response) => {
    received.push(request.headers);
    if (request.url === "/long") {
      // Longer than the limit of the proxy: the response is truncated.
      response.writeHead(200, { "content-type": "text/event-stream" });
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1_000_000, ":"))) {
          /* until the buffer is full */
        }
      };
      response.on("drain", more).on("error", () => {});
      return more();
    }
    response
      .writeHead(200, {
        "content-type": "text/html",
        "set-cookie": "a=1",
        "access-control-allow-origin": "*",
      })
      .end("<script>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${server.address().port}`;
  try {
    await withSite({}, async ({ url, post, mode }) => {
      assert.equal(await mode(), "loopback");
      const response = await post(
        { url: base, headers: [["x-key", "1"]] },
        { cookie: "session=1", authorization: "Bearer page" },
      );
      assert.equal(await response.text(), "<script>");
      assert.equal(response.headers.get("set-cookie"), null);
      assert.equal(response.headers.get("access-control-allow-origin"), null);
      assert.equal(response.headers.get("content-security-policy"), "sandbox");
      const [{ cookie, authorization, "x-key": key }] = received;
      assert.deepEqual(
        { cookie, authorization, key },
        { cookie: undefined, authorization: undefined, key: "1" },
      );
      const long = await post({ url: `${base}/long` });
      // The runtime may end a failed body with or without an error.
      const length = await long.arrayBuffer().then(
        ({ byteLength }) => byteLength,
        () => 0,
      );
      assert.ok(length <= 16 * 1024 * 1024, `${length} bytes`);
      // A page of another origin, a request without one, a form, other methods, headers of proxies,
      // too much.
      assert.equal((await post({ url: base }, { origin: "https://evil.test" })).status, 403);
      assert.equal(
        (
          await fetch(`${url}/proxy`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: "{}",
          })
        ).status,
        403,
      );
      assert.equal((await post({ url: base }, { "content-type": "text/plain" })).status, 415);
      assert.equal((await post({ url: base, method: "DELETE" })).status, 422);
      assert.equal((await post("no JSON")).status, 422);
      assert.equal((await post({ url: base, body: "x".repeat(1024 * 1024) })).status, 413);
      for (const name of [
        "Host",
        "cookie",
        "Origin",
        "X-Forwarded-For",
        "cf-connecting-ip",
        "Sec-Fetch-Site",
        "bad name",
      ]) {
        assert.equal((await post({ url: base, headers: [[name, "x"]] })).status, 422, name);
      }
      // A foreign name that resolves to the loopback address.
      const { Agent, request } = await import("node:http");
      const rebound = await new Promise((resolve, reject) =>
        request(
          `${url}/proxy`,
          {
            method: "POST",
            agent: new Agent(),
            headers: {
              host: "evil.test",
              origin: "http://evil.test",
              "content-type": "application/json",
            },
          },
          (answer) => resolve(answer.resume().statusCode),
        )
          .on("error", reject)
          .end(JSON.stringify({ url: base, method: "GET" })),
      );
      assert.equal(rebound, 403);
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
