// Each thrown error has a code that is declared and documented.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { AgentwireError, convert, HttpError, parseJson, read, stringifyJson } from "agentwire";
import { answer, body } from "../support/sources.mjs";

const root = new URL("../../../../", import.meta.url);
const text = (path) => readFile(new URL(path, root), "utf8");
const sorted = (names) => [...new Set(names)].sort();

/** The codes that the declarations have. */
async function declared() {
  return sorted(
    [...(await text("pkg/src/core/error_codes.ts")).matchAll(/\| "([a-z-]+)"/g)].map(
      ([, code]) => code,
    ),
  );
}

test("the documentation lists exactly the declared codes", async () => {
  const documented = (await text("docs/reference/errors.md")).matchAll(
    /(?:^\| |: |,\s|^)`([a-z]+(?:-[a-z]+)*)`/gm,
  );
  const names = sorted([...documented].map(([, code]) => code));
  const codes = await declared();
  assert.ok(codes.length > 60);
  assert.deepEqual(
    codes.filter((code) => !names.includes(code)),
    [],
    "not documented",
  );
  const tables = [...(await text("docs/reference/errors.md")).matchAll(/^\| `([a-z-]+)` \|/gm)].map(
    ([, code]) => code,
  );
  assert.deepEqual(
    tables.filter((code) => !codes.includes(code)),
    [],
    "not declared",
  );
});

test("every error code of the core is declared", async () => {
  const files = (await readdir(new URL("src", root), { recursive: true }))
    .filter((file) => file.endsWith(".rs"))
    // A protocol for tests, writing for servers and calling models in Rust: no package has them.
    .filter(
      (file) => !["protocols/toy/", "emit/", "model/"].some((folder) => file.startsWith(folder)),
    );
  const codes = await declared();
  let found = 0;
  for (const file of files) {
    const source = await text(`src/${file}`);
    const mistakes = [...source.matchAll(/(?:UsageError::new\(|\bthrown\()\s*"([a-z-]+)"/g)].map(
      ([, code]) => code,
    );
    const refusals = file.includes("builder")
      ? [...source.matchAll(/rules::([A-Z_]+)\.id,/g)].map(([, rule]) =>
          rule.toLowerCase().replaceAll("_", "-"),
        )
      : [];
    for (const code of [...mistakes, ...refusals]) {
      found++;
      assert.ok(codes.includes(code), `${code} of src/${file}`);
    }
  }
  assert.ok(found > 40, `${found}`);
});

test("every thrown error is an AgentwireError", async () => {
  const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;
  assert.throws(() => parseJson("{"), coded("not-json"));
  const circle = {};
  circle.itself = circle;
  for (const value of [
    circle,
    {
      toJSON: () => {
        throw new Error("no");
      },
    },
  ]) {
    assert.throws(() => stringifyJson(value), coded("not-json"));
  }
  for (const source of [undefined, null, "data: {}", {}, 5, () => {}]) {
    assert.throws(() => read(source, { protocol: "agent-api" }), coded("wrong-source"));
    await assert.rejects(
      read(Promise.resolve(source), { protocol: "agent-api" }).finished(),
      coded("wrong-source"),
    );
  }
  const { readable, writable } = convert({ from: "ag-kit", to: "agent-api" });
  await readable.cancel();
  await assert.rejects(writable.getWriter().write(new Uint8Array(1)), coded("ended"));
});

test("WebAssembly that cannot be loaded is an AgentwireError, and loading can be retried", async () => {
  const { load } = await import("../../../../pkg/build/core/wasm.js");
  const bind = () => ({});
  const wrong = {
    bytes: new Uint8Array(8),
    status: new Response("", { status: 404 }),
    failing: () => Promise.reject(new TypeError("fetch failed")),
  };
  for (const [name, source] of Object.entries(wrong)) {
    await assert.rejects(
      load(bind, typeof source === "function" ? source : () => source),
      (error) => error instanceof Error && error.code === "wasm-unavailable",
      name,
    );
  }
});

test("an HttpError has the status, the headers and the body of the response", async () => {
  const headers = { "content-type": "application/json", "retry-after": "7" };
  const refusal = new Response('{"detail":"busy"}', { status: 429, headers });
  const error = await read(refusal, { protocol: "agent-api" })
    .finished()
    .catch((error) => error);
  assert.ok(error instanceof HttpError);
  assert.deepEqual(
    [error.code, error.status, error.headers.get("retry-after"), error.body],
    ["http-status", 429, "7", '{"detail":"busy"}'],
  );
  assert.deepEqual([error.contentType, error.json], ["application/json", { detail: "busy" }]);
  assert.equal(error.retryAfterMs, 7000);
  const asked = async (headers) =>
    (
      await read(new Response("", { status: 503, headers }), { protocol: "agent-api" })
        .finished()
        .catch((error) => error)
    ).retryAfterMs;
  const date = "Sun, 06 Nov 1994 08:49:37 GMT";
  assert.equal(await asked({ date, "retry-after": "Sun, 06 Nov 1994 08:50:07 GMT" }), 30_000);
  assert.deepEqual(
    [await asked({}), await asked({ "retry-after": "soon" }), await asked({ "retry-after": "0" })],
    [undefined, undefined, 0],
  );
  const page = await read(
    answer([new TextEncoder().encode("<p>")], { contentType: "text/html" }).response,
    { protocol: "agent-api" },
  )
    .finished()
    .catch((error) => error);
  assert.deepEqual(
    [page.code, page.status, page.contentType, page.body],
    ["content-type", 200, "text/html", "<p>"],
  );
});

test("Symbol.asyncDispose cancels a running run and does not change a finished one", async () => {
  const { stream, log } = body(["never"]);
  const run = read(stream, { protocol: "agent-api" });
  await run[Symbol.asyncDispose]();
  assert.equal((await run.finished()).report.endReason, "aborted");
  assert.ok(log.canceled);
  const over = read(body([]).stream, { protocol: "agent-api" });
  const outcome = await over.finished();
  await over[Symbol.asyncDispose]();
  assert.equal(await over.finished(), outcome);
  const failed = read(Promise.reject(new TypeError("fetch failed")), { protocol: "agent-api" });
  await failed.finished().catch(() => {});
  await failed[Symbol.asyncDispose]();
});
