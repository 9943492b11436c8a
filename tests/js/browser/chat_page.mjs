// Pages with the chats that the documents show, each as it stands there, and a server whose answers
// the test controls. A watcher looks at every change of the page: a message that was visible stays
// visible, and no text of it becomes shorter.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createHandler } from "agentwire/server";
import { test, withPage } from "./test.mjs";
import { buildReact } from "./react_build.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The code of a sample. */
export async function sample(path, block) {
  const text = await readFile(join(root, path), "utf8");
  const [, code] =
    text.match(new RegExp("```tsx " + block + "\\n([\\s\\S]*?)```")) ??
    assert.fail(`no block ${block} in ${path}`);
  return code;
}

/**
 * Records, at every change of the page, a message that it does not show any more, and an answer
 * that has become shorter.
 */
const WATCH = `
// Without the states of calls, and the buttons.
const textOf = (each) => [...each.childNodes].map((node) => (/^(I|BUTTON)$/.test(node.nodeName) ? "" : node.textContent)).join("");
const textsOf = (role) => [...document.querySelectorAll("p")].map(textOf).filter((text) => text.startsWith(role + ": "));
window.lost = [];
let [users, answers] = [[], []];
window.isRetried = false;
new MutationObserver(() => {
  const [nowUsers, nowAnswers] = [textsOf("user"), textsOf("assistant")];
  if (users.some((text, at) => nowUsers[at] !== text)) window.lost.push("of the user: " + users + " became " + nowUsers);
  // A retry replaces the answer that it repeats.
  const before = window.isRetried ? answers.slice(0, -1) : answers;
  if (before.some((text, at) => !(nowAnswers[at] ?? "").startsWith(text))) window.lost.push("of the agent: " + answers + " became " + nowAnswers);
  if (window.isRetried && nowAnswers.length < answers.length) window.isRetried = false;
  [users, answers] = [nowUsers, nowAnswers];
}).observe(document, { childList: true, subtree: true, characterData: true });
`;

const START = (component) => `
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
createRoot(document.body.appendChild(document.createElement("main"))).render(<StrictMode><${component} /></StrictMode>);
`;

const PAGE = (name) =>
  `<!doctype html><title>chat</title><link rel="icon" href="data:," /><body><script type="module" src="/built/${name}.js"></script>`;

/** A promise and the function that resolves it. */
export function gate() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}

/** The server of the pages and of their agent. */
export class ChatServer {
  /**
   * Replaces the answer to the next message: a function of the response of `node:http` and of the
   * function that answers.
   */
  instead;
  /** The answers wait for them before their first token, and after it. */
  first;
  rest;
  /** The requests that reached the agent: the input of each. */
  inputs = [];
  /** The response that is being written. */
  response;
  #questions = 0;
  #handler;

  /**
   * @param agent another agent
   * @param options further options of the handler, for example a store, so that answers continue
   * without a reader
   */
  constructor(agent = (out, request) => this.#agent(out, request), options = {}) {
    this.#handler = createHandler({
      agent,
      onError: (error) => console.error(error),
      ...options,
    });
  }

  /**
   * Starts it with pages: the code of each, by its name, and the name of its component. `alias` are
   * other places of packages.
   */
  async start(pages, alias) {
    this.folder = await mkdtemp(join(root, "node_modules/.chat-"));
    const entries = Object.entries(pages).map(async ([name, { code, component = "Chat" }]) => {
      await writeFile(join(this.folder, `${name}.tsx`), WATCH + code + START(component));
      return join(this.folder, `${name}.tsx`);
    });
    await buildReact(await Promise.all(entries), join(this.folder, "built"), alias);
    this.server = createServer((request, response) => this.#respond(request, response));
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${this.server.address().port}`;
  }

  async close() {
    this.server?.closeAllConnections();
    this.server?.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** A test with a page, whose watcher has to find no loss. */
  test(title, name, use, options) {
    test(title, () => {
      [this.instead, this.first, this.rest, this.inputs] = [undefined, undefined, undefined, []];
      return withPage(
        `${this.origin}/${name}`,
        async (page) => {
          await use(page);
          assert.deepEqual(await page.evaluate(() => window.lost), []);
        },
        options,
      );
    });
  }

  #respond(request, response) {
    if (request.method === "POST") {
      return this.#answer(request, response);
    }
    const isOfAgent = request.method === "DELETE" || request.headers.accept === "text/event-stream";
    return isOfAgent ? this.#pass(request, undefined, response) : this.#file(request, response);
  }

  async #file(request, response) {
    const { pathname } = new URL(request.url, "http://page");
    const isScript = pathname.startsWith("/built/");
    response.writeHead(200, {
      "content-type": isScript ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8",
    });
    response.end(isScript ? await readFile(join(this.folder, pathname)) : PAGE(pathname.slice(1)));
  }

  async #answer(request, response) {
    const body = await textOf(request);
    const proceed = () => this.#pass(request, body, response);
    const isMessage = !body.includes('"CancelTask"');
    const [replace] = [this.instead];
    if (isMessage) {
      [this.instead, this.response] = [undefined, response];
    }
    return isMessage && replace !== undefined ? replace(response, proceed) : proceed();
  }

  async #pass({ url, method, headers }, body, response) {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const passed = ["content-type", "accept", "prefer", "idempotency-key"].flatMap((name) =>
      name in headers ? [[name, headers[name]]] : [],
    );
    const answer = await this.#handler(
      new Request(this.origin + url, { method, headers: passed, body, signal: gone.signal }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    try {
      for await (const chunk of answer.body ?? []) response.write(chunk);
      response.end();
    } catch {
      response.destroy();
    }
  }

  async #agent(out, request) {
    this.inputs.push(request.toJSON().input);
    const [answered] = request.answers;
    await this.first;
    if (answered !== undefined) {
      const text =
        answered.kind === "approval"
          ? answered.approved
            ? "Deleted."
            : "Kept."
          : `The page returned ${answered.text}.`;
      return out.message().text().delta(text);
    }
    if (request.text.endsWith("Delete all.")) {
      return out.interrupt({
        id: `question_${++this.#questions}`,
        reason: "confirmation",
        payload: { question: "Delete 3 files?" },
      });
    }
    if (request.text.endsWith("Paint it.")) {
      return out.tool("paint", { callId: "call_1" }).arguments({ color: "teal" });
    }
    const text = out.message().text();
    await text.delta("Hello");
    await this.rest;
    await text.delta(", world!");
  }
}

