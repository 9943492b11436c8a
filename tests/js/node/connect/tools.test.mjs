// Tools of the client: schemas of libraries, results, errors and stops; and answers to calls and
// questions.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as z from "zod";
import { Events, concat, shortRun } from "../support/events.mjs";
import { answer, until } from "../support/sources.mjs";
import { PROTOCOLS, ask, lastText, linesOf, opened, textOf } from "./agents.mjs";
import { server } from "./network.mjs";
import { watch } from "./watch.mjs";

const BY_PROTOCOL = Object.entries(PROTOCOLS)
  .filter(([, { hasTools }]) => hasTools)
  .map(([protocol]) => protocol);

/** A server whose agent calls `paint` with these arguments, and then repeats the result. */
function calling(text, calls = [["c1", "paint", text]]) {
  return server({
    async answer(out, request) {
      const { input } = request.toJSON();
      const results = input.filter(({ type }) => type === "function_call_output");
      if (results.length === 0) {
        for (const [callId, name, given] of calls) {
          await out.tool(name, { callId }).arguments(given);
        }
        return undefined;
      }
      return out
        .message()
        .text()
        .delta(results.map(({ content }) => content[0].data.output).join(" | "));
    },
  });
}

/** A schema of the standard, as libraries have it. */
const schemaOf = (validate, jsonSchema) => ({
  "~standard": {
    version: 1,
    vendor: "own",
    validate,
    ...(jsonSchema && { jsonSchema: { input: () => jsonSchema } }),
  },
});

describe("schemas of libraries", () => {
  for (const protocol of BY_PROTOCOL) {
    test(`${protocol}: the input is validated before execute(), and described as JSON Schema`, async () => {
      const seen = [];
      const parameters = z.object({ color: z.string(), depth: z.coerce.number().default(3) });
      const { handler } = calling('{"color":"teal"}');
      const sent = [];
      const fetch = async (request) => {
        sent.push(await request.clone().text());
        return handler(request);
      };
      const { chat } = opened(protocol, {
        fetch,
        tools: {
          paint: {
            description: "Paints.",
            parameters,
            execute: (input) => {
              seen.push(input);
              return input.depth;
            },
          },
        },
      });
      const watched = watch(chat);
      assert.equal(await chat.send("Paint it.").text(), "3");
      assert.deepEqual(seen, [{ color: "teal", depth: 3 }]);
      // The AI SDK's requests list no tools.
      if (protocol !== "ai-sdk") {
        assert.match(sent[0], /\\?"color\\?":\{\\?"type\\?":\\?"string\\?"\}/);
      }
      watched.end();
    });

    test(`${protocol}: an input that does not fit is an error result, and execute() is not called`, async () => {
      const parameters = z.object({ color: z.string(), at: z.array(z.object({ x: z.number() })) });
      const { handler } = calling('{"color":5,"at":[{"x":"no"}]}');
      const { chat } = opened(protocol, {
        fetch: handler,
        tools: { paint: { parameters, execute: () => assert.fail() } },
      });
      assert.match(
        await chat.send("Paint it.").text(),
        /^Error: the arguments do not fit the schema: color: .*; at\.0\.x: /,
      );
    });
  }

  test("a schema may validate asynchronously, transform, and be a function", async () => {
    const given = [];
    const asFunction = Object.assign(
      () => {},
      schemaOf(async (value) => ({ value: { ...value, color: value.color.toUpperCase() } }), {
        type: "object",
        properties: { color: { type: "string" } },
      }),
    );
    const { handler } = calling('{"color":"teal"}');
    const { chat } = opened("ag-ui", {
      fetch: handler,
      tools: {
        paint: {
          parameters: asFunction,
          execute: (input) => {
            given.push(input);
            return "ok";
          },
        },
      },
    });
    assert.equal(await ask(chat, "Paint it."), "ok");
    assert.deepEqual(given, [{ color: "TEAL" }]);
  });

  test("a schema without a JSON Schema needs `jsonSchema` beside it", async () => {
    const parameters = schemaOf((value) => ({ value }));
    for (const make of [
      () => opened("ag-ui", { tools: { paint: { parameters } } }),
      () => opened("ag-ui").chat.set({ tools: { paint: { parameters } } }),
    ]) {
      assert.throws(make, {
        code: "wrong-option",
        message:
          /the schema of the tool `paint` \(own\) has no JSON Schema: add it as `jsonSchema` of the tool/,
      });
    }
    const { chat, sent } = opened("ag-ui", {
      tools: { paint: { parameters, jsonSchema: { type: "object", title: "own" } } },
    });
    await ask(chat, "One.");
    assert.deepEqual(sent[0].body.tools[0].parameters, { type: "object", title: "own" });
  });

  test("a schema that throws, and one that rejects, are error results", async () => {
    for (const validate of [
      () => {
        throw new Error("broken schema");
      },
      () => Promise.reject(new Error("broken schema")),
    ]) {
      const { handler } = calling("{}");
      const { chat } = opened("ag-ui", {
        fetch: handler,
        tools: { paint: { parameters: schemaOf(validate, {}), execute: () => assert.fail() } },
      });
      assert.equal(await ask(chat, "Paint it."), "Error: broken schema");
    }
  });

  test("issues without a path, and with steps that are objects", async () => {
    const issues = [
      { message: "no colors today" },
      { message: "too deep", path: [{ key: "a" }, 0, "b"] },
    ];
    const { handler } = calling("{}");
    const { chat } = opened("ag-ui", {
      fetch: handler,
      tools: {
        paint: { parameters: schemaOf(() => ({ issues }), {}), execute: () => assert.fail() },
      },
    });
    assert.equal(
      await ask(chat, "Paint it."),
      "Error: the arguments do not fit the schema: no colors today; a.0.b: too deep",
    );
  });
});

