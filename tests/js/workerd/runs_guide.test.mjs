// The examples of docs/guides/runs.md: the chat survives a reload of the page and a restart of the
// server; the worker starts; stored answers survive a restart.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SignJWT } from "jose";
import OpenAI from "openai";
import { RunsClient, historyMessages, init } from "agentwire/runs";
import { samplesOf } from "../node/support/programs.mjs";
import { freePort } from "../support/process.mjs";
import { sqliteNode, withoutSqlite } from "../support/runs_stores.mjs";
import { until } from "../support/until.mjs";
import { startWorker } from "../support/worker.mjs";

const PATH = "docs/guides/runs.md";
const SECRET = "a secret of at least thirty-two bytes";
const AsyncFunction = (async () => {}).constructor;
const root = fileURLToPath(new URL("../../..", import.meta.url));
const samples = await samplesOf(PATH);
const codeOf = (name) => samples.find((sample) => sample.name === name).code;
// Inside the repository, so that the examples find the package.
const folder = await mkdtemp(join(root, "node_modules/.guide-"));
// What the server, the worker and the stored answers import.
for (const name of ["model", "agent"]) await writeFile(join(folder, `${name}.mjs`), codeOf(name));
after(() => rm(folder, { recursive: true, force: true }));

test("each example is tested below or as a program, and the server and the page of the chat have at most 60 lines", () => {
  assert.deepEqual(
    samples.map(({ name }) => name),
    ["model", "agent", "server", "page", "durable", "answers", "public"],
  );
  assert.ok((codeOf("server") + codeOf("page")).split("\n").filter(Boolean).length <= 60);
});

/** Starts an example, which is in the folder, on a free port; `stop` kills its process. */
async function started(program) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let server;
  const start = async () => {
    server = spawn(sqliteNode, ["--no-warnings", program], {
      cwd: folder,
      env: { ...process.env, SECRET, PORT: String(port) },
      stdio: ["ignore", "ignore", "inherit"],
    });
    await until(() =>
      fetch(origin).then(
        () => true,
        () => false,
      ),
    );
  };
  const stop = async () => {
    const ended = new Promise((resolve) => server.once("close", resolve));
    server.kill("SIGKILL");
    await ended;
  };
  await start();
  return { origin, start, stop };
}

const tokenOf = (sub) =>
  new SignJWT({ sub })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(SECRET));

test("the chat survives a reload of the page and a restart of the server", {
  skip: withoutSqlite,
}, async (context) => {
  await writeFile(join(folder, "server.mjs"), codeOf("server"));
  await writeFile(join(folder, "page.html"), "<!doctype html>");
  const { origin, start, stop } = await started("server.mjs");
  context.after(stop);
  const first = await fetch(origin);
  const [cookie] = first.headers.get("set-cookie").split(";");
  assert.equal((await fetch(origin, { headers: { cookie } })).headers.get("set-cookie"), null);

  const localStorage = {};
  /** Opens the page, whose browser has the cookie. */
  const opened = async () => {
    const page = { shown: [], isOpen: true };
    class Client extends RunsClient {
      constructor(path) {
        super(origin + path, {
          headers: { cookie },
          baseDelayMs: 10,
          maxDelayMs: 100,
          attempts: 200,
        });
      }
    }
    const form = { text: { value: "" } };
    const document = { createElement: () => ({}) };
    const list = {
      replaceChildren: (...items) =>
        page.isOpen && (page.shown = items.map(({ textContent }) => textContent)),
    };
    const names = { RunsClient: Client, historyMessages, init, form, localStorage, document, list };
    const code = new AsyncFunction(
      ...Object.keys(names),
      codeOf("page").replace(/^import .*$/m, ""),
    );
    const loading = code(...Object.values(names));
    page.say = (value) => {
      form.text.value = value;
      return form.onsubmit({ preventDefault() {} });
    };
    page.loading = loading;
    return page;
  };
  const words = Array.from({ length: 40 }, (_, at) => `w${at}`).join(" ");

  const one = await opened();
  await one.loading;
  await one.say("hello there");
  assert.deepEqual(one.shown, ["user: hello there", "assistant: 1 hello there "]);
  void one.say(words);
  await until(() => one.shown.length === 4 && one.shown[3].length > 30);
  one.isOpen = false;

  // A reload in the middle of the answer.
  const two = await opened();
  await two.loading;
  assert.deepEqual(two.shown, [
    "user: hello there",
    "assistant: 1 hello there ",
    `user: ${words}`,
    `assistant: 3 ${words} `,
  ]);

  // A restart of the server in the middle of the answer: the part stays, and the chat continues.
  const saying = two.say(words);
  await until(() => two.shown.length === 6 && two.shown[5].length > 30);
  await stop();
  await start();
  await saying;
  const part = two.shown[5];
  assert.ok(part.length > 30 && `assistant: 5 ${words} `.startsWith(part), part);
  await two.say("go on");
  assert.deepEqual(two.shown.slice(4), [
    `user: ${words}`,
    part,
    "user: go on",
    "assistant: 7 go on ",
  ]);

  // Another visitor has another cookie, and no access.
  const stranger = (await fetch(origin)).headers.get("set-cookie").split(";")[0];
  const history = await fetch(`${origin}/api/v1/agent/history?threadId=${localStorage.threadId}`, {
    headers: { cookie: stranger },
  });
  assert.equal(history.status, 403);
});

