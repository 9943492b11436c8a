// Two tabs with the same chat: they run one after the other. Messages that are sent at the same
// time, stops, closed and reloaded tabs, and with `resume` answers that both tabs show as they
// arrive. No message is lost in a tab at any change of its page.
import assert from "node:assert/strict";
import { memoryStore } from "agentwire/stores";
import { ANSWER, ChatServer, gate, sample, say, shows } from "./chat_page.mjs";
import { after, before, describe, test } from "./test.mjs";

const PATHS = { "ag-ui": "/ag-ui", responses: "/v1/responses" };
const A = "user: From A.";
const B = "user: From B.";
const PART = "assistant: Hello";
/** The requests of a page that is closed or reloaded end. */
const FORGIVE = { forgive: [/net::ERR_ABORTED/] };

const readme = await sample("README.md", "chat");
const server = new ChatServer();
/** A server whose answers continue without a reader. */
const resuming = new ChatServer(undefined, { store: memoryStore() });

/** The code of the README's chat in a protocol. */
const inProtocol = (protocol, path) =>
  readme
    .replace('"agentwire/ag-ui"', `"agentwire/${protocol}"`)
    .replace('connect("/ag-ui"', `connect("${path}"`);

/** It with `resume`, and a tool that takes a while. */
const OPTIONS = `resume: true, tools: { paint: { description: "Paints.", parameters: { type: "object" }, execute: () => window.paint() } }, persist:`;
const PAINT = `
window.painted = 0;
window.paint = async () => {
  window.painted++;
  await new Promise((resolve) => setTimeout(resolve, 400));
  return "teal";
};
`;

before(async () => {
  const pages = (change) =>
    Object.fromEntries(
      Object.entries(PATHS).map(([protocol, path]) => [
        protocol,
        { code: change(inProtocol(protocol, path)) },
      ]),
    );
  const exposed = pages((code) => code.replace(/^export function/m, "window.chat = chat;\n$&"));
  const refusing = Object.entries(exposed).map(([name, { code }]) => [
    `${name}-refuse`,
    { code: code.replace("persist:", 'whileBusy: "refuse", persist:') },
  ]);
  await server.start({ ...exposed, ...Object.fromEntries(refusing) });
  await resuming.start(pages((code) => PAINT + code.replace("persist:", OPTIONS)));
});
after(() => Promise.all([server.close(), resuming.close()]));

/** Opens the page in a second tab. */
async function secondTab(page) {
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await tab.locator("input").waitFor();
  return tab;
}

/** The texts of the user in each request that reached the agent. */
const received = ({ inputs }) =>
  inputs.map((input) =>
    input
      .filter(({ type, role }) => role === "user" && (type ?? "message") === "message")
      .flatMap(({ content }) => content)
      .map(({ text }) => text),
  );

const lost = (tab) => tab.evaluate(() => window.lost);

/** Waits until both tabs show these messages, and nothing is in progress. */
async function bothShow(tabs, ...texts) {
  for (const tab of tabs) {
    await shows(tab, ...texts);
    await tab.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
    assert.deepEqual(await lost(tab), []);
  }
}

/** Holds the answers after their first token. Returns the function that releases them. */
function hold(of) {
  const { promise, resolve } = gate();
  of.rest = promise;
  return resolve;
}

