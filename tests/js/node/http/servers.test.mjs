// The servers of examples/servers, each started as its first lines describe and sent requests in
// each of its protocols. Deno, Bun and
// Next are heavy: they run where AGENTWIRE_TOOLS names the folder that `cargo xtask test platforms`
// has filled with them and the package.
import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { read } from "agentwire";
import { createRequest as createAgentApiRequest } from "agentwire/agent-api";
import { createRequest as createAgUiRequest } from "agentwire/ag-ui";
import { createRequest as createAgKitRequest } from "agentwire/ag-kit";
import { createRequest as createAiSdkRequest } from "agentwire/ai-sdk";
import { freePort, run, startServer } from "../../support/process.mjs";
import { until } from "../../support/until.mjs";
import { startWorker } from "../../support/worker.mjs";

const folder = fileURLToPath(new URL("../../../../examples/servers/", import.meta.url));
const tools = process.env.AGENTWIRE_TOOLS;
const skip =
  tools === undefined &&
  "AGENTWIRE_TOOLS names no folder with the tools: `cargo xtask test platforms` does";
const headers = { "content-type": "application/json" };

const agUi = (text) =>
  createAgUiRequest("http://localhost/", {
    threadId: "t",
    runId: "r",
    messages: [{ id: "m", role: "user", content: text }],
    state: {},
    tools: [],
    context: [],
    forwardedProps: {},
  }).text();

/** Sends a request in AG-UI; the stream must be valid. */
async function askAgUi(fetch, url, text) {
  const { snapshot, report } = await read(
    fetch(url, { method: "POST", headers, body: await agUi(text) }),
    { protocol: "ag-ui" },
  ).finished();
  assert.deepEqual(report.violations, []);
  return snapshot;
}

/** Sends a request in each protocol. */
async function assertAllProtocols(fetch, origin) {
  const asked = await read(
    fetch(createAgentApiRequest(`${origin}/process`, "how are you", { sessionId: "s" })),
    { protocol: "agent-api" },
  ).finished();
  assert.deepEqual([asked.report.violations, asked.snapshot.session_id], [[], "s"]);
  assert.equal(
    asked.snapshot.output.find(({ type }) => type === "message").content[0].text,
    "You asked: how are you",
  );
  const body = await createAgKitRequest("http://localhost/", {
    conversationId: "c",
    messages: [{ role: "user", content: "and now" }],
  }).text();
  const turn = await read(fetch(`${origin}/send-message`, { method: "POST", headers, body }), {
    protocol: "ag-kit",
  }).finished();
  assert.deepEqual(turn.snapshot.parts, [{ type: "text", text: "You asked: and now" }]);
  const thread = await askAgUi(fetch, `${origin}/ag-ui`, "好吗");
  assert.deepEqual(
    [thread.messages.at(-1).content, thread.state.asked, thread.runId],
    ["You asked: 好吗", "好吗", "r"],
  );
  const openai = JSON.stringify({ model: "m", input: "hello", stream: true });
  const response = await read(
    fetch(`${origin}/v1/responses`, { method: "POST", headers, body: openai }),
    { protocol: "responses" },
  ).finished();
  assert.deepEqual(
    [response.report.violations, response.snapshot.output[0].content[0].text],
    [[], "You asked: hello"],
  );
  const chat = await read(fetch(createAiSdkRequest(`${origin}/api/chat`, "where")), {
    protocol: "ai-sdk",
  }).finished();
  assert.deepEqual(
    [chat.report.violations, chat.snapshot.parts.find(({ type }) => type === "text").text],
    [[], "You asked: where"],
  );
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "who" }] };
  const rpc = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "SendStreamingMessage",
    params: { message },
  });
  const task = await read(fetch(`${origin}/a2a`, { method: "POST", headers, body: rpc }), {
    protocol: "a2a",
  }).finished();
  assert.ok(task.snapshot.task.artifacts.some(({ parts }) => parts[0].text === "You asked: who"));
  const card = await (await fetch(`${origin}/.well-known/agent-card.json`)).json();
  assert.deepEqual([card.name, card.supportedInterfaces[0].url], ["Echo", `${origin}/a2a`]);
  assert.equal(
    (await fetch(`${origin}/process`, { method: "POST", headers, body: "[]" })).status,
    422,
  );
  assert.equal(
    (await fetch(`${origin}/elsewhere`, { method: "POST", headers, body: "[]" })).status,
    404,
  );
}

/** The address of a server that ends with the test. */
async function started(context, program, args, cwd) {
  const port = await freePort();
  const { url, close } = await startServer(program, args, {
    port,
    cwd,
    env: { PORT: String(port) },
  });
  context.after(close);
  return url;
}

