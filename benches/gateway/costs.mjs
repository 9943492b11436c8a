// The latency that a proxy adds to an answer, and its memory for each open stream.
import { readFileSync } from "node:fs";
import { percentile } from "../statistics.mjs";

/** The texts of requests for a short answer, and for one that stays open for seconds. */
export const SHORT = "A short answer";
export const HELD = "A slow answer";

/**
 * Measures answers of ten deltas one after the other, of the proxies in turn. The time is that to
 * the first byte and that to the end, each less the median without a proxy, in milliseconds.
 */
export async function addedLatency(direct, proxies, requests, send) {
  const all = [direct, ...proxies];
  const times = all.map(() => ({ first: [], whole: [] }));
  for (let at = 0; at < requests + 10; at++) {
    for (const [place, proxy] of all.entries()) {
      const begun = performance.now();
      const reader = (await send(proxy, SHORT)).body.getReader();
      await reader.read();
      const first = performance.now() - begun;
      while (!(await reader.read()).done);
      if (at < 10) continue; // connections and caches
      times[place].first.push(first);
      times[place].whole.push(performance.now() - begun);
    }
  }
  const [base, ...others] = times;
  const added = (name, share) => (its) =>
    percentile(its[name], share) - percentile(base[name], 0.5);
  return others.map((its) => ({
    firstMedian: added("first", 0.5)(its),
    firstP99: added("first", 0.99)(its),
    wholeMedian: added("whole", 0.5)(its),
    wholeP99: added("whole", 0.99)(its),
  }));
}

/** Measures the resident memory of a proxy with so many open streams, in KB for each. */
export async function memoryOfStreams(proxy, held, send) {
  const before = resident(proxy);
  let most = before;
  const open = Array.from({ length: held }, () =>
    send(proxy, HELD).then((response) => response.text()),
  );
  const sampling = setInterval(() => {
    most = Math.max(most, resident(proxy));
  }, 50);
  await Promise.all(open);
  clearInterval(sampling);
  return { idle: before, perStream: (most - before) / held };
}

/** Returns the resident memory of a process in KB. */
function resident({ child }) {
  const line = readFileSync(`/proc/${child.pid}/status`, "utf8").match(/^VmRSS:\s*(\d+) kB$/m);
  return Number(line[1]);
}
