// The example that a user copies, against the reference worker: as it is built, and as it is developed.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test, withPage } from "./test.mjs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import * as vite from "vite";
import { startSite } from "../../www/site.mjs";

const root = fileURLToPath(new URL("../../examples/react-chat", import.meta.url));
const host = "127.0.0.1";

let folder;
let site;
let preview;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "agentwire-react-chat-"));
  site = await startSite({ dist: join(folder, "site") });
  // Its configuration reads this.
  process.env.AGENT_URL = site.url;
  const outDir = join(folder, "built");
  await vite.build({ root, logLevel: "warn", build: { outDir, emptyOutDir: true } });
  preview = await vite.preview({ root, logLevel: "warn", build: { outDir }, preview: { host, port: 0 } });
});

after(async () => {
  await Promise.all([preview?.close(), site?.close()]);
  await rm(folder, { recursive: true, force: true });
});

test("compiles without type errors", async () => {
  const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
  await promisify(execFile)(process.execPath, [tsc, "-p", root]).catch(({ stdout }) => assert.fail(stdout));
});

/** A test with the built page. */
const chat = (name, use, options) =>
  test(name, () => withPage(addressOf(preview), (page) => use(page, new Chat(page)), options));

const addressOf = ({ httpServer }) => `http://${host}:${httpServer.address().port}/`;

class Chat {
  constructor(page) {
    this.page = page;
  }

  async ask(question) {
    await this.page.getByLabel("Your message").fill(question);
    await this.page.getByRole("button", { name: "Send" }).click();
  }

  /** Waits until the last of so many turns is in a state, and gives its text. */
  async turn(count, status) {
    const turns = this.page.locator(".turn");
    await this.page.locator(`.turn:nth-of-type(${count})[data-status=${status}]`).waitFor();
    assert.equal(await turns.count(), count);
    return turns.nth(count - 1).innerText();
  }
}

chat("streams a response with reasoning, a tool call, text and an image", async (page, chat) => {
  const partial = page.waitForFunction(() => document.querySelector('.tool[data-state="streaming"] b')?.textContent === "Lisboa");
  await chat.ask("What is the weather like in Lisbon?");
  await partial;
  const text = await chat.turn(1, "done");
  assert.match(text, /What is the weather like in Lisbon\?\s+Thought\s+get_weather answered\s+Lisboa现在/);
  await page.locator(".tool summary").click();
  assert.match(await page.locator(".tool").innerText(), /city: Lisboa\s+unit: celsius\s+days: 5\s+Result\s+city: Lisbon\s+celsius: \d+/);
  assert.ok(await page.locator(".message img").evaluate((image) => image.decode().then(() => image.naturalWidth > 100)));
});

chat("sends multi-line messages, and nothing while a response is streaming", async (page, chat) => {
  const requests = [];
  page.on("request", (request) => request.method() === "POST" && requests.push(request.postDataJSON()));
  const composer = page.getByLabel("Your message");
  await composer.fill("echo one");
  await composer.press("Shift+Enter");
  await composer.pressSequentially("two");
  assert.equal(requests.length, 0);
  await composer.press("Enter");
  await chat.turn(1, "done");
  assert.equal(requests[0].input[0].content[0].text, "echo one\ntwo");
  await chat.ask("Tell me a long story");
  await composer.fill("and then");
  await page.waitForFunction(() => document.querySelector(".turn:nth-of-type(2) .message")?.textContent.length > 100);
  await composer.press("Enter");
  await page.waitForTimeout(100);
  assert.equal(await page.locator('.turn[data-status="streaming"]').count(), 1);
  assert.equal(await composer.inputValue(), "and then");
  await page.getByRole("button", { name: "Stop" }).click();
  await chat.turn(2, "aborted");
  assert.equal(requests.length, 2);
}, { forgive: [/net::ERR_ABORTED/] });

chat("renders Markdown, and shows HTML as text", async (page, chat) => {
  await chat.ask("echo **bold** and `code` <img src=x onerror=alert(1)> [bad](javascript:alert(1)) | a table");
  await chat.turn(1, "done");
  assert.deepEqual(await page.locator(".message :is(strong, code)").allInnerTexts(), ["bold", "code"]);
  assert.equal(await page.locator(".message img").count(), 0);
  assert.doesNotMatch(await page.locator(".message a").getAttribute("href").then(String), /javascript/);
});

chat("runs a tool of the page and continues with its result", async (page, chat) => {
  await chat.ask("Change the background to teal");
  assert.match(await chat.turn(2, "done"), /Your side says: The background is teal now\./);
  assert.match(await page.locator(".tool").innerText(), /change-background-color answered by this page/);
  assert.equal(await page.locator(".app").evaluate((app) => app.style.getPropertyValue("--tint")), "teal");
});

for (const [button, said, answer] of [["Approve", "You approved.", /Approved: the files are gone/], ["Decline", "You declined.", /Declined: nothing was deleted/]]) {
  chat(`asks for approval: ${button}`, async (page, chat) => {
    await chat.ask("Delete all files");
    assert.match(await chat.turn(1, "done"), /Delete all files\?/);
    await page.getByRole("button", { name: button }).click();
    assert.match(await chat.turn(2, "done"), answer);
    assert.match(await page.locator(".approval").innerText(), new RegExp(said));
    assert.equal(await page.getByRole("button", { name: button }).count(), 0);
  });
}

