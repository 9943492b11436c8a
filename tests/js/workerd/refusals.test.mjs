// The refusals of the worker: each path refuses in the form of its protocol.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { limitPeriod, openRuns } from "../support/runs_site.mjs";

/** A body that does not end: a client that sends while the server closes may lose the response. */
function bodyOf(mebibytes) {
  const pieces = [...Array(mebibytes).fill(1 << 20), 1].map((length) =>
    new Uint8Array(length).fill(32),
  );
  return new ReadableStream({
    pull: (controller) => {
      const piece = pieces.shift();
      if (piece !== undefined) controller.enqueue(piece);
    },
  });
}

const json = "application/json";
/** The forms of refusals: their content type, and a check of their body. */
const FORMS = {
  detail: [json, ({ detail }) => assert.ok(detail.length > 0)],
  openai: [
    json,
    (body) => {
      assert.deepEqual(Object.keys(body), ["error"]);
      assert.deepEqual(Object.keys(body.error), ["message", "type", "param", "code"]);
      assert.equal(body.error.type, "invalid_request_error");
      assert.ok(body.error.message.length > 0 && body.error.code.length > 0);
    },
  ],
  rpc: [
    json,
    ({ jsonrpc, id, error, ...more }) => {
      assert.deepEqual([jsonrpc, id, more], ["2.0", null, {}]);
      assert.ok(Number.isInteger(error.code) && error.code < 0 && error.message.length > 0);
    },
  ],
  rest: [
    json,
    ({ error, ...more }, status) => {
      assert.deepEqual([error.code, more], [status, {}]);
      assert.ok(
        /^[A-Z_]+$/.test(error.status) && error.message.length > 0 && Array.isArray(error.details),
      );
    },
  ],
  rest03: [
    json,
    ({ code, message, ...more }) =>
      assert.ok(code < 0 && message.length > 0 && Object.keys(more).length === 0),
  ],
  problem: [
    "application/problem+json",
    ({ status, code, detail }, said) =>
      assert.ok(status === said && /^AGENT_/.test(code) && detail.length > 0),
  ],
};

const unknown = `resp_${"0".repeat(64)}`;
const post = (body, headers = {}) => ({
  method: "POST",
  headers: { "content-type": json, ...headers },
  body,
  ...(typeof body === "object" && { duplex: "half" }),
});
const large = (mebibytes, headers) => () => post(bodyOf(mebibytes), headers);
const resumable = { prefer: "resumable" };
const get = {};
const put = { method: "PUT", body: "{}" };
const noKey = post("{}", { ...resumable, "idempotency-key": "short" });

/** Path, form, and the refused requests with their status. */
const TABLE = [
  [
    "/process",
    "detail",
    [
      ["a wrong method", get, 405],
      ["invalid JSON", post("{"), 422],
      ["an empty body", post(""), 422],
      ["a body that is too large", large(4), 413],
    ],
  ],
  ["/process", "problem", [["an invalid idempotency key", noKey, 422]]],
  [
    "/send-message",
    "detail",
    [
      ["a wrong method", put, 405],
      ["invalid JSON", post("{"), 422],
      ["a wrong content type", post("hello", { "content-type": "text/plain" }), 415],
      ["a body that is too large", large(4), 413],
    ],
  ],
  [
    "/ag-ui",
    "detail",
    [
      ["a wrong method", { method: "DELETE" }, 405],
      ["invalid JSON", post("{"), 422],
      ["an empty object", post("{}"), 422],
      ["a body that is too large", large(4), 413],
    ],
  ],
  ...["/v1/responses", "/compatible-mode/v1/responses"].map((path) => [
    path,
    "openai",
    [
      ["no response id", get, 405],
      ["a wrong method", put, 405],
      ["invalid JSON", post("{"), 400],
      ["a wrong content type", post("hello", { "content-type": "text/plain" }), 415],
      ["an empty body", post(""), 400],
      ["an invalid input", post('{"input":5}'), 400],
      ["a body that is too large", large(4), 413],
      [
        "a body that is too large to store",
        post(JSON.stringify({ input: "x".repeat(4 << 20) })),
        413,
      ],
      ["a body that is too large to resume", large(4, resumable), 413],
      ["an invalid idempotency key", noKey, 422],
    ],
  ]),
  [
    "/v1/responses/",
    "openai",
    [
      ["no response id", get, 404],
      ["a trailing slash", post('{"input":"hi"}'), 404],
    ],
  ],
  [
    "/v1/responses/nobody",
    "openai",
    [
      ["an invalid id", get, 404],
      ["DELETE of an invalid id", { method: "DELETE" }, 404],
    ],
  ],
  [
    `/v1/responses/${unknown}`,
    "openai",
    [
      ["an unknown response", get, 404],
      ["a wrong method", put, 405],
    ],
  ],
  [
    `/v1/responses/${unknown}?stream=true&starting_after=x`,
    "openai",
    [["an invalid sequence number", get, 400]],
  ],
  [
    `/v1/responses/${unknown}/cancel`,
    "openai",
    [
      ["an unknown response", post(""), 404],
      ["a wrong method", get, 405],
    ],
  ],
  [
    `/v1/responses/${unknown}/input_items`,
    "openai",
    [
      ["an unknown response", get, 404],
      ["a wrong method", post(""), 405],
    ],
  ],
  [`/v1/responses/${unknown}/nothing`, "openai", [["an unknown path", get, 404]]],
  ["/v1/completions", "openai", [["an unknown path", post("{}"), 404]]],
  ["/v1/chat/completions", "openai", [["an empty object", post("{}"), 400]]],
  ["/v1/models", "openai", [["a wrong method", post("{}"), 405]]],
  ["/v1/files", "openai", [["an unknown path", get, 404]]],
  [
    "/a2a",
    "rpc",
    [
      ["a wrong method", get, 405],
      [
        "a wrong method with version 1.0",
        { headers: { "a2a-version": "1.0" }, method: "DELETE" },
        405,
      ],
      // With JSON-RPC the status is 200 for every request that can be parsed.
      ["invalid JSON", post("{"), 200],
      ["an empty object", post("{}"), 200],
      ["a body that is too large", large(4), 413],
      ["a body that is too large to resume", large(4, resumable), 413],
      ["an invalid idempotency key", noKey, 422],
    ],
  ],
  [
    "/a2a/message:send",
    "rest",
    [
      ["a wrong method", get, 404],
      ["invalid JSON", post("{"), 400],
      ["no message", post("{}"), 400],
      ["a body that is too large", large(4), 413],
      ["an invalid idempotency key", noKey, 422],
    ],
  ],
  ["/a2a/tasks/none", "rest", [["an unknown task", get, 404]]],
  ["/a2a/nothing", "rest", [["an unknown path", get, 404]]],
  [
    "/a2a/v1/message:send",
    "rest03",
    [
      ["a wrong method", get, 404],
      ["invalid JSON", post("{"), 400],
      ["a body that is too large", large(4), 413],
      ["an invalid idempotency key", noKey, 422],
    ],
  ],
  ["/a2a/v1/tasks/none", "rest03", [["an unknown task", get, 404]]],
  ["/.well-known/agent-card.json", "rest", [["a wrong method", post("{}"), 405]]],
  [
    "/answers/none",
    "problem",
    [
      ["an unknown response", get, 404],
      ["POST to an unknown response", post("{}"), 404],
    ],
  ],
  [
    `/answers/${"0".repeat(64)}`,
    "problem",
    [
      ["an unknown response", get, 404],
      ["a wrong method", post("{}"), 405],
    ],
  ],
  [
    "/api/v1/agent/runs",
    "problem",
    [
      ["a wrong method", get, 405],
      ["invalid JSON", post("{"), 422],
    ],
  ],
  ["/api/v1/agent/nothing", "problem", [["an unknown path", get, 404]]],
];

