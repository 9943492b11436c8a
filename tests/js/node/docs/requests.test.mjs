// The requests in the documentation: their method, headers and members, and that the tests detect
// wrong ones.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { asked } from "../support/asking.mjs";

const root = new URL("../../../../", import.meta.url);
const headers = { "content-type": "application/json" };

test("requests without the required method, headers or session are detected", async () => {
  const body = '{"session_id":"s","input":[]}';
  assert.deepEqual(await asked("/process", { method: "POST", headers, body }), {
    session_id: "s",
    input: [],
  });
  assert.deepEqual(
    await asked("/send-message", { method: "POST", headers, body: '{"conversationId":"c"}' }),
    { conversationId: "c" },
  );
  const wrong = {
    "no content type": ["/process", { method: "POST", body }],
    "another content type": [
      "/process",
      { method: "POST", headers: { "content-type": "text/plain" }, body },
    ],
    "another method": ["/process", { method: "PUT", headers, body }],
    "no session": ["/process", { method: "POST", headers, body: '{"input":[]}' }],
    "an empty session": [
      "/process",
      { method: "POST", headers, body: '{"session_id":"","input":[]}' },
    ],
    "no conversation": ["/send-message", { method: "POST", headers, body }],
    "no such path": ["/run", { method: "POST", headers, body }],
  };
  for (const [name, given] of Object.entries(wrong)) {
    await assert.rejects(asked(...given), assert.AssertionError, name);
  }
});

/** Documents, examples and the comments of the sources, from which users copy. */
async function documents() {
  const paths = ["README.md", "pkg/README.md", "www/README.md", "www/dev.mjs"];
  for (const [folder, end] of [
    ["docs", ".md"],
    ["examples", ".rs"],
    ["pkg/src", ".ts"],
    ["src", ".rs"],
  ]) {
    const files = await readdir(new URL(folder, root), { recursive: true });
    paths.push(
      ...files
        .filter((file) => file.endsWith(end) && !file.includes("node_modules"))
        .map((file) => `${folder}/${file}`),
    );
  }
  return Promise.all(
    paths.map(async (path) => [path, await readFile(new URL(path, root), "utf8")]),
  );
}

test("every documented request has its content type and a session", async () => {
  let [posts, curls] = [0, 0];
  for (const [path, text] of await documents()) {
    for (const [call] of text.matchAll(/\{\s*method: "POST"[^]{0,120}/g)) {
      // A request without a body needs no content type.
      if (!/\bbody\b/.test(call)) {
        continue;
      }
      posts++;
      assert.match(call, /\bheaders\b/, `${path}: ${call}`);
    }
    // A command continues in the next line after a backslash; in comments that line begins with the
    // comment marker.
    for (const [command] of text.matchAll(/\bcurl (?:[^\n]*\\\n)*[^\n]*/g)) {
      const line = command.replace(/\\\n\s*(\/\/[/!])?/g, " ");
      if (/ -d\b/.test(line)) {
        curls++;
        assert.match(line, / -H 'content-type: application\/json'/, `${path}: ${line}`);
        const [, body] = / -d '([^']*)'/.exec(line) ?? assert.fail(`${path}: ${line}`);
        const [, to] = /127\.0\.0\.1:\d+(\/[^\s?]*)/.exec(line) ?? assert.fail(`${path}: ${line}`);
        await asked(to, { method: "POST", headers, body: body.replace("[…]", "[]") });
      }
    }
  }
  assert.ok(posts >= 8 && curls >= 3, `${posts} calls, ${curls} commands`);
});
