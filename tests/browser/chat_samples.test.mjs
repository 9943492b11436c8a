// The chats that the documents show, each as it stands there, with a server that is slow, refuses, cannot be reached or is cut off: no
// message is lost at any change of the page. The page is a project's page: strict mode, and the address of the agent at the page's own origin.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toNodeListener } from "agentwire/node";
import { createHandler, submittedResults, userText } from "agentwire/server";
import { after, before, describe, test, withPage } from "./test.mjs";
import { buildReact } from "./react_build.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The samples, and the name of their component. `ask` sends the message `Hello!` in each of them. */
const SAMPLES = {
  readme: { path: "README.md", block: "chat", component: "Chat", ask: (page) => page.getByRole("button", { name: "Say hello" }).click() },
  npm: { path: "pkg/README.md", block: "chat", component: "Chat", ask: (page) => page.getByRole("button", { name: "Say hello" }).click() },
  "quick-start": { path: "docs/quick-start.md", block: "page", component: "App", ask: (page) => page.getByRole("button", { name: "Say hello" }).click() },
  guide: { path: "docs/guides/front-ends.md", block: "react-chat", component: "Chat", ask: (page) => page.getByRole("button", { name: "Say hello" }).click(), sendsThread: false },
  compare: { path: "docs/help/compare-chat.md", block: "compare", component: "Chat", ask: (page) => say(page, "Hello!") },
};

async function say(page, text) {
  await page.locator("input:enabled").fill(text);
  await page.keyboard.press("Enter");
}

/** Records, at every change of the page, a message that it does not show any more, and an answer that has become shorter. */
const WATCH = `
const textsOf = (role) => [...document.querySelectorAll("p")].map((each) => each.textContent).filter((text) => text.startsWith(role + ": "));
window.lost = [];
let [users, answers] = [[], []];
window.isRetried = false;
new MutationObserver(() => {
  const [nowUsers, nowAnswers] = [textsOf("user"), textsOf("assistant")];
  if (nowUsers.length < users.length) window.lost.push("of the user: " + users + " became " + nowUsers);
  // A retry replaces the answer that it repeats.
  const before = window.isRetried ? answers.slice(0, -1) : answers;
  if (before.some((text, at) => !(nowAnswers[at] ?? "").startsWith(text))) window.lost.push("of the agent: " + answers + " became " + nowAnswers);
  if (nowAnswers.length >= answers.length) window.isRetried = false;
  [users, answers] = [nowUsers, nowAnswers];
}).observe(document, { childList: true, subtree: true, characterData: true });
`;

let folder, server, origin;
/** Replaces the answer to the next request: a function of the request and the response of `node:http`. */
let instead;
/** The answers wait for it before their first token, and after it. */
let [first, rest] = [undefined, undefined];
let threads = [];

const handler = createHandler({
  async agent(out, request) {
    threads.push(request.input);
    const [decision] = submittedResults(request);
    if (decision !== undefined) {
      await first;
      return out.message().text().delta("Deleted.");
    }
    if (userText(request) === "Delete all.") {
      return out.interrupt({ id: "question_1", reason: "confirmation", payload: null });
    }
    await first;
    const text = out.message().text();
    await text.delta("Hello");
    await rest;
    await text.delta(", world!");
  },
});

