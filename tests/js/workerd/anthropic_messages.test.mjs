// The official Anthropic client and an agent in the edge runtime.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Anthropic } from "@anthropic-ai/sdk";
import { COMPATIBILITY_DATES, startWorker } from "../support/worker.mjs";

const entry = fileURLToPath(new URL("anthropic_messages.worker.mjs", import.meta.url));

for (const compatibilityDate of COMPATIBILITY_DATES) {
  describe(`in workerd of ${compatibilityDate}`, () => {
    let worker;
    let client;
    before(async () => {
      worker = await startWorker(entry, { compatibilityDate });
      const fetch = (url, init) => worker.dispatchFetch(url, init);
      client = new Anthropic({ apiKey: "x", baseURL: "http://localhost", maxRetries: 0, fetch });
    });
    after(() => worker?.dispose());

    for (const stream of [true, false]) {
      test(`the client runs its tool (stream: ${stream})`, async () => {
        const request = {
          model: "agent",
          max_tokens: 100,
          tools: [{ name: "pick_color", input_schema: { type: "object" } }],
        };
        const ask = (messages) =>
          stream
            ? client.messages.stream({ ...request, messages }).finalMessage()
            : client.messages.create({ ...request, messages });
        const question = { role: "user", content: "a color" };
        const { content, stop_reason } = await ask([question]);
        assert.equal(stop_reason, "tool_use");
        assert.deepEqual(
          content.map(({ type, thinking, input }) => thinking ?? input ?? type),
          ["A color.", { of: "sky" }],
        );
        const result = { type: "tool_result", tool_use_id: content[1].id, content: "blue" };
        const next = await ask([
          question,
          { role: "assistant", content },
          { role: "user", content: [result] },
        ]);
        assert.deepEqual(next.content, [{ type: "text", text: "You picked blue." }]);
      });
    }
  });
}
