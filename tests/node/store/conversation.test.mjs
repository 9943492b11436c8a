// Several runs as a conversation.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { AgentwireError, parseJson, read, stringifyJson } from "agentwire";
import { createConversation } from "agentwire/store";
import { Events, concat, shortRun } from "../support/events.mjs";
import { answer, settled, until } from "../support/sources.mjs";

const code = (code) => (error) => error instanceof AgentwireError && error.code === code;
const textOf = ({ snapshot }) => snapshot.output[0].content[0].text;

/** An agent that responds with these streams in order, and its requests. */
function agent(streams, options) {
  const asked = [];
  const request = ({ signal, ...turn }) => {
    asked.push(turn);
    return read(answer(streams[asked.length - 1]).response, { protocol: "agent-api", signal, ...options });
  };
  return { asked, request };
}

/** The stream of a run that ends with these calls: id, name and arguments. An approval has no name. */
function asking(...calls) {
  const events = new Events();
  const asks = calls.map(([id, name, args = "{}"], at) => {
    const data = name === undefined ? { id, reason: "approval", payload: { question: "May I?" } } : { call_id: id, name, arguments: args };
    const type = name === undefined ? "mcp_approval_request" : "function_call";
    const opening = at === 0 ? events.opening(`m${at}`) : events.message(`m${at}`, "in_progress", { type });
    return concat([
      opening,
      events.message(`m${at}`, "in_progress", { type }),
      events.whole(`m${at}`, 0, { type: "data", data }),
      events.message(`m${at}`, "completed", { type }),
    ]);
  });
  return [...asks, events.response("completed")];
}

test("each turn contains its message and its result", async () => {
  const { asked, request } = agent([shortRun("One"), shortRun("Two")]);
  const conversation = createConversation({ request });
  const { id } = conversation.getSnapshot();
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(conversation.getSnapshot(), { id, turns: [], status: "idle", isBusy: false, pending: [], error: undefined });
  conversation.send("first");
  assert.deepEqual([conversation.getSnapshot().status, conversation.getSnapshot().isBusy], ["connecting", true]);
  assert.equal(conversation.send("too early"), false);
  assert.equal(conversation.retry(), false);
  const one = await conversation.finished();
  assert.equal(one, conversation.getSnapshot());
  conversation.send("second");
  const { turns, status, isBusy } = await conversation.finished();
  assert.deepEqual([status, isBusy], ["done", false]);
  assert.deepEqual(turns.map((turn) => [turn.id, turn.message, turn.status, textOf(turn)]), [
    [1, "first", "done", "One"],
    [2, "second", "done", "Two"],
  ]);
  assert.equal(turns[0], one.turns[0]);
  assert.equal(asked[0].conversationId, asked[1].conversationId);
  assert.match(asked[0].conversationId, /^[0-9a-f-]{36}$/);
  assert.deepEqual(asked.map(({ message, turns }) => [message, turns.length]), [["first", 0], ["second", 1]]);
});

test("tools are executed, and their results are sent together", async () => {
  const calls = asking(["1", "color", '{"color":"red"}'], ["2", "fails"], ["3", "color", "no JSON"], ["4", "nothing"]);
  const { asked, request } = agent([calls, shortRun("Done")]);
  const ran = [];
  const tools = {
    color: async ({ color }, { call, signal }) => (ran.push([color, call.id, signal.aborted]), `it is ${color}`),
    fails: () => {
      throw new Error("no such thing");
    },
    nothing: () => undefined,
  };
  const conversation = createConversation({ request, tools });
  conversation.send("make it red");
  const { turns, isBusy } = await conversation.finished();
  assert.deepEqual([turns.length, isBusy, textOf(turns[1])], [2, false, "Done"]);
  assert.deepEqual(ran, [["red", "1", false]]);
  assert.equal(turns[1].message, undefined);
  assert.equal(turns[1].answers, asked[1].answers);
  assert.deepEqual(asked[1].answers, [
    { kind: "call", id: "1", name: "color", value: "it is red" },
    { kind: "call", id: "2", name: "fails", value: "Error: no such thing" },
    { kind: "call", id: "3", name: "color", value: "Error: the arguments are not JSON" },
    { kind: "call", id: "4", name: "nothing", value: null },
  ]);
});