chat(
  "stops a long response and keeps its text",
  async (page, chat) => {
    await chat.ask("Tell me a long story");
    await page.waitForFunction(() => document.querySelector(".message")?.textContent.length > 400);
    await page.getByRole("button", { name: "Stop" }).click();
    const text = await chat.turn(1, "aborted");
    assert.match(text, /Stopped\./);
    await page.waitForTimeout(300);
    assert.equal(await page.locator(".turn").innerText(), text);
    await chat.ask("echo and now this");
    assert.match(await chat.turn(2, "done"), /and now this/);
    await page.getByRole("button", { name: "New chat" }).click();
    await page.getByText("What would you like to know?").waitFor();
  },
  { forgive: [/net::ERR_ABORTED/] },
);

chat("continues after a reload, also in the middle of a response", async (page, chat) => {
  await chat.ask("echo one");
  const first = await chat.turn(1, "done");
  await chat.ask("Tell me a long story");
  await page.waitForFunction(() => document.querySelectorAll(".turn")[1]?.querySelector(".message")?.textContent.length > 100);
  await page.reload();
  assert.match(await chat.turn(2, "aborted"), /Tell me a long story\s+Stopped\./);
  assert.equal(await page.locator(".turn").first().innerText(), first);
  await page.getByRole("button", { name: "Try again" }).click();
  assert.match(await chat.turn(2, "done"), /Tell me a long story\s+[^]{400}/);
}, { forgive: [/net::ERR_ABORTED/] });

chat("shows the error of the agent, and retries on demand", async (page, chat) => {
  const requests = [];
  page.on("request", (request) => request.method() === "POST" && requests.push(request.postDataJSON()));
  await chat.ask("Please fail");
  assert.match(await chat.turn(1, "failed"), /That did not work\. the weather station does not answer any more/);
  assert.equal(requests.length, 1);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator('.turn[data-status="streaming"]').waitFor();
  await chat.turn(1, "failed");
  assert.deepEqual(requests[1], requests[0]);
  assert.equal(requests.length, 2);
});

chat(
  "shows the error of the server",
  async (page, chat) => {
    await page.route("**/process", (route) => route.fulfill({ status: 503, body: "come back later" }));
    await chat.ask("hello");
    assert.match(await chat.turn(1, "failed"), /the server answered 503: come back later/);
    await page.unroute("**/process");
    await page.getByRole("button", { name: "Try again" }).click();
    await chat.turn(1, "done");
  },
  { forgive: [/\b503\b/] },
);

test("with `VITE_PROTOCOL=ag-ui`, runs tools and approvals, and sends the whole thread", async (context) => {
  process.env.VITE_PROTOCOL = "ag-ui";
  context.after(() => delete process.env.VITE_PROTOCOL);
  const outDir = join(folder, "ag-ui");
  await vite.build({ root, logLevel: "warn", build: { outDir, emptyOutDir: true } });
  const preview = await vite.preview({ root, logLevel: "warn", build: { outDir }, preview: { host, port: 0 } });
  context.after(() => preview.close());
  await withPage(addressOf(preview), async (page) => {
    const requests = [];
    page.on("request", (request) => request.method() === "POST" && requests.push([new URL(request.url()).pathname, request.postDataJSON()]));
    const chat = new Chat(page);
    await chat.ask("What is the weather like in Lisbon?");
    assert.match(await chat.turn(1, "done"), /get_weather answered\s+Lisboa现在/);
    await chat.ask("Change the background to teal");
    assert.match(await chat.turn(3, "done"), /Your side says: The background is teal now\./);
    assert.equal(await page.locator(".app").evaluate((app) => app.style.getPropertyValue("--tint")), "teal");
    await chat.ask("Delete all files");
    assert.match(await chat.turn(4, "done"), /Delete all files\?/);
    await page.getByRole("button", { name: "Approve" }).click();
    assert.match(await chat.turn(5, "done"), /Approved: the files are gone/);
    assert.deepEqual(requests.map(([path]) => path), Array(5).fill("/ag-ui"));
    assert.equal(new Set(requests.map(([, { threadId }]) => threadId)).size, 1);
    const roles = requests[2][1].messages.map(({ role }) => role);
    assert.deepEqual([roles[0], roles.at(-1)], ["user", "tool"], `${roles}`);
    assert.equal(requests[4][1].resume[0].status, "resolved");
  });
});

test("the development server runs the chat in strict mode", async () => {
  const cacheDir = join(folder, "cache");
  const server = await vite.createServer({ root, logLevel: "warn", cacheDir, server: { host, port: 0, hmr: false } });
  try {
    await server.listen();
    const forgive = [/net::ERR_ABORTED/];
    await withPage(addressOf(server), async (page) => {
      const requests = [];
      page.on("request", (request) => request.method() === "POST" && requests.push(request.url()));
      const chat = new Chat(page);
      await chat.ask("Change the background to teal");
      await chat.turn(2, "done");
      assert.equal(requests.length, 2);
    }, { forgive });
  } finally {
    await server.close();
  }
});