describe("refusals", () => {
  let site;
  before(async () => {
    site = await openRuns({ KEEP_ALIVE: "100" }, { runsLimit: 100_000 });
  });
  after(() => site?.close());

  for (const [path, form, rows] of TABLE) {
    for (const [what, asked, status] of rows) {
      test(`${path}: ${what}`, async () => {
        const init = typeof asked === "function" ? asked() : asked;
        // The server closes the connection of a body that is too large, so it must not be reused.
        const own = {
          connection: "close",
          ...(path.startsWith("/api/") && { authorization: "Bearer demo" }),
        };
        const answer = await fetch(site.url + path, {
          ...init,
          headers: { ...init.headers, ...own },
        });
        const text = await answer.text();
        const [type, isOne] = FORMS[form];
        assert.deepEqual(
          [answer.status, answer.headers.get("content-type")?.split(";")[0]],
          [status, type],
          text,
        );
        assert.equal(answer.headers.has("allow"), status === 405);
        isOne(JSON.parse(text), status);
      });
    }
  }

  test("the official client reports the error message", async () => {
    const { OpenAI } = createRequire(import.meta.url)("openai");
    const client = new OpenAI({ apiKey: "unused", baseURL: `${site.url}/v1`, maxRetries: 0 });
    const refused = {
      status: 404,
      code: "not_found",
      message: /nothing at \/v1\/completions: responses are at \/v1\/responses/,
    };
    await assert.rejects(client.completions.create({ model: "m", prompt: "Hi" }), refused);
  });

  test("the rate limit is reported in the error form of each protocol", async () => {
    const busy = await openRuns({ KEEP_ALIVE: "100" }, { runsLimit: 1 });
    try {
      await limitPeriod();
      await (
        await fetch(`${busy.url}/v1/responses`, post('{"input":"echo the one that is allowed"}'))
      ).text();
      // Invalid requests start no agent, so they are not counted.
      const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
      const call = (method) =>
        JSON.stringify({ jsonrpc: "2.0", id: "mine", method, params: { message } });
      for (const [path, form, body, headers] of [
        ["/v1/responses", "openai", '{"input":"hi"}'],
        ["/v1/responses", "openai", '{"input":"hi"}', resumable],
        ["/a2a/message:send", "rest", JSON.stringify({ message })],
        ["/a2a/message:stream", "rest", JSON.stringify({ message }), resumable],
        [
          "/a2a/v1/message:send",
          "rest03",
          JSON.stringify({
            message: { messageId: "m", role: "ROLE_USER", content: [{ text: "hi" }] },
          }),
        ],
        ["/process", "problem", "{}", resumable],
      ]) {
        const answer = await fetch(busy.url + path, post(body, headers));
        assert.deepEqual([answer.status, answer.headers.get("retry-after")], [429, "10"], path);
        FORMS[form][1](await answer.json(), 429);
      }
      const answer = await (await fetch(`${busy.url}/a2a`, post(call("SendMessage")))).json();
      assert.deepEqual([answer.id, answer.error.code], ["mine", -32000]);
    } finally {
      await busy.close();
    }
  });
});
