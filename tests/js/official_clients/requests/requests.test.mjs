// All requests of conversions against the types of the official Python clients.
// `official_types.json` has those that are not `valid`. The variable
// REQUESTS is a file with more of them, a JSON object with `protocol` and `request` in each line:
// all have to be valid.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { expectedResults } from "../../conversations/expected.mjs";
import { allRequests } from "../../conversations/requests.mjs";
import { judgeByTypes } from "./judge.mjs";

const { PYTHON, REQUESTS } = process.env;

/** Requests that the types refuse, with their errors: the judge is strict. */
const REFUSED = [
  [
    "chat",
    { messages: [{ role: "user", content: [{ type: "text", text: "hi", more: 1 }] }] },
    /more: Extra inputs/,
  ],
  [
    "chat",
    {
      messages: [
        {
          role: "assistant",
          tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: {} } }],
        },
      ],
    },
    /arguments: Input should be a valid string/,
  ],
  [
    "responses",
    { input: [{ role: "user", content: [{ type: "input_text", text: "hi", more: 1 }] }] },
    /more: Extra inputs/,
  ],
  ["responses", { input: "hi", conversation: 5 }, /conversation/],
  [
    "anthropic",
    {
      max_tokens: 5,
      messages: [
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "c", name: "f", input: {}, partial_json: "" }],
        },
      ],
    },
    /partial_json: Extra inputs/,
  ],
  ["anthropic", { messages: [{ role: "user", content: "hi" }] }, /max_tokens: Field required/],
  [
    "gemini",
    {
      contents: [{ role: "user", parts: [{ text: "hi" }] }],
      tools: [{ functionDeclarations: [{ name: "f", strict: true }] }],
    },
    /strict: Extra inputs/,
  ],
  ["gemini", { contents: [], generation_config: {} }, /generation_config: Extra inputs/],
];

describe("official types", { skip: PYTHON === undefined && "no `PYTHON`" }, async () => {
  const expected = expectedResults("official_types", { usual: "valid" });
  const made = (await allRequests()).filter(({ request }) => request !== undefined);
  const sources = made
    .filter(({ source }) => source !== undefined)
    .map(({ protocol, source }) => ({ protocol, request: source }));
  const more =
    REQUESTS === undefined
      ? []
      : readFileSync(REQUESTS, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line));
  const refused = REFUSED.map(([protocol, request]) => ({ protocol, request }));
  const verdicts = await judgeByTypes([...made, ...more, ...refused, ...sources]);
  const take = (count) => verdicts.splice(0, count);
  const [ofMade, ofMore, ofRefused, ofSources] = [made, more, refused, sources].map(({ length }) =>
    take(length),
  );

  for (const [at, { row, column, request, source }] of made.entries()) {
    // A request that passes through is as valid as it came.
    const isSound = source === undefined || ofSources.shift().length === 0;
    test(`${row}: ${column}`, { skip: !isSound && "the source is not valid" }, () => {
      const errors = ofMade[at];
      expected.check(
        row,
        column,
        errors.length === 0 ? "valid" : "invalid",
        `  ${errors.join("\n  ")}\n  ${JSON.stringify(request)}`,
      );
    });
  }
  for (const [at, errors] of ofMore.entries())
    test(`line ${at + 1} of ${REQUESTS}`, () => assert.deepEqual(errors, []));
  for (const [at, errors] of ofRefused.entries())
    test(`the types refuse ${JSON.stringify(refused[at])}`, () =>
      assert.match(errors.join("\n"), REFUSED[at][2]));
  expected.complete();
});
