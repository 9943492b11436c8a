// Whatever fails, no message that was visible disappears, and what is visible is what the agent
// receives.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { until } from "../support/sources.mjs";
import { PROTOCOLS, linesOf, opened, storageOf, textOf } from "./agents.mjs";
import { FAULTS, cutAfter, faulty, framesOf, server } from "./network.mjs";
import { watch } from "./watch.mjs";

/** The texts of the messages of the user and of the complete answers. */
const visible = (chat) => chat.getSnapshot().messages.map(textOf);
const questions = (chat) =>
  chat
    .getSnapshot()
    .messages.filter(({ role }) => role === "user")
    .map(textOf);

/**
 * Fails unless the agent has received what is visible, in the order of the page. `last`: the last
 * question.
 */
function assertReceived(protocol, chat, received) {
  if (PROTOCOLS[protocol].history === "client") {
    assert.deepEqual(received.at(-1), visible(chat).slice(0, -1));
  } else {
    const all = received.flat();
    assert.deepEqual(
      questions(chat).filter((text) => !all.includes(text)),
      [],
      "the agent has received every question",
    );
  }
}

for (const [protocol, { hasTools }] of Object.entries(PROTOCOLS)) {
  describe(`never blank: ${protocol}`, () => {
    for (const [name, fault] of Object.entries(FAULTS)) {
      test(`${name}, then retry`, async () => {
        const { handler, received } = server();
        const { chat } = opened(protocol, { fetch: faulty(handler, [undefined, fault]) });
        const watched = watch(chat);
        await chat.send("One.").finished();
        const run = chat.send("Two.");
        assert.equal(linesOf(chat).at(-1), "user: Two. (sending)");
        await run.finished();
        if (!name.startsWith("late") && !name.startsWith("a late")) {
          const { error, canRetry, status } = chat.getSnapshot();
          assert.deepEqual(
            [status, canRetry, linesOf(chat).at(-1)],
            ["error", true, "user: Two. (failed)"],
          );
          assert.equal(chat.getSnapshot().messages.at(-1).error, error);
          assert.equal(watched.retry(), true);
          assert.equal(linesOf(chat).at(-1), "user: Two. (sending)");
          await chat.finished();
        }
        assert.deepEqual(linesOf(chat), [
          "user: One.",
          "assistant: You said: One.",
          "user: Two.",
          "assistant: You said: Two.",
        ]);
        assertReceived(protocol, chat, received);
        await chat.send("Three.").finished();
        assertReceived(protocol, chat, received);
        watched.end();
      });

      test(`${name}, then another message`, async () => {
        const { handler, received } = server();
        const { chat } = opened(protocol, { fetch: faulty(handler, [undefined, fault, fault]) });
        const watched = watch(chat);
        for (const text of ["One.", "Two.", "Three.", "Four."]) {
          await chat.send(text).finished();
        }
        assert.equal(linesOf(chat).at(-1).startsWith("assistant: You said: "), true);
        assert.deepEqual(questions(chat), ["One.", "Two.", "Three.", "Four."]);
        assertReceived(protocol, chat, received);
        watched.end();
      });
    }

    test("a connection that is cut after each event, then retry", async () => {
      const count = await frameCount(protocol);
      // In AG-Kit the end of the body is a regular end, because servers omit the terminal frame.
      for (const how of protocol === "ag-kit" ? [{ isLost: true }] : [{ isLost: true }, {}]) {
        for (let at = 0; at < count; at++) {
          const { handler, received } = server();
          const { chat } = opened(protocol, {
            fetch: faulty(handler, [undefined, cutAfter(at, how)]),
          });
          const watched = watch(chat);
          await chat.send("One.").finished();
          await chat.send("Two.").finished();
          const about = `after ${at} of ${count} events: ${JSON.stringify(linesOf(chat))}`;
          assert.deepEqual(questions(chat), ["One.", "Two."], about);
          // The terminal event can precede the last frame.
          if (chat.getSnapshot().canRetry) {
            watched.retry();
            await chat.finished();
          }
          assert.deepEqual(
            linesOf(chat),
            ["user: One.", "assistant: You said: One.", "user: Two.", "assistant: You said: Two."],
            about,
          );
          await chat.send("Three.").finished();
          assertReceived(protocol, chat, received);
          watched.end();
        }
      }
    });

    test("a connection that is cut after each event, then another message", async () => {
      const count = await frameCount(protocol);
      for (let at = 0; at < count; at++) {
        const { handler, received } = server();
        const { chat } = opened(protocol, {
          fetch: faulty(handler, [undefined, cutAfter(at, { isLost: true })]),
        });
        const watched = watch(chat);
        for (const text of ["One.", "Two.", "Three."]) {
          await chat.send(text).finished();
        }
        assert.deepEqual(questions(chat), ["One.", "Two.", "Three."]);
        assert.equal(linesOf(chat).at(-1).startsWith("assistant: You said: "), true);
        const all = received.flat();
        assert.ok(all.includes("Two.") && all.includes("Three."));
        watched.end();
      }
    });

    test("stop before the headers, before the first event and after each event; a message follows at once", async () => {
      const count = await frameCount(protocol);
      for (let at = -1; at < count; at++) {
        const { handler } = server();
        const never = () => new Promise(() => {});
        const { chat } = opened(protocol, {
          fetch: faulty(handler, [undefined, at < 0 ? never : cutAfter(at, { stays: true })]),
        });
        const watched = watch(chat);
        await chat.send("One.").finished();
        const run = chat.send("Two.");
        await new Promise((resolve) => setTimeout(resolve, 5 + 2 * Math.max(at, 0)));
        chat.stop();
        assert.equal(chat.getSnapshot().isBusy, false);
        const next = chat.send("Three.");
        await run.finished();
        await next.finished();
        assert.deepEqual(questions(chat), ["One.", "Two.", "Three."], `after ${at} events`);
        assert.equal(
          linesOf(chat).at(-1).startsWith("assistant: You said: "),
          true,
          `after ${at} events: ${linesOf(chat)}`,
        );
        watched.end();
      }
    });

    test("a queue of three with a failure in its middle", async () => {
      const { handler, received } = server();
      const { chat } = opened(protocol, { fetch: faulty(handler, [undefined, FAULTS[500]]) });
      const watched = watch(chat);
      const runs = ["One.", "Two.", "Three."].map((text) => chat.send(text));
      assert.deepEqual(linesOf(chat), [
        "user: One. (sending)",
        "user: Two. (queued)",
        "user: Three. (queued)",
      ]);
      await runs[1].finished();
      assert.deepEqual(linesOf(chat), [
        "user: One.",
        "assistant: You said: One.",
        "user: Two. (failed)",
        "user: Three. (queued)",
      ]);
      watched.retry();
      await runs[2].finished();
      assert.deepEqual(linesOf(chat), [
        "user: One.",
        "assistant: You said: One.",
        "user: Two.",
        "assistant: You said: Two.",
        "user: Three.",
        "assistant: You said: Three.",
      ]);
      assertReceived(protocol, chat, received);
      watched.end();
    });

    test("an approval, then another message; an approval, and a message in the queue", async () => {
      const { handler } = server();
      const { chat } = opened(protocol, { fetch: handler });
      const watched = watch(chat);
      await chat.send("Delete all.").finished();
      const [question] = chat.getSnapshot().pending;
      assert.deepEqual(
        [question.state, chat.getSnapshot().messages.length],
        ["approval-requested", 2],
      );
      await chat.send("One.").finished();
      assert.deepEqual(
        [
          chat.getSnapshot().pending.length,
          chat.getSnapshot().messages[1].parts.some(({ state }) => state === "output-denied"),
        ],
        [0, true],
      );
      watched.end();
    });

    test("a tool that throws, and a tool that is stopped", {
      skip: !hasTools && "the protocol has no tools of the client",
    }, async () => {
      const { handler } = server();
      let isStarted = false;
      const paint = { execute: () => Promise.reject(new Error("no paint")) };
      const count = {
        execute: () => {
          isStarted = true;
          return new Promise(() => {});
        },
      };
      const { chat } = opened(protocol, { fetch: handler, tools: { paint, count } });
      const watched = watch(chat);
      await chat.send("Paint it.").finished();
      assert.equal(linesOf(chat).at(-1), "assistant: The page returned Error: no paint.");
      const run = chat.send("Count.");
      await until(() => isStarted);
      chat.stop();
      await run.finished();
      assert.equal(chat.getSnapshot().messages.at(-1).status, "stopped");
      await chat.send("Three.").finished();
      assert.equal(linesOf(chat).at(-1), "assistant: You said: Three.");
      watched.end();
    });

    test("a reload after every event", async () => {
      const count = await frameCount(protocol);
      for (let at = 0; at < count; at++) {
        const { handler } = server();
        const persist = {
          key: "chat",
          storage: storageOf(),
          onError: (error) => assert.fail(error),
        };
        const first = opened(protocol, {
          persist,
          fetch: faulty(handler, [undefined, cutAfter(at, { stays: true })]),
        }).chat;
        await first.send("One.").finished();
        first.send("Two.");
        await new Promise((resolve) => setTimeout(resolve, 5 + 2 * at));
        // What is stored at most once per second is older than what is visible.
        const second = opened(protocol, { persist, fetch: handler }).chat;
        const watched = watch(second);
        assert.deepEqual(linesOf(second).slice(0, 2), ["user: One.", "assistant: You said: One."]);
        assert.deepEqual(
          [
            questions(second),
            second.getSnapshot().messages.at(-1).status,
            second.getSnapshot().canRetry,
          ],
          [["One.", "Two."], "stopped", true],
        );
        first.stop();
        watched.retry();
        await second.finished();
        assert.deepEqual(
          linesOf(second),
          ["user: One.", "assistant: You said: One.", "user: Two.", "assistant: You said: Two."],
          `after ${at} events`,
        );
        watched.end();
      }
    });
  });
}

/** The number of events of a short answer. */
async function frameCount(protocol) {
  let frames;
  const { handler } = server();
  const { chat } = opened(protocol, {
    fetch: async (request) => {
      frames = await framesOf(await handler(request));
      return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
    },
  });
  await chat.send("Two.").finished();
  assert.ok(frames.length >= 4, `${frames.length} events`);
  return frames.length;
}