for (const name of ["node", "express"]) {
  describe(`examples/servers/${name}.mjs`, () => {
    let server;
    after(() => server?.close());

    test("serves every protocol, and detects a disconnected client", async (context) => {
      process.env.PORT = String(await freePort());
      ({ server } = await import(new URL(`${name}.mjs`, `file://${folder}`).href));
      await new Promise((resolve) =>
        server.listening ? resolve() : server.on("listening", resolve),
      );
      const origin = `http://127.0.0.1:${server.address().port}`;
      await assertAllProtocols(fetch, origin);
      const preflight = await fetch(`${origin}/ag-ui`, {
        method: "OPTIONS",
        headers: { origin: "https://a.example", "access-control-request-method": "POST" },
      });
      assert.deepEqual(
        [preflight.status, preflight.headers.get("access-control-allow-origin")],
        [204, "*"],
      );
      // The client requests more than a socket holds, reads the beginning, and disconnects.
      const complaints = context.mock.method(console, "error", () => {});
      const leaving = new AbortController();
      const answer = await fetch(`${origin}/ag-ui`, {
        method: "POST",
        headers,
        body: agUi("word ".repeat(200_000)),
        signal: leaving.signal,
      });
      await answer.body.getReader().read();
      leaving.abort();
      await until(async () => (await connections(server)) <= 1, 25);
      assert.deepEqual(
        complaints.mock.calls.map(({ arguments: said }) => said),
        [],
      );
      server.closeAllConnections();
    });
  });
}

const connections = (server) =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)));

test("examples/servers/hono.mjs", async () => {
  const { default: app } = await import(new URL("hono.mjs", `file://${folder}`).href);
  const ask = (input, init) =>
    Promise.resolve(app.fetch(input instanceof Request ? input : new Request(input, init)));
  await assertAllProtocols(ask, "http://localhost");
  assert.deepEqual(await (await ask("http://localhost/health")).json(), { status: "healthy" });
});

test("examples/servers/cloudflare.mjs", async () => {
  const worker = await startWorker(join(folder, "cloudflare.mjs"));
  try {
    const origin = String(await worker.ready).replace(/\/$/, "");
    await assertAllProtocols(fetch, origin);
  } finally {
    await worker.dispose();
  }
});

test("examples/servers/proxy.mjs", async (context) => {
  const upstream = await started(context, process.execPath, [join(folder, "node.mjs")], folder);
  const { proxy } = await import(new URL("proxy.mjs", `file://${folder}`).href);
  const lost = [];
  const handler = proxy(`${upstream}/process`, (kind) => void lost.push(kind));
  const ask = (url, init) => handler(new Request(url, init));
  const thread = await askAgUi(ask, "http://localhost/ag-ui", "hi");
  assert.deepEqual(
    [thread.messages.at(-1).content, thread.runId, thread.threadId],
    ["You asked: hi", "r", "t"],
  );
  assert.equal(thread.state.asked, "hi");
  assert.deepEqual(lost, []);
  assert.equal(
    (await ask("http://localhost/ag-ui", { method: "POST", headers, body: "{}" })).status,
    422,
  );
  assert.equal(
    (
      await proxy("http://127.0.0.1:1/")(
        new Request("http://localhost/ag-ui", { method: "POST", headers, body: await agUi("x") }),
      )
    ).status,
    502,
  );
});

for (const [name, args] of [
  ["deno", ["run", "--allow-net", "--allow-env", "--no-lock", "--cached-only"]],
  ["bun", []],
]) {
  test(`examples/servers/${name}.mjs`, { skip }, async (context) => {
    const copy = await copied(context, "");
    const program = join(tools, "node_modules/.bin", name);
    await assertAllProtocols(
      fetch,
      await started(context, program, [...args, join(copy, `${name}.mjs`)], copy),
    );
  });
}

test("examples/servers/next", { skip }, async (context) => {
  const copy = await copied(context, "next");
  const next = join(tools, "node_modules/.bin/next");
  await run(next, ["build"], { cwd: copy });
  const origin = await started(context, next, ["start", "-H", "127.0.0.1"], copy);
  for (const path of ["/api/agent", "/api/edge"]) {
    const { snapshot: response, report } = await read(
      fetch(createAgentApiRequest(origin + path, "hi")),
      { protocol: "agent-api" },
    ).finished();
    assert.deepEqual(
      [report.violations, response.output[0].content[0].text],
      [[], "You asked: hi"],
    );
    assert.equal(
      (await askAgUi(fetch, origin + path, "hi")).messages.at(-1).content,
      "You asked: hi",
    );
  }
});

/** An example among the tools, where it finds the packages. */
async function copied(context, name) {
  const copy = await mkdtemp(join(tools, "homes/recipe-"));
  context.after(() => rm(copy, { recursive: true, force: true }));
  await cp(join(folder, name), copy, {
    recursive: true,
    filter: (path) => !path.includes("node_modules"),
  });
  return copy;
}