for (const protocol of Object.keys(PATHS)) {
  describe(`${protocol}, two tabs`, () => {
    /** Opens both tabs; the first one streams an answer. */
    const streaming = (title, use, name = protocol) =>
      server.test(
        title,
        name,
        async (page) => {
          const second = await secondTab(page);
          const release = hold(server);
          await say(page, "From A.");
          await shows(page, A, PART);
          await shows(second, A, PART);
          await use(page, second, release);
        },
        FORGIVE,
      );

    streaming(
      "a message that is sent during an answer of the other tab follows it",
      async (page, second, release) => {
        await say(second, "From B.");
        await shows(second, A, PART, B);
        await page.waitForTimeout(300);
        assert.equal(server.inputs.length, 1, "one run at a time");
        release();
        await bothShow([page, second], A, ANSWER, B, ANSWER);
        assert.deepEqual(received(server), [["From A."], ["From A.", "From B."]]);
        await say(page, "Again.");
        await bothShow([page, second], A, ANSWER, B, ANSWER, "user: Again.", ANSWER);
        assert.deepEqual(received(server).at(-1), ["From A.", "From B.", "Again."]);
      },
    );

    streaming(
      'with `whileBusy: "refuse"` a message during the wait for the other tab is not sent',
      async (page, second, release) => {
        await say(second, "From B.");
        await shows(second, A, PART, B);
        assert.equal(
          await second.evaluate(() => window.chat.send("Refused.").messageId),
          undefined,
        );
        await shows(second, A, PART, B);
        release();
        await bothShow([page, second], A, ANSWER, B, ANSWER);
        assert.deepEqual(received(server), [["From A."], ["From A.", "From B."]]);
      },
      `${protocol}-refuse`,
    );

    streaming(
      "a message whose wait is stopped stays, and is sent with the next one",
      async (page, second, release) => {
        await say(second, "From B.");
        await shows(second, A, PART, B);
        await second.getByRole("button", { name: "Stop", exact: true }).click();
        await second
          .getByRole("button", { name: "Stop", exact: true })
          .waitFor({ state: "detached" });
        release();
        await shows(page, A, ANSWER);
        await shows(second, A, ANSWER, B);
        await second.waitForTimeout(300);
        assert.equal(server.inputs.length, 1);
        await say(second, "And this.");
        await bothShow([page, second], A, ANSWER, B, ANSWER, "user: And this.", ANSWER);
        assert.deepEqual(received(server), [
          ["From A."],
          ["From A.", "From B."],
          ["From A.", "From B.", "And this."],
        ]);
      },
    );

    streaming(
      "a message that waits survives the reload of its tab, and is sent with the next one",
      async (page, second, release) => {
        await say(second, "From B.");
        await shows(second, A, PART, B);
        await second.reload();
        await shows(second, A, PART, B);
        release();
        await shows(page, A, ANSWER);
        await shows(second, A, ANSWER, B);
        await second.reload();
        await shows(second, A, ANSWER, B);
        await say(second, "And this.");
        await bothShow([page, second], A, ANSWER, B, ANSWER, "user: And this.", ANSWER);
        assert.deepEqual(received(server), [
          ["From A."],
          ["From A.", "From B."],
          ["From A.", "From B.", "And this."],
        ]);
      },
    );

    streaming(
      "what one tab clears is gone in both, also in the middle of an answer",
      async (page, second, release) => {
        await second.evaluate(() => window.chat.clear());
        for (const tab of [page, second]) {
          await shows(tab);
          await tab.evaluate(() => (window.lost = []));
        }
        release();
        await say(second, "From B.");
        await bothShow([page, second], B, ANSWER);
        assert.deepEqual(received(server).at(-1), ["From B."]);
      },
    );

    streaming(
      "a page that is shown again has what the other tab has stored meanwhile",
      async (page, second, release) => {
        // As after the button `back`, when the browser has kept the page and its events.
        await second.evaluate(() => {
          window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
          window.addEventListener(
            "storage",
            (event) => window.isAway !== false && event.stopImmediatePropagation(),
            { capture: true },
          );
        });
        release();
        await shows(page, A, ANSWER);
        await say(page, "Again.");
        await shows(page, A, ANSWER, "user: Again.", ANSWER);
        await second.evaluate(() => {
          window.isAway = false;
          window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
        });
        await bothShow([page, second], A, ANSWER, "user: Again.", ANSWER);
        await say(second, "From B.");
        await bothShow([page, second], A, ANSWER, "user: Again.", ANSWER, B, ANSWER);
      },
    );

    streaming(
      "a run that is stopped makes way for the other tab",
      async (page, second, release) => {
        await say(second, "From B.");
        await shows(second, A, PART, B);
        server.rest = undefined;
        await page.getByRole("button", { name: "Stop", exact: true }).click();
        await bothShow([page, second], A, PART, B, ANSWER);
        assert.deepEqual(received(server).at(-1), ["From A.", "From B."]);
        release();
      },
    );

    streaming(
      "a tab that is closed in the middle of its answer makes way for the other one",
      async (page, second, release) => {
        await say(second, "From B.");
        await shows(second, A, PART, B);
        server.rest = undefined;
        await page.goto("about:blank");
        await bothShow([second], A, PART, B, ANSWER);
        assert.deepEqual(received(server).at(-1), ["From A.", "From B."]);
        release();
        await page.goBack();
        await bothShow([page, second], A, PART, B, ANSWER);
      },
    );

    streaming(
      "a tab that is reloaded in the middle of its answer shows that of the other one",
      async (page, second, release) => {
        await say(second, "From B.");
        await shows(second, A, PART, B);
        server.rest = undefined;
        await page.reload();
        await bothShow([page, second], A, PART, B, ANSWER);
        release();
      },
    );
  });

  describe(`${protocol}, two tabs with resume`, () => {
    const both = (title, use) =>
      resuming.test(title, protocol, async (page) => use(page, await secondTab(page)), FORGIVE);
    const posts = () => resuming.inputs.length;

    both(
      "the second tab shows the answer as it arrives, and its message follows",
      async (page, second) => {
        const release = hold(resuming);
        await say(page, "From A.");
        await shows(second, A, PART);
        await second.getByRole("button", { name: "Stop", exact: true }).waitFor();
        await say(second, "From B.");
        await shows(second, A, PART, B);
        release();
        await bothShow([page, second], A, ANSWER, B, ANSWER);
        assert.deepEqual(received(resuming), [["From A."], ["From A.", "From B."]]);
      },
    );

    both("a tool is executed in one tab", async (page, second) => {
      let gets = 0;
      second.on("request", (request) => request.resourceType() === "fetch" && gets++);
      await say(page, "Paint it.");
      await bothShow([page, second], "user: Paint it.", "assistant: The page returned teal.");
      assert.deepEqual(
        await Promise.all([page, second].map((tab) => tab.evaluate(() => window.painted))),
        [1, 0],
      );
      assert.equal(posts(), 2);
      assert.ok(gets <= 6, `${gets} requests of the second tab`);
      await say(second, "From B.");
      await bothShow(
        [page, second],
        "user: Paint it.",
        "assistant: The page returned teal.",
        B,
        ANSWER,
      );
    });

    both(
      "the answer of a tab that is closed continues in the other one, whose message follows",
      async (page, second) => {
        const release = hold(resuming);
        await say(page, "From A.");
        await shows(page, A, PART);
        await shows(second, A, PART);
        await say(second, "From B.");
        await page.goto("about:blank");
        release();
        await bothShow([second], A, ANSWER, B, ANSWER);
        assert.deepEqual(received(resuming), [["From A."], ["From A.", "From B."]]);
        await page.goBack();
        await bothShow([page], A, ANSWER, B, ANSWER);
      },
    );

    both("the answer continues in a tab that is reloaded", async (page, second) => {
      const release = hold(resuming);
      await say(page, "From A.");
      await shows(page, A, PART);
      await shows(second, A, PART);
      await page.reload();
      await shows(page, A, PART);
      release();
      await bothShow([page, second], A, ANSWER);
      await say(page, "Again.");
      await bothShow([page, second], A, ANSWER, "user: Again.", ANSWER);
      assert.deepEqual(received(resuming), [["From A."], ["From A.", "Again."]]);
    });
  });
}
