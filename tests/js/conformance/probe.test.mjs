// `agentwire probe` asks the servers of this package, the gateway, and the servers of the official
// libraries. The variable GATEWAY is the path of the program, built with the feature `gateway`.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { a2aSdk, agUi, aiSdk, gateway, handler, PROGRAM, service } from "./servers.mjs";

/** The paths of the protocols in servers of this package. */
const PATHS = {
  responses: "/v1",
  "ag-ui": "/ag-ui",
  a2a: "/a2a",
  "ai-sdk": "/api/chat",
  chat: "/v1",
  anthropic: "",
  "agent-api": "/process",
  "ag-kit": "/send-message",
};

/** Resolves to the report of a probe and its exit status. */
function probe(url, protocol) {
  const given = ["probe", url, "--protocol", protocol, "--timeout", "10", "--format", "json"];
  return new Promise((resolve, reject) => {
    execFile(PROGRAM, given, (error, output, printed) => {
      if (error && error.code !== 1) return reject(new Error(printed));
      resolve({ report: JSON.parse(output), status: error?.code ?? 0 });
    });
  });
}

/** Returns the checks of a report that have not passed: their results, or all with `details`. */
const notPassed = ({ checks }) =>
  Object.fromEntries(
    checks.filter(({ result }) => result !== "ok").map(({ id, result }) => [id, result]),
  );

async function assertProbed(start, protocol, expected) {
  const { origin, stop } = await start();
  try {
    const { report, status } = await probe(origin + PATHS[protocol], protocol);
    assert.deepEqual(notPassed(report), expected, JSON.stringify(report, null, 1));
    assert.equal(status, Object.values(expected).includes("fail") ? 1 : 0);
  } finally {
    await stop();
  }
}

/** Checks that cannot be judged: the servers store no responses, and answer for any model. */
const NOT_JUDGED = {
  responses: { "previous-answered": "skip", "unknown-model-form": "skip" },
  chat: { "unknown-model-form": "skip" },
  anthropic: { "unknown-model-form": "skip" },
};

/**
 * The gateway stores no conversations. A client of AG-Kit sends the result of a call without the
 * call, and the gateway refuses it with the code `history_missing`.
 */
const OF_GATEWAY = { "ag-kit": { "call-result-answered": "fail" } };

for (const protocol of Object.keys(PATHS)) {
  test(`createHandler passes the probe in ${protocol}`, () =>
    assertProbed(handler, protocol, NOT_JUDGED[protocol] ?? {}));

  test(`the gateway passes the probe in ${protocol}`, () =>
    assertProbed(gateway, protocol, { ...NOT_JUDGED[protocol], ...OF_GATEWAY[protocol] }));
}

test("a service that stores responses passes the probe", () =>
  assertProbed(service, "responses", {
    "unknown-model-form": "skip",
  }));

// It does not look at the content type of a request.
test("the server of @a2a-js/sdk passes the probe", () =>
  assertProbed(a2aSdk, "a2a", { "wrong-type-refused": "warn" }));

test("the response of streamText passes the probe", () => assertProbed(aiSdk, "ai-sdk", {}));

test("the encoder of AG-UI passes the probe", () => assertProbed(agUi, "ag-ui", {}));
