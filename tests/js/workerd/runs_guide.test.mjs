// The examples of docs/guides/runs.md: the chat survives a reload of the page and a restart of the
// server; the worker starts.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SignJWT } from "jose";
import { connect, messageText } from "agentwire/ag-ui";
import { RunsClient } from "agentwire/runs";
import { samplesOf } from "../node/support/programs.mjs";
import { freePort } from "../support/process.mjs";
import { sqliteNode, withoutSqlite } from "../support/runs_stores.mjs";
import { until } from "../support/until.mjs";
import { startWorker } from "../support/worker.mjs";

const PATH = "docs/guides/runs.md";
const SECRET = "a secret of at least thirty-two bytes";
const root = fileURLToPath(new URL("../../..", import.meta.url));
const samples = await samplesOf(PATH);
const codeOf = (name) => samples.find((sample) => sample.name === name).code;
// Inside the repository, so that the examples find the package.
const folder = await mkdtemp(join(root, "node_modules/.guide-"));
// What the server and the worker import.
await writeFile(join(folder, "model.mjs"), codeOf("model"));
after(() => rm(folder, { recursive: true, force: true }));

/** What a reader of the server and the page of the chat has to know of the package. */
const CONCEPTS = {
  createHandler: /\bcreateHandler\(/,
  "its store": /\bstore:/,
  sqliteStore: /\bsqliteStore\(/,
  "its agent": /\basync agent\(out, request\)/,
  "its text": /\bout\.text\(/,
  toNodeListener: /\btoNodeListener\(/,
  connect: /\bconnect\(/,
  "its resumption": /\bresume:/,
  "its storage": /\bpersist:/,
  "its messages": /\bsubscribe\(show\)[^]*\bchat\.send\(/,
  messageText: /\bmessageText\(/,
};

test("each example is tested below or as a program; the server and the page of the chat have at most 25 lines and 12 concepts", () => {
  assert.deepEqual(
    samples.map(({ name }) => name),
    ["model", "server", "page", "conversation", "public", "endpoints", "threads", "durable"],
  );
  const code = codeOf("server") + codeOf("page");
  assert.ok(code.split("\n").filter(Boolean).length <= 25);
  const concepts = Object.entries(CONCEPTS);
  assert.deepEqual(
    concepts.filter(([, pattern]) => !pattern.test(code)).map(([name]) => name),
    [],
  );
  assert.ok(concepts.length <= 12);
  const imported = [...code.matchAll(/import \{([^}]*)\} from "agentwire/g)].flatMap(([, names]) =>
    names.split(",").map((name) => name.trim()),
  );
  assert.deepEqual(
    imported.filter((name) => CONCEPTS[name] === undefined),
    [],
  );
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
  const { origin, start, stop } = await started("server.mjs");
  context.after(stop);

  const items = new Map();
  const storage = {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
  /** Opens the page. */
  const opened = () => {
    const page = { shown: [], isOpen: true };
    const form = { text: { value: "" } };
    const document = { createElement: () => ({}) };
    const list = {
      replaceChildren: (...shown) =>
        page.isOpen && (page.shown = shown.map(({ textContent }) => textContent)),
    };
    const connected = (path, options) => {
      page.chat = connect(origin + path, {
        ...options,
        persist: { ...options.persist, storage },
      });
      return page.chat;
    };
    const names = { connect: connected, messageText, form, document, list };
    new Function(...Object.keys(names), codeOf("page").replace(/^import .*$/m, ""))(
      ...Object.values(names),
    );
    page.say = (value) => {
      form.text.value = value;
      form.onsubmit({ preventDefault() {} });
    };
    return page;
  };
  const words = Array.from({ length: 40 }, (_, at) => `w${at}`).join(" ");

  const one = opened();
  one.say("hello there");
  await until(() => one.shown.at(-1) === "assistant: 1 hello there ");
  one.say(words);
  await until(() => one.shown.length === 4 && one.shown[3].length > 30);

  // A reload in the middle of the answer.
  one.isOpen = false;
  const two = opened();
  await until(() => two.shown[3] === `assistant: 3 ${words} `);
  assert.deepEqual(two.shown.slice(0, 3), [
    "user: hello there",
    "assistant: 1 hello there ",
    `user: ${words}`,
  ]);

  // A restart of the server in the middle of the answer: the part stays, and the chat continues.
  await until(() => !two.chat.getSnapshot().isBusy);
  two.say(words);
  await until(() => two.shown.length === 6 && two.shown[5].length > 30);
  await stop();
  await start();
  await until(() => !two.chat.getSnapshot().isBusy);
  const part = two.shown[5];
  assert.ok(part.length > 30 && `assistant: 5 ${words} `.startsWith(part), part);
  two.say("go on");
  await until(() => two.shown.at(-1) === "assistant: 7 go on ");
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
