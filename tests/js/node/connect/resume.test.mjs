// `resume: true`: an answer continues after lost connections and a reload, and the agent runs once.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { memoryStore } from "agentwire/stores";
import { createHandler } from "agentwire/server";
import { answersOn } from "../../support/answers.mjs";
import { until } from "../support/sources.mjs";
import { PROTOCOLS, lastText, linesOf, opened, storageOf, textOf } from "./agents.mjs";
import { watch } from "./watch.mjs";

const ANSWER = "1 2 3 4 5 ";
/** The number of runs by the name of the test, which follows the command. */
const runs = new Map();
/**
 * The functions that continue the runs on hold, by the command: tests of one protocol run at the
 * same time.
 */
const waiting = new Map();

/** Counts its runs, and repeats the command. `hold` continues when the test releases it. */
async function agent(out, request) {
  const { input } = request.toJSON();
  const { type, content } = input.at(-1);
  if (type === "function_call_output") {
    return out.message().text().delta(`painted: ${content[0].data.output}`);
  }
  const { text } = input.at(-1).content.at(-1);
  const [, name] = text.split(" in ");
  runs.set(name, (runs.get(name) ?? 0) + 1);
  if (text === "paint") {
    return out.tool("paint", { callId: "c" }).arguments("{}");
  }
  const message = out.message().text();
  for (const word of ANSWER.split(/(?<= )/)) {
    await message.delta(word);
    if (text.startsWith("hold") && word === "2 ") {
      await new Promise((resolve) => {
        waiting.set(text, resolve);
        out.signal.addEventListener("abort", resolve);
      });
    }
    if (out.signal.aborted) {
      return undefined;
    }
  }
}

const service = answersOn(memoryStore(), {
  agent,
  onError: (error) => console.error(error),
});
after(() => service.close());
/** Continues the run on hold of this command. */
const release = (command) => waiting.get(command)();

/**
 * A `fetch` of the service whose answers of these requests are cut after a number of frames;
 * `Infinity` is none.
 */
function cutting(...cuts) {
  const requests = [];
  const fetch = async (request) => {
    request.headers.set("authorization", "Bearer ann");
    requests.push(
      `${request.method} ${new URL(request.url).pathname.replace(/[0-9a-f]{64}/, "…")}`,
    );
    const response = await service(request);
    const cut = cuts.shift();
    return cut === undefined || response.body === null
      ? response
      : new Response(frames(response.body, cut), response);
  };
  return { fetch, requests };
}

/** The first frames of a body, and then an error of the connection. */
function frames(body, count) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let [text, left] = ["", count];
  return new ReadableStream(
    {
      async pull(controller) {
        for (;;) {
          const end = text.indexOf("\n\n");
          if (left === 0) {
            reader.cancel().catch(() => {});
            await new Promise((resolve) => setTimeout(resolve, 3));
            return controller.error(new TypeError("terminated"));
          }
          if (end >= 0) {
            left--;
            controller.enqueue(new TextEncoder().encode(text.slice(0, end + 2)));
            text = text.slice(end + 2);
            return undefined;
          }
          const { done, value } = await reader.read();
          if (done) {
            return controller.close();
          }
          text += value;
        }
      },
    },
    { highWaterMark: 0 },
  );
}

const resumable = (protocol, options) => opened(protocol, { resume: true, ...options }).chat;

