// The components that the documents show, each as it stands there, in a page in strict mode.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test, withPage } from "./test.mjs";
import { buildReact } from "./react_build.mjs";
import { fileURLToPath } from "node:url";
import { createHandler } from "agentwire/server";
import { serve } from "../support/serve.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

async function example(path, name) {
  const text = await readFile(join(root, path), "utf8");
  const [, code] =
    text.match(new RegExp("```tsx " + name + "\\n([\\s\\S]*?)```")) ??
    assert.fail(`no example ${name}`);
  return code;
}

const START = (component) => `
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
createRoot(document.body.appendChild(document.createElement("main"))).render(<StrictMode>${component}</StrictMode>);
`;
const ASK = `
import { createRequest, init, read } from "agentwire/agent-api";
async function ask() {
  await init();
  return read(fetch(createRequest("/process", "Hello!")));
}
`;

/** The examples, each with the declarations that it assumes. */
const PAGES = {
  stream:
    (await example("docs/guides/chat.md", "react-stream")) +
    ASK +
    `import { useState } from "react";
     function Page() {
       const [stream, setStream] = useState();
       return <><Answer stream={stream} /><button onClick={async () => setStream(await ask())}>Say hello</button></>;
     }` +
    START("<Page />"),
};

let folder;
let server;
before(async () => {
  folder = await mkdtemp(join(root, "node_modules/.react-examples-"));
  const sources = Object.entries(PAGES).map(async ([name, code]) => {
    await writeFile(join(folder, `${name}.tsx`), code);
    await writeFile(
      join(folder, `${name}.html`),
      `<!doctype html><title>t</title><body><script type="module" src="built/${name}.js"></script>`,
    );
    return join(folder, `${name}.tsx`);
  });
  await buildReact(await Promise.all(sources), join(folder, "built"));
  server = await serve(folder);
});
after(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

test("the example of a stream sends one request and shows the response", () =>
  withPage(`${server.url}/stream.html`, async (page) => {
    const asked = [];
    const handler = createHandler({
      async agent(out, request) {
        asked.push(request);
        await out.message().text().delta(`You said ${request.text}`);
      },
    });
    await page.route("**/process", async (route) => {
      const request = route.request();
      const headers = { "content-type": "application/json" };
      const answer = await handler(
        new Request(request.url(), { method: "POST", headers, body: request.postData() }),
      );
      await route.fulfill({ contentType: "text/event-stream", body: await answer.text() });
    });
    await page.getByRole("button", { name: "Say hello" }).click();
    await page.getByText("You said Hello!").waitFor();
    assert.equal(asked.length, 1);
  }));
