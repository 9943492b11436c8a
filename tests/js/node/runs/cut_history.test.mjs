// A conversation that has more messages than its agent receives: what is left out is a loss.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createHandler } from "agentwire/server";
import { memoryStore } from "agentwire/stores";

test("the first messages of a long conversation are a loss of each request that misses them", async () => {
  const lost = [];
  const handler = createHandler({
    store: memoryStore(),
    agent: (out) => out.text("x"),
    onLosses: (losses) => lost.push(...losses),
  });
  const say = (text) =>
    handler(
      new Request("http://h/process", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          session_id: "a-session-of-the-tests",
          input: [{ role: "user", content: [{ type: "text", text }] }],
        }),
      }),
    );
  const long = "x".repeat(1_200_000);
  for (const turn of [1, 2, 3]) await (await say(`${turn} ${long}`)).text();
  assert.deepEqual(lost, []);
  await (await say(`4 ${long}`)).text();
  const response = await say("last");
  await response.text();
  assert.match(response.headers.get("agentwire-losses"), /history;n=1;class=quality/);
  assert.deepEqual(lost.map(({ kind, class: of }) => [kind, of]).at(-1), ["history", "quality"]);
  await handler.close();
});
