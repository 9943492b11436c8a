import assert from "node:assert/strict";
import { test } from "node:test";
import { RequestError } from "agentwire";
import { parseRequest, validateRequest } from "agentwire/server";

const input = [{ role: "user", content: [{ type: "text", text: "hi" }] }];

test("parseRequest() keeps undeclared properties and large integers", () => {
  const body = `{"input":${JSON.stringify(input)},"max_tokens":"12","biz_params":{"id":9007199254740993}}`;
  const request = parseRequest("agent-api", body);
  assert.equal(request.max_tokens, 12);
  assert.equal(request.biz_params.id, 9007199254740993n);
  assert.equal(request.input[0].content[0].text, "hi");
});

test("an invalid request is rejected with all problems, and with the response of the official runtime", async () => {
  const body = JSON.stringify({ input: [{ role: "critic", content: [{ type: "smell" }] }], n: 9 });
  assert.throws(
    () => parseRequest("agent-api", body),
    (error) => {
      assert.ok(error instanceof RequestError && error.code === "bad-request");
      assert.equal(error.status, 200);
      assert.match(error.body, /^data: \{"error": ".*"\}\n\n$/);
      assert.deepEqual(
        error.problems.map(({ path }) => path),
        ["input.0.role", "input.0.content.0", "n"],
      );
      return true;
    },
  );
});

test("a body that is not a JSON object is rejected with status 422", async () => {
  for (const body of ["", "[]", "nonsense", "7"]) {
    const error = (() => {
      try {
        return parseRequest("agent-api", body);
      } catch (thrown) {
        return thrown;
      }
    })();
    assert.equal(error.status, 422, body);
    const response = error.toResponse({ "x-test": "1" });
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.ok(Array.isArray((await response.json()).detail));
  }
});

test("validateRequest() lists the problems of a request", () => {
  assert.deepEqual(validateRequest("agent-api", { input, session_id: "s", user_id: "u" }), []);
  const problems = validateRequest("agent-api", { input, n: 7 });
  assert.deepEqual(
    problems.map(({ path }) => path),
    ["n"],
  );
});