test("calls without a tool and approvals are pending, and one request sends all answers", async () => {
  const { asked, request } = agent([asking(["x", "unknown"], ["x"], ["y"], ["z", "known"]), shortRun("Done")]);
  const conversation = createConversation({ request, tools: { known: () => 1 } });
  conversation.send("go");
  await conversation.finished();
  const waits = () => conversation.getSnapshot().pending.map(({ kind, id }) => `${kind} ${id}`);
  assert.deepEqual(waits(), ["call x", "approval x", "approval y"]);
  assert.deepEqual(conversation.getSnapshot().pending[1].arguments, { question: "May I?" });
  const states = conversation.getSnapshot().turns[0].toolCalls.map(({ kind, state }) => `${kind} ${state}`);
  assert.deepEqual(states, ["call called", "approval awaiting-approval", "approval awaiting-approval", "call called"]);
  const before = conversation.getSnapshot();
  assert.deepEqual([conversation.answer("y", 1), conversation.approve("no"), conversation.answer("z", 1)], [false, false, false]);
  assert.equal(conversation.getSnapshot(), before);
  assert.deepEqual([conversation.approve("x"), conversation.approve("x"), conversation.decline("x")], [true, false, false], "a second click");
  assert.equal(conversation.decline("y", { why: "too late" }), true);
  assert.deepEqual([waits(), asked.length], [["call x"], 1]);
  conversation.answer("x", { n: 1 });
  assert.deepEqual([waits(), conversation.getSnapshot().isBusy], [[], true]);
  assert.deepEqual([conversation.answer("x", { n: 2 }), conversation.approve("x")], [false, false], "after the results were sent");
  await conversation.finished();
  assert.deepEqual(asked[1].answers, [
    { kind: "call", id: "x", name: "unknown", value: { n: 1 } },
    { kind: "approval", id: "x", name: "approval", value: null, approved: true },
    { kind: "approval", id: "y", name: "approval", value: { why: "too late" }, approved: false },
    { kind: "call", id: "z", name: "known", value: 1 },
  ]);
});

test("`maxToolRounds` limits the rounds", async () => {
  const { asked, request } = agent(Array.from({ length: 20 }, () => asking(["1", "again"])));
  const conversation = createConversation({ request, tools: { again: () => "yes" }, maxToolRounds: 3 });
  conversation.send("go");
  const { turns, pending, isBusy } = await conversation.finished();
  assert.deepEqual([asked.length, turns.length, pending.length, isBusy], [4, 4, 1, false]);
  conversation.answer("1", "by hand");
  await conversation.finished();
  assert.equal(asked.length, 8);
});

test("stop() aborts the run and a running tool", async () => {
  const { asked, request } = agent([[...shortRun("Hello").slice(0, 2), "never"], asking(["1", "slow"]), shortRun("Done")]);
  let seen;
  let finish;
  const tools = { slow: (_, { signal }) => ((seen = signal), new Promise((resolve) => (finish = resolve))) };
  const conversation = createConversation({ request, tools });
  conversation.send("one");
  await until(() => conversation.getSnapshot().status === "streaming");
  conversation.stop();
  assert.equal((await conversation.finished()).turns[0].status, "aborted");
  conversation.send("two");
  await until(() => seen !== undefined);
  assert.deepEqual([conversation.getSnapshot().isBusy, conversation.getSnapshot().pending.length], [true, 0]);
  conversation.stop("enough");
  assert.deepEqual([seen.aborted, seen.reason, conversation.getSnapshot().isBusy], [true, "enough", false]);
  finish("too late");
  await settled();
  assert.deepEqual([asked.length, conversation.getSnapshot().pending.map(({ id }) => id)], [2, ["1"]]);
  conversation.answer("1", "by hand");
  assert.equal(textOf((await conversation.finished()).turns[2]), "Done");
});

