import assert from "node:assert/strict";
import { test } from "node:test";
import { Decoder, toolCalls as viewsOf } from "agentwire";
import { Events, pushed } from "../support/events.mjs";

/** The only call of a snapshot, with its arguments and output. */
function only({ snapshot, toolCalls: [call] }) {
  const [view] = viewsOf(snapshot);
  return { call, view };
}

test("arguments are text and a partial value while streaming, and a value when the call has ended", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(events.opening("text"));
  decoder.push(events.message("c", "in_progress", { type: "function_call" }));
  const first = only(
    pushed(decoder, events.data("c", 0, { call_id: "1", name: "f", arguments: '{"path":"/tm' })),
  );
  assert.deepEqual(
    { state: first.call.state, name: first.call.name, text: first.view.argumentsText },
    { state: "streaming", name: "f", text: '{"path":"/tm' },
  );
  assert.deepEqual(first.view.partialArguments, { path: "/tm" });
  assert.equal(first.view.arguments, undefined);
  assert.equal(first.view.result, undefined);

  const text = '{"path":"/tmp/x","size":12345678901234567890}';
  const second = only(pushed(decoder, events.data("c", 0, { arguments: text.slice(12) })));
  assert.deepEqual(second.view.partialArguments, { path: "/tmp/x", size: 12345678901234567890n });
  assert.equal(second.view.arguments, undefined);

  const called = only(
    pushed(
      decoder,
      events.whole("c", 0, { type: "data", data: { call_id: "1", name: "f", arguments: text } }),
    ),
  );
  assert.equal(called.call.state, "called");
  assert.deepEqual(called.view.arguments, { path: "/tmp/x", size: 12345678901234567890n });
  assert.deepEqual(called.view.partialArguments, called.view.arguments);

  decoder.push(events.message("o", "in_progress", { type: "function_call_output", role: "tool" }));
  const answered = only(
    pushed(
      decoder,
      events.whole("o", 0, { type: "data", data: { call_id: "1", output: '["ok"]' } }),
    ),
  );
  assert.equal(answered.call.state, "answered");
  assert.deepEqual(answered.view.result.text, '["ok"]');
  assert.deepEqual(answered.view.result.value, ["ok"]);
  decoder.free();
});

/** Returns the partial arguments for a text of arguments. */
function partialOf(text) {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(events.message("c", "in_progress", { type: "function_call" }));
  const { view } = only(
    pushed(decoder, events.data("c", 0, { call_id: "1", name: "f", arguments: text })),
  );
  const { partialArguments } = view;
  decoder.free();
  return partialArguments;
}

test("partial arguments contain the text before an invalid escape", () => {
  assert.deepEqual(partialOf('{"path":"C:\\Users'), { path: "C:" });
  assert.deepEqual(partialOf('{"path":"C:\\Users\\me","n":1}'), { path: "C:" });
  assert.deepEqual(partialOf('{"n":1,"re":"\\d+"'), { n: 1, re: "" });
  assert.deepEqual(partialOf('{"say":"it\\\'s"}'), { say: "it" });
  assert.deepEqual(partialOf('["a\\u12G4"]'), ["a"]);
  assert.deepEqual(partialOf('["a\nb"]'), ["a"]);
  assert.deepEqual(partialOf('["a\\udc00b'), ["a\udc00b"]);
  assert.equal(partialOf("\\"), undefined);
});

test("partial arguments never throw", () => {
  const pieces = [
    "{",
    "}",
    "[",
    "]",
    '"',
    '"',
    '"k":',
    ",",
    "1",
    "-2.5e3",
    "true",
    "null",
    "a",
    "你",
    "😀",
    "\\",
    "\\n",
    '\\"',
  ];
  pieces.push(
    "\\d",
    "\\'",
    "\\U",
    "\\u",
    "\\u12",
    "\\u12G4",
    "\\u0041",
    "\\ud83d",
    "\\ude00",
    "\n",
    "\u0001",
    "\u2028",
  );
  let state = 1;
  for (let program = 0; program < 500; program++) {
    let text = "";
    for (let piece = program % 24; piece >= 0; piece--) {
      state = (state * 48271) % 2147483647;
      text += pieces[state % pieces.length];
    }
    assert.doesNotThrow(() => partialOf(text), text);
  }
});

test("arguments that are not valid JSON have no value", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(events.message("c", "in_progress", { type: "function_call" }));
  const call = only(
    pushed(
      decoder,
      events.whole("c", 0, {
        type: "data",
        data: { call_id: "1", name: "f", arguments: '{"a": tru' },
      }),
    ),
  );
  assert.equal(call.call.state, "called");
  assert.equal(call.view.arguments, undefined);
  assert.deepEqual(call.view.partialArguments, {});
  decoder.free();
});

test("a call without arguments has an empty argument text", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(events.message("c", "in_progress", { type: "plugin_call" }));
  const { view } = only(pushed(decoder, events.data("c", 0, { call_id: "1", name: "f" })));
  assert.deepEqual(
    [view.argumentsText, view.partialArguments, view.arguments],
    ["", undefined, undefined],
  );
  decoder.free();
});

test("arguments that are sent as JSON instead of text are accepted", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(events.message("c", "in_progress", { type: "mcp_call" }));
  const data = { call_id: "1", name: "f", arguments: { a: [1] } };
  const { view } = only(pushed(decoder, events.whole("c", 0, { type: "data", data })));
  assert.deepEqual([view.argumentsText, view.arguments], ['{"a":[1]}', { a: [1] }]);
  decoder.free();
});

test("an approval response is the output of its approval request", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  decoder.push(events.message("q", "in_progress", { type: "mcp_approval_request" }));
  decoder.push(
    events.whole("q", 0, {
      type: "data",
      data: { id: "a", name: "f", arguments: "{}", server_label: "s" },
    }),
  );
  decoder.push(events.message("p", "in_progress", { type: "mcp_approval_response", role: "user" }));
  const { call, view } = only(
    pushed(
      decoder,
      events.whole("p", 0, { type: "data", data: { approval_request_id: "a", approve: true } }),
    ),
  );
  assert.equal(call.state, "answered");
  assert.deepEqual(view.result.value, { approval_request_id: "a", approve: true });
  decoder.free();
});