for (const protocol of Object.keys(PROTOCOLS)) {
  describe(`resume in ${protocol}`, { concurrency: true }, () => {
    test("a connection that is cut after each event", async () => {
      const name = `${protocol}, cut`;
      const counts = Array.from({ length: 12 }, (_, at) => at);
      await Promise.all(
        counts.map(async (count) => {
          // The first request for the rest is cut, too.
          const { fetch, requests } = cutting(Infinity, count, count + 1);
          const chat = resumable(protocol, { fetch });
          const watched = watch(chat);
          await chat.send(`one in ${name}`).finished();
          await chat.send(`two in ${name}`).finished();
          assert.deepEqual(
            linesOf(chat),
            ["one", "two"].flatMap((text) => [`user: ${text} in ${name}`, `assistant: ${ANSWER}`]),
            `${count} ${requests}`,
          );
          assert.equal(
            requests.filter((request) => request.startsWith("POST")).length,
            2,
            `${count} ${requests}`,
          );
          await chat.send(`three in ${name}`).finished();
          assert.equal(lastText(chat.getSnapshot()), ANSWER);
          watched.end();
        }),
      );
      assert.equal(runs.get(name), 3 * counts.length);
    });

    test("a reload in the middle of an answer: one run, and the text does not become shorter", async () => {
      const name = `${protocol}, reload`;
      const thread = ["one", "hold"].flatMap((text) => [
        `user: ${text} in ${name}`,
        `assistant: ${ANSWER}`,
      ]);
      const persist = { key: "chat", storage: storageOf(), onError: (error) => assert.fail(error) };
      const first = resumable(protocol, { persist, fetch: cutting().fetch });
      await first.send(`one in ${name}`).finished();
      first.send(`hold in ${name}`);
      await until(() => lastText(first.getSnapshot()).startsWith("1 2"));
      const shown = lastText(first.getSnapshot());
      // The page is left: nothing is published any more.
      const reloaded = { key: "chat", storage: storageOf(persist.storage.items.get("chat")) };
      const chat = resumable(protocol, { persist: reloaded, fetch: cutting().fetch });
      const watched = watch(chat);
      assert.deepEqual(
        [
          chat.getSnapshot().isBusy,
          chat
            .getSnapshot()
            .messages.filter(({ role }) => role === "user")
            .map(textOf),
        ],
        [true, [`one in ${name}`, `hold in ${name}`]],
      );
      await until(() => lastText(chat.getSnapshot()).startsWith(shown));
      release(`hold in ${name}`);
      await chat.finished();
      assert.deepEqual(linesOf(chat), thread);
      assert.equal(runs.get(name), 2);
      watched.check();
      // The next request has the whole thread.
      await chat.send("three").finished();
      assert.deepEqual(linesOf(chat), [...thread, "user: three", `assistant: ${ANSWER}`]);
      watched.end();
      await first.finished();
    });

    test("stop() ends the run at the server", async () => {
      const { fetch, requests } = cutting();
      const chat = resumable(protocol, { fetch });
      const run = chat.send("hold");
      await until(() => lastText(chat.getSnapshot()).startsWith("1 2"));
      chat.stop();
      await run.finished();
      await until(() =>
        requests.some((request) => request.startsWith("DELETE") || requests.length > 1),
      );
      assert.deepEqual(
        [chat.getSnapshot().messages.at(-1).status, chat.getSnapshot().canRetry],
        ["stopped", true],
      );
    });

    test("an answer that the server does not have any more is stopped, and stays visible", async () => {
      const persist = { key: "chat", storage: storageOf(), onError: (error) => assert.fail(error) };
      const first = resumable(protocol, { persist, fetch: cutting().fetch });
      first.send("hold");
      await until(() => lastText(first.getSnapshot()).startsWith("1 2"));
      const stored = persist.storage.items.get("chat");
      first.stop();
      const gone = () => new Response("gone", { status: 410 });
      const chat = resumable(protocol, {
        persist: { key: "chat", storage: storageOf(stored) },
        fetch: gone,
      });
      const watched = watch(chat);
      const { messages, status, canRetry } = await chat.finished();
      assert.deepEqual([messages.at(-1).status, status, canRetry], ["stopped", "ready", true]);
      watched.end();
    });
  });
}

test("AG-UI: the request after a resumed answer has the thread once, and in its order", async () => {
  const bodies = [];
  const { fetch } = cutting(Infinity, 4, 5);
  const chat = resumable("ag-ui", {
    fetch: async (request) => {
      if (request.method === "POST") {
        bodies.push(await request.clone().json());
      }
      return fetch(request);
    },
  });
  for (const text of ["one", "two", "three"]) {
    await chat.send(text).finished();
  }
  assert.deepEqual(
    bodies[2].messages.map(({ content }) => content),
    ["one", ANSWER, "two", ANSWER, "three"],
  );
  assert.equal(new Set(bodies[2].messages.map(({ id }) => id)).size, 5);
});

test("a tool round after a cut: the tool is executed once", async () => {
  for (const protocol of ["ag-ui", "responses", "ai-sdk", "agent-api"]) {
    let executed = 0;
    const { fetch, requests } = cutting(3, 2);
    const chat = resumable(protocol, {
      fetch,
      tools: { paint: { execute: () => `${++executed}` } },
    });
    const watched = watch(chat);
    await chat.send("paint").finished();
    assert.deepEqual(
      [linesOf(chat), executed],
      [["user: paint", "assistant: painted: 1"], 1],
      `${protocol} ${requests}`,
    );
    watched.end();
  }
});

test("a request without a response is repeated with its key, and starts no second run", async () => {
  const persist = { key: "chat", storage: storageOf() };
  let isLost = true;
  const { fetch, requests } = cutting();
  const losing = async (request) => {
    const response = await fetch(request);
    if (isLost) {
      isLost = false;
      response.body?.cancel().catch(() => {});
      throw new TypeError("fetch failed");
    }
    return response;
  };
  const chat = resumable("agent-api", { persist, fetch: losing });
  await chat.send("one in key").finished();
  if (chat.getSnapshot().canRetry) {
    chat.retry();
  }
  await chat.finished();
  assert.deepEqual(
    [linesOf(chat), runs.get("key")],
    [["user: one in key", `assistant: ${ANSWER}`], 1],
    requests.join(),
  );
});

test("a server without resumption is read once, and a cut is an error", async () => {
  const handler = createHandler({ agent, onError: () => {} });
  for (const protocol of Object.keys(PROTOCOLS).filter(
    (each) => each !== "a2a" && each !== "ai-sdk",
  )) {
    let requests = 0;
    const chat = resumable(protocol, {
      fetch: async (request) => {
        requests++;
        const response = await handler(request);
        return new Response(frames(response.body, 3), response);
      },
    });
    const watched = watch(chat);
    const { status, error } = await chat.send("one").finished();
    assert.deepEqual([status, error.code, requests], ["error", "connection-lost", 1], protocol);
    watched.end();
  }
});