test("a request can follow immediately after stop()", async () => {
  const held = [...shortRun("Hello").slice(0, 2), "never"];
  const { asked, request } = agent([held, held, held, shortRun("Two")]);
  const conversation = createConversation({ request });
  const streaming = (count) => until(() => asked.length === count && conversation.getSnapshot().status === "streaming");
  conversation.send("one");
  await streaming(1);
  assert.equal(conversation.send("two"), false);
  conversation.stop();
  conversation.retry();
  assert.equal(conversation.send("two"), false);
  await streaming(2);
  assert.deepEqual(conversation.getSnapshot().turns.map(({ message, status }) => [message, status]), [["one", "streaming"]]);
  conversation.stop();
  conversation.send("never asked");
  conversation.stop();
  assert.deepEqual((await conversation.finished()).turns.map(({ message, status }) => [message, status]), [["one", "aborted"]]);
  conversation.send("one more");
  await streaming(3);
  conversation.stop();
  conversation.send("two");
  const { turns } = await conversation.finished();
  assert.deepEqual(turns.map(({ message, status }) => [message, status]), [["one", "aborted"], ["one more", "aborted"], ["two", "done"]]);
  assert.deepEqual(asked.map(({ message }) => message), ["one", "one", "one more", "two"]);
});

test("retry() sends the last turn again and replaces it", async () => {
  const streams = [shortRun("One"), asking(["1", "tool"]), [new TypeError("terminated")], shortRun("Two")];
  const { asked, request } = agent(streams);
  const conversation = createConversation({ request, tools: { tool: () => "ok" } });
  conversation.retry();
  assert.equal(asked.length, 0);
  conversation.send("a");
  await conversation.finished();
  conversation.send("b");
  const failed = await conversation.finished();
  assert.deepEqual([failed.status, failed.error.code, failed.turns.length], ["failed", "connection-lost", 3]);
  await settled();
  assert.equal(asked.length, 3);
  conversation.retry();
  assert.equal(conversation.getSnapshot().error, undefined);
  const { turns } = await conversation.finished();
  assert.deepEqual([turns.length, turns[2].id, textOf(turns[2])], [3, 3, "Two"]);
  assert.deepEqual(asked[3], asked[2]);
});

test("clear() starts a new conversation and ignores the run in progress", async () => {
  const { asked, request } = agent([[...shortRun("Hello").slice(0, 2), "never"], shortRun("Two")]);
  const conversation = createConversation({ request });
  conversation.send("a");
  await until(() => conversation.getSnapshot().status === "streaming");
  conversation.clear();
  assert.deepEqual([conversation.getSnapshot().turns, conversation.getSnapshot().status], [[], "idle"]);
  conversation.send("b");
  const { turns } = await conversation.finished();
  await settled();
  assert.deepEqual(turns.map(({ message, status }) => [message, status]), [["b", "done"]]);
  assert.equal(conversation.getSnapshot().turns, turns);
  assert.notEqual(asked[0].conversationId, asked[1].conversationId);
});

test("the run is stopped when the last subscriber leaves, and the conversation is kept", async () => {
  const { request } = agent([[...shortRun("Hello").slice(0, 2), "never"], shortRun("Two")]);
  const conversation = createConversation({ request });
  const leave = conversation.subscribe(() => {});
  conversation.send("a");
  leave();
  conversation.subscribe(() => {})();
  assert.equal((await conversation.finished()).status, "aborted");
  conversation.send("b");
  assert.equal((await conversation.finished()).turns.length, 2);
});

