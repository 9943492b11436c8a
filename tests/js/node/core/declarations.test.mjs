// The declarations of the package need no DOM library: those of Node have the classes of the web,
// and few of its types.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";

const dist = new URL("../../../../pkg/dist/", import.meta.url);
/** Names that the DOM library declares, and the declarations of Node do not. */
const DOM_ONLY =
  /\b(HeadersInit|BodyInit|BufferSource|ReadableWritablePair|Request(Credentials|Mode|Cache|Redirect)|WebAssembly\.)/;

test("the declarations do not need the DOM library", async () => {
  const files = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith(".d.ts"));
  assert.ok(files.length > 50);
  for (const name of files) {
    const code = (await readFile(new URL(name, dist), "utf8")).replace(/\/\*[^]*?\*\/|\/\/.*/g, "");
    assert.doesNotMatch(code, DOM_ONLY, name);
  }
});
