// The fake models with clients of their own APIs: they accept one that keeps everything, and refuse
// or note one that drops the state, without which other results would mean nothing; and the readers
// of this package, without a conversion.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { NATIVE, converseNatively } from "../../conversations/clients/native.mjs";
import { readerClient } from "../../conversations/clients/readers.mjs";
import { expectedResults } from "../../conversations/expected.mjs";
import { UPSTREAMS } from "../../conversations/upstreams/index.mjs";

/** What each model does with a client that drops the state. That of OpenAI has none. */
const WITHOUT_STATE = {
  "chat-openai": "accepts",
  "chat-deepseek": "refuses",
  "chat-gemini-compat": "refuses",
  "chat-openrouter": "refuses",
  "anthropic-adaptive": "notes",
  "anthropic-enabled": "refuses",
  "anthropic-search": "notes",
  gemini: "refuses",
  interactions: "notes",
  responses: "refuses",
};

const expected = expectedResults("readers", { usual: "ok" });

for (const Kind of UPSTREAMS) {
  const upstream = new Kind();

  /**
   * Has a conversation. Resolves to the error of the client, and the faults: what the model
   * refuses, and what it misses.
   */
  const talk = async (client, drops) => {
    upstream.reset();
    const error = await converseNatively(client, drops).then(
      () => undefined,
      ({ message }) => message,
    );
    const faults = upstream.requests.flatMap(({ refused, lost, state }, at) => {
      const missing = [...lost, ...state].map((entry) => ({
        kind: "lost",
        turn: at + 1,
        reason: entry,
      }));
      return refused ? [{ kind: "400", turn: at + 1, reason: refused }] : missing;
    });
    return { error, faults };
  };

  describe(upstream.name, () => {
    before(() => upstream.start());
    after(() => upstream.close());

    test("accepts a client that keeps everything", async () => {
      const { error, faults } = await talk(NATIVE[upstream.protocol](upstream));
      assert.deepEqual([error, faults, upstream.answered], [undefined, [], 4]);
    });

    test(`${WITHOUT_STATE[upstream.name]} a client that drops the state`, async () => {
      const { faults } = await talk(NATIVE[upstream.protocol](upstream), true);
      const is = { refuses: { 400: true }, notes: { lost: true }, accepts: {} }[
        WITHOUT_STATE[upstream.name]
      ];
      const kinds = Object.fromEntries(faults.map(({ kind }) => [kind, true]));
      assert.deepEqual(kinds, is, JSON.stringify(faults, null, 2));
    });

    test("has a conversation with the reader of this package", async () => {
      const { error, faults } = await talk(readerClient(upstream));
      const [first = error && { kind: "error", turn: upstream.requests.length }] = faults;
      expected.check(
        "reader",
        upstream.name,
        first ? `${first.kind}@${first.turn}` : "ok",
        JSON.stringify({ error, faults }, null, 2),
      );
    });
  });
}
expected.complete();
