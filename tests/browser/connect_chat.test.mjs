// The chat of docs/help/compare-chat.md in a page, in strict mode: text, a tool of the page, an approval, a failure, stop, and a reload.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../support/serve.mjs";
import { handler } from "../node/connect/agents.mjs";
import { after, before, test, withPage } from "./test.mjs";
import { buildReact } from "./react_build.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder;
let server;

before(async () => {
  const text = await readFile(join(root, "docs/help/compare-chat.md"), "utf8");
  const [, code] = text.match(/```tsx compare\n([\s\S]*?)```/);
  const start = `
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
createRoot(document.body.appendChild(document.createElement("main"))).render(<StrictMode><Chat /></StrictMode>);
`;
  folder = await mkdtemp(join(root, "node_modules/.connect-chat-"));
  await writeFile(join(folder, "chat.tsx"), code + start);
  await writeFile(join(folder, "chat.html"), `<!doctype html><title>t</title><body><script type="module" src="built/chat.js"></script>`);
  await buildReact([join(folder, "chat.tsx")], join(folder, "built"));
  server = await serve(folder);
});
after(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

test("the chat runs completely, and continues after a reload", () =>
  withPage(
    `${server.url}/chat.html`,
    async (page) => {
      let isDown = false;
      const threads = new Set();
      await page.route("**/ag-ui", async (route) => {
        if (isDown) {
          return route.fulfill({ status: 503, body: "busy" });
        }
        const body = route.request().postData();
        threads.add(JSON.parse(body).threadId);
        const headers = { "content-type": "application/json" };
        const response = await handler(new Request("http://agent.test/ag-ui", { method: "POST", headers, body }));
        return route.fulfill({ contentType: "text/event-stream", body: await response.text() });
      });
      const send = async (text) => {
        await page.locator("input:enabled").fill(text);
        await page.keyboard.press("Enter");
      };
      await send("One.");
      await page.getByText("assistant: You said: One.").waitFor();
      await send("Paint it.");
      await page.getByText("assistant: The page returned teal.").waitFor();
      assert.equal(await page.evaluate(() => document.body.style.background), "teal");
      await send("Delete all.");
      await page.getByRole("button", { name: "Yes" }).waitFor();
      await page.reload();
      await page.getByText("user: One.").waitFor();
      await page.getByRole("button", { name: "Yes" }).click();
      await page.getByText("assistant: They are gone.").waitFor();
      isDown = true;
      await send("Two.");
      await page.getByRole("button", { name: /503.*try again/ }).click();
      await page.getByRole("button", { name: /503.*try again/ }).waitFor();
      isDown = false;
      await page.getByRole("button", { name: /503.*try again/ }).click();
      await page.getByText("assistant: You said: Two.").waitFor();
      assert.equal(threads.size, 1);
    },
    { forgive: [/\b503\b/] },
  ));