before(async () => {
  folder = await mkdtemp(join(root, "node_modules/.chat-samples-"));
  const entries = Object.entries(SAMPLES).map(async ([name, { path, block, component }]) => {
    const text = await readFile(join(root, path), "utf8");
    const [, code] = text.match(new RegExp("```tsx " + block + "\\n([\\s\\S]*?)```")) ?? assert.fail(`no block ${block} in ${path}`);
    const start = `
      import { StrictMode } from "react";
      import { createRoot } from "react-dom/client";
      createRoot(document.body.appendChild(document.createElement("main"))).render(<StrictMode><${component} /></StrictMode>);
    `;
    // The quick start has the agent at another port.
    await writeFile(join(folder, `${name}.tsx`), WATCH + code.replaceAll("http://127.0.0.1:8787/", "/") + start);
    return join(folder, `${name}.tsx`);
  });
  await buildReact(await Promise.all(entries), join(folder, "built"));
  const answer = toNodeListener(handler);
  server = createServer(async (request, response) => {
    if (request.method === "POST") {
      const [replace] = [instead, (instead = undefined)];
      return replace === undefined ? answer(request, response) : replace(request, response);
    }
    const { pathname } = new URL(request.url, "http://page");
    const isScript = pathname.startsWith("/built/");
    response.writeHead(200, { "content-type": isScript ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8" });
    response.end(isScript ? await readFile(join(folder, pathname)) : PAGE(pathname.slice(1)));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});
after(async () => {
  server?.closeAllConnections();
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

const PAGE = (name) => `<!doctype html><title>chat</title><link rel="icon" href="data:," /><body><script type="module" src="/built/${name}.js"></script>`;

/** Returns a promise and the function that resolves it. */
function gate() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}

/** Refusals: a response; or what the browser reports instead of one. */
const REFUSALS = {
  "a 401": (_, response) => response.writeHead(401, { "content-type": "text/plain" }).end("log in"),
  "a 404": (_, response) => response.writeHead(404).end(),
  "a 422": (_, response) => response.writeHead(422, { "content-type": "application/json" }).end('{"detail":"no"}'),
  "a 500": (_, response) => response.writeHead(500).end("oops"),
  "a 502": (_, response) => response.writeHead(502, { "content-type": "text/html" }).end("<title>Bad Gateway</title>"),
  "a page with status 200": (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<title>Log in</title>"),
  "an empty stream": (_, response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(),
  "a stream of another protocol": (_, response) => response.writeHead(200, { "content-type": "text/event-stream" }).end('data: {"type":"text","content":"Hi"}\n\ndata: [DONE]\n\n'),
  "a refused connection": "connectionrefused",
  "a server without a network": "internetdisconnected",
  "a stream that is cut off at once": (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": hello\n\n");
    setTimeout(() => response.destroy(), 20);
  },
};
const FORGIVE = { forgive: [/\b(401|404|422|500|502)\b/, /net::ERR_/] };

const USER = "user: Hello!";
const ANSWER = "assistant: Hello, world!";

/** The refusals for all samples but the first. */
const SOME = ["a 502", "a refused connection"];

/** Sends the message, which is refused. */
async function refused(page, ask, refusal) {
  if (typeof refusal === "string") {
    await page.route(/\/(ag-ui|process)$/, (route) => route.abort(refusal), { times: 1 });
  } else {
    instead = refusal;
  }
  await ask(page);
  await page.getByRole("button", { name: "try again" }).waitFor();
}

/** The messages that the page shows. */
const shown = (page) => page.locator("p").allInnerTexts().then((texts) => texts.filter((text) => /^(user|assistant): /.test(text)));

/** Waits until the page shows exactly these messages. */
async function shows(page, ...texts) {
  await page.waitForFunction(
    (texts) => JSON.stringify([...document.querySelectorAll("p")].map((each) => each.innerText).filter((text) => /^(user|assistant): /.test(text))) === texts,
    JSON.stringify(texts),
    { timeout: 10_000 },
  ).catch(async () => assert.deepEqual(await shown(page), texts));
}

/** Clicks on `try again`. */
async function tryAgain(page) {
  await page.evaluate(() => (window.isRetried = true));
  await page.getByRole("button", { name: "try again" }).click();
}

for (const [name, { ask, sendsThread = true }] of Object.entries(SAMPLES)) {
  /** A test with the page of the sample, whose watcher has to find no loss. */
  const chat = (title, use, options) =>
    test(title, () =>
      withPage(
        `${origin}/${name}`,
        async (page) => {
          [instead, first, rest, threads] = [undefined, undefined, undefined, []];
          await use(page);
          assert.deepEqual(await page.evaluate(() => window.lost), []);
        },
        options,
      ));

  describe(`the sample ${name}`, () => {
    chat("shows the history and the message of the user before the response and before its first token", async (page) => {
      await ask(page);
      await shows(page, USER, ANSWER);
      const headers = gate();
      const token = gate();
      first = token.promise;
      instead = async (request, response) => (await headers.promise, toNodeListener(handler)(request, response));
      await ask(page);
      await shows(page, USER, ANSWER, USER);
      headers.resolve();
      await page.waitForTimeout(100);
      await shows(page, USER, ANSWER, USER);
      token.resolve();
      await shows(page, USER, ANSWER, USER, ANSWER);
    });

    for (const [what, refusal] of Object.entries(REFUSALS).filter(([what]) => name === "readme" || SOME.includes(what))) {
      chat(`shows everything after ${what}, after a retry, and after another message`, async (page) => {
        await refused(page, ask, refusal);
        await shows(page, USER);
        await tryAgain(page);
        await shows(page, USER, ANSWER);
        await refused(page, ask, refusal);
        await shows(page, USER, ANSWER, USER);
        // Without a retry: the agent receives the messages that the page shows.
        await ask(page);
        await shows(page, USER, ANSWER, USER, USER, ANSWER);
        assert.equal(threads.at(-1).filter(({ role }) => role === "user").length, sendsThread ? 3 : 1);
        await page.reload();
        await shows(page, USER, ANSWER, USER, USER, ANSWER);
      }, FORGIVE);
    }

    chat("shows everything after a stop, before and after the first token", async (page) => {
      first = gate().promise;
      await ask(page);
      await page.getByRole("button", { name: "Stop" }).click();
      await shows(page, USER);
      [first, rest] = [undefined, gate().promise];
      await ask(page);
      await shows(page, USER, USER, "assistant: Hello");
      await page.getByRole("button", { name: "Stop" }).click();
      await shows(page, USER, USER, "assistant: Hello");
      rest = undefined;
      await tryAgain(page);
      await shows(page, USER, USER, ANSWER);
    }, FORGIVE);

    chat("shows everything after a reload, also in the middle of an answer", async (page) => {
      await ask(page);
      await shows(page, USER, ANSWER);
      await page.reload();
      await shows(page, USER, ANSWER);
      rest = gate().promise;
      await ask(page);
      await shows(page, USER, ANSWER, USER, "assistant: Hello");
      await page.reload();
      // The server does not repeat its answer, so the user decides.
      await shows(page, USER, ANSWER, USER);
      rest = undefined;
      await tryAgain(page);
      await shows(page, USER, ANSWER, USER, ANSWER);
    }, FORGIVE);
  });
}

test("the sample compare shows everything after an approval", () =>
  withPage(`${origin}/compare`, async (page) => {
    [instead, first, rest, threads] = [undefined, undefined, undefined, []];
    await ask(page);
    await say(page, "Delete all.");
    const token = gate();
    first = token.promise;
    await page.getByRole("button", { name: "Yes" }).click();
    await page.waitForTimeout(100);
    await shows(page, USER, ANSWER, "user: Delete all.");
    token.resolve();
    await shows(page, USER, ANSWER, "user: Delete all.", "assistant: Deleted.");
    assert.deepEqual(await page.evaluate(() => window.lost), []);
  }));

const { ask } = SAMPLES.compare;
