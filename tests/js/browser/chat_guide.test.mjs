// The chat of docs/guides/chat.md in each protocol: approvals, tools of the page, other answers,
// and the difference between the protocols that the guide shows. And a conversation of 1,000
// messages, of which only the answer is rendered again.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { ChatServer, FORGIVE, gate, sample, say, shows } from "./chat_page.mjs";
import { after, before, describe, test } from "./test.mjs";

/**
 * The address in each protocol, and whether the page has tools and can go back. Where it can, the
 * agent receives the decision on a skipped question, too.
 */
const PROTOCOLS = {
  "ag-ui": { path: "/ag-ui", hasTools: true, canEdit: true },
  responses: { path: "/v1/responses", hasTools: true, canEdit: true },
  "ai-sdk": { path: "/api/chat", hasTools: true, canEdit: true },
  a2a: { path: "/a2a", hasTools: false, canEdit: false },
};

const guide = await sample("docs/guides/chat.md", "react");

/** Returns the sample in another protocol. */
function inProtocol(protocol, { path, hasTools }) {
  const code = guide
    .replace('"agentwire/ag-ui"', `"agentwire/${protocol}"`)
    .replace('connect("/ag-ui"', `connect("${path}"`);
  return hasTools ? code : code.replace("tools: { paint }, ", "");
}

/** A page with 500 answered messages, which counts how often each one is rendered. */
const MANY = `
import { memo } from "react";
import { connect, messageText } from "agentwire/ag-ui";
import { useChat } from "agentwire/react";

const messages = Array.from({ length: 1000 }, (_, at) => ({
  id: "m" + at,
  role: at % 2 === 0 ? "user" : "assistant",
  parts: [{ type: "text", text: (at % 2 === 0 ? "Question " : "Answer ") + at }],
}));
const chat = connect("/ag-ui", { messages });
window.rendered = {};
const Row = memo(function Row({ message }) {
  window.rendered[message.id] = (window.rendered[message.id] ?? 0) + 1;
  return <p>{message.role}: {messageText(message)}</p>;
});

export function Chat() {
  const { messages, send } = useChat(chat);
  return (
    <>
      {messages.map((message) => <Row key={message.id} message={message} />)}
      <form onSubmit={(event) => (event.preventDefault(), send(new FormData(event.currentTarget).get("text")))}><input name="text" /></form>
    </>
  );
}
`;

const server = new ChatServer();
before(() =>
  server.start({
    many: { code: MANY },
    throwing: {
      code: guide.replace(
        "(document.body.style.background = color)",
        "{ throw new Error(`no paint of the color ${color}`); }",
      ),
    },
    ...Object.fromEntries(
      Object.entries(PROTOCOLS).map(([protocol, how]) => [
        protocol,
        { code: inProtocol(protocol, how) },
      ]),
    ),
  }),
);
after(() => server.close());

test("the guide shows the whole difference between two protocols", async () => {
  const text = await readFile(new URL("../../../docs/guides/chat.md", import.meta.url), "utf8");
  const [, shown] = text.match(/```diff protocol\n([^]*?)```/);
  const others = inProtocol("responses", PROTOCOLS.responses).split("\n");
  const changed = guide
    .split("\n")
    .flatMap((line, at) => (line === others[at] ? [] : [`-${line}\n+${others[at]}\n`]));
  assert.equal(shown, changed.join(""));
});

for (const [protocol, { hasTools, canEdit }] of Object.entries(PROTOCOLS)) {
  describe(protocol, () => {
    const chat = (title, use, options) => server.test(title, protocol, use, options);

    for (const [button, answer] of [
      ["Yes", "Deleted."],
      ["No", "Kept."],
    ]) {
      chat(`asks the user, who decides ${button} after a reload`, async (page) => {
        await say(page, "Delete all.");
        await page.getByRole("group").getByText("Delete 3 files?").waitFor();
        await page.reload();
        await page.getByRole("group").getByText("Delete 3 files?").waitFor();
        const token = gate();
        server.first = token.promise;
        await page.getByRole("button", { name: button, exact: true }).click();
        await page.getByRole("group").waitFor({ state: "detached" });
        await page.getByText("user: Delete all.").waitFor();
        token.resolve();
        await page.getByText(answer).waitFor();
        assert.equal(await page.locator("p").count(), 2);
      });
    }

    chat("a message in place of a decision closes the question", async (page) => {
      await say(page, "Delete all.");
      await page.getByRole("group").waitFor();
      await say(page, "Never mind.");
      await page.getByText(canEdit ? "Kept." : "Hello, world!").waitFor();
      assert.equal(await page.getByRole("group").count(), 0);
    });

    if (hasTools) {
      chat("executes a tool of the page, and returns its result", async (page) => {
        await say(page, "Paint it.");
        await page.getByText("The page returned teal.").waitFor();
        assert.equal(await page.evaluate(() => document.body.style.background), "teal");
        assert.equal(await page.locator("p").count(), 2, "one answer, with both rounds");
      });
    }

    chat(
      canEdit ? "requests another answer" : "offers no other answer",
      async (page) => {
        await say(page, "Hello!");
        await page.locator("p").filter({ hasText: "Hello, world!" }).waitFor();
        assert.equal(
          await page.getByRole("button", { name: "Another answer" }).count(),
          canEdit ? 1 : 0,
        );
        if (canEdit) {
          await page.evaluate(() => (window.isRetried = true));
          await page.getByRole("button", { name: "Another answer" }).click();
          await page.waitForFunction(
            () =>
              document.querySelectorAll("p").length === 2 &&
              document.body.textContent.includes("Hello, world!"),
          );
          assert.equal(server.inputs.length, 2);
        }
      },
      FORGIVE,
    );
  });
}

server.test("the error of a tool is its result", "throwing", async (page) => {
  await say(page, "Paint it.");
  await page.getByText("The page returned Error: no paint of the color teal.").waitFor();
  assert.deepEqual(await page.getByText("(output-error)").count(), 1);
});

server.test("of 1,000 messages, only the answer is rendered again", "many", async (page) => {
  await page.getByText("Answer 999").waitFor();
  await page.evaluate(() => (window.rendered = {}));
  server.rest = new Promise((resolve) => setTimeout(resolve, 300));
  await say(page, "Hello!");
  await page.getByText("assistant: Hello, world!").waitFor();
  const rendered = await page.evaluate(() => Object.keys(window.rendered));
  assert.equal(rendered.length, 2, `${rendered}`);
  assert.ok(rendered.every((id) => !/^m\d+$/.test(id)));
  assert.equal(server.inputs.at(-1).filter(({ role }) => role === "user").length, 501);
});
