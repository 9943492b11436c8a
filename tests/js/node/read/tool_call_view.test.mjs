// One view of tool calls for all protocols.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, Decoder, PROTOCOLS, pendingToolCalls, toolCalls } from "agentwire";
import { cases } from "../support/cases.mjs";
import { Events, concat } from "../support/events.mjs";

const encode = (event) =>
  new TextEncoder().encode(
    `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`,
  );

test("AG-Kit: arguments are partial while streaming and a value when complete, and the call is pending when the run has ended", () => {
  const decoder = new Decoder({ protocol: "ag-kit" });
  const only = () => {
    const [
      { id, name, kind, state, argumentsText, partialArguments, arguments: value, result, pending },
    ] = toolCalls(decoder.snapshot);
    return {
      id,
      name,
      kind,
      state,
      argumentsText,
      partialArguments,
      arguments: value,
      result,
      pending,
    };
  };
  decoder.push(encode({ type: "tool-call-start", toolCallId: "a", toolCallName: "f" }));
  decoder.push(encode({ type: "tool-call-args", toolCallId: "a", delta: '{"path":"/tm' }));
  const call = { id: "a", name: "f", kind: "call", result: undefined, pending: false };
  assert.deepEqual(only(), {
    ...call,
    state: "streaming",
    argumentsText: '{"path":"/tm',
    partialArguments: { path: "/tm" },
    arguments: undefined,
  });
  decoder.push(encode({ type: "tool-call-args", toolCallId: "a", delta: 'p"}' }));
  decoder.push(encode({ type: "tool-call-end", toolCallId: "a" }));
  const whole = {
    ...call,
    state: "called",
    argumentsText: '{"path":"/tmp"}',
    partialArguments: { path: "/tmp" },
    arguments: { path: "/tmp" },
  };
  assert.deepEqual(only(), whole);
  decoder.push(encode("[DONE]"));
  assert.deepEqual(
    pendingToolCalls(decoder.finish().snapshot).map((call) => [call.id, call.arguments]),
    [["a", { path: "/tmp" }]],
  );
  assert.deepEqual(only(), { ...whole, pending: true });
});

test("Agent API: calls have the same view, and an approval request is an approval", () => {
  const events = new Events();
  const decoder = new Decoder({ protocol: "agent-api" });
  const data = (id, data) => events.whole(id, 0, { type: "data", data });
  decoder.push(
    concat([
      events.opening("c"),
      events.message("c", "in_progress", { type: "function_call" }),
      data("c", { call_id: "1", name: "f", arguments: '{"a":1}' }),
      events.message("c", "completed", { type: "function_call" }),
      events.message("o", "in_progress", { type: "function_call_output" }),
      data("o", { call_id: "1", output: '["ok"]' }),
      events.message("o", "completed", { type: "function_call_output" }),
      events.message("q", "in_progress", { type: "mcp_approval_request" }),
      data("q", { id: "1", name: "g", arguments: "{}", server_label: "s" }),
      events.message("q", "completed", { type: "mcp_approval_request" }),
    ]),
  );
  assert.deepEqual(pendingToolCalls(decoder.snapshot), []);
  decoder.push(events.response("completed"));
  const { snapshot } = decoder.finish();
  const calls = toolCalls(structuredClone(snapshot));
  assert.deepEqual(
    calls.map((call) => [call.kind, call.name, call.state, call.arguments, call.result]),
    [
      ["call", "f", "answered", { a: 1 }, { text: '["ok"]', value: ["ok"] }],
      ["approval", "g", "awaiting-approval", {}, undefined],
    ],
  );
  assert.deepEqual(
    pendingToolCalls(snapshot).map(({ kind, id }) => [kind, id]),
    [["approval", "1"]],
  );
});

