// The official OpenAI client and an agent in the edge runtime, by Chat Completions.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { OpenAI } from "openai";
import { COMPATIBILITY_DATES, startWorker } from "../support/worker.mjs";

const entry = fileURLToPath(new URL("chat_completions.worker.mjs", import.meta.url));

for (const compatibilityDate of COMPATIBILITY_DATES) {
  describe(`in workerd of ${compatibilityDate}`, () => {
    let worker;
    let client;
    before(async () => {
      worker = await startWorker(entry, { compatibilityDate });
      const fetch = (url, init) => worker.dispatchFetch(url, init);
      client = new OpenAI({ apiKey: "x", baseURL: "http://localhost/v1", maxRetries: 0, fetch });
    });
    after(() => worker?.dispose());

    for (const stream of [true, false]) {
      test(`the client runs its tool (stream: ${stream})`, async () => {
        const parameters = { type: "object", properties: { of: { type: "string" } } };
        const runner = client.chat.completions.runTools({
          model: "agent",
          stream,
          messages: [{ role: "user", content: "a color" }],
          tools: [
            {
              type: "function",
              function: {
                name: "pick_color",
                description: "",
                parameters,
                parse: JSON.parse,
                function: ({ of }) => (of === "sky" ? "blue" : "none"),
              },
            },
          ],
        });
        assert.equal(await runner.finalContent(), "You picked blue.");
      });
    }
  });
}
