// The example that a user copies, against the reference worker: as it is built, and as it is
// developed.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test, withPage } from "./test.mjs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as vite from "vite";
import { until } from "../support/until.mjs";
import { startSite } from "../../../www/site.mjs";

const root = fileURLToPath(new URL("../../../examples/react-chat", import.meta.url));
const host = "127.0.0.1";

/** The protocols, and the addresses of their agents. */
const PATHS = { "ag-ui": "/ag-ui", responses: "/v1/responses", a2a: "/a2a" };

let folder;
let site;
const previews = {};

/** Makes the changes that the README of the example describes. */
const inProtocol = (protocol) => ({
  name: "protocol",
  enforce: "pre",
  transform(code, id) {
    if (!id.endsWith("react-chat/src/chat.ts") || protocol === "ag-ui") return null;
    const changed = code
      .replace('from "agentwire/ag-ui"', `from "agentwire/${protocol}"`)
      .replace('connect("/ag-ui"', `connect("${PATHS[protocol]}"`);
    return protocol === "a2a" ? changed.replace("tools, ", "") : changed;
  },
});

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "agentwire-react-chat-"));
  site = await startSite({ dist: join(folder, "site") });
  // Its configuration reads this.
  process.env.AGENT_URL = site.url;
  for (const protocol of Object.keys(PATHS)) {
    const outDir = join(folder, protocol);
    await vite.build({
      root,
      logLevel: "warn",
      plugins: [inProtocol(protocol)],
      build: { outDir, emptyOutDir: true },
    });
    previews[protocol] = await vite.preview({
      root,
      logLevel: "warn",
      build: { outDir },
      preview: { host, port: 0 },
    });
  }
});

after(async () => {
  await Promise.all([...Object.values(previews).map((preview) => preview.close()), site?.close()]);
  await rm(folder, { recursive: true, force: true });
});

test("compiles without type errors", async () => {
  const tsc = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
  await promisify(execFile)(process.execPath, [tsc, "-p", root]).catch(({ stdout }) =>
    assert.fail(stdout),
  );
});

/**
 * A test with the built page. `requests` are the bodies that it sends. Chromium reports responses
 * of the worker as aborted that were read to their end, and those of a page that is left or whose
 * user stops the answer.
 */
const chat = (name, use, { protocol = "ag-ui", forgive = [/net::ERR_ABORTED/], ...options } = {}) =>
  test(name, () =>
    withPage(
      addressOf(previews[protocol]),
      (page) => {
        const requests = [];
        page.on(
          "request",
          (request) => request.method() === "POST" && requests.push(request.postDataJSON()),
        );
        return use(page, new Chat(page), requests);
      },
      { forgive, ...options },
    ),
  );

const addressOf = ({ httpServer }) => `http://${host}:${httpServer.address().port}/`;

class Chat {
  constructor(page) {
    this.page = page;
  }

  async ask(question) {
    await this.page.getByLabel("Your message").fill(question);
    await this.page.getByRole("button", { name: "Send" }).click();
  }

  /** Waits until the last of so many answers has a status, and returns its text. */
  async answer(count, status = "done") {
    const answers = this.page.locator(".assistant");
    await this.page.waitForFunction(
      ([count, status]) =>
        document.querySelectorAll(".assistant")[count - 1]?.dataset.status === status,
      [count, status],
    );
    assert.equal(await answers.count(), count);
    return answers.nth(count - 1).innerText();
  }
}

chat("streams a response with reasoning, a tool call, text and an image", async (page, chat) => {
  const partial = page.waitForFunction(
    () => document.querySelector('.tool[data-state="input-streaming"] b')?.textContent === "Lisboa",
  );
  await chat.ask("What is the weather like in Lisbon?");
  await partial;
  const text = await chat.answer(1);
  assert.match(text, /^Thought\s+get_weather answered\s+Lisboa现在/);
  assert.equal(await page.locator(".user").innerText(), "What is the weather like in Lisbon?");
  await page.locator(".tool summary").click();
  assert.match(
    await page.locator(".tool").innerText(),
    /city: Lisboa\s+unit: celsius\s+days: 5\s+Result\s+city: Lisbon\s+celsius: \d+/,
  );
  assert.ok(
    await page
      .locator(".assistant img")
      .first()
      .evaluate((image) => image.decode().then(() => image.naturalWidth > 100)),
  );
});

chat(
  "sends multi-line messages, and those during an answer after it",
  async (page, chat, requests) => {
    const composer = page.getByLabel("Your message");
    await composer.fill("echo one");
    await composer.press("Shift+Enter");
    await composer.pressSequentially("two");
    assert.equal(requests.length, 0);
    await composer.press("Enter");
    await chat.answer(1);
    assert.equal(requests[0].messages.at(-1).content, "echo one\ntwo");
    await chat.ask("Tell me a long story");
    await page.waitForFunction(
      () => document.querySelectorAll(".assistant")[1]?.textContent.length > 100,
    );
    await composer.fill("echo and then");
    await composer.press("Enter");
    await page.locator('.user[data-status="queued"]').waitFor();
    assert.equal(requests.length, 2);
    assert.match(await chat.answer(3), /and then/);
    assert.equal(await page.locator(".user").count(), 3);
    assert.equal(requests.length, 3);
  },
);

