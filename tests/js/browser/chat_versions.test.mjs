// The chat of the README with React 18, and the transport of docs/guides/chat.md with `useChat` of
// the AI SDK, majors 5 to 7.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ChatServer, sample, say, shows } from "./chat_page.mjs";
import { after, before, describe } from "./test.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const react18 = join(root, "tests/js/browser/react-18/node_modules");
/** The package of the AI SDK's hook for each major of `ai`, which it brings. */
const HOOKS = { 5: "ai-sdk-react-2", 6: "@ai-sdk/react", 7: "ai-sdk-react-4" };

describe("React 18", () => {
  const server = new ChatServer();
  before(async () =>
    server.start(
      { chat: { code: await sample("README.md", "chat") } },
      { react: join(react18, "react"), "react-dom": join(react18, "react-dom") },
    ),
  );
  after(() => server.close());

  server.test("the form of the README's chat sends, and is emptied", "chat", async (page) => {
    await say(page, "Hello!");
    await shows(page, "user: Hello!", "assistant: Hello, world!");
    await page.waitForFunction(() => document.querySelector("input").value === "");
  });
});

for (const [major, hook] of Object.entries(HOOKS)) {
  describe(`useChat of ai ${major}`, () => {
    const server = new ChatServer();
    before(async () =>
      server.start(
        { transport: { code: await sample("docs/guides/chat.md", "transport") } },
        {
          "@ai-sdk/react": join(root, "node_modules", hook),
          ai: join(root, "node_modules", hook, "node_modules/ai"),
        },
      ),
    );
    after(() => server.close());

    server.test("reaches an agent of AG-UI", "transport", async (page) => {
      await page.getByRole("button", { name: "Say hello (0 messages)" }).click();
      await page.getByRole("button", { name: "Say hello (2 messages)" }).click();
      await page.getByRole("button", { name: "Say hello (4 messages)" }).waitFor();
    });
  });
}
