// What a chat does with messages: the queue, regenerate, edit, metadata, initial messages, options
// that change, and its end.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { until } from "../support/sources.mjs";
import { PROTOCOLS, ask, lastText, linesOf, opened, storageOf, textOf } from "./agents.mjs";
import { FAULTS, cutAfter, faulty, server } from "./network.mjs";
import { watch } from "./watch.mjs";

const never = () => new Promise(() => {});
const answered = (...texts) =>
  texts.flatMap((text) => [`user: ${text}`, `assistant: You said: ${text}`]);

for (const [protocol, { history, hasTools }] of Object.entries(PROTOCOLS)) {
  describe(`messages of a chat in ${protocol}`, () => {
    test("messages that are sent during a run are shown, and sent after it in their order", async () => {
      const { chat, sent } = opened(protocol);
      const watched = watch(chat);
      const runs = ["One.", "Two.", "Three."].map((text) => chat.send(text));
      assert.deepEqual(linesOf(chat), [
        "user: One. (sending)",
        "user: Two. (queued)",
        "user: Three. (queued)",
      ]);
      assert.deepEqual(await Promise.all(runs.map((run) => run.text())), [
        "You said: One.",
        "You said: Two.",
        "You said: Three.",
      ]);
      assert.deepEqual([linesOf(chat), sent.length], [answered("One.", "Two.", "Three."), 3]);
      watched.end();
    });

    test('with `whileBusy: "refuse"` a message during a run is not sent', async () => {
      const { chat, sent } = opened(protocol, { whileBusy: "refuse" });
      const run = chat.send("One.");
      const refused = chat.send("Two.");
      assert.deepEqual([refused.messageId, linesOf(chat)], [undefined, ["user: One. (sending)"]]);
      assert.equal(await refused.text(), "");
      await run.finished();
      assert.equal(await ask(chat, "Three."), "You said: Three.");
      assert.equal(sent.length, 2);
    });

    test("the queue waits after a stop and after a failure, and goes on with the next message", async () => {
      const { handler } = server();
      for (const [fault, end] of [
        [never, "stop"],
        [FAULTS[500], "failure"],
      ]) {
        const { chat } = opened(protocol, { fetch: faulty(handler, [fault]) });
        const watched = watch(chat);
        const run = chat.send("One.");
        const queued = chat.send("Two.");
        if (end === "stop") {
          setTimeout(() => chat.stop(), 5);
        }
        await run.finished();
        await new Promise((resolve) => setTimeout(resolve, 10));
        assert.deepEqual(
          [linesOf(chat)[1], chat.getSnapshot().isBusy, chat.getSnapshot().canRetry],
          ["user: Two. (queued)", false, true],
          end,
        );
        const last = chat.send("Three.");
        await queued.finished();
        await last.finished();
        assert.deepEqual(
          chat
            .getSnapshot()
            .messages.filter(({ role }) => role === "user")
            .map(textOf),
          ["One.", "Two.", "Three."],
        );
        // In A2A a request has one message, which begins with the text that the agent does not
        // have.
        assert.deepEqual(
          linesOf(chat).slice(-4),
          protocol === "a2a"
            ? ["user: Two.", "assistant: You said: One.", ...answered("Three.")]
            : answered("Two.", "Three."),
        );
        watched.end();
      }
    });

    test("the queue waits while a question is open", async () => {
      const { chat, sent } = opened(protocol);
      const watched = watch(chat);
      const run = chat.send("Delete all.");
      const queued = chat.send("One.");
      await run.finished();
      assert.deepEqual(
        [chat.getSnapshot().pending.length, linesOf(chat).at(-1), sent.length],
        [1, "user: One. (queued)", 1],
      );
      chat.approve(chat.getSnapshot().pending[0].approval.id);
      await queued.finished();
      assert.deepEqual(
        [linesOf(chat).slice(1), sent.length],
        [["assistant: They are gone.", ...answered("One.")], 3],
      );
      watched.end();
    });

    test("a message of the queue is edited in any protocol, and removed by its signal", async () => {
      const { chat } = opened(protocol);
      const watched = watch(chat);
      const run = chat.send("One.");
      const controller = new AbortController();
      const [second, third] = [
        chat.send("Two."),
        chat.send("Three.", { signal: controller.signal }),
      ];
      const { messages } = chat.getSnapshot();
      assert.equal(
        watched.replacing(
          () => chat.edit(second.messageId, "Second."),
          (id) => id === second.messageId,
        ),
        true,
      );
      assert.equal(chat.getSnapshot().messages[1].id, messages[1].id);
      assert.equal(chat.edit(third.messageId, "  "), false);
      watched.replacing(
        () => controller.abort(),
        (id) => id === third.messageId,
      );
      await Promise.all([run, second, third].map((each) => each.finished()));
      assert.deepEqual(linesOf(chat), answered("One.", "Second."));
      watched.end();
    });

    test("regenerate() requests another answer, and removes what follows", async () => {
      const { handler, received } = server();
      const { chat } = opened(protocol, { fetch: handler });
      assert.deepEqual(
        [chat.regenerate(), chat.getSnapshot().canEdit],
        [false, history !== "server"],
      );
      for (const text of ["One.", "Two.", "Three."]) {
        await chat.send(text).finished();
      }
      const { messages } = chat.getSnapshot();
      assert.equal(chat.regenerate("nothing"), false);
      if (history === "server") {
        assert.deepEqual(
          [chat.regenerate(), chat.regenerate(messages[0].id), chat.getSnapshot().messages],
          [false, false, messages],
        );
        return;
      }
      const watched = watch(chat);
      assert.equal(
        watched.replacing(
          () => chat.regenerate(),
          (id) => id === messages[5].id,
        ),
        true,
      );
      assert.deepEqual(
        [linesOf(chat).at(-1), chat.regenerate(), chat.getSnapshot().messages[4].id],
        ["user: Three. (sending)", false, messages[4].id],
      );
      await chat.finished();
      assert.deepEqual(received.at(-1), [
        "One.",
        "You said: One.",
        "Two.",
        "You said: Two.",
        "Three.",
      ]);
      assert.notEqual(chat.getSnapshot().messages[5].id, messages[5].id);
      // By the id of an answer, and by that of its question.
      for (const id of [messages[3].id, messages[2].id]) {
        assert.equal(
          watched.replacing(
            () => chat.regenerate(id),
            (each) => each !== messages[0].id && each !== messages[1].id && each !== messages[2].id,
          ),
          true,
        );
        await chat.finished();
        assert.deepEqual(
          [linesOf(chat), received.at(-1)],
          [answered("One.", "Two."), ["One.", "You said: One.", "Two."]],
        );
      }
      assert.equal(await ask(chat, "Four."), "You said: Four.");
      assert.deepEqual(received.at(-1), [
        "One.",
        "You said: One.",
        "Two.",
        "You said: Two.",
        "Four.",
      ]);
      watched.end();
    });

    test("edit() replaces a message, and removes what follows", async () => {
      const { handler, received } = server();
      const { chat } = opened(protocol, { fetch: handler });
      for (const text of ["One.", "Two.", "Three."]) {
        await chat.send(text).finished();
      }
      const { messages } = chat.getSnapshot();
      assert.deepEqual(
        [chat.edit("nothing", "x"), chat.edit(messages[1].id, "x"), chat.edit(messages[2].id, " ")],
        [false, false, false],
      );
      assert.throws(() => chat.edit(messages[2].id, 5), { code: "wrong-argument" });
      if (history === "server") {
        assert.deepEqual(
          [chat.edit(messages[2].id, "Second."), chat.getSnapshot().messages],
          [false, messages],
        );
        return;
      }
      assert.equal(chat.edit(messages[2].id, "Second."), true);
      assert.deepEqual(linesOf(chat), [...answered("One."), "user: Second. (sending)"]);
      await chat.finished();
      assert.deepEqual(
        [linesOf(chat), received.at(-1)],
        [answered("One.", "Second."), ["One.", "You said: One.", "Second."]],
      );
      assert.notEqual(chat.getSnapshot().messages[2].id, messages[2].id);
      assert.deepEqual(
        [chat.getSnapshot().messages[0], chat.getSnapshot().messages[1]],
        [messages[0], messages[1]],
      );
      assert.equal(await ask(chat, "Four."), "You said: Four.");
      assert.deepEqual(received.at(-1), [
        "One.",
        "You said: One.",
        "Second.",
        "You said: Second.",
        "Four.",
      ]);
      assert.equal(chat.edit(messages[0].id, "First."), true);
      await chat.finished();
      assert.deepEqual([linesOf(chat), received.at(-1)], [answered("First."), ["First."]]);
    });

    test("a message that did not reach the agent is edited in any protocol", async () => {
      const { handler, received } = server();
      const { chat } = opened(protocol, {
        fetch: faulty(handler, [undefined, FAULTS[401], FAULTS["a refused connection"]]),
      });
      await chat.send("One.").finished();
      const { messageId } = chat.send("Tow.");
      await chat.finished();
      assert.equal(chat.edit(messageId, "Two,"), true);
      await chat.finished();
      assert.equal(linesOf(chat).at(-1), "user: Two, (failed)");
      assert.equal(chat.edit(chat.getSnapshot().messages.at(-1).id, "Two."), true);
      await chat.finished();
      assert.deepEqual(
        [linesOf(chat), received.flat().includes("Tow.")],
        [answered("One.", "Two."), false],
      );
    });

    test("an edit and a regeneration that fail are repeated by retry()", {
      skip: history === "server" && "the server keeps the conversation",
    }, async () => {
      const { handler, received } = server();
      const { chat } = opened(protocol, {
        fetch: faulty(handler, [
          undefined,
          undefined,
          FAULTS[500],
          undefined,
          cutAfter(2, { isLost: true }),
        ]),
      });
      await chat.send("One.").finished();
      await chat.send("Two.").finished();
      chat.edit(chat.getSnapshot().messages[0].id, "First.");
      assert.equal((await chat.finished()).status, "error");
      assert.deepEqual([linesOf(chat), chat.retry()], [["user: First. (failed)"], true]);
      await chat.finished();
      assert.deepEqual([linesOf(chat), received.at(-1)], [answered("First."), ["First."]]);
      chat.regenerate();
      assert.equal((await chat.finished()).status, "error");
      chat.retry();
      await chat.finished();
      assert.deepEqual([linesOf(chat), received.at(-1)], [answered("First."), ["First."]]);
    });

    test("metadata are those of the message, also after a reload", async () => {
      const persist = { key: "chat", storage: storageOf() };
      const { chat, sent } = opened(protocol, { persist });
      const metadata = { from: "page", at: [1, { b: null }] };
      assert.equal(await ask(chat, "One.", { metadata }), "You said: One.");
      await ask(chat, "Two.");
      assert.deepEqual(
        chat
          .getSnapshot()
          .messages.filter(({ role }) => role === "user")
          .map((message) => message.metadata),
        [metadata, undefined],
      );
      assert.deepEqual(
        opened(protocol, { persist }).chat.getSnapshot().messages[0].metadata,
        metadata,
      );
      if (["ag-ui", "a2a", "ai-sdk"].includes(protocol)) {
        assert.match(JSON.stringify(sent[0].body), /"from":"page"/);
      }
    });

    test("the messages of an application are shown, and sent where the client keeps the conversation", async () => {
      const { handler, received } = server();
      const call = {
        type: "dynamic-tool",
        toolName: "search",
        toolCallId: "c1",
        state: "output-available",
        input: { q: "x" },
        output: { hits: 3 },
      };
      const messages = [
        { id: "s", role: "system", parts: [{ type: "text", text: "Be short." }], status: "done" },
        { id: "u", role: "user", parts: [{ type: "text", text: "Find x." }], status: "done" },
        {
          id: "a",
          role: "assistant",
          parts: [
            { type: "step-start" },
            ...(hasTools ? [call] : []),
            { type: "step-start" },
            { type: "text", text: "Three." },
          ],
          status: "done",
        },
      ];
      const { chat } = opened(protocol, { messages, fetch: handler });
      const watched = watch(chat);
      const { messages: shown, status } = chat.getSnapshot();
      assert.deepEqual([shown, status], [messages, "ready"]);
      assert.deepEqual(chat.getServerSnapshot().messages, messages);
      await chat.send("One.").finished();
      assert.deepEqual(linesOf(chat), [
        "system: Be short.",
        "user: Find x.",
        "assistant: Three.",
        ...answered("One."),
      ]);
      const { messages: now } = chat.getSnapshot();
      assert.ok(
        shown.every((message, at) => now[at] === message),
        "the same objects",
      );
      await chat.send("Two.").finished();
      assert.equal(now[4], chat.getSnapshot().messages[4]);
      assert.deepEqual(
        received.at(-1).filter((text) => text !== '{"q":"x"}' && text !== '{"hits":3}'),
        history === "client"
          ? ["Be short.", "Find x.", "Three.", "One.", "You said: One.", "Two."]
          : ["Two."],
      );
      watched.end();
      chat.clear();
      assert.deepEqual(chat.getSnapshot().messages, []);
    });

    test("clear() during a run starts a new conversation, and ignores what arrives", async () => {
      const { chat, sent } = opened(protocol);
      const run = chat.send("Wait.");
      await until(() => lastText(chat.getSnapshot()) === "I wait");
      const { id } = chat.getSnapshot();
      chat.send("Two.");
      chat.clear();
      const { messages, status, isBusy, canRetry, snapshot, report } = chat.getSnapshot();
      assert.deepEqual(
        [messages, status, isBusy, canRetry, snapshot, report],
        [[], "ready", false, false, undefined, undefined],
      );
      assert.notEqual(chat.getSnapshot().id, id);
      assert.equal(await run.text(), "");
      assert.equal(await ask(chat, "Three."), "You said: Three.");
      assert.deepEqual(linesOf(chat), answered("Three."));
      assert.equal(JSON.stringify(sent.at(-1).body).includes("Wait."), false);
    });

    test("set() changes options from the next request on", async () => {
      const { chat, sent } = opened(protocol, { headers: { "x-user": "one" } });
      await ask(chat, "One.");
      const { messages } = chat.getSnapshot();
      chat.set({ headers: { "x-user": "two" } });
      assert.equal(chat.getSnapshot().messages, messages);
      await ask(chat, "Two.");
      assert.deepEqual(
        sent.map(({ headers }) => headers.get("x-user")),
        ["one", "two"],
      );
      if (hasTools) {
        chat.set({ tools: { paint: { execute: () => "painted by the newest closure" } } });
        assert.equal(
          await ask(chat, "Paint it."),
          "The page returned painted by the newest closure.",
        );
        assert.equal(chat.getSnapshot().messages.at(-1).parts[1].type, "tool-paint");
        chat.set({ tools: {} });
        await chat.send("Paint it.").finished();
        // In the AI SDK the server names the type of a part.
        assert.equal(
          chat.getSnapshot().messages.at(-1).parts[1].type,
          protocol === "ai-sdk" ? "tool-paint" : "dynamic-tool",
        );
      }
    });

    test("finished() waits for the run, its tools and the queue", async () => {
      const { chat } = opened(protocol, {
        tools: {
          paint: {
            execute: () => new Promise((resolve) => setTimeout(() => resolve("painted"), 5)),
          },
        },
      });
      assert.equal((await chat.finished()).status, "ready");
      chat.send(hasTools ? "Paint it." : "One.");
      chat.send("Two.");
      const { isBusy, messages } = await chat.finished();
      assert.deepEqual([isBusy, textOf(messages.at(-1))], [false, "You said: Two."]);
    });
  });
}