describe("results of tools", () => {
  for (const protocol of BY_PROTOCOL) {
    test(`${protocol}: several calls are executed together, and their results are sent together`, async () => {
      const { handler, received } = calling("", [
        ["1", "color", '{"color":"red"}'],
        ["2", "fails", "{}"],
        ["3", "color", "no JSON"],
        ["4", "nothing", "{}"],
      ]);
      const { chat } = opened(protocol, {
        fetch: handler,
        tools: {
          color: { execute: ({ color }) => ({ is: color, of: [1, null] }) },
          fails: { execute: () => Promise.reject(new TypeError("no such thing")) },
          nothing: { execute: () => undefined },
        },
      });
      const watched = watch(chat);
      const text = await chat.send("Go.").text();
      // The AI SDK's server reports the arguments itself.
      const wrong =
        protocol === "ai-sdk" ? "The input is not JSON." : "Error: the arguments are not JSON";
      assert.deepEqual(
        [text, received.length],
        [`{"is":"red","of":[1,null]} | Error: no such thing | ${wrong} | null`, 2],
      );
      watched.end();
    });

    test(`${protocol}: a result that is no JSON is an error result, and the chat goes on`, async () => {
      const circular = {};
      circular.self = circular;
      for (const value of [
        circular,
        () => {},
        Symbol("s"),
        {
          toJSON: () => {
            throw new Error("no JSON");
          },
        },
      ]) {
        const { handler } = calling("{}");
        const { chat } = opened(protocol, {
          fetch: handler,
          tools: { paint: { execute: () => value } },
        });
        const watched = watch(chat);
        const state = await chat.send("Go.").finished();
        assert.deepEqual(
          [state.status, /^Error: /.test(lastText(state))],
          ["ready", true],
          `${String(value)}: ${state.error?.message} ${lastText(state)}`,
        );
        watched.end();
      }
    });

    test(`${protocol}: integers that a number cannot hold are exact in execute(), and displayed rounded`, async () => {
      const { handler } = calling('{"n":9007199254740993}');
      const seen = [];
      const { chat } = opened(protocol, {
        fetch: handler,
        tools: {
          paint: {
            execute: ({ n }) => {
              seen.push(n);
              return { n };
            },
          },
        },
      });
      assert.equal(await chat.send("Go.").text(), '{"n":9007199254740993}');
      assert.deepEqual(seen, [9007199254740993n]);
      assert.doesNotThrow(() => JSON.stringify(chat.getSnapshot().messages));
    });

    test(`${protocol}: a tool that is stopped, and resolves later, changes nothing`, async () => {
      const { handler, received } = calling("{}");
      let finish;
      let signal;
      const { chat } = opened(protocol, {
        fetch: handler,
        tools: {
          paint: {
            execute: (_, context) => {
              signal = context.signal;
              return new Promise((resolve) => (finish = resolve));
            },
          },
        },
      });
      const watched = watch(chat);
      const run = chat.send("Go.");
      await until(() => finish !== undefined);
      chat.stop();
      const state = await run.finished();
      assert.deepEqual(
        [signal.aborted, state.pending.length, state.canRetry, state.messages.at(-1).status],
        [true, 1, true, "stopped"],
      );
      finish("too late");
      await new Promise((resolve) => setTimeout(resolve, 10));
      assert.equal(chat.getSnapshot(), state);
      assert.equal(received.length, 1);
      // The call is executed again by retry().
      finish = undefined;
      chat.retry();
      await until(() => finish !== undefined);
      finish("in time");
      assert.equal(lastText(await chat.finished()), "in time");
      watched.end();
    });
  }

  test("a listener that stops the run when the tool is due prevents its execution", async () => {
    const { handler } = calling("{}");
    let executed = 0;
    const { chat } = opened("ag-ui", {
      fetch: handler,
      tools: { paint: { execute: () => executed++ } },
    });
    const leave = chat.subscribe(
      () =>
        chat
          .getSnapshot()
          .messages.at(-1)
          ?.parts.some(({ state }) => state === "input-available") && chat.stop(),
    );
    await chat.send("Go.").finished();
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual([executed, chat.getSnapshot().pending.length], [0, 1]);
    leave();
  });

  test("a tool that calls functions of its chat", async () => {
    const { handler, received } = calling("{}");
    const { chat } = opened("ag-ui", {
      fetch: handler,
      tools: {
        paint: {
          execute: () => {
            chat.send("From the tool.");
            return "ok";
          },
        },
      },
    });
    const watched = watch(chat);
    await chat.send("Go.").finished();
    await chat.finished();
    assert.deepEqual(
      [linesOf(chat).slice(0, 3), received.length],
      [["user: Go.", "assistant: ok", "user: From the tool."], 3],
    );
    watched.end();
    const clearing = opened("ag-ui", {
      fetch: handler,
      tools: {
        paint: {
          execute: () => {
            clearing.chat.clear();
            return "ok";
          },
        },
      },
    });
    await clearing.chat.send("Go.").finished();
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(
      [clearing.chat.getSnapshot().messages, clearing.chat.getSnapshot().isBusy],
      [[], false],
    );
  });
});

