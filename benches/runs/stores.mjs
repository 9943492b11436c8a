// The performance of the runs service on each store, and of other packages with the same events.
// Servers of databases are started on loopback, with durable writes. Each service is one process;
// the clients are in this one, on the same cores, so the figures include both.
import { fork } from "node:child_process";
import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { startRedis } from "../../tests/js/support/databases.mjs";
import { STORES, closeServers, openMemoryProcess } from "../../tests/js/support/runs_stores.mjs";
import { RIVALS } from "./rivals.mjs";

const limits = { userRuns: 1e6, userConnections: 1e6, threadConnections: 1e6 };
/** The run that readers follow: so many events, one each so many milliseconds. */
const SLOW = { count: 40, ms: 100 };

/**
 * Returns the services: their names, and a function that measures one, or the reason why it is not
 * measured.
 */
export function services(effort) {
  const own = Object.entries(STORES).map(([name, { open, skip, isRust }]) => ({
    name,
    missing:
      skip ||
      (isRust &&
        process.env.RUNS_PROGRAM === undefined &&
        "RUNS_PROGRAM does not name a release build of the example `runs_acceptance`"),
    async measure() {
      const site = await (name === "memory" ? openMemoryProcess : open)({ limits });
      try {
        return { name, ...(await measured(effort, ownRuns(site), site.pid, true)) };
      } finally {
        await site.close();
        await closeServers();
      }
    },
  }));
  const others = Object.keys(RIVALS).map((name) => ({
    name,
    missing: name === "resumable-stream" && STORES.Redis.skip,
    async measure() {
      const { begin, pid, isKept, close } = await openRival(name);
      try {
        return { name, ...(await measured(effort, begin, pid, isKept)) };
      } finally {
        await close();
      }
    },
  }));
  return [...own, ...others];
}

/**
 * Requests, and repeats a request whose connection the runtime has closed: an idle one can be
 * closed while the client begins to use it.
 */
async function ask(url, init) {
  const response = await fetch(url, init).catch(() => fetch(url, init));
  if (!response.ok) throw new Error(`${url} is answered ${response.status}`);
  return response;
}

/**
 * Returns a function that starts a run of a service of this package, and returns a function that
 * reads it from its beginning.
 */
function ownRuns({ base }) {
  return async (count, ms = 0) => {
    const [threadId, runId] = [crypto.randomUUID(), crypto.randomUUID()];
    // Each run has a user of its own, because the runs of a user are counted in one place.
    const headers = {
      authorization: `Bearer user_${runId.replaceAll("-", "_")}`,
      "content-type": "application/json",
    };
    const messages = [
      { id: crypto.randomUUID(), role: "user", content: `count ${count}${ms ? ` ${ms}` : ""}` },
    ];
    const body = JSON.stringify({
      threadId,
      runId,
      messages,
      forwardedProps: { runtime_mode: "chat" },
    });
    await (await ask(`${base}/runs`, { method: "POST", headers, body })).text();
    return async (signal) =>
      (await ask(`${base}/runs/${threadId}/events?runId=${runId}`, { headers, signal })).text();
  };
}

async function openRival(name) {
  const redis = name === "resumable-stream" ? await startRedis() : undefined;
  const env = { ...process.env, ...(redis && { REDIS_URL: await redis.create() }) };
  const child = fork(fileURLToPath(new URL("rivals.mjs", import.meta.url)), [name], {
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const origin = await new Promise((resolve, reject) =>
    child.once("message", resolve).once("exit", () => reject(new Error(`${name} has ended`))),
  );
  const begin = async (count, ms = 0) => {
    const url = `${origin}/?run=${crypto.randomUUID()}&count=${count}&ms=${ms}`;
    const stop = new AbortController();
    // The response begins when the run is in progress.
    let first = (await ask(url, { method: "POST", signal: stop.signal })).text();
    return async (signal) => {
      signal?.addEventListener("abort", () => stop.abort());
      const own = first;
      first = undefined;
      return own ?? (await ask(url, { signal })).text();
    };
  };
  const close = async () => {
    child.kill();
    await redis?.close();
  };
  return { begin, pid: child.pid, close, isKept: RIVALS[name].isKept };
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
  const kilobytes = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]);
  const settled = () => new Promise((resolve) => setTimeout(resolve, 500));
  await read(await begin(200), 200);
  let reading;
  const one = await seconds(async () => read((reading = await begin(events)), events));
  const replay = isKept ? await seconds(() => read(reading, events)) : undefined;
  const many = await seconds(() =>
    Promise.all(Array.from({ length: threads }, async () => read(await begin(each), each))),
  );

  await settled();
  const before = kilobytes();
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const waiting = await Promise.all(Array.from({ length: threads }, () => begin(2, 600_000)));
  const open = waiting.map((each) => each(stop.signal).catch(() => {}));
  await settled();
  const perRun = (kilobytes() - before) / threads;
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
  return {
    one: events / one,
    many: (threads * each) / many,
    replay: replay && events / replay,
    followed,
    perReader,
    perRun,
  };
}
