// The runs service as it is deployed, in the edge runtime, and its client.
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { RunsClient } from "agentwire/runs";
import { startSite } from "../../../www/site.mjs";

/** The path of the endpoints. */
export const RUNS = "/api/v1/agent";

/** The period of the request limits. The runtime resets its counters at each multiple of it. */
const LIMIT_PERIOD = 10_000;

/**
 * Waits until most of a period of the limits is left, so that the following requests are counted
 * together.
 */
export async function limitPeriod() {
  const gone = Date.now() % LIMIT_PERIOD;
  if (gone > LIMIT_PERIOD / 3) {
    await setTimeout(LIMIT_PERIOD - gone + 50);
  }
}

/**
 * Builds and starts the site in a temporary folder, which stores its data in `kept`; `vars`
 * override the configuration, and `options` are passed on.
 */
export async function openRuns(vars, options) {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-runs-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const site = await startSite({
      dist: join(folder, "dist"),
      persist: join(folder, "kept"),
      vars,
      ...options,
    });
    const base = site.url + RUNS;
    return {
      ...site,
      base,
      folder,
      client: (options) => clientOf(base, options),
      close: () => site.close().finally(remove),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A client of the demo's user, or of the user in the options. */
export function clientOf(base, options) {
  return new RunsClient(base, {
    headers: { authorization: "Bearer demo" },
    baseDelayMs: 10,
    maxDelayMs: 200,
    ...options,
  });
}

/** A request for a run. `demo` controls the course of the run. */
export function input(text, demo = { delay: 0 }, members = {}) {
  return {
    threadId: crypto.randomUUID(),
    runId: `run_${crypto.randomUUID()}`,
    messages: [{ id: "u1", role: "user", content: text }],
    forwardedProps: { runtime_mode: "chat" },
    state: { demo },
    ...members,
  };
}

/** A run from its start to its end. */
export async function ran(client, request) {
  const { threadId, runId } = await client.createRun(request);
  return client.events(threadId, runId).finished();
}

/**
 * Kills the edge runtime that the test's own process has started last; it is started again at the
 * same port.
 */
export function killRuntime() {
  process.kill(runtimeOf(process.pid), "SIGKILL");
}

/** The process of the edge runtime that a process has started last. */
export function runtimeOf(parent) {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8")
    .trim()
    .split(" ");
  const found = children.findLast((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("workerd"),
  );
  if (found === undefined) {
    throw new Error("the runtime is no child of this process");
  }
  return Number(found);
}

/**
 * A `fetch` whose first response is interrupted after this number of bytes; the later requests may
 * be changed.
 */
export function cutFirst(bytes, change = (init) => init) {
  let first = true;
  const { fetch } = globalThis;
  return async (url, init) => {
    if (!first) {
      return fetch(url, change(init));
    }
    first = false;
    const response = await fetch(url, init);
    const reader = response.body.getReader();
    let left = bytes;
    const body = new ReadableStream({
      async pull(controller) {
        const { done, value } = left > 0 ? await reader.read() : { done: true };
        if (done || value.length > left) {
          if (value && left > 0) {
            controller.enqueue(value.subarray(0, left));
          }
          reader.cancel().catch(() => {});
          left = 0;
          return setTimeout(() => controller.error(new TypeError("cut")));
        }
        left -= value.length;
        controller.enqueue(value);
      },
    });
    return new Response(body, response);
  };
}
