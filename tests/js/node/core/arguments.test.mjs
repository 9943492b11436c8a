// Arguments of a wrong type: each public function with a string, object or options parameter names
// the wrong one in its error.
// `parseJson` and `stringifyJson` are excluded, because they accept any value, as JSON of
// JavaScript does.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as agentwire from "agentwire";
import * as agKit from "agentwire/ag-kit";
import * as server from "agentwire/server";

const { AgentwireError, Converter, Decoder } = agentwire;
const { AgentApiStreamBuilder, EventWriter } = server;

/** An object that cannot be written as JSON. */
const circular = {};
circular.itself = circular;

const NO_TEXT = [5, 5n, true, Symbol("s"), {}, ["a"], () => {}, new String("s")];
const NEITHER = [...NO_TEXT, null, undefined];
const NO_OBJECT = [5, "x", true, null, undefined, Symbol("s"), () => {}, []];
const NO_EVENT = [5, true, null, undefined, Symbol("s")];
const NO_JSON = [Symbol("s"), () => {}, circular];

/** Builders in a state in which any call is legal. */
function builders() {
  const response = new AgentApiStreamBuilder();
  response.created();
  response.inProgress();
  const message = response.createMessageBuilder();
  message.inProgress();
  const content = (type) => message.createContentBuilder(type);
  return { response, message, content };
}

const TURN = { status: "completed", parts: [], pendingToolCallIds: [] };