test("a stored conversation continues", async () => {
  const first = agent([shortRun("One"), asking(["1", "tool", '{"n":9007199254740993}'])]);
  const before = createConversation({ request: first.request, id: "c" });
  before.send("a");
  await before.finished();
  before.send("b");
  const kept = (await before.finished()).turns.map(({ message, answers, snapshot, status }) => ({ message, answers, snapshot, status }));
  const stored = parseJson(stringifyJson(kept)).map((turn) => ({ ...turn, message: turn.message ?? undefined }));
  const { asked, request } = agent([shortRun("Done")]);
  const after = createConversation({ request, id: "c", turns: stored });
  const { turns, pending } = after.getServerSnapshot();
  assert.equal(after.getSnapshot(), after.getServerSnapshot());
  assert.deepEqual([turns.length, textOf(turns[0]), pending.map((call) => call.arguments)], [2, "One", [{ n: 9007199254740993n }]]);
  after.answer("1", "ok");
  await after.finished();
  assert.deepEqual([asked[0].conversationId, asked[0].turns.length, after.getSnapshot().turns[2].id], ["c", 2, 3]);
  const cut = createConversation({ request, turns: [{ message: "x", answers: [], snapshot: kept[0].snapshot, status: "streaming" }] });
  assert.equal(cut.getSnapshot().status, "aborted");
});

test("the AG-Kit scenarios run as a conversation", async () => {
  const stream = (name) => readFile(new URL(`../../corpus/ag-kit/${name}/stream.sse`, import.meta.url));
  const names = ["k03_client_tool_call", "k04_client_tool_result_followup", "interrupt", "resumed"];
  const { asked, request } = agent((await Promise.all(names.map(stream))).map((bytes) => [bytes]), { protocol: "ag-kit" });
  const conversation = createConversation({ request, tools: { "change-background-color": ({ color }) => `it is ${color}` } });
  conversation.send("make it blue");
  assert.equal((await conversation.finished()).status, "done");
  assert.deepEqual(asked[1].answers, [{ kind: "call", id: "a_b_c", name: "change-background-color", value: "it is blue" }]);
  conversation.send("delete it");
  const [question] = (await conversation.finished()).pending;
  assert.equal(question.arguments.q, "Delete it?");
  conversation.approve(question.id);
  const { turns } = await conversation.finished();
  assert.deepEqual([turns.length, turns[3].snapshot.status, asked[3].answers[0].approved], [4, "completed", true]);
});

test("the state contains the id of the conversation, and clear() sets a new one", async () => {
  const { asked, request } = agent([shortRun("One"), shortRun("Two")]);
  const conversation = createConversation({ request, id: "stored" });
  assert.equal(conversation.getSnapshot().id, "stored");
  assert.equal(conversation.send("first"), true);
  await conversation.finished();
  conversation.clear();
  const { id } = conversation.getSnapshot();
  assert.notEqual(id, "stored");
  assert.equal(conversation.retry(), false, "there is no turn");
  conversation.send("second");
  await conversation.finished();
  assert.deepEqual(asked.map(({ conversationId }) => conversationId), ["stored", id]);
});

test("an effect that runs twice, as in strict mode, sends once", async () => {
  const { asked, request } = agent([shortRun("One")]);
  const conversation = createConversation({ request });
  const effect = () => {
    const leave = conversation.subscribe(() => {});
    const sent = conversation.send("Hello!");
    return { leave, sent };
  };
  const first = effect();
  first.leave();
  const second = effect();
  assert.deepEqual([first.sent, second.sent], [true, false]);
  const { turns } = await conversation.finished();
  assert.deepEqual(turns.map(({ message, status }) => [message, status]), [["Hello!", "done"]]);
  assert.equal(asked.length, 1);
  second.leave();
});

test("missing options are rejected, and a request that returns a Response fails with a typed error", async () => {
  for (const options of [{}, undefined, { request: "/process" }]) {
    assert.throws(() => createConversation(options), code("missing-argument"));
  }
  const conversation = createConversation({ request: async () => new Response("") });
  conversation.send("x");
  const { status, error } = await conversation.finished();
  assert.deepEqual([status, error.code], ["failed", "wrong-source"]);
});
