// The README's chat in each protocol: only the import and the address differ. Servers that are
// slow, refuse, cannot be reached or are cut off; stops, reloads, a second tab, messages during an
// answer. No message is lost at any change of the page.
import assert from "node:assert/strict";
import {
  ANSWER,
  ChatServer,
  FORGIVE,
  gate,
  REFUSALS,
  refused,
  sample,
  say,
  shows,
  showsBeforeAnswer,
  tryAgain,
  USER,
} from "./chat_page.mjs";
import { after, before, describe, test } from "./test.mjs";

/** The address in each protocol. */
const PATHS = { "ag-ui": "/ag-ui", responses: "/v1/responses", a2a: "/a2a", "ai-sdk": "/api/chat" };

/** Returns the sample in another protocol. */
const inProtocol = (code, protocol) =>
  code
    .replace('"agentwire/ag-ui"', `"agentwire/${protocol}"`)
    .replace('connect("/ag-ui"', `connect("${PATHS[protocol]}"`);

/**
 * The refusals that are tested in a protocol: all in the first one, two in the others, because they
 * are those of the browser and of HTTP. With EVERY_CASE all in each; without a browser
 * node/connect/never_blank.test.mjs has all in each.
 */
const refusalsIn = (protocol) =>
  Object.entries(REFUSALS).filter(
    ([what]) =>
      protocol === "ag-ui" ||
      process.env.EVERY_CASE ||
      what === "a 500" ||
      what === "a refused connection",
  );

const readme = await sample("README.md", "chat");
const server = new ChatServer();

before(() =>
  server.start(
    Object.fromEntries(
      Object.keys(PATHS).map((protocol) => [
        `readme-${protocol}`,
        { code: inProtocol(readme, protocol) },
      ]),
    ),
  ),
);
after(() => server.close());

/** The texts of the user in the last request that reached the agent. */
function received() {
  const contents = server.inputs
    .at(-1)
    .filter(({ type, role }) => role === "user" && (type ?? "message") === "message")
    .flatMap(({ content }) => content);
  return contents.map(({ text }) => text);
}

