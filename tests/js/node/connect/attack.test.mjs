// Listeners that call functions of the chat, storms of calls, and streams in other orders.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { settled, until } from "../support/sources.mjs";
import { PROTOCOLS, lastText, linesOf, opened, storageOf, textOf } from "./agents.mjs";
import { FAULTS, bodyOf, cutAfter, faulty, framesOf, server } from "./network.mjs";
import { watch } from "./watch.mjs";

/** A generator of numbers below 1, the same for the same seed. */
function random(seed) {
  let state = seed * 0x9e3779b9 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

for (const protocol of Object.keys(PROTOCOLS)) {
  describe(`attacks in ${protocol}`, () => {
    test("a listener that sends, stops, retries and clears", async () => {
      for (const action of ["send", "stop", "retry", "regenerate", "clear"]) {
        const { handler } = server();
        const { chat } = opened(protocol, { fetch: handler });
        let calls = 0;
        const leave = chat.subscribe(() => {
          if (++calls <= 3) {
            if (action === "send") {
              chat.send(`From the listener ${calls}.`);
            } else {
              chat[action]();
            }
          }
        });
        chat.send("One.");
        await chat.finished();
        await until(() => !chat.getSnapshot().isBusy);
        leave();
        const last = chat.send("Last.");
        await last.finished();
        await chat.finished();
        const { messages } = chat.getSnapshot();
        assert.equal(new Set(messages.map(({ id }) => id)).size, messages.length);
        assert.ok(
          messages.some((message) => textOf(message) === "Last."),
          `${action}: ${linesOf(chat)}`,
        );
        assert.equal(chat.getSnapshot().isBusy, false);
        if (action === "send") {
          assert.deepEqual(messages.filter(({ role }) => role === "user").map(textOf), [
            "One.",
            ...[1, 2, 3].map((at) => `From the listener ${at}.`),
            "Last.",
          ]);
        }
      }
    });

    test("random orders of send, stop, retry and faults keep every message", async () => {
      for (let seed = 1; seed <= 12; seed++) {
        const next = random(seed);
        const { handler } = server();
        const faults = Object.values(FAULTS);
        const fetch = async (request) => {
          const kind = Math.floor(next() * 5);
          if (kind === 0) {
            return faults[Math.floor(next() * faults.length)](request, handler);
          }
          return kind === 1
            ? cutAfter(Math.floor(next() * 6), { isLost: next() < 0.5, stays: next() < 0.3 })(
                request,
                handler,
              )
            : handler(request);
        };
        const { chat } = opened(protocol, { fetch });
        const watched = watch(chat);
        const sent = [];
        for (let step = 0; step < 25; step++) {
          const kind = next();
          if (kind < 0.5) {
            sent.push(`Message ${step}.`);
            chat.send(`Message ${step}.`);
          } else if (kind < 0.7) {
            chat.stop();
          } else if (kind < 0.85 && chat.getSnapshot().canRetry) {
            watched.retry();
          }
          await new Promise((resolve) => setTimeout(resolve, next() * 8));
        }
        // What waits is sent in the end, unless each request fails.
        chat.stop();
        const users = chat.getSnapshot().messages.filter(({ role }) => role === "user");
        assert.deepEqual(users.map(textOf), sent, `seed ${seed}`);
        assert.ok(
          users.every(({ status }) => status !== "sending"),
          `seed ${seed}`,
        );
        watched.end();
      }
    });

    test("the events arrive byte by byte, or all at once, in frames of the page or without them", async () => {
      const { handler } = server();
      for (const mode of ["bytes", "once"]) {
        const fetch = async (request) => {
          const frames = await framesOf(await handler(request));
          const body =
            mode === "once" ? frames.join("") : bodyOf(frames.join("").match(/[\s\S]{1,7}/g));
          return new Response(body, { headers: { "content-type": "text/event-stream" } });
        };
        const { chat } = opened(protocol, { fetch });
        const watched = watch(chat);
        assert.equal(await chat.send("One.").text(), "You said: One.");
        watched.end();
      }
    });

    // In A2A the events of a task replace its artifacts.
    test("a second answer to one request, and events behind the terminal one, do not shorten the answer", {
      skip: protocol === "a2a",
    }, async () => {
      const { handler } = server();
      const { chat } = opened(protocol, {
        fetch: async (request) => {
          const frames = await framesOf(await handler(request));
          return new Response(bodyOf([...frames, ...frames.slice(1, -1)]), {
            headers: { "content-type": "text/event-stream" },
          });
        },
      });
      const watched = watch(chat);
      const { messages } = await chat.send("One.").finished();
      assert.equal(messages.filter(({ role }) => role === "user").length, 1);
      assert.ok(textOf(messages[1]).startsWith("You said: One."));
      watched.end();
    });
  });
}

test("hidden and visible pages: states are published once per frame, and the end at once", async () => {
  const frames = [];
  const before = [
    globalThis.requestAnimationFrame,
    globalThis.cancelAnimationFrame,
    globalThis.document,
  ];
  const { handler } = server();
  let release;
  const held = new Promise((resolve) => (release = resolve));
  let isRead = false;
  try {
    globalThis.requestAnimationFrame = (work) => frames.push(work);
    globalThis.cancelAnimationFrame = () => {};
    globalThis.document = { visibilityState: "visible" };
    const { chat } = opened("ag-ui", {
      fetch: async (request) => {
        const all = await framesOf(await handler(request));
        const queue = all.slice(0, -1);
        const body = new ReadableStream({
          async pull(controller) {
            await settled();
            isRead = queue.length === 0;
            if (queue.length > 0) {
              controller.enqueue(new TextEncoder().encode(queue.shift()));
            } else {
              await held;
              controller.enqueue(new TextEncoder().encode(all.at(-1)));
              controller.close();
            }
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      },
    });
    const states = [];
    chat.subscribe(() => states.push(chat.getSnapshot()));
    const run = chat.send("One two three four five.");
    assert.equal(states.length, 1);
    await until(() => frames.length === 1 && isRead);
    await settled();
    // No frame was drawn.
    assert.deepEqual([states.length, frames.length], [1, 1]);
    frames[0]();
    assert.deepEqual(
      [states.length, lastText(states[1])],
      [2, "You said: One two three four five."],
    );
    release();
    await run.finished();
    assert.equal(states.at(-1).status, "ready");
    assert.ok(states.length <= 4, `${states.length}`);
  } finally {
    [globalThis.requestAnimationFrame, globalThis.cancelAnimationFrame, globalThis.document] =
      before;
  }
});

test("StrictMode: two subscriptions, one of which leaves, do not stop the run", async () => {
  const { chat, sent } = opened("ag-ui");
  chat.subscribe(() => {})();
  const leave = chat.subscribe(() => {});
  const run = chat.send("One.");
  leave();
  await settled();
  assert.equal(await run.text(), "You said: One.");
  assert.equal(sent.length, 1);
});

test("a storage whose functions call the chat", async () => {
  const storage = storageOf();
  const { chat } = opened("ag-ui", {
    persist: {
      key: "chat",
      storage: {
        ...storage,
        setItem: (key, text) => {
          chat.getSnapshot();
          return storage.setItem(key, text);
        },
      },
    },
  });
  const watched = watch(chat);
  assert.equal(await chat.send("One.").text(), "You said: One.");
  watched.end();
});

test("a disposed chat has stopped, and can still be used", async () => {
  const { chat } = opened("ag-ui");
  const run = chat.send("Wait.");
  await until(() => lastText(chat.getSnapshot()) === "I wait");
  await chat[Symbol.asyncDispose]();
  assert.deepEqual(
    [(await run.finished()).isBusy, linesOf(chat)],
    [false, ["user: Wait.", "assistant: I wait (stopped)"]],
  );
  assert.equal(await chat.send("One.").text(), "You said: One.");
});