/** Types a message and sends it. */
export async function say(page, text) {
  await page.locator("input").fill(text);
  await page.keyboard.press("Enter");
}

/** The messages that the page shows. */
const shown = (page) =>
  page
    .locator("p")
    .allInnerTexts()
    .then((texts) => texts.filter((text) => /^(user|assistant): /.test(text)));

/** Waits until the page shows exactly these messages. */
export async function shows(page, ...texts) {
  await page
    .waitForFunction(
      (texts) =>
        JSON.stringify(
          [...document.querySelectorAll("p")]
            .map((each) => each.innerText)
            .filter((text) => /^(user|assistant): /.test(text)),
        ) === texts,
      JSON.stringify(texts),
      { timeout: 10_000 },
    )
    .catch(async () => assert.deepEqual(await shown(page), texts));
}

/** Clicks on `try again`. */
export async function tryAgain(page) {
  await page.evaluate(() => (window.isRetried = true));
  await page.getByRole("button", { name: "try again" }).click();
}

/** What comes instead of an answer: a response, or what the browser reports instead of one. */
export const REFUSALS = {
  "a 401": (response) => response.writeHead(401, { "content-type": "text/plain" }).end("log in"),
  "a 404": (response) => response.writeHead(404).end(),
  "a 422": (response) =>
    response.writeHead(422, { "content-type": "application/json" }).end('{"detail":"no"}'),
  "a 500": (response) => response.writeHead(500).end("oops"),
  "a 502 with a page": (response) =>
    response.writeHead(502, { "content-type": "text/html" }).end("<title>Bad Gateway</title>"),
  "a page with status 200": (response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<title>Log in</title>"),
  "an empty stream": (response) =>
    response.writeHead(200, { "content-type": "text/event-stream" }).end(),
  "a stream of another protocol": (response) =>
    response
      .writeHead(200, { "content-type": "text/event-stream" })
      .end('data: {"type":"text","content":"Hi"}\n\ndata: [DONE]\n\n'),
  "a refused connection": "connectionrefused",
  "a server without a network": "internetdisconnected",
  "a stream that is cut off at once": (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": hello\n\n");
    setTimeout(() => response.destroy(), 20);
  },
};

/** The messages of the browser about them. */
export const FORGIVE = { forgive: [/\b(401|404|422|500|502)\b/, /net::ERR_/] };

/** Sends a message, which is refused. */
export async function refused(server, page, refusal) {
  if (typeof refusal === "string") {
    await page.route(/\/(ag-ui|responses|a2a|api\/chat)$/, (route) => route.abort(refusal), {
      times: 1,
    });
  } else {
    server.instead = refusal;
  }
  await say(page, "Hello!");
  await page.getByRole("button", { name: "try again" }).waitFor();
}

export const USER = "user: Hello!";
export const ANSWER = "assistant: Hello, world!";

/**
 * The page shows the history and the message of the user before the response, and before its first
 * token.
 */
export async function showsBeforeAnswer(server, page) {
  await say(page, "Hello!");
  await shows(page, USER, ANSWER);
  const [headers, token] = [gate(), gate()];
  server.first = token.promise;
  server.instead = async (_, proceed) => {
    await headers.promise;
    return proceed();
  };
  await say(page, "Hello!");
  await shows(page, USER, ANSWER, USER);
  headers.resolve();
  await page.waitForTimeout(100);
  await shows(page, USER, ANSWER, USER);
  token.resolve();
  await shows(page, USER, ANSWER, USER, ANSWER);
}