test("only the import and the address differ between the protocols", () => {
  const lines = readme.split("\n");
  for (const protocol of ["responses", "a2a", "ai-sdk"]) {
    const others = inProtocol(readme, protocol).split("\n");
    const changed = lines.flatMap((line, at) => (line === others[at] ? [] : [at]));
    assert.equal(others.length, lines.length);
    assert.deepEqual(
      changed.map((at) => lines[at].match(/^import|connect\(/)?.[0]),
      ["import", "connect("],
      protocol,
    );
  }
});

for (const protocol of Object.keys(PATHS)) {
  const name = `readme-${protocol}`;
  const chat = (title, use, options) => server.test(title, name, use, options);

  describe(protocol, () => {
    chat(
      "shows the history and the message of the user before the response, and before its first token",
      (page) => showsBeforeAnswer(server, page),
    );

    for (const [what, refusal] of refusalsIn(protocol)) {
      chat(
        `shows everything after ${what}, after a retry, and after another message`,
        async (page) => {
          await refused(server, page, refusal);
          await shows(page, USER);
          await tryAgain(page);
          await shows(page, USER, ANSWER);
          await refused(server, page, refusal);
          await shows(page, USER, ANSWER, USER);
          // Without a retry: the agent receives the messages that the page shows.
          await say(page, "Again.");
          await shows(page, USER, ANSWER, USER, "user: Again.", ANSWER);
          assert.deepEqual(received().slice(-2), ["Hello!", "Again."]);
          await page.reload();
          await shows(page, USER, ANSWER, USER, "user: Again.", ANSWER);
        },
        FORGIVE,
      );
    }

    chat(
      "shows everything after a connection that is cut in the middle",
      async (page) => {
        await say(page, "Hello!");
        await shows(page, USER, ANSWER);
        server.rest = gate().promise;
        await say(page, "Hello!");
        await shows(page, USER, ANSWER, USER, "assistant: Hello");
        server.response.destroy();
        await page.getByRole("button", { name: "try again" }).waitFor();
        await shows(page, USER, ANSWER, USER, "assistant: Hello");
        server.rest = undefined;
        await tryAgain(page);
        await shows(page, USER, ANSWER, USER, ANSWER);
      },
      FORGIVE,
    );

    chat(
      "shows everything after a stop, before and after the first token",
      async (page) => {
        server.first = gate().promise;
        await say(page, "Hello!");
        await page.getByRole("button", { name: "Stop" }).click();
        await shows(page, USER);
        [server.first, server.rest] = [undefined, gate().promise];
        await say(page, "Hello!");
        await shows(page, USER, USER, "assistant: Hello");
        await page.getByRole("button", { name: "Stop" }).click();
        await shows(page, USER, USER, "assistant: Hello");
        server.rest = undefined;
        await tryAgain(page);
        await shows(page, USER, USER, ANSWER);
      },
      FORGIVE,
    );

    chat(
      "a stop and another message in the same task",
      async (page) => {
        server.rest = gate().promise;
        await say(page, "Hello!");
        await shows(page, USER, "assistant: Hello");
        server.rest = undefined;
        await page.locator("input").fill("Next.");
        await page.evaluate(() => {
          [...document.querySelectorAll("button")]
            .find(({ textContent }) => textContent === "Stop")
            .click();
          document.querySelector("form").requestSubmit();
        });
        await shows(page, USER, "assistant: Hello", "user: Next.", ANSWER);
      },
      FORGIVE,
    );

    chat("a message during an answer is shown at once, and sent after it", async (page) => {
      const rest = gate();
      server.rest = rest.promise;
      await say(page, "Hello!");
      await shows(page, USER, "assistant: Hello");
      await say(page, "Next.");
      await shows(page, USER, "assistant: Hello", "user: Next.");
      assert.equal(server.inputs.length, 1);
      server.rest = undefined;
      rest.resolve();
      await shows(page, USER, ANSWER, "user: Next.", ANSWER);
      assert.equal(server.inputs.length, 2);
    });

    chat(
      "shows everything after a reload in the middle of an answer, with its text",
      async (page) => {
        await say(page, "Hello!");
        await shows(page, USER, ANSWER);
        server.rest = gate().promise;
        await say(page, "Hello!");
        await shows(page, USER, ANSWER, USER, "assistant: Hello");
        await page.reload();
        await shows(page, USER, ANSWER, USER, "assistant: Hello");
        // The browser has cut the connection, which is no failure of the agent.
        await page.getByRole("button", { name: "stopped: try again" }).waitFor();
        server.rest = undefined;
        await tryAgain(page);
        await shows(page, USER, ANSWER, USER, ANSWER);
        await page.reload();
        await shows(page, USER, ANSWER, USER, ANSWER);
      },
      FORGIVE,
    );

    chat(
      "a retry of the second of two answers that were stopped keeps the first one",
      async (page) => {
        server.rest = gate().promise;
        await say(page, "Hello!");
        await shows(page, USER, "assistant: Hello");
        await page.getByRole("button", { name: "Stop" }).click();
        await page.getByRole("button", { name: "stopped: try again" }).waitFor();
        await say(page, "Hello!");
        await shows(page, USER, "assistant: Hello", USER, "assistant: Hello");
        await page.getByRole("button", { name: "Stop" }).click();
        server.rest = undefined;
        await tryAgain(page);
        await shows(page, USER, "assistant: Hello", USER, ANSWER);
        await page.reload();
        await shows(page, USER, "assistant: Hello", USER, ANSWER);
      },
      FORGIVE,
    );

    chat("a second tab shows the conversation, and continues it", async (page) => {
      await say(page, "Hello!");
      await shows(page, USER, ANSWER);
      const second = await page.context().newPage();
      await second.goto(page.url());
      await shows(second, USER, ANSWER);
      await say(second, "From the second.");
      await shows(second, USER, ANSWER, "user: From the second.", ANSWER);
      await shows(page, USER, ANSWER, "user: From the second.", ANSWER);
      await say(page, "From the first.");
      await shows(
        page,
        USER,
        ANSWER,
        "user: From the second.",
        ANSWER,
        "user: From the first.",
        ANSWER,
      );
      await shows(
        second,
        USER,
        ANSWER,
        "user: From the second.",
        ANSWER,
        "user: From the first.",
        ANSWER,
      );
      assert.deepEqual(await second.evaluate(() => window.lost), []);
    });
  });
}
