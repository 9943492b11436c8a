// Conversions of single requests (tests/js/conversations/fidelity.mjs). `requests.json` has those
// that are not `carried`.
import { describe, test } from "node:test";
import { expectedResults } from "../../conversations/expected.mjs";
import { conversions } from "../../conversations/fidelity.mjs";

const expected = expectedResults("requests", { usual: "carried" });

for (const { topic, directions } of conversions()) {
  describe(topic, () => {
    for (const { from, to, judge } of directions) {
      test(`${from} → ${to}`, () => {
        const { result, reason = "", losses = [], sent } = judge();
        expected.check(
          topic,
          `${from} → ${to}`,
          result,
          `  ${reason}\n  losses: ${losses.join(", ")}\n  request: ${JSON.stringify(sent)}`,
        );
      });
    }
  });
}
expected.complete();
