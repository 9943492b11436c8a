// The performance of the runs service in the local edge runtime. The clients run in this process:
// both share the machine's cores, so the figures include both.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { SignJWT } from "jose";
import { input, openRuns, runtimeOf } from "../../tests/js/support/runs_site.mjs";

const SECRET = "the load has a secret of thirty-two bytes";

/**
 * Runs all sections. `effort` has `rounds`, `events` (of one run), `threads` and `each`
 * (simultaneous runs, and the events of each), `readers` and `ticks` (of one run, and its events),
 * and `replayed` (runs in one log).
 */
export async function runsLoad(effort, say) {
  const vars = { JWT_SECRET: SECRET, USER_CONNECTIONS: "100000", USER_RUNS: "100000" };
  const site = await openRuns(vars, { runsLimit: 100_000 });
  try {
    const load = new Load(site);
    const rounds = async (what, measure) => {
      const results = [];
      for (let round = 0; round < effort.rounds; round++) {
        say(`${what}, round ${round + 1}`);
        results.push(await measure());
      }
      return results;
    };
    // A first run, because the runtime compiles code when it is first used.
    await load.into(2, Math.min(effort.events, 500));
    return {
      effort,
      one: await rounds("events into one object", () => load.into(1, effort.events)),
      many: await rounds(`events into ${effort.threads} objects`, () =>
        load.into(effort.threads, effort.each),
      ),
      alone: await rounds("one subscriber", () => load.fanOut(1, effort.ticks)),
      fanOut: await rounds(`${effort.readers} subscribers`, () =>
        load.fanOut(effort.readers, effort.ticks),
      ),
      replay: await load.replay(effort.replayed, effort.events, effort.rounds),
      memory: await load.memory(effort.readers, effort.threads),
    };
  } finally {
    await site.close();
  }
}

class Load {
  #site;

  constructor(site) {
    this.#site = site;
  }

