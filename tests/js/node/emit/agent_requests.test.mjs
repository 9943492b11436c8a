// The request that an agent receives, for requests of each protocol. `tests/rust/http/requests.rs`
// checks the same cases in Rust.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createHandler } from "agentwire/server";

const { cases } = JSON.parse(
  readFileSync(new URL("../../../data/agent_requests.json", import.meta.url), "utf8"),
);

for (const { name, path, headers, body, request: expected } of cases) {
  test(name, async () => {
    let received;
    const handler = createHandler({
      agent(_, request) {
        received = request;
        return "ok";
      },
    });
    const response = await handler(
      new Request(`http://localhost${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    );
    await response.text();
    const { id, text, answers, messages, tools, settings, state, native } = received;
    const request = {
      ...(expected.id !== undefined && { id }),
      ...{ text, answers, messages, tools, settings, state },
      native: native?.protocol ?? null,
    };
    assert.deepEqual(JSON.parse(JSON.stringify(request)), expected);
    assert.notEqual(id, "");
    assert.deepEqual(native?.body, native && body);
  });
}