test("the worker of the guide starts and serves a user", async (context) => {
  await writeFile(join(folder, "worker.mjs"), codeOf("durable"));
  const worker = await startWorker(join(folder, "worker.mjs"), {
    durableObjects: {
      THREADS: { className: "Thread", useSQLite: true },
      USERS: { className: "User", useSQLite: true },
    },
    r2Buckets: { ATTACHMENTS: "attachments" },
    bindings: { SIGNING_SECRET: SECRET, JWT_SECRET: SECRET },
  });
  context.after(() => worker.dispose());
  const { origin } = await worker.ready;
  const token = await tokenOf("ann");
  const client = new RunsClient(`${origin}/api/v1/agent`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const messages = [{ id: "u", role: "user", content: "hello there" }];
  const { threadId, runId } = await client.createRun({
    threadId: crypto.randomUUID(),
    runId: "r",
    messages,
    forwardedProps: { runtime_mode: "chat" },
  });
  const { snapshot } = await client.events(threadId, runId).finished();
  assert.equal(snapshot.messages[0].content, "1 hello there ");
});

test("the stored answers of the guide survive a restart of the server", {
  skip: withoutSqlite,
}, async (context) => {
  await writeFile(join(folder, "answers.mjs"), codeOf("answers"));
  const { origin, start, stop } = await started("answers.mjs");
  context.after(stop);
  const clientOf = async (sub) =>
    new OpenAI({ apiKey: await tokenOf(sub), baseURL: `${origin}/v1`, maxRetries: 0 });
  const client = await clientOf("ann");
  const done = await client.responses.create({ model: "m", input: "hello there" });
  const begun = await client.responses.create({
    model: "m",
    input: Array.from({ length: 1000 }, (_, at) => `w${at}`).join(" "),
    background: true,
  });
  await until(async () => (await client.responses.retrieve(begun.id)).output_text.length > 20);
  await stop();
  await start();
  assert.equal((await client.responses.retrieve(done.id)).output_text, "1 hello there ");
  const { status, error, output_text: text } = await client.responses.retrieve(begun.id);
  assert.deepEqual([status, error.code], ["failed", "AGENT_RUN_INTERRUPTED"]);
  assert.match(text, /^1 w0 w1 w2 w3 w4 /);
  await assert.rejects((await clientOf("eve")).responses.retrieve(done.id), { status: 404 });
});
