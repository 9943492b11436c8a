// A chat in every protocol, against the handler of the package: text, tools, approvals, failures,
// stop, and a stored conversation.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AgentwireError } from "agentwire";
import { settled, until } from "../support/sources.mjs";
import { PROTOCOLS, ask, handler, lastText, linesOf, opened, storageOf } from "./agents.mjs";
import { server } from "./network.mjs";
import { watch } from "./watch.mjs";

const code =
  (code, words = /./) =>
  (error) =>
    error instanceof AgentwireError && error.code === code && words.test(error.message);
const parameters = { type: "object", properties: { color: { type: "string" } } };

for (const [protocol, { hasTools }] of Object.entries(PROTOCOLS)) {
  const noTools = !hasTools && "the protocol has no tools of the client";

  describe(`a chat in ${protocol}`, () => {
    test("send() shows the message immediately, and continues the conversation", async () => {
      const { chat, sent } = opened(protocol);
      const watched = watch(chat);
      const { id, ...state } = chat.getSnapshot();
      assert.match(id, /^[0-9a-f-]{36}$/);
      const canEdit = PROTOCOLS[protocol].history !== "server";
      assert.deepEqual(state, {
        messages: [],
        status: "ready",
        isBusy: false,
        isLoading: false,
        canRetry: false,
        canEdit,
        pending: [],
        error: undefined,
        snapshot: undefined,
        report: undefined,
      });
      const run = chat.send("One.");
      assert.deepEqual(
        [chat.getSnapshot().status, linesOf(chat)],
        ["submitted", ["user: One. (sending)"]],
      );
      assert.equal(chat.getSnapshot().messages[0].id, run.messageId);
      assert.equal(await run.text(), "You said: One.");
      assert.equal(await ask(chat, "Two."), "You said: Two.");
      assert.deepEqual(
        [sent.length, chat.getSnapshot().status, linesOf(chat)],
        [
          2,
          "ready",
          ["user: One.", "assistant: You said: One.", "user: Two.", "assistant: You said: Two."],
        ],
      );
      assert.equal(chat.getSnapshot().report.endReason, "completed");
      assert.ok(watched.end().length >= 4);
    });

    test("a run is iterated over; leaving the loop does not stop it", async () => {
      const { chat } = opened(protocol);
      const statuses = new Set();
      let last;
      for await (const state of chat.send("One.")) {
        assert.notEqual(state, last);
        statuses.add(state.status);
        last = state;
      }
      assert.deepEqual(
        [[...statuses].filter((status) => status !== "streaming"), last, lastText(last)],
        [["submitted", "ready"], chat.getSnapshot(), "You said: One."],
      );
      const run = chat.send("Two.");
      for await (const _ of run) {
        break;
      }
      assert.equal(lastText(await run.finished()), "You said: Two.");
      assert.equal(chat.getSnapshot().messages.at(-1).status, "done");
      // A run that has ended is iterated over once.
      const states = [];
      for await (const state of run) {
        states.push(state);
      }
      assert.deepEqual(states, [chat.getSnapshot()]);
    });

    test("client tools are executed in several rounds, in one message", {
      skip: noTools,
    }, async () => {
      const counted = [];
      const count = {
        description: "Counts.",
        parameters,
        execute: (input, { call, signal }) => {
          counted.push([input, call.name, signal.aborted]);
          return `${counted.length} of 2`;
        },
      };
      const { chat, sent } = opened(protocol, { tools: { count } });
      const watched = watch(chat);
      assert.equal(await ask(chat, "Count."), "The page returned 2 of 2.");
      assert.deepEqual(counted, [
        [{ color: "teal" }, "count", false],
        [{ color: "teal" }, "count", false],
      ]);
      const { messages } = chat.getSnapshot();
      assert.deepEqual(
        messages.map(({ role, status, parts }) => [
          role,
          status,
          parts.map(({ type, state, output }) =>
            [type, state, output].filter((each) => each !== undefined).join(" "),
          ),
        ]),
        [
          ["user", "done", ["text"]],
          [
            "assistant",
            "done",
            [
              "step-start",
              "tool-count output-available 1 of 2",
              "step-start",
              "tool-count output-available 2 of 2",
              "step-start",
              "text done",
            ],
          ],
        ],
      );
      assert.ok(
        watched.states.every(({ pending }) => pending.length === 0),
        "calls that the client executes are not pending",
      );
      assert.equal(await ask(chat, "Thanks."), "You said: Thanks.");
      assert.equal(sent.length, 4);
      watched.end();
    });

    test("answer() completes a call without `execute`, and `maxToolRounds` limits the rounds", {
      skip: noTools,
    }, async () => {
      const { chat } = opened(protocol, { tools: { paint: { description: "Paints." } } });
      const watched = watch(chat);
      await chat.send("Paint it.").finished();
      const [part] = chat.getSnapshot().pending;
      assert.deepEqual(
        [part.type, part.state, part.input, chat.getSnapshot().status],
        ["tool-paint", "input-available", { color: "teal" }, "ready"],
      );
      assert.throws(
        () => chat.answer("other", 1),
        code("not-pending", /answer\(\): no call with the id `other` waits/),
      );
      assert.throws(
        () => chat.approve(part.toolCallId),
        code("not-pending", /approve\(\): .* is the id of a call of `paint`: use answer/),
      );
      assert.equal(chat.answer(part.toolCallId, "painted"), true);
      assert.equal(chat.answer(part.toolCallId, "twice"), false);
      assert.equal(lastText(await chat.finished()), "The page returned painted.");
      assert.equal(chat.answer(part.toolCallId, "late"), false);
      watched.end();
      const limited = opened(protocol, {
        tools: { count: { execute: () => "1 of 2" } },
        maxToolRounds: 2,
      });
      await limited.chat.send("Count.").finished();
      assert.deepEqual([limited.sent.length, limited.chat.getSnapshot().pending.length], [3, 1]);
      limited.chat.answer(limited.chat.getSnapshot().pending[0].toolCallId, "by hand");
      assert.equal(lastText(await limited.chat.finished()), "The page returned by hand.");
    });

    test("the error of a tool that throws is sent to the agent", { skip: noTools }, async () => {
      const execute = () => {
        throw new Error("no paint");
      };
      const { chat } = opened(protocol, { tools: { paint: { execute } } });
      assert.equal(await ask(chat, "Paint it."), "The page returned Error: no paint.");
      const part = chat.getSnapshot().messages[1].parts.find(({ type }) => type === "tool-paint");
      assert.deepEqual(
        [part.state, part.errorText ?? part.output],
        [part.state, "Error: no paint"],
      );
    });

    test("tool results whose request failed are sent by retry(), or with the next message", {
      skip: noTools,
    }, async () => {
      for (const next of ["retry", "send"]) {
        let isDown = false;
        const bodies = [];
        const fetch = async (request) => {
          if (isDown) {
            return new Response("", { status: 503 });
          }
          bodies.push(await request.clone().text());
          return handler(request);
        };
        let executed = 0;
        const { chat } = opened(protocol, {
          fetch,
          tools: {
            paint: {
              execute: () => {
                executed++;
                isDown = true;
                return "painted";
              },
            },
          },
        });
        const watched = watch(chat);
        await chat.send("Paint it.").finished();
        const { status, error, canRetry, messages } = chat.getSnapshot();
        assert.deepEqual(
          [status, error.code, canRetry, messages.at(-1).status],
          ["error", "http-status", true, "failed"],
        );
        isDown = false;
        assert.equal(
          next === "retry" ? chat.retry() : chat.send("Two.").messageId !== undefined,
          true,
        );
        assert.equal(
          lastText(await chat.finished()),
          next === "retry" ? "The page returned painted." : "You said: Two.",
        );
        assert.match(bodies.at(-1), /painted/);
        assert.doesNotMatch(bodies.at(-1), /not answered/);
        assert.equal(executed, 1);
        watched.end();
      }
    });

    test("an approval is granted, declined, or skipped by the next message", async () => {
      const { chat } = opened(protocol);
      const watched = watch(chat);
      for (const [at, [decision, text, state]] of [
        ["approve", "They are gone.", "approval-responded"],
        ["decline", "They stay.", "approval-responded"],
      ].entries()) {
        // The questions of a watched chat differ.
        if (at === 0) {
          await chat.send("Delete all.").finished();
        } else {
          await watched
            .replacing(
              () => chat.send("Delete all."),
              () => false,
            )
            .finished();
        }
        const [question] = chat.getSnapshot().pending;
        assert.deepEqual(
          [question.state, chat.getSnapshot().pending.length],
          ["approval-requested", 1],
        );
        assert.throws(
          () => chat.answer(question.approval.id, 1),
          code("not-pending", /is the id of a question: use approve/),
        );
        assert.deepEqual(
          [chat[decision](question.approval.id), chat[decision](question.approval.id)],
          [true, false],
        );
        assert.equal(lastText(await chat.finished()), text);
        assert.ok(
          chat
            .getSnapshot()
            .messages.some(({ parts }) =>
              parts.some(
                (part) => part.approval?.id === question.approval.id && part.state === state,
              ),
            ),
        );
        if (at === 0) {
          watched.end();
        }
      }
      await chat.send("Delete all.").finished();
      // AG-UI requires a reply to every interrupt: the cancellation follows the message, and this
      // agent reads the last input.
      assert.equal(
        await ask(chat, "Never mind."),
        protocol === "ag-ui" ? "They stay." : "You said: Never mind.",
      );
      assert.deepEqual(
        [
          chat.getSnapshot().pending,
          chat
            .getSnapshot()
            .messages.flatMap(({ parts }) => parts)
            .filter(({ state }) => state === "output-denied").length,
        ],
        [[], 1],
      );
    });

    test("a failure is in the state, and the request is repeated only by retry()", async () => {
      let fails = true;
      let count = 0;
      const fetch = async (request) => {
        count++;
        return fails
          ? new Response("busy", { status: 503, headers: { "retry-after": "3" } })
          : handler(request);
      };
      const { chat } = opened(protocol, { fetch });
      assert.equal(chat.retry(), false);
      await assert.rejects(chat.send("One.").text(), code("http-status"));
      await settled();
      const { status, error, canRetry } = chat.getSnapshot();
      assert.deepEqual(
        [count, status, error.code, error.status, error.retryAfterMs, error.remedy, canRetry],
        [1, "error", "http-status", 503, 3000, "try again in 3 s", true],
      );
      fails = false;
      assert.deepEqual([chat.retry(), chat.retry()], [true, false]);
      assert.deepEqual(
        [chat.getSnapshot().error, linesOf(chat)],
        [undefined, ["user: One. (sending)"]],
      );
      assert.equal(lastText(await chat.finished()), "You said: One.");
      assert.deepEqual([count, chat.getSnapshot().status, chat.retry()], [2, "ready", false]);
    });

    test("stop() keeps the received text, and a message can follow immediately", async () => {
      const { chat, sent } = opened(protocol);
      const watched = watch(chat);
      const run = chat.send("Wait.");
      for await (const state of run) {
        if (lastText(state) === "I wait") {
          chat.stop();
          assert.deepEqual(
            [chat.getSnapshot().status, linesOf(chat)],
            ["ready", ["user: Wait.", "assistant: I wait (stopped)"]],
          );
        }
      }
      assert.equal(await run.text(), "I wait");
      assert.equal(await ask(chat, "Two."), "You said: Two.");
      await until(() => sent.length === (protocol === "a2a" ? 3 : 2));
      // A task continues after its connection is closed.
      assert.equal(
        sent.filter(({ body }) => body.method === "CancelTask").length,
        protocol === "a2a" ? 1 : 0,
      );
      watched.end();
    });

    test("`signal` stops the run of its message only, and removes it from the queue", async () => {
      const { chat, sent } = opened(protocol);
      assert.equal(chat.send("Never.", { signal: AbortSignal.abort() }).messageId, undefined);
      assert.deepEqual([chat.getSnapshot().messages, sent], [[], []]);
      const [first, second] = [new AbortController(), new AbortController()];
      const run = chat.send("Wait.", { signal: first.signal });
      const queued = chat.send("Two.", { signal: second.signal });
      await until(
        () => lastText({ messages: chat.getSnapshot().messages.slice(0, 2) }) === "I wait",
      );
      second.abort();
      assert.deepEqual(linesOf(chat), ["user: Wait.", "assistant: I wait (streaming)"]);
      await queued.finished();
      first.abort();
      assert.equal((await run.finished()).isBusy, false);
      assert.deepEqual(linesOf(chat), ["user: Wait.", "assistant: I wait (stopped)"]);
      const last = chat.send("Three.");
      first.abort();
      assert.equal(await last.text(), "You said: Three.");
    });

    test("whatever is visible is what the agent receives", async () => {
      const { handler: serve, received } = server();
      let fails = false;
      const { chat } = opened(protocol, {
        fetch: (request) => (fails ? Response.json({}, { status: 401 }) : serve(request)),
      });
      for (const [text, isFailing] of [
        ["One.", false],
        ["Two.", true],
        ["Three.", true],
        ["Four.", false],
        ["Five.", false],
      ]) {
        fails = isFailing;
        await chat.send(text).finished();
      }
      const users = chat
        .getSnapshot()
        .messages.filter(({ role }) => role === "user")
        .map((message) => lastText({ messages: [message] }));
      assert.deepEqual(users, ["One.", "Two.", "Three.", "Four.", "Five."]);
      const all =
        PROTOCOLS[protocol].history === "client"
          ? received.at(-1).filter((text) => !text.startsWith("You said"))
          : received.flat().filter((text) => !text.startsWith("You said"));
      assert.deepEqual(all, users);
    });

    test("a conversation continues after a reload of the page", async () => {
      const persist = { key: "chat", storage: storageOf(), onError: (error) => assert.fail(error) };
      const tools = { paint: { execute: () => "painted" } };
      const first = opened(protocol, { persist, tools }).chat;
      assert.equal(persist.storage.items.size, 0);
      await ask(first, "One.");
      await first.send("Delete all.").finished();
      const second = opened(protocol, { persist, tools }).chat;
      assert.deepEqual(
        [second.getServerSnapshot().messages, second.getSnapshot().id, linesOf(second)],
        [[], first.getSnapshot().id, linesOf(first)],
      );
      assert.deepEqual(
        JSON.parse(JSON.stringify(second.getSnapshot().messages)),
        JSON.parse(JSON.stringify(first.getSnapshot().messages)),
      );
      assert.equal(second.approve(second.getSnapshot().pending[0].approval.id), true);
      assert.equal(lastText(await second.finished()), "They are gone.");
      assert.equal(await ask(second, "Two."), "You said: Two.");
      second.send("Wait.");
      await until(() => second.getSnapshot().status === "streaming");
      // The page is closed during an answer.
      const third = opened(protocol, { persist }).chat;
      assert.deepEqual(
        [third.getSnapshot().messages.at(-1).status, third.getSnapshot().canRetry],
        ["stopped", true],
      );
      second.stop();
      assert.equal(await ask(third, "Three."), "You said: Three.");
      third.clear();
      assert.deepEqual([persist.storage.items.size, third.getSnapshot().messages], [0, []]);
      assert.notEqual(third.getSnapshot().id, first.getSnapshot().id);
    });
  });
}