/** Function, the parameter at fault, wrong values for it, and the call. */
const CALLS = [
  ["parseRequest", "protocol", NEITHER, (v) => server.parseRequest(v, "{}")],
  ["parseRequest", "body", NEITHER, (v) => server.parseRequest("agent-api", v)],
  ["validateRequest", "request", NO_OBJECT, (v) => server.validateRequest("ag-kit", v)],
  [
    "convertRequest",
    "request",
    NO_OBJECT,
    (v) => agentwire.convertRequest(v, { from: "ag-kit", to: "agent-api" }),
  ],
  ["nextRequest", "previous", NO_OBJECT, (v) => agKit.nextRequest(v, TURN)],
  ["nextRequest", "snapshot", NO_OBJECT, (v) => agKit.nextRequest({ conversationId: "c" }, v)],
  ["submitToolResults", "previous", NO_OBJECT, (v) => agKit.submitToolResults(v, TURN, {})],
  [
    "submitToolResults",
    "results",
    NO_OBJECT,
    (v) => agKit.submitToolResults({ conversationId: "c" }, TURN, v),
  ],
  ["resume", "decisions", NO_OBJECT, (v) => agKit.resume({ conversationId: "c" }, TURN, v)],
  ["new EventWriter", "options", [5, "x", null], (v) => new EventWriter(v)],
  ["write", "event", NO_EVENT, (v) => new EventWriter({ protocol: "ag-kit" }).write(v)],
  ["new AgentApiStreamBuilder", "options", [5, "x", null], (v) => new AgentApiStreamBuilder(v)],
  ["new Converter", "options", NO_OBJECT, (v) => new Converter(v)],

  [
    "AgentApiStreamBuilder.failed",
    "error",
    [5, "x", null, undefined],
    (v) => builders().response.failed(v),
  ],
  [
    "AgentApiStreamBuilder.failed",
    "error.code",
    NO_TEXT,
    (v) => builders().response.failed({ code: v, message: "m" }),
  ],
  [
    "AgentApiStreamBuilder.failed",
    "error.message",
    NO_TEXT,
    (v) => builders().response.failed({ code: "c", message: v }),
  ],
  ["AgentApiStreamBuilder.rejected", "error", [5, "x"], (v) => builders().response.rejected(v)],
  ["AgentApiStreamBuilder.incomplete", "reason", NO_TEXT, (v) => builders().response.incomplete(v)],
  ["AgentApiStreamBuilder.finishWith", "status", NEITHER, (v) => builders().response.finishWith(v)],
  [
    "AgentApiStreamBuilder.finishWith",
    "error",
    [5, "x"],
    (v) => builders().response.finishWith("failed", v),
  ],
  [
    "AgentApiStreamBuilder.createMessageBuilder",
    "role",
    NO_TEXT,
    (v) => builders().response.createMessageBuilder(v),
  ],
  [
    "AgentApiStreamBuilder.createMessageBuilder",
    "messageType",
    NO_TEXT,
    (v) => builders().response.createMessageBuilder("user", v),
  ],
  [
    "AgentApiStreamBuilder.generateStreamingResponse",
    "textTokens",
    [5, null, ["a", 5]],
    (v) => new AgentApiStreamBuilder().generateStreamingResponse(v),
  ],
  [
    "AgentApiStreamBuilder.generateStreamingResponse",
    "role",
    NO_TEXT,
    (v) => new AgentApiStreamBuilder().generateStreamingResponse([], v),
  ],

  [
    "MessageBuilder.createContentBuilder",
    "contentType",
    NO_TEXT,
    (v) => builders().message.createContentBuilder(v),
  ],
  [
    "MessageBuilder.createContentBuilder",
    "index",
    ["1", -1, 1.5, 2 ** 32, NaN, {}, Symbol("s")],
    (v) => builders().message.createContentBuilder("text", v),
  ],
  ["MessageBuilder.addContent", "content", NO_OBJECT, (v) => builders().message.addContent(v)],
  [
    "MessageBuilder.addContent",
    "content.text",
    NO_TEXT,
    (v) => builders().message.addContent({ type: "text", text: v }),
  ],
  [
    "MessageBuilder.addContent",
    "content.format",
    NO_TEXT,
    (v) => builders().message.addContent({ type: "audio", data: "d", format: v }),
  ],
  [
    "MessageBuilder.addContent",
    "content.filename",
    NO_TEXT,
    (v) => builders().message.addContent({ type: "file", filename: v }),
  ],
  [
    "MessageBuilder.failed",
    "error.code",
    NO_TEXT,
    (v) => builders().message.failed({ code: v, message: "m" }),
  ],
  ["MessageBuilder.rejected", "error", [5, "x"], (v) => builders().message.rejected(v)],
  ["MessageBuilder.finishWith", "status", NEITHER, (v) => builders().message.finishWith(v)],
  [
    "MessageBuilder.setError",
    "error.message",
    NO_TEXT,
    (v) => builders().message.setError({ code: "c", message: v }),
  ],

  ...["addTextDelta", "addDelta"].map((method) => [
    `ContentBuilder.${method}`,
    "text",
    NO_TEXT,
    (v) => builders().content("text")[method](v),
  ]),
  [
    "ContentBuilder.addRefusalDelta",
    "text",
    NO_TEXT,
    (v) => builders().content("refusal").addRefusalDelta(v),
  ],
  ["ContentBuilder.setText", "text", NEITHER, (v) => builders().content("text").setText(v)],
  [
    "ContentBuilder.setRefusal",
    "refusal",
    NEITHER,
    (v) => builders().content("refusal").setRefusal(v),
  ],
  ["ContentBuilder.setImageUrl", "url", NEITHER, (v) => builders().content("image").setImageUrl(v)],
  ["ContentBuilder.setVideoUrl", "url", NEITHER, (v) => builders().content("video").setVideoUrl(v)],
  [
    "ContentBuilder.setAudio",
    "audio",
    [5, "x", null],
    (v) => builders().content("audio").setAudio(v),
  ],
  [
    "ContentBuilder.setAudio",
    "audio.data",
    NO_TEXT,
    (v) => builders().content("audio").setAudio({ data: v }),
  ],
  [
    "ContentBuilder.setFile",
    "file.file_url",
    NO_TEXT,
    (v) => builders().content("file").setFile({ file_url: v }),
  ],
  ["ContentBuilder.updateData", "key", NEITHER, (v) => builders().content("data").updateData(v, 1)],
];

