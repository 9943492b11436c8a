// The performance of the runs service on each store, and of other packages with the same events. Servers of databases are started on loopback,
// with durable writes. Each service is one process; the clients are in this one, on the same cores, so the figures include both.
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startRedis } from "../../tests/support/databases.mjs";
import { STORES, closeServers, openMemoryProcess } from "../../tests/support/runs_stores.mjs";
import { installed } from "../place.mjs";
import { RIVALS } from "./rivals.mjs";

const limits = { userRuns: 1e6, userConnections: 1e6, threadConnections: 1e6 };
/** The run that readers follow: so many events, one each so many milliseconds. */
const SLOW = { count: 40, ms: 100 };

/** Returns the figures of each service, and the reasons why others are not measured. `effort` has `events`, `threads`, `each` and `readers`. */
export async function storesLoad(effort, say) {
  const [rows, missing] = [[], []];
  const add = async (name, { begin, pid, close, isKept = true }) => {
    say(name);
    try {
      rows.push({ name, ...(await measured(effort, begin, pid, isKept)) });
    } finally {
      await close();
    }
  };
  for (const [name, { open, skip, isRust }] of Object.entries(STORES)) {
    const reason = skip || (isRust && process.env.RUNS_PROGRAM === undefined && "RUNS_PROGRAM does not name a release build of the example `runs_acceptance`");
    if (reason) {
      missing.push(`${name}: ${reason}`);
      continue;
    }
    const site = await (name === "memory" ? openMemoryProcess : open)({ limits });
    await add(name, { begin: ownRuns(site), pid: site.pid, close: () => site.close() });
  }
  await closeServers();
  for (const [name, rival] of Object.entries(RIVALS)) {
    const reason = (await installed(rival.package)) === undefined ? "it is not installed" : name === "resumable-stream" && STORES.Redis.skip;
    reason ? missing.push(`${name}: ${reason}`) : await add(name, await openRival(name));
  }
  return { effort, rows, missing };
}

/** Returns a function that starts a run of a service of this package, and returns a function that reads it from its beginning. */
function ownRuns({ base }) {
  const headers = { authorization: "Bearer ann" };
  return async (count, ms = 0) => {
    const [threadId, runId] = [crypto.randomUUID(), crypto.randomUUID()];
    const messages = [{ id: crypto.randomUUID(), role: "user", content: `count ${count}${ms ? ` ${ms}` : ""}` }];
    const body = JSON.stringify({ threadId, runId, messages, forwardedProps: { runtime_mode: "chat" } });
    await checked(await fetch(`${base}/runs`, { method: "POST", headers, body })).text();
    return async (signal) => checked(await fetch(`${base}/runs/${threadId}/events?runId=${runId}`, { headers, signal })).text();
  };
}

async function openRival(name) {
  const redis = name === "resumable-stream" ? await startRedis() : undefined;
  const env = { ...process.env, ...(redis && { REDIS_URL: await redis.create() }) };
  const child = fork(fileURLToPath(new URL("rivals.mjs", import.meta.url)), [name], { env, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const origin = await new Promise((resolve, reject) => child.once("message", resolve).once("exit", () => reject(new Error(`${name} has ended`))));
  const begin = async (count, ms = 0) => {
    const url = `${origin}/?run=${crypto.randomUUID()}&count=${count}&ms=${ms}`;
    const stop = new AbortController();
    // The response begins when the run is in progress.
    let first = checked(await fetch(url, { method: "POST", signal: stop.signal })).text();
    return async (signal) => {
      signal?.addEventListener("abort", () => stop.abort());
      const own = first;
      first = undefined;
      return own ?? checked(await fetch(url, { signal })).text();
    };
  };
  const close = async () => {
    child.kill();
    await redis?.close();
  };
  return { begin, pid: child.pid, close, isKept: RIVALS[name].isKept };
}

function checked(response) {
  if (!response.ok) throw new Error(`${response.url} is answered ${response.status}`);
  return response;
}

/** Measures one service. `isKept` is set if a run can be read after its end. */
async function measured({ events, threads, each, readers }, begin, pid, isKept) {
  const seconds = async (work) => {
    const began = performance.now();
    await work();
    return (performance.now() - began) / 1000;
  };
  /** Reads a run, and checks that nothing is lost. Events may be joined. */
  const read = async (reading, count) => {
    const text = (await reading()).match(/"delta":"[^"]*"/g)?.join("") ?? "";
    const found = text.match(/\d+ /g)?.length ?? 0;
    if (found !== count) throw new Error(`${found} events of ${count}`);
  };
  const kilobytes = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]);
  const settled = () => new Promise((resolve) => setTimeout(resolve, 500));
  await read(await begin(200), 200);
  let reading;
  const one = await seconds(async () => read((reading = await begin(events)), events));
  const replay = isKept ? await seconds(() => read(reading, events)) : undefined;
  const many = await seconds(() => Promise.all(Array.from({ length: threads }, async () => read(await begin(each), each))));

  await settled();
  const before = kilobytes();
  const stop = new AbortController();
  const waiting = await Promise.all(Array.from({ length: readers }, () => begin(2, 600_000)));
  const open = waiting.map((each) => each(stop.signal).catch(() => {}));
  await settled();
  const perRun = (kilobytes() - before) / readers;
  stop.abort();
  await Promise.all(open);

  const idle = kilobytes();
  const slow = await begin(SLOW.count, SLOW.ms);
  let perReader;
  const followed = await seconds(async () => {
    const all = Array.from({ length: readers }, () => read(slow, SLOW.count));
    await new Promise((resolve) => setTimeout(resolve, (SLOW.count * SLOW.ms) / 2));
    perReader = (kilobytes() - idle) / readers;
    await Promise.all(all);
  });
  return { one: events / one, many: (threads * each) / many, replay: replay && events / replay, followed, perReader, perRun };
}