test("an interrupt is an approval, and pending when the run has ended with it", () => {
  const agKit = new Decoder({ protocol: "ag-kit" });
  agKit.push(
    encode({ type: "interrupt", id: "i", reason: "approval", payload: { question: "Delete it?" } }),
  );
  assert.deepEqual(pendingToolCalls(agKit.snapshot), []);
  agKit.push(encode("[DONE]"));
  const events = new Events();
  const agentApi = new Decoder({ protocol: "agent-api" });
  agentApi.push(
    concat([
      events.opening("q"),
      events.message("q", "in_progress", { type: "mcp_approval_request" }),
      events.whole("q", 0, {
        type: "data",
        data: { id: "i", reason: "approval", payload: { question: "Delete it?" } },
      }),
      events.message("q", "completed", { type: "mcp_approval_request" }),
      events.response("incomplete"),
    ]),
  );
  for (const decoder of [agKit, agentApi]) {
    const [{ id, name, kind, state, arguments: value, result, pending }, ...others] = toolCalls(
      decoder.finish().snapshot,
    );
    assert.deepEqual(
      [id, name, kind, state, result, pending],
      ["i", "approval", "approval", "awaiting-approval", undefined, true],
    );
    assert.deepEqual(value, { question: "Delete it?" });
    assert.deepEqual(others, []);
  }
});

test("AG-UI: an interrupt is an approval until the next run", () => {
  const decoder = new Decoder({ protocol: "ag-ui" });
  const run = { threadId: "t", runId: "r" };
  const interrupt = {
    id: "i",
    reason: "tool_call",
    message: "Delete it?",
    toolCallId: "c",
    responseSchema: { type: "boolean" },
  };
  for (const event of [
    { type: "RUN_STARTED", ...run },
    { type: "TOOL_CALL_CHUNK", toolCallId: "c", toolCallName: "delete", delta: "{}" },
  ]) {
    decoder.push(encode(event));
  }
  assert.deepEqual(
    toolCalls(decoder.snapshot).map(({ kind, id, pending }) => [kind, id, pending]),
    [["call", "c", false]],
  );
  decoder.push(
    encode({
      type: "RUN_FINISHED",
      ...run,
      outcome: { type: "interrupt", interrupts: [interrupt] },
    }),
  );
  const [{ id, name, kind, state, arguments: value, result, pending }, ...others] =
    pendingToolCalls(decoder.snapshot);
  assert.deepEqual(
    [id, name, kind, state, result, pending],
    ["i", "tool_call", "approval", "awaiting-approval", undefined, true],
  );
  assert.deepEqual(value, {
    message: "Delete it?",
    toolCallId: "c",
    responseSchema: { type: "boolean" },
  });
  assert.deepEqual(others, []);
  decoder.push(encode({ type: "RUN_STARTED", ...run, runId: "s" }));
  decoder.push(encode({ type: "RUN_FINISHED", ...run, runId: "s" }));
  assert.deepEqual(
    toolCalls(decoder.finish().snapshot).filter(({ kind }) => kind === "approval"),
    [],
  );
});

test("Responses: an approval request is pending if the response is completed or incomplete", () => {
  const item = {
    type: "mcp_approval_request",
    id: "q",
    name: "rm",
    arguments: '{"all":true}',
    server_label: "s",
  };
  for (const [end, waits] of [
    ["completed", true],
    ["incomplete", true],
    ["failed", false],
    [undefined, false],
  ]) {
    const decoder = new Decoder({ protocol: "responses" });
    const response = (status, output = []) => ({ id: "r", object: "response", status, output });
    decoder.push(encode({ type: "response.created", response: response("in_progress") }));
    decoder.push(encode({ type: "response.output_item.added", output_index: 0, item }));
    decoder.push(encode({ type: "response.output_item.done", output_index: 0, item }));
    if (end !== undefined) {
      decoder.push(encode({ type: `response.${end}`, response: response(end, [item]) }));
    }
    const [{ id, kind, state, arguments: value, pending }] = toolCalls(decoder.finish().snapshot);
    assert.deepEqual(
      [id, kind, state, value, pending],
      ["q", "approval", "awaiting-approval", { all: true }, waits],
      String(end),
    );
  }
});