chat("renders Markdown, and shows HTML as text", async (page, chat) => {
  await chat.ask(
    "echo **bold** and `code` <img src=x onerror=alert(1)> [bad](javascript:alert(1)) | a table",
  );
  await chat.answer(1);
  assert.deepEqual(await page.locator(".message :is(strong, code)").allInnerTexts(), [
    "bold",
    "code",
  ]);
  assert.equal(await page.locator(".message img").count(), 0);
  assert.doesNotMatch(
    await page.locator(".message a").getAttribute("href").then(String),
    /javascript/,
  );
});

chat("requests another answer", async (page, chat, requests) => {
  await chat.ask("echo one");
  await chat.answer(1);
  await page.getByRole("button", { name: "Another answer" }).click();
  await until(() => requests.length === 2);
  await chat.answer(1);
});

for (const protocol of ["ag-ui", "responses"]) {
  chat(
    `${protocol}: runs a tool of the page and continues with its result`,
    async (page, chat, requests) => {
      await chat.ask("Change the background to teal");
      assert.match(await chat.answer(1), /Your side says: The background is teal now\./);
      assert.match(await page.locator(".tool").innerText(), /change-background-color answered/);
      assert.equal(
        await page.evaluate(() => document.documentElement.style.getPropertyValue("--tint")),
        "teal",
      );
      assert.equal(requests.length, 2);
    },
    { protocol },
  );
}

for (const protocol of Object.keys(PATHS)) {
  for (const [button, said, answer] of [
    ["Approve", "You approved.", /Approved: the files are gone/],
    ["Decline", "You declined.", /Declined: nothing was deleted/],
  ]) {
    chat(
      `${protocol}: asks for approval: ${button}`,
      async (page, chat) => {
        await chat.ask("Delete all files");
        assert.match(await chat.answer(1), /Delete all files\?/);
        await page.getByRole("button", { name: button }).click();
        await page.locator(".assistant", { hasText: answer }).waitFor();
        assert.match(await chat.answer(1), answer);
        assert.match(await page.locator(".approval").innerText(), new RegExp(said));
        assert.equal(await page.getByRole("button", { name: button }).count(), 0);
      },
      { protocol },
    );
  }

  chat(
    `${protocol}: stops a long response and keeps its text`,
    async (page, chat) => {
      await chat.ask("Tell me a long story");
      await page.waitForFunction(
        () => document.querySelector(".message")?.textContent.length > 400,
      );
      await page.getByRole("button", { name: "Stop" }).click();
      const text = await chat.answer(1, "stopped");
      await page.getByText("Stopped.").waitFor();
      await page.waitForTimeout(300);
      assert.equal(await page.locator(".assistant").innerText(), text);
      await chat.ask("echo and now this");
      assert.match(await chat.answer(2), /and now this/);
      await page.getByRole("button", { name: "New chat" }).click();
      await page.getByText("What would you like to know?").waitFor();
    },
    { protocol },
  );

  chat(
    `${protocol}: continues after a reload, also in the middle of a response`,
    async (page, chat) => {
      await chat.ask("echo one");
      const first = await chat.answer(1);
      await chat.ask("Tell me a long story");
      await page.waitForFunction(
        () =>
          document.querySelectorAll(".assistant")[1]?.querySelector(".message")?.textContent
            .length > 100,
      );
      await page.reload();
      assert.match(await chat.answer(2, "stopped"), /[^]{100}/);
      assert.equal(await page.locator(".assistant").first().innerText(), first);
      await page.getByRole("button", { name: "Try again" }).click();
      assert.match(await chat.answer(2), /[^]{400}/);
    },
    { protocol },
  );

  chat(
    `${protocol}: shows the errors of the agent and of the server, and retries on demand`,
    async (page, chat, requests) => {
      await chat.ask("Please fail");
      assert.match(
        await page.locator(".failure").innerText(),
        /That did not work\. the weather station does not answer any more/,
      );
      assert.equal(requests.length, 1);
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator(".failure").waitFor({ state: "detached" });
      await page.locator(".failure").waitFor();
      assert.equal(requests.length, 2);
      await page.route(`**${PATHS[protocol]}`, (route) =>
        route.fulfill({ status: 503, body: "come back later" }),
      );
      await chat.ask("hello");
      await page.locator(".failure", { hasText: "503" }).waitFor();
      assert.match(
        await page.locator(".failure").innerText(),
        /the server answered 503: come back later/,
      );
      await page.unroute(`**${PATHS[protocol]}`);
      await page.getByRole("button", { name: "Try again" }).click();
      await page.locator(".failure").waitFor({ state: "detached" });
      await page.waitForFunction(
        () => [...document.querySelectorAll(".assistant")].at(-1)?.dataset.status === "done",
      );
      assert.equal(await page.locator(".user").count(), 2);
    },
    { protocol, forgive: [/\b503\b/, /net::ERR_ABORTED/] },
  );
}

test("the development server runs the chat in strict mode", async () => {
  const cacheDir = join(folder, "cache");
  const server = await vite.createServer({
    root,
    logLevel: "warn",
    cacheDir,
    server: { host, port: 0, hmr: false },
  });
  try {
    await server.listen();
    const forgive = [/net::ERR_ABORTED/];
    await withPage(
      addressOf(server),
      async (page) => {
        const requests = [];
        page.on(
          "request",
          (request) => request.method() === "POST" && requests.push(request.url()),
        );
        const chat = new Chat(page);
        await chat.ask("Change the background to teal");
        await page.getByText("Your side says: The background is teal now.").waitFor();
        await chat.answer(1);
        assert.equal(requests.length, 2);
      },
      { forgive },
    );
  } finally {
    await server.close();
  }
});
