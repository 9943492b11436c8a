// The core leaves floating point and the tables of Unicode to its host: these tests check that the
// results of the host have the core's spelling.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { RequestError } from "agentwire";
import { AgentApiStreamBuilder, parseRequest } from "agentwire/server";

const rows = (name) =>
  JSON.parse(
    readFileSync(new URL(`../../../data/corpus/agent-api/${name}/rows.json`, import.meta.url)),
  );

const refusal = (body) => {
  try {
    return void parseRequest("agent-api", body);
  } catch (error) {
    assert.ok(error instanceof RequestError);
    return error;
  }
};

test("a sum of floats is written as a float", () => {
  const sums = [
    [0.1, 0.2, "0.30000000000000004"],
    [1.5, 1.5, "3.0"],
    [-0.25, 0.25, "0.0"],
    [1e21, 1, "1e21"],
    [1e15, 0.5, "1000000000000000.5"],
    [4503599627370496.5, 4503599627370495.5, "9007199254740992.0"],
    [1e-7, 5e-8, "1.5e-7"],
    [0.00005, 0.00005, "0.0001"],
    [0.00005, 0, "5e-5"],
    [5e-324, 0, "5e-324"],
    // JSON has no infinity: the sum keeps its value and its spelling.
    [1e308, 1e308, "1e+308"],
    [-1e300, -1e300, "-2e300"],
  ];
  const response = new AgentApiStreamBuilder({ ids: "numbered" });
  response.created();
  response.inProgress();
  const message = response.createMessageBuilder();
  message.inProgress();
  for (const [first, second, sum] of sums) {
    const content = message.createContentBuilder("data");
    content.addDataDelta({ sum: first });
    content.addDataDelta({ sum: second });
    assert.ok(content.complete().toSse().includes(`"data":{"sum":${sum}}`), `${first} + ${second}`);
  }
});

test("numbers in requests keep their value", () => {
  for (const { value, accepted } of rows("request_members").top_p.rows) {
    const body = `{"input":[],"top_p":${value}}`;
    // The real library writes null for a value that JSON cannot represent; here it is refused.
    if (accepted === undefined || (accepted === "null" && value !== "null")) {
      assert.match(
        refusal(body)?.problems[0].code ?? "none",
        /^(float_parsing|float_type|finite_number)$/,
        body,
      );
    } else {
      assert.equal(parseRequest("agent-api", body).top_p ?? null, JSON.parse(accepted), body);
    }
  }
});

test("rejections quote values as the official server does", () => {
  for (const { body, text } of rows("request_refusals")) {
    assert.equal(refusal(body)?.message, text);
  }
});

test("characters that Python does not print are escaped in rejections", () => {
  const shown = [
    ["e\u0301", "e\u0301"],
    ["\u{1f600} \u5317", "\u{1f600} \u5317"],
    ["a\u00adb", "a\\xadb"],
    ["\u200b\u3000\u2028", "\\u200b\\u3000\\u2028"],
    ["\ue000\u0378", "\\ue000\\u0378"],
    ["\u{e0001}\u7f16", "\\U000e0001\u7f16"],
    ["a\\\n", "a\\\\\\n"],
    ["\u0007\u007f", "\\x07\\x7f"],
  ];
  for (const [value, repr] of shown) {
    const error = refusal(JSON.stringify({ input: [], seed: value }));
    assert.ok(error.message.includes(`input_value='${repr}', input_type=str`), error.message);
  }
});
