// Work before the first event: a sample is read while the response is pending, and a page may
// provide the URL of the wasm. Each test runs in a separate process, because only the first stream
// of a process is affected.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { isAddress, streamed } from "../../../../pkg/build/core/load.js";

/** Runs a program that has the package; resolves to the JSON that it prints. */
async function outputOf(program) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", program],
    { cwd: import.meta.dirname },
  );
  return JSON.parse(stdout);
}

/** Counts the chunks that reach the core while `work` runs. */
const counting = (work) => `
  const { Instance } = WebAssembly;
  let pushes = 0;
  WebAssembly.Instance = new Proxy(Instance, { construct(target, args) {
    const { exports } = new target(...args);
    return { exports: { ...exports, rawreader_push: (...given) => (pushes++, exports.rawreader_push(...given)) } };
  } });
  const { Decoder, read, warm } = await import("agentwire/reader");
  const event = new TextEncoder().encode('data: {"object":"response","status":"created","id":"r"}\\n\\n');
  ${work}
`;

for (const protocol of ["agent-api", "ag-kit", "auto"]) {
  test(`warm() reads its sample once and does not change later decoders: ${protocol}`, async () => {
    const { first, second, report } = await outputOf(
      counting(`
        warm("${protocol}"); const first = pushes;
        warm("${protocol}"); const second = pushes;
        const decoder = new Decoder({ protocol: "${protocol}" });
        const { report } = decoder.finish();
        console.log(JSON.stringify({ first, second, report }));
      `),
    );
    assert.ok(first >= 2, `${first} pushes`);
    assert.equal(second, first);
    assert.equal(report.bytes, 0);
  });
}

test("warm() does nothing after a stream was read", async () => {
  const [before, after] = await outputOf(
    counting(`
      const decoder = new Decoder(); decoder.push(event); decoder.finish();
      const before = pushes; warm(); console.log(JSON.stringify([before, pushes]));
    `),
  );
  assert.deepEqual([before, after], [1, 1]);
});

test("read() warms up while the response is pending, and not if it is available", async () => {
  const counts = await outputOf(
    counting(`
      const response = () => new Response(new Blob([event]).stream(), { headers: { "content-type": "text/event-stream" } });
      await read(Promise.resolve(response())).finished();
      const [atOnce] = [pushes];
      console.log(JSON.stringify([atOnce]));
    `),
  );
  assert.deepEqual(counts, [1]);
  const [later, status] = await outputOf(
    counting(`
      const response = new Response(new Blob([event]).stream(), { headers: { "content-type": "text/event-stream" } });
      const run = read(new Promise((resolve) => setTimeout(resolve, 200, response)));
      const { snapshot: answer } = await run.finished();
      console.log(JSON.stringify([pushes, answer.status]));
    `),
  );
  assert.ok(later > 2, `${later} pushes`);
  assert.equal(status, "incomplete");
});

test("the wasm of the package is loaded if the given URL does not return wasm", async (t) => {
  const own = new Response("own");
  const wasm = { "content-type": "application/wasm" };
  const answers = {
    "/found": () => new Response("found", { headers: wasm }),
    "/bytes": () =>
      new Response("found", { headers: { "content-type": "application/octet-stream" } }),
    "/missing": () => new Response("", { status: 404, headers: wasm }),
    "/page": () =>
      new Response("<!doctype html>", { headers: { "content-type": "text/html; charset=utf-8" } }),
    "/refused": () => Promise.reject(new TypeError("refused")),
  };
  t.mock.method(globalThis, "fetch", async (url) => answers[url]());
  for (const [url, expected] of [
    ["/found", "found"],
    ["/bytes", "found"],
    ["/missing", "own"],
    ["/page", "own"],
    ["/refused", "own"],
  ]) {
    const response = await streamed(url, async () => own.clone());
    assert.equal(await response.text(), expected, url);
  }
  assert.deepEqual(["a", new URL("https://a/b"), own, undefined].map(isAddress), [
    true,
    true,
    false,
    false,
  ]);
});
