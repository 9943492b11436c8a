// The effects of a network on a chat in React: answers that are slow, break off, end early or are
// not streams; users who stop, leave, ask again.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test, withPage } from "./test.mjs";
import { buildReact } from "./react_build.mjs";
import { fileURLToPath } from "node:url";
import { AgentApiStreamBuilder } from "agentwire/server";
import { until } from "../support/until.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const HEADERS = { "content-type": "text/event-stream" };

/** The events of an answer that has two pieces. */
function eventsOf(session) {
  const response = new AgentApiStreamBuilder({ sessionId: session });
  const [created, inProgress, message] = [
    response.created(),
    response.inProgress(),
    response.createMessageBuilder(),
  ];
  const opened = message.inProgress();
  const text = message.createContentBuilder("text");
  const begun = [created, inProgress, opened, text.addTextDelta("Hello, ")];
  const rest = [text.addTextDelta("世界"), ...response.finishWith("completed")];
  return [begun, rest].map((events) => events.map((event) => event.toSse()).join(""));
}

/** The requests: the message of each, and whether the client stayed to the end. */
let requests;
/** How the server answers, by the first word of a message. */
const ANSWERS = {
  whole: (answer, [begun, rest]) => answer.writeHead(200, HEADERS).end(begun + rest),
  held: (answer, [begun]) => answer.writeHead(200, HEADERS).write(begun),
  silent() {},
  early: (answer, [begun]) => answer.writeHead(200, HEADERS).end(begun),
  broken(answer, [begun]) {
    answer.writeHead(200, HEADERS).write(begun);
    setTimeout(() => answer.destroy(), 100);
  },
  refused: (answer) =>
    answer.writeHead(503, { "content-type": "application/json" }).end('{"detail":"busy"}'),
  page: (answer) => answer.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>"),
  /** Byte by byte, which cuts characters. */
  async slow(answer, events) {
    answer.writeHead(200, HEADERS);
    const bytes = Buffer.from(events.join(""));
    for (let at = 0; at < bytes.length; at += 7) {
      answer.write(bytes.subarray(at, at + 7));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    answer.end();
  },
};

let folder;
let server;
let url;
before(async () => {
  folder = await mkdtemp(join(root, "node_modules/.react-network-"));
  await buildReact({ main: join(root, "tests/js/browser/react_network.page.jsx") }, folder);
  server = createServer(async (asked, answer) => {
    if (asked.url === "/process") {
      let body = "";
      for await (const chunk of asked) body += chunk;
      const { input, session_id } = JSON.parse(body);
      const message = input.at(-1).content[0].text;
      const request = { message, session: session_id, stayed: undefined };
      requests.push(request);
      answer.on("close", () => (request.stayed = answer.writableFinished));
      return ANSWERS[message.split(" ")[0]](answer, eventsOf(session_id));
    }
    if (asked.url === "/") {
      return answer
        .writeHead(200, { "content-type": "text/html" })
        .end(
          '<!doctype html><title>t</title><link rel="icon" href="data:,"><body><script type="module" src="main.js"></script>',
        );
    }
    const script = await readFile(join(folder, asked.url)).catch(() => undefined);
    return answer.writeHead(script ? 200 : 404, { "content-type": "text/javascript" }).end(script);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${server.address().port}/`;
});
after(async () => {
  server?.closeAllConnections();
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** A test with the page. `forgive` are complaints of the browser that the test has made happen. */
const chatting = (name, use, forgive = []) =>
  test(name, () => {
    requests = [];
    return withPage(
      url,
      async (page) => {
        await page.waitForFunction(() => globalThis.chats?.b !== undefined);
        await use({
          /** Calls functions of a chat, one right after the other. */
          tell: (chat, ...calls) =>
            page.evaluate(
              ([chat, calls]) =>
                calls.forEach(([name, ...given]) => globalThis.chats[chat][name](...given)),
              [chat, calls],
            ),
          show: (...names) => page.evaluate((names) => globalThis.showChats(names), names),
          sees: async (chat, text) => {
            await page.waitForFunction(
              ([chat, text]) => document.getElementById(chat)?.textContent === text,
              [chat, text],
            );
          },
        });
      },
      // A request that a user stops is not a failure.
      { forgive: [/ERR_ABORTED/, ...forgive] },
    );
  });

/** Waits until the server has received the expected requests. */
async function seen(expected) {
  const facts = () => requests.map(({ message, stayed }) => [message, stayed]);
  await until(() => JSON.stringify(facts()) === JSON.stringify(expected));
}

/** The lines of a message of the user and its answer. */
const answered = (message, text, status = "done") =>
  `user: ${message} (${text === undefined ? status : "done"})${text === undefined ? "" : `\nassistant: ${text} (${status})`}`;

chatting("a response in small chunks is complete and requested once", async ({ tell, sees }) => {
  await tell("a", ["send", "slow"]);
  await sees("a", answered("slow", "Hello, 世界"));
  await seen([["slow", true]]);
});

chatting(
  "a component that unmounts stops its request, and not that of another component",
  async ({ tell, sees, show }) => {
    await tell("a", ["send", "held"]);
    await tell("b", ["send", "held"]);
    await sees("a", answered("held", "Hello, ", "streaming"));
    await sees("b", answered("held", "Hello, ", "streaming"));
    assert.notEqual(requests[0].session, requests[1].session);
    await show("b");
    await seen([
      ["held", false],
      ["held", undefined],
    ]);
    await sees("b", answered("held", "Hello, ", "streaming"));
    await tell("b", ["stop"]);
    await sees("b", answered("held", "Hello, ", "stopped"));
    await seen([
      ["held", false],
      ["held", false],
    ]);
  },
);

chatting(
  "stop() before the first event, followed immediately by send()",
  async ({ tell, sees }) => {
    await tell("a", ["send", "silent"]);
    await seen([["silent", undefined]]);
    await tell("a", ["stop"], ["send", "whole"]);
    const first = `${answered("silent", undefined, "stopped")}\n${answered("whole", "Hello, 世界")}`;
    await sees("a", first);
    await tell("a", ["send", "held"]);
    await sees("a", `${first}\n${answered("held", "Hello, ", "streaming")}`);
    await tell("a", ["stop"], ["send", "slow"]);
    await sees(
      "a",
      `${first}\n${answered("held", "Hello, ", "stopped")}\n${answered("slow", "Hello, 世界")}`,
    );
    // What the agent has not received is sent with the next message.
    await seen([
      ["silent", false],
      ["whole", true],
      ["held", false],
      ["slow", true],
    ]);
  },
);

chatting("a message sent on mount is sent once in strict mode", async ({ show, sees }) => {
  await show("greeting");
  await sees("greeting", answered("whole", "Hello, 世界"));
  await seen([["whole", true]]);
});

chatting(
  "a message that is sent and stopped immediately reaches the agent at most once",
  async ({ tell, sees }) => {
    await tell("a", ["send", "held one"], ["stop"]);
    await sees("a", answered("held one", undefined, "stopped"));
    await tell("a", ["send", "whole"]);
    await sees(
      "a",
      `${answered("held one", undefined, "stopped")}\n${answered("whole", "Hello, 世界")}`,
    );
    assert.ok(requests.filter(({ message }) => message === "held one").length <= 1);
  },
);

chatting("messages during an answer are sent after it, in their order", async ({ tell, sees }) => {
  await tell("a", ["send", "slow"], ["send", "whole one"], ["send", "whole two"]);
  await sees(
    "a",
    ["slow", "whole one", "whole two"]
      .map((message) => answered(message, "Hello, 世界"))
      .join("\n"),
  );
  await seen([
    ["slow", true],
    ["whole one", true],
    ["whole two", true],
  ]);
});

chatting(
  "a truncated, interrupted or invalid response has a typed error and keeps its text",
  async ({ tell, sees }) => {
    const said = [];
    for (const [message, text, code] of [
      ["early", "Hello, ", "cut-off"],
      ["broken", "Hello, ", "connection-lost"],
      ["refused", undefined, "http-status"],
      ["page", undefined, "content-type"],
    ]) {
      await tell("a", ["send", message]);
      said.push(answered(message, text, code));
      await sees("a", said.join("\n"));
    }
    // Requested again in its place, by the user; never automatically.
    await tell("a", ["retry"]);
    await sees("a", said.join("\n"));
    await until(() => requests.length === 5);
    assert.deepEqual(
      requests.map(({ message }) => message),
      ["early", "broken", "refused", "page", "page"],
    );
    assert.equal(new Set(requests.map(({ session }) => session)).size, 1);
  },
  [/ERR_INCOMPLETE_CHUNKED_ENCODING/, /503/],
);
