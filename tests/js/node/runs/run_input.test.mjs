// `createRun` rejects what the service would reject, with the same error and without a request.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RequestError, RunsClient } from "agentwire/runs";
import { serializeRunInput } from "agentwire/runs/server";

const id = "01234567-89ab-cdef-0123-456789abcdef";
const whole = () => ({
  threadId: id,
  runId: "run",
  messages: [
    {
      id: "u",
      role: "user",
      content: [
        { type: "text", text: "Hi" },
        { type: "binary", mimeType: "image/png", url: "/a.png" },
        {
          type: "image",
          source: { type: "url", value: "https://a.example/a.png", mimeType: "image/png" },
        },
      ],
    },
    { id: "t", role: "tool", content: "1", toolCallId: "c", error: "no" },
    { id: "a", role: "assistant", content: "text", toolCalls: [{}] },
    { id: "s", role: "system", content: "text" },
    { id: "d", role: "developer", content: "text" },
  ],
  forwardedProps: {
    runtime_mode: "chat",
    client_time: { device_timezone: "UTC", client_now_iso: "2026-03-19", client_epoch_ms: 1 },
  },
  state: { any: 1 },
  tools: [{}],
  context: [{}],
  parentRunId: "before",
  resume: [{}],
});

/** Returns the error of the service; undefined if it accepts the input. */
function rejected(input) {
  try {
    return void serializeRunInput(input);
  } catch (error) {
    return error;
  }
}

/** Returns the error of the client, and whether it has sent a request. */
async function created(input) {
  let isSent = false;
  const fetch = async () => {
    isSent = true;
    return Response.json({ runId: "run" }, { status: 202 });
  };
  const error = await new RunsClient("http://localhost", { fetch }).createRun(input).then(
    () => undefined,
    (error) => error,
  );
  assert.equal(isSent, error === undefined, "a request is sent if the input is valid");
  return error;
}

/**
 * The parts of an error, without the value of a wrong tag, which the service writes in the notation
 * of Python: `None`.
 */
const partsOf = ({ code, status, message, contentType, body, problems }) =>
  JSON.parse(
    JSON.stringify({
      code,
      status,
      message,
      contentType,
      body: JSON.parse(body),
      problems,
    }).replace(/Input tag '.*?' found/g, "Input tag found"),
  );

/** Asserts that both reject the input with the same error, or that both accept it. */
async function agree(input, what) {
  const [own, expected] = [await created(input), rejected(input)];
  assert.deepEqual(own && partsOf(own), expected && partsOf(expected), what);
  assert.ok(own === undefined || own instanceof RequestError);
  return own;
}

/** Yields the path of each value in an input. */
function* pathsIn(value, path = []) {
  yield path;
  for (const key of Object.keys(Object(value) === value ? value : {}))
    yield* pathsIn(value[key], [...path, key]);
}

const CHANGES = [
  undefined,
  null,
  true,
  0,
  -1.5,
  "",
  "text",
  "12",
  [],
  [1],
  {},
  { id: "i", role: "user", content: "c" },
  { role: "other" },
  { type: "text" },
];

test("each value of an input is replaced by values of other types", async () => {
  assert.equal(await agree(whole(), "the whole input"), undefined);
  // The client does not read numbers in other notations: the service has the last word about this
  // member.
  const paths = [...pathsIn(whole())].filter(
    (path) => path.length > 0 && path.at(-1) !== "client_epoch_ms",
  );
  let count = 0;
  for (const path of paths) {
    for (const change of CHANGES) {
      const input = whole();
      const parent = path.slice(0, -1).reduce((value, key) => value[key], input);
      parent[path.at(-1)] = change;
      count += Number(
        (await agree(input, `${path.join(".")}: ${JSON.stringify(change)}`)) !== undefined,
      );
    }
  }
  assert.ok(count > 300, `${count} inputs were rejected`);
});

test("the limits and the rules between members", async () => {
  const user = { id: "u", role: "user", content: "Hi" };
  const tool = { id: "t", role: "tool", content: "1", toolCallId: "c" };
  const part = (part) => ({ messages: [{ ...user, content: [part] }] });
  const image = (source) =>
    part({ type: "image", source: { type: "url", value: "/a", ...source } });
  const binary = (members) =>
    part({ type: "binary", mimeType: "image/png", url: "/a", ...members });
  const refused = [
    { runId: "r".repeat(129) },
    { runId: "a\nb" },
    { runId: "\u0085" },
    { threadId: `${id}0` },
    { threadId: `{${id}` },
    { messages: [user, user] },
    { messages: Array(101).fill({ role: "tool" }) },
    { messages: [], resume: [] },
    { messages: Array(201).fill(tool) },
    { forwardedProps: { runtime_mode: "chat", other: 1, more: {} } },
    image({ value: "//host/a" }),
    image({ value: "data:image/png;base64,AA" }),
    image({ mimeType: "text/plain" }),
    binary({ mimeType: "image/" }),
    binary({ url: undefined }),
    binary({ data: "AAAA" }),
    binary({ data: "A".repeat(100) }),
  ];
  const accepted = [
    { runId: "😀".repeat(128) },
    { threadId: id.toUpperCase() },
    { messages: [tool], resume: null },
    { messages: [], resume: [1] },
    { messages: Array(200).fill(tool) },
    { state: 123456789012345678901n },
    binary({ mimeType: "image/\n" }),
    image({ value: "http://" }),
    { parentRunId: undefined, parent_run_id: "before" },
  ];
  const code = async (change) =>
    (
      await agree(
        { ...whole(), resume: undefined, messages: [user], ...change },
        JSON.stringify(Object.keys(change)),
      )
    )?.code;
  for (const change of refused)
    assert.equal(await code(change), "bad-request", JSON.stringify(change).slice(0, 200));
  for (const change of accepted) assert.equal(await code(change), undefined);
});

test("a number in another notation is left to the service", async () => {
  const input = whole();
  input.forwardedProps.client_time.client_epoch_ms = "a day";
  assert.equal(rejected(input).problems[0].code, "int_parsing");
  assert.equal(await created(input), undefined);
  input.forwardedProps.client_time.client_epoch_ms = [];
  await agree(input, "a list is not a number");
});
