// The components that the documents show, each as it stands there, in a page in strict mode.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test, withPage } from "./test.mjs";
import { buildReact } from "./react_build.mjs";
import { fileURLToPath } from "node:url";
import { createHandler, userText } from "agentwire/server";
import { serve } from "../support/serve.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

async function example(path, name) {
  const text = await readFile(join(root, path), "utf8");
  const [, code] = text.match(new RegExp("```tsx " + name + "\\n([\\s\\S]*?)```")) ?? assert.fail(`no example ${name}`);
  return code;
}

const START = (component) => `
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
createRoot(document.body.appendChild(document.createElement("main"))).render(<StrictMode>${component}</StrictMode>);
`;
const ASK = `
import { createRequest, init, read } from "agentwire/agent-api";
async function ask({ conversationId, message, signal }) {
  await init();
  return read(fetch(createRequest("/process", message, { sessionId: conversationId, signal })), { signal });
}
`;

/** The examples, each with the declarations that it assumes. */
const PAGES = {
  npm: (await example("pkg/README.md", "chat")) + START("<Chat />"),
  chat: (await example("docs/guides/front-ends.md", "react-chat")) + START("<Chat />"),
  run:
    (await example("docs/guides/front-ends.md", "react-run")) +
    ASK +
    `import { useState } from "react";
     function Page() {
       const [run, setRun] = useState();
       const start = async () => setRun(await ask({ conversationId: "c", message: "Hello!", signal: new AbortController().signal }));
       return <><Answer run={run} /><button onClick={start}>Say hello</button></>;
     }` +
    START("<Page />"),
};

let folder;
let server;
before(async () => {
  folder = await mkdtemp(join(root, "node_modules/.react-examples-"));
  const sources = Object.entries(PAGES).map(async ([name, code]) => {
    await writeFile(join(folder, `${name}.tsx`), code);
    await writeFile(join(folder, `${name}.html`), `<!doctype html><title>t</title><body><script type="module" src="built/${name}.js"></script>`);
    return join(folder, `${name}.tsx`);
  });
  await buildReact(await Promise.all(sources), join(folder, "built"));
  server = await serve(folder);
});
after(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Serves answers that repeat the question; the first `failing` ones fail. */
async function answering(page, { failing = 0 } = {}) {
  const asked = [];
  const handler = createHandler({
    async agent(out, request) {
      asked.push(request.session_id);
      await out.message().text().delta(`You said ${userText(request)}`);
      if (asked.length <= failing) {
        await out.fail({ code: "BUSY", message: "come back later" });
      }
    },
  });
  await page.route(/\/(process|ag-ui)$/, async (route) => {
    const request = route.request();
    const headers = { "content-type": "application/json" };
    const answer = await handler(new Request(request.url(), { method: "POST", headers, body: request.postData() }));
    await route.fulfill({ contentType: "text/event-stream", body: await answer.text() });
  });
  return asked;
}

for (const name of Object.keys(PAGES)) {
  test(`the example ${name} sends one request and shows the response`, () =>
    withPage(`${server.url}/${name}.html`, async (page) => {
      const asked = await answering(page);
      await page.getByRole("button", { name: "Say hello" }).click();
      await page.getByText("You said Hello!").waitFor();
      assert.equal(asked.length, 1);
    }));
}

for (const name of ["npm", "chat"]) {
  test(`the example ${name} shows a failure and retries in the same session`, () =>
    withPage(`${server.url}/${name}.html`, async (page) => {
      const asked = await answering(page, { failing: 1 });
      await page.getByRole("button", { name: "Say hello" }).click();
      await page.getByRole("button", { name: "come back later: try again" }).click();
      await page.getByRole("button", { name: "try again" }).waitFor({ state: "detached" });
      await page.getByText("You said Hello!").waitFor();
      assert.equal(asked.length, 2);
      assert.equal(new Set(asked).size, 1);
    }));
}