test("text() rejects with the error of its own run", async () => {
  const { handler } = server();
  const { chat } = opened("ag-ui", {
    fetch: faulty(handler, [FAULTS[401], undefined, cutAfter(4, {})]),
  });
  const first = chat.send("One.");
  await assert.rejects(first.text(), { code: "http-status", status: 401 });
  assert.equal(await chat.send("Two.").text(), "You said: Two.");
  await assert.rejects(first.text(), { code: "http-status" });
  await assert.rejects(chat.send("Three.").text(), {
    code: "agent-failed",
    message: "the stream ended before the answer was complete (cut-off)",
  });
});

test("an effect that runs twice, as in strict mode, sends once if it looks at the state", async () => {
  const { chat, sent } = opened("ag-ui");
  const effect = () => {
    const leave = chat.subscribe(() => {});
    if (chat.getSnapshot().messages.length === 0) {
      chat.send("Hello!");
    }
    return leave;
  };
  effect()();
  const leave = effect();
  await chat.finished();
  assert.deepEqual([linesOf(chat), sent.length], [answered("Hello!"), 1]);
  leave();
});

test("the functions of a chat do not depend on `this`", async () => {
  const { send, stop, retry, regenerate, edit, clear, set, finished, subscribe, getSnapshot } =
    opened("ag-ui").chat;
  const leave = subscribe(() => {});
  send("One.");
  assert.equal((await finished()).messages.length, 2);
  assert.deepEqual(
    [retry(), regenerate("x"), edit("x", "y"), set({}), stop()],
    [false, false, false, undefined, undefined],
  );
  clear();
  assert.deepEqual(getSnapshot().messages, []);
  leave();
});