  /**
   * Measures the time of several simultaneous runs, each in its own thread with one client, until
   * all clients have read the end.
   */
  async into(threads, tokens) {
    const users = await Promise.all(Array.from({ length: threads }, () => this.#user()));
    const began = performance.now();
    const counts = await Promise.all(
      users.map(async (user) => {
        const run = await user.start({ variant: "long", delay: 0, tokens });
        return numberOf((await textOf(await user.events(run))).lastId);
      }),
    );
    const seconds = (performance.now() - began) / 1000;
    const events = counts.reduce((sum, count) => sum + count, 0);
    return { events, seconds, perSecond: events / seconds };
  }

  /** Measures the delay of one run's timestamps at many simultaneous readers. */
  async fanOut(readers, ticks) {
    const user = await this.#user();
    const run = await user.start({ variant: "clock", delay: 10, tokens: ticks });
    const late = [];
    const began = performance.now();
    const reading = Array.from({ length: readers }, async () => {
      const { body } = await user.events(run);
      let rest = "";
      for await (const text of body.pipeThrough(new TextDecoderStream())) {
        const now = Date.now();
        rest += text;
        const whole = rest.lastIndexOf("\n\n");
        for (const [, said] of rest.slice(0, whole).matchAll(/"delta":"([\d ]*)"/g)) {
          late.push(
            ...said
              .trim()
              .split(" ")
              .map((time) => now - Number(time)),
          );
        }
        rest = rest.slice(whole);
      }
    });
    await Promise.all(reading);
    const seconds = (performance.now() - began) / 1000;
    late.sort((one, other) => one - other);
    if (late.length !== readers * ticks) {
      throw new Error(`${late.length} deliveries of ${readers * ticks}`);
    }
    const at = (share) => late[Math.min(late.length - 1, Math.floor(late.length * share))];
    return {
      deliveries: late.length,
      perSecond: late.length / seconds,
      p50: at(0.5),
      p99: at(0.99),
    };
  }

  /** Measures reading a log with several runs, each again from its beginning. */
  async replay(runs, tokens, rounds) {
    const user = await this.#user();
    const all = [];
    for (let at = 0; at < runs; at++) {
      const run = await user.start({ variant: "long", delay: 0, tokens });
      await textOf(await user.events(run));
      all.push(run);
    }
    const results = [];
    for (let round = 0; round < rounds; round++) {
      const began = performance.now();
      let [bytes, frames, last] = [0, 0, 0];
      for (const run of all) {
        const read = await textOf(await user.events(run));
        bytes += read.bytes;
        frames += read.frames;
        last = numberOf(read.lastId);
      }
      results.push({ events: last, bytes, frames, milliseconds: performance.now() - began });
    }
    return results;
  }

  /**
   * Measures the memory of the runtime's process for each waiting reader, and for each thread with
   * an active run.
   */
  async memory(readers, threads) {
    const user = await this.#user();
    const run = await user.start({ variant: "clock", delay: 60_000, tokens: 2 });
    const leave = new AbortController();
    const before = resident();
    await Promise.all(Array.from({ length: readers }, () => user.events(run, leave.signal)));
    await sleep(1000);
    const perReader = (resident() - before) / readers;
    leave.abort();
    await user.stop(run);
    await sleep(1000);
    const less = resident();
    const users = await Promise.all(Array.from({ length: threads }, () => this.#user()));
    const started = await Promise.all(
      users.map((each) => each.start({ variant: "clock", delay: 60_000, tokens: 2 })),
    );
    await sleep(1000);
    const perThread = (resident() - less) / threads;
    await Promise.all(users.map((each, at) => each.stop(started[at])));
    return { perReader, perThread };
  }

  /** Creates a separate user, because the rate of new runs per user is limited. */
  async #user() {
    const claims = new SignJWT({ sub: crypto.randomUUID() })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("1h");
    const headers = {
      authorization: `Bearer ${await claims.sign(new TextEncoder().encode(SECRET))}`,
      "content-type": "application/json",
    };
    const threadId = crypto.randomUUID();
    const at = async (path, init) => {
      const ask = () => fetch(this.#site.base + path, { ...init, headers });
      // The runtime closes connections that are idle for seconds, even if a busy client is about to
      // use one: the client repeats the request.
      const response = await ask().catch(ask);
      if (!response.ok) {
        throw new Error(`${path} is answered ${response.status}: ${await response.text()}`);
      }
      return response;
    };
    return {
      start: async (demo) => {
        const request = input("go", demo, { threadId });
        // Reads the body to its end: an abandoned body closes its connection, which the next
        // request may have selected.
        await (await at("/runs", { method: "POST", body: JSON.stringify(request) })).arrayBuffer();
        return request.runId;
      },
      events: (runId, signal) => at(`/runs/${threadId}/events?runId=${runId}`, { signal }),
      stop: async (runId) =>
        (await at(`/runs/${threadId}/cancel?runId=${runId}`, { method: "POST" })).arrayBuffer(),
    };
  }
}

/** Reads an answer to its end. */
async function textOf({ body }) {
  let [bytes, frames, rest, lastId] = [0, 0, "", ""];
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    bytes += Buffer.byteLength(text);
    const ids = (rest + text).match(/^id: .*\n/gm) ?? [];
    frames += ids.length;
    lastId = ids.at(-1)?.slice(4).trim() ?? lastId;
    rest = (rest + text).slice((rest + text).lastIndexOf("\n") + 1);
  }
  return { bytes, frames, lastId };
}

/** Returns the number in a cursor: the number of log entries up to it. */
function numberOf(cursor) {
  return Number(cursor.slice(cursor.lastIndexOf("-") + 1));
}

/** Returns the bytes of memory of the runtime's process. */
function resident() {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(
    readFileSync(`/proc/${runtimeOf(process.pid)}/status`, "utf8"),
  );
  return Number(kilobytes) * 1024;
}