for (const [name, parameter, wrong, call] of CALLS) {
  test(`${name} rejects a \`${parameter}\` of a wrong type`, () => {
    for (const value of wrong) {
      assert.throws(
        () => call(value),
        (error) => {
          assert.ok(error instanceof AgentwireError, String(error));
          assert.equal(error.code, "wrong-argument");
          assert.ok(error.message.startsWith(`${name}(): \`${parameter}\` is `), error.message);
          return true;
        },
        typeof value,
      );
    }
  });
}

const typed =
  (...codes) =>
  (error) =>
    error instanceof AgentwireError && codes.includes(error.code);

test("a value that is not serializable as JSON is rejected", () => {
  const { response, message, content } = builders();
  const data = content("data");
  for (const value of NO_JSON) {
    const inside = { value };
    for (const call of [
      () => data.addDataDelta(value),
      () => data.setData(value),
      () => data.updateData("key", value),
      () => message.setUsage(value),
      () => message.setMetadata(value),
      () => response.setUsage(value),
      () => response.addMessage(value),
      () => response.updateMessage(value),
    ]) {
      assert.throws(call, typed("wrong-argument"), String(call));
    }
    if (typeof value === "object") {
      assert.throws(() => server.validateRequest("agent-api", inside), typed("wrong-argument"));
      assert.throws(
        () => agKit.createRequest("http://127.0.0.1/", { conversationId: "c", ...inside }),
        typed("not-json"),
      );
    }
  }
});

test("the error for an invalid option names the option", () => {
  const options = [
    ["clientTools", [5, "name", {}, null, [5], [null], Symbol("s")], "wrong-option"],
    [
      "limits",
      [5, "x", null, Symbol("s"), { lineBytes: "1" }, { lineBytes: Symbol("s") }, { lines: 1 }],
      "wrong-option",
    ],
    ["mode", [5, null, Symbol("s"), {}], "wrong-option"],
    ["protocol", [5, null, Symbol("s"), {}, []], "unknown-protocol"],
  ];
  for (const [name, values, code] of options) {
    for (const value of values) {
      const coded = (error) =>
        typed(code)(error) && error.message.includes(name === "limits" ? "" : name);
      assert.throws(() => new Decoder({ [name]: value }), coded, `Decoder ${name}`);
      assert.throws(
        () => agentwire.read(new ReadableStream(), { [name]: value }),
        coded,
        `read ${name}`,
      );
      const side = name === "protocol" ? { from: value } : { from: "ag-kit", [name]: value };
      assert.throws(
        () => new Converter({ ...side, to: "agent-api" }),
        typed(code),
        `Converter ${name}`,
      );
    }
  }
  for (const value of [5, null, Symbol("s"), {}, undefined]) {
    assert.throws(() => new Converter({ from: "ag-kit", to: value }), typed("unknown-protocol"));
  }
  for (const value of [5, "x", null, Symbol("s")]) {
    assert.throws(() => new Decoder(value), typed("wrong-argument"));
    assert.throws(() => agentwire.read(new ReadableStream(), value), typed("wrong-argument"));
  }
  for (const sessionId of [5, {}, true]) {
    assert.throws(() => new AgentApiStreamBuilder({ sessionId }), typed("wrong-option"));
  }
});

test("a chunk that is not a Uint8Array is rejected without side effects", () => {
  const converter = new Converter({ from: "ag-kit", to: "agent-api" });
  const decoder = new Decoder();
  for (const value of [
    ...NEITHER,
    new Uint16Array(2),
    new DataView(new ArrayBuffer(2)),
    new ArrayBuffer(2),
  ]) {
    assert.throws(() => converter.push(value), typed("wrong-chunk"));
    assert.throws(() => decoder.push(value), typed("wrong-chunk"));
  }
  assert.equal(decoder.finish().report.bytes, 0);
  assert.ok(converter.finish().length > 0);
});

test("null and undefined are accepted for optional arguments", () => {
  for (const none of [null, undefined]) {
    const { response, content } = builders();
    content("text").addTextDelta(none);
    response.createMessageBuilder(none, none).createContentBuilder(none, none);
    assert.ok(response.finishWith("incomplete", none));
  }
});