/** A server that asks for approvals, a call without a tool of the page, and repeats the answers. */
function asking(asks) {
  return server({
    async answer(out, request) {
      const { input } = request.toJSON();
      const answers = input.filter(
        ({ type }) => type === "function_call_output" || type === "mcp_approval_response",
      );
      if (answers.length > 0) {
        return out
          .message()
          .text()
          .delta(
            answers
              .map(({ content: [{ data }] }) =>
                JSON.stringify(data.output ?? [data.approve, data.reason ?? null]),
              )
              .join(" "),
          );
      }
      for (const [kind, id] of asks) {
        if (kind === "call") {
          await out.tool("find", { callId: id }).arguments('{"q":1}');
        } else {
          await out.interrupt({
            id,
            reason: "confirmation",
            text: `May I ${id}?`,
            payload: { n: 1 },
          });
        }
      }
      return undefined;
    },
  });
}

/**
 * The text of a question. Servers of AG-Kit and of Responses do not send it, those of the AI SDK
 * send the reason.
 */
describe("answers to calls and questions", () => {
  for (const protocol of Object.keys(PROTOCOLS)) {
    test(`${protocol}: a question has its text, and a decision its reason`, async () => {
      const { handler } = asking([["question", "q1"]]);
      const { chat } = opened(protocol, { fetch: handler });
      const watched = watch(chat);
      await chat.send("Go.").finished();
      const [part] = chat.getSnapshot().pending;
      assert.deepEqual(
        [part.state, part.approval.requestReason, chat.getSnapshot().pending.length],
        ["approval-requested", "May I q1?", 1],
      );
      assert.throws(() => chat.approve("q2"), {
        code: "not-pending",
        message: /approve\(\): no question with the id `q2` waits for the user/,
      });
      assert.throws(() => chat.decline("q2"), { code: "not-pending", message: /decline\(\)/ });
      assert.throws(() => chat.answer(part.toolCallId, 1), { code: "not-pending" });
      const { id } = part.approval;
      assert.deepEqual(
        [chat.decline(id, "too late"), chat.decline(id), chat.approve(id)],
        [true, false, false],
      );
      const decided = chat
        .getSnapshot()
        .messages.flatMap(({ parts }) => parts)
        .find((each) => each.approval?.id === id);
      assert.deepEqual(
        [
          decided.state,
          decided.approval.approved,
          decided.approval.reason,
          decided.approval.requestReason,
        ],
        ["approval-responded", false, "too late", "May I q1?"],
      );
      const text = lastText(await chat.finished());
      assert.match(text, /^\[false,/);
      assert.equal(chat.approve(id), false);
      watched.end();
    });

    test(`${protocol}: a failed request with a decision is repeated with it`, async () => {
      const { handler } = asking([["question", "q1"]]);
      let isDown = false;
      const { chat } = opened(protocol, {
        fetch: (request) => (isDown ? new Response("", { status: 500 }) : handler(request)),
      });
      const watched = watch(chat);
      await chat.send("Go.").finished();
      isDown = true;
      chat.approve(chat.getSnapshot().pending[0].approval.id);
      const { status, pending, canRetry } = await chat.finished();
      assert.deepEqual([status, pending, canRetry], ["error", [], true]);
      isDown = false;
      chat.retry();
      assert.match(lastText(await chat.finished()), /^\[true,/);
      watched.end();
    });
  }

  for (const protocol of ["ag-ui", "responses", "agent-api"]) {
    test(`${protocol}: one request has all answers, and is sent with the last one`, async () => {
      const { handler, received } = asking([
        ["call", "c1"],
        ["call", "c2"],
      ]);
      const { chat } = opened(protocol, { fetch: handler, tools: { find: {} } });
      const watched = watch(chat);
      await chat.send("Go.").finished();
      assert.deepEqual(
        chat.getSnapshot().pending.map(({ toolCallId }) => toolCallId),
        ["c1", "c2"],
      );
      assert.throws(() => chat.approve("c1"), {
        code: "not-pending",
        message: /`c1` is the id of a call of `find`: use answer\(id, value\)/,
      });
      for (const value of [undefined, () => {}, Symbol("s")]) {
        assert.throws(() => chat.answer("c1", value), { code: "wrong-argument" });
      }
      assert.equal(chat.answer("c2", { second: true }), true);
      assert.deepEqual(
        [
          received.length,
          chat.getSnapshot().pending.map(({ toolCallId }) => toolCallId),
          chat.getSnapshot().isBusy,
        ],
        [1, ["c1"], false],
      );
      assert.equal(
        chat
          .getSnapshot()
          .messages.at(-1)
          .parts.find(({ toolCallId }) => toolCallId === "c2").state,
        "output-available",
      );
      assert.equal(chat.answer("c2", 2), false);
      assert.equal(chat.answer("c1", "first"), true);
      const text = lastText(await chat.finished());
      assert.ok(text.includes("first") && text.includes("second"), text);
      assert.equal(received.length, 2);
      watched.end();
    });
  }

  test("a call and a question with the same id are answered apart", async () => {
    const events = new Events();
    const item = (id, type, data) => [
      events.message(id, "in_progress", { type }),
      events.whole(id, 0, { type: "data", data }),
      events.message(id, "completed", { type }),
    ];
    const call = item("m1", "function_call", { call_id: "x", name: "find", arguments: "{}" });
    const question = item("m2", "mcp_approval_request", {
      id: "x",
      reason: "approval",
      payload: { question: "May I?" },
    });
    const first = concat([
      events.opening("m0"),
      events.message("m0", "completed"),
      ...call,
      ...question,
      events.response("completed"),
    ]);
    const responses = [answer([first]).response, answer(shortRun("Done")).response];
    const { chat } = opened("agent-api", { fetch: () => responses.shift(), tools: { find: {} } });
    await chat.send("Go.").finished();
    assert.deepEqual(
      chat.getSnapshot().pending.map(({ state }) => state),
      ["input-available", "approval-requested"],
    );
    assert.equal(chat.approve("x"), true);
    assert.deepEqual(
      chat.getSnapshot().pending.map(({ state }) => state),
      ["input-available"],
    );
    assert.equal(chat.answer("x", 1), true);
    assert.equal(lastText(await chat.finished()), "Done");
    assert.deepEqual(
      chat
        .getSnapshot()
        .messages[1].parts.filter(({ state }) => state)
        .map(({ state }) => state)
        .slice(0, 2),
      ["output-available", "approval-responded"],
    );
  });

  test("some calls are executed by tools, others wait for the user, who may answer first", async () => {
    const { handler } = calling("", [
      ["1", "known", "{}"],
      ["2", "unknown", "{}"],
    ]);
    let finish;
    const { chat } = opened("ag-ui", {
      fetch: handler,
      tools: {
        known: { execute: () => new Promise((resolve) => (finish = resolve)) },
        unknown: {},
      },
    });
    const watched = watch(chat);
    const run = chat.send("Go.");
    await until(() => finish !== undefined);
    assert.equal(chat.answer("2", "by hand"), true);
    finish("by the tool");
    await run.finished();
    assert.equal(textOf(chat.getSnapshot().messages[1]), "by the tool | by hand");
    watched.end();
  });

  test("a message instead of an answer shows the call as not answered, and no button stays", async () => {
    const { handler } = asking([
      ["call", "c1"],
      ["question", "q1"],
    ]);
    const { chat } = opened("responses", { fetch: handler, tools: { find: {} } });
    const watched = watch(chat);
    await chat.send("Go.").finished();
    await chat.send("Never mind.").finished();
    const states = chat
      .getSnapshot()
      .messages[1].parts.filter(({ state }) => state)
      .map(({ state, errorText }) => [state, errorText]);
    assert.deepEqual(states, [
      ["output-error", "Error: the call was not answered"],
      ["output-denied", undefined],
    ]);
    assert.deepEqual([chat.answer("c1", 1), chat.approve("q1")], [false, false]);
    watched.end();
  });
});