test("calls of failed or truncated runs are not pending", () => {
  for (const status of ["failed", "incomplete", undefined]) {
    const events = new Events();
    const decoder = new Decoder({ protocol: "agent-api" });
    decoder.push(events.opening("c"));
    decoder.push(events.message("c", "in_progress", { type: "plugin_call" }));
    decoder.push(
      events.whole("c", 0, { type: "data", data: { call_id: "1", name: "f", arguments: "{}" } }),
    );
    if (status !== undefined) {
      decoder.push(events.response(status));
    }
    assert.deepEqual(pendingToolCalls(decoder.finish().snapshot), []);
  }
  const wrong = (error) => error instanceof AgentwireError && error.code === "wrong-argument";
  for (const value of [undefined, null, {}, []]) {
    assert.throws(() => toolCalls(value), wrong);
  }
});

test("in every recorded stream, the view contains the calls that the core has paired", async () => {
  let seen = 0;
  for (const { path, protocol, stream, options } of await cases()) {
    const decoder = new Decoder({ protocol, ...options });
    decoder.push(stream);
    const { snapshot, toolCalls: paired } = decoder.finish();
    const states = {
      "input-streaming": "streaming",
      "input-available": "called",
      "output-available": "answered",
    };
    // AG-UI calls have no state: the view derives it from the results.
    const inCore = (state) => (state === "awaiting-approval" ? "called" : (states[state] ?? state));
    const stateOf = (state) => (protocol === "ag-ui" ? "" : ` ${inCore(state)}`);
    const shape = (calls) =>
      calls.map(({ id, name, state }) => `${id} ${name}${stateOf(state)}`).sort();
    const core = paired.map((call) => ({
      ...call,
      id: call.callId ?? call.toolCallId ?? call.id ?? null,
      name: call.name ?? call.toolCallName ?? call.function?.name ?? null,
    }));
    // Of AG-Kit and AG-UI the core pairs no interrupts.
    const isInterrupt = ({ kind }) => protocol !== "agent-api" && kind === "approval";
    // A2A has no calls: they are data parts of artifacts. The calls of the AI SDK and of model APIs
    // are in their snapshots.
    if (["a2a", "ai-sdk", "chat", "anthropic", "gemini"].includes(protocol)) {
      assert.deepEqual(core, [], path);
      continue;
    }
    // Of Responses and Gemini Interactions it pairs the calls of functions, and the view has those
    // of other tools too.
    if (protocol === "interactions") {
      const viewed = toolCalls(snapshot).map(({ id, name }) => `${id} ${name}`);
      const named = paired.map(({ id, name }) => `${id} ${name}`);
      assert.deepEqual(
        named.filter((call) => !viewed.includes(call)),
        [],
        path,
      );
      continue;
    }
    if (protocol === "responses") {
      const viewed = toolCalls(snapshot).map(({ id, name }) => `${id} ${name}`);
      assert.deepEqual(
        paired
          .map(({ call_id, name }) => `${call_id} ${name}`)
          .filter((call) => !viewed.includes(call)),
        [],
        path,
      );
      seen += core.length;
      continue;
    }
    assert.deepEqual(
      shape(toolCalls(snapshot).filter((call) => !isInterrupt(call))),
      shape(core),
      path,
    );
    seen += core.length;
  }
  assert.ok(seen > 40, `${seen} calls`);
});

test("the calls of a snapshot are the same with the function of all protocols and with that of its own", async () => {
  const seen = {};
  for (const { path, protocol, stream, options } of await cases()) {
    const own = await import(`agentwire/${protocol}`);
    const decoder = new Decoder({ protocol, ...options });
    decoder.push(stream);
    const { snapshot } = decoder.finish();
    const calls = JSON.stringify(own.toolCalls(snapshot));
    assert.equal(JSON.stringify(toolCalls(snapshot)), calls, path);
    seen[protocol] = (seen[protocol] ?? 0) + JSON.parse(calls).length;
  }
  for (const protocol of PROTOCOLS) {
    assert.ok(seen[protocol] > 3, `${protocol}: ${seen[protocol]} calls`);
  }
});
