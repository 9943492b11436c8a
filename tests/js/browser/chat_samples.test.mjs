// The other chats that the documents show, each as it stands there: a silent agent, refusals, stops
// and reloads. The chat of docs/help/compare-chat.md also has a tool and approvals.
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
import { after, before, describe } from "./test.mjs";

/** The samples, and the name of their component. */
const SAMPLES = {
  npm: { path: "pkg/README.md", block: "chat", component: "Chat" },
  "quick-start": { path: "docs/quick-start.md", block: "page", component: "App" },
  compare: { path: "docs/help/compare-chat.md", block: "compare", component: "Chat" },
};

const server = new ChatServer();

before(async () => {
  const pages = {};
  for (const [name, { path, block, component }] of Object.entries(SAMPLES)) {
    // The quick start has the agent at another port.
    pages[name] = {
      code: (await sample(path, block)).replaceAll("http://127.0.0.1:8787/", "/"),
      component,
    };
  }
  await server.start(pages);
});
after(() => server.close());

for (const name of Object.keys(SAMPLES)) {
  const chat = (title, use, options) => server.test(title, name, use, options);

  describe(`the sample ${name}`, () => {
    chat(
      "shows the history and the message of the user before the response, and before its first token",
      (page) => showsBeforeAnswer(server, page),
    );

    for (const what of ["a 502 with a page", "a refused connection"]) {
      chat(
        `shows everything after ${what}, and after a retry`,
        async (page) => {
          await say(page, "Hello!");
          await shows(page, USER, ANSWER);
          await refused(server, page, REFUSALS[what]);
          await shows(page, USER, ANSWER, USER);
          await tryAgain(page);
          await shows(page, USER, ANSWER, USER, ANSWER);
        },
        FORGIVE,
      );
    }

    chat(
      "shows everything after a stop and after a reload in the middle of an answer",
      async (page) => {
        server.rest = gate().promise;
        await say(page, "Hello!");
        await shows(page, USER, "assistant: Hello");
        await page.getByRole("button", { name: "Stop" }).click();
        await page.getByRole("button", { name: "stopped: try again" }).waitFor();
        await say(page, "Hello!");
        await shows(page, USER, "assistant: Hello", USER, "assistant: Hello");
        await page.reload();
        await shows(page, USER, "assistant: Hello", USER, "assistant: Hello");
        server.rest = undefined;
        await tryAgain(page);
        await shows(page, USER, "assistant: Hello", USER, ANSWER);
      },
      FORGIVE,
    );
  });
}

server.test(
  "the sample compare executes a tool, and asks the user, also after a reload",
  "compare",
  async (page) => {
    await say(page, "Paint it.");
    await shows(page, "user: Paint it.", "assistant: The page returned teal.");
    assert.equal(await page.evaluate(() => document.body.style.background), "teal");
    await say(page, "Delete all.");
    await page.getByText("Delete 3 files?").waitFor();
    await page.reload();
    const token = gate();
    server.first = token.promise;
    await page.getByRole("button", { name: "Yes" }).click();
    await page.getByRole("button", { name: "Yes" }).waitFor({ state: "detached" });
    await shows(page, "user: Paint it.", "assistant: The page returned teal.", "user: Delete all.");
    token.resolve();
    await shows(
      page,
      "user: Paint it.",
      "assistant: The page returned teal.",
      "user: Delete all.",
      "assistant: Deleted.",
    );
  },
);
