// The recorded answers of models as histories: the API of each model accepts the next request, also
// converted. `answers.json` has those that are not `valid`.
import { test } from "node:test";
import { requestsAfterAnswers } from "../../conversations/answers.mjs";
import { expectedResults } from "../../conversations/expected.mjs";
import { invalidity } from "../../conversations/rules/index.mjs";

const expected = expectedResults("answers", { usual: "valid" });

for (const { name, from, to, make } of await requestsAfterAnswers()) {
  test(`${name} → ${to}`, () => {
    let [request, refused] = [];
    try {
      request = make();
      refused = invalidity(to, request, from);
    } catch (error) {
      return expected.check(name, to, "threw", String(error?.stack ?? error));
    }
    expected.check(
      name,
      to,
      refused === undefined ? "valid" : "invalid",
      `  ${refused}\n  ${JSON.stringify(request)}`,
    );
  });
}
expected.complete();
