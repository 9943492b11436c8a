// The performance of `createRuns` on each store, and of `resumable-stream` on Redis with the same events: node benches/runs/stores.mjs [--quick].
// Servers of databases are started on loopback, with durable writes; the service is one process and the clients are another, on the same cores.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { fork } from "node:child_process";
import { startRedis } from "../../tests/support/databases.mjs";
import { STORES, closeServers } from "../../tests/support/runs_stores.mjs";

const [EVENTS, THREADS, EACH, READERS] = process.argv.includes("--quick") ? [2000, 10, 200, 50] : [20_000, 50, 1000, 500];
const limits = { userRuns: 1e6, userConnections: 1e6, threadConnections: 1e6 };

const request = (content) => ({
  threadId: crypto.randomUUID(),
  runId: crypto.randomUUID(),
  messages: [{ id: crypto.randomUUID(), role: "user", content }],
  forwardedProps: { runtime_mode: "chat" },
});

/** A service of this package. `begin` starts a run, and returns a function that reads it from its beginning. */
function resumable({ base }) {
  const headers = { authorization: "Bearer ann" };
  return async (count, ms = 0) => {
    const run = request(`count ${count}${ms ? ` ${ms}` : ""}`);
    const { status } = await fetch(`${base}/runs`, { method: "POST", headers, body: JSON.stringify(run) });
    if (status !== 202) throw new Error(`refused: ${status}`);
    return async () => (await fetch(`${base}/runs/${run.threadId}/events?runId=${run.runId}`, { headers })).text();
  };
}

/** The service of `resumable-stream`: a stream exists while its first reader is served, so the first reader begins the run. */
function comparison(origin) {
  return async (count, ms = 0) => {
    const url = `${origin}/${crypto.randomUUID()}?count=${count}&ms=${ms}`;
    const first = (await fetch(url, { method: "POST" })).text();
    let isFirst = true;
    return async () => {
      if (isFirst) {
        isFirst = false;
        return first;
      }
      return (await fetch(url)).text();
    };
  };
}

/** Measures one service. */
async function measured(begin, pid) {
  const seconds = async (work) => {
    const began = performance.now();
    await work();
    return (performance.now() - began) / 1000;
  };
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]);
  await (await begin(200))();
  let read;
  const one = await seconds(async () => (read = await begin(EVENTS), read()));
  const replay = await seconds(read);
  const many = await seconds(() => Promise.all(Array.from({ length: THREADS }, async () => (await begin(EACH))())));
  const idle = memory();
  const ticking = await begin(40, 100);
  const readers = Promise.all(Array.from({ length: READERS }, ticking));
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const each = (memory() - idle) / READERS;
  const fanOut = await seconds(() => readers);
  return {
    "events/s, one run": Math.round(EVENTS / one),
    [`events/s, ${THREADS} runs`]: Math.round((THREADS * EACH) / many),
    "replayed events/s": Math.round(EVENTS / replay),
    [`s, 4 s run, ${READERS} readers`]: Number((fanOut + 2.5).toFixed(1)),
    "KB per reader": Math.round(each),
  };
}

if (process.argv[2] === "--comparison") {
  await serveComparison();
} else {
  const table = {};
  for (const [name, { open, skip }] of Object.entries(STORES)) {
    if (skip || name === "Durable Objects") {
      console.log(`${name}: ${skip || "measured by load.mjs"}`);
      continue;
    }
    const site = await open({ limits });
    table[name] = await measured(resumable(site), site.pid ?? process.pid).finally(() => site.close());
  }
  await closeServers();
  const redis = await startRedis();
  const child = fork(fileURLToPath(import.meta.url), ["--comparison"], { env: { ...process.env, REDIS_URL: await redis.create() } });
  const [origin] = await new Promise((resolve) => child.once("message", resolve));
  table["resumable-stream"] = await measured(comparison(origin), child.pid);
  child.kill();
  await redis.close();
  console.table(table);
  const [own, other] = [table.Redis, table["resumable-stream"]];
  if (own !== undefined) {
    console.log("Redis, as a ratio of resumable-stream:", Object.fromEntries(Object.keys(own).map((key) => [key, (own[key] / other[key]).toFixed(2)])));
  }
  process.exit();
}

async function serveComparison() {
  const { createResumableStreamContext } = await import("resumable-stream");
  const context = createResumableStreamContext({ waitUntil: null });
  const frames = async function* (count, ms) {
    for (let at = 0; at < count; at++) {
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
      yield `id: ${at}\nevent: TEXT_MESSAGE_CONTENT\ndata: ${JSON.stringify({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: `${at} ` })}\n\n`;
    }
  };
  const server = createServer(async (incoming, answer) => {
    const { pathname, searchParams } = new URL(incoming.url, "http://host");
    const make = () => ReadableStream.from(frames(Number(searchParams.get("count")), Number(searchParams.get("ms"))));
    const stream = incoming.method === "POST" ? await context.createNewResumableStream(pathname, make) : await context.resumeExistingStream(pathname);
    answer.writeHead(200, { "content-type": "text/event-stream" });
    for await (const chunk of stream ?? []) answer.write(chunk);
    answer.end();
  });
  server.listen(0, "127.0.0.1", () => process.send([`http://127.0.0.1:${server.address().port}`]));
}
