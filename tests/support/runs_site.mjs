// The runs service as it is deployed, in the edge runtime, and its client.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RunsClient } from "agentwire/runs";
import { startSite } from "../../www/site.mjs";

/** Where the endpoints are. */
export const RUNS = "/api/v1/agent";

/** Builds and starts the site in a folder of its own, with `vars` in place of those of the configuration and further bindings. */
export async function openRuns(vars, services) {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-runs-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const site = await startSite({ dist: join(folder, "dist"), persist: join(folder, "kept"), vars, services });
    const base = site.url + RUNS;
    return { ...site, base, client: (options) => clientOf(base, options), close: () => site.close().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A client of the demo's user, or of whom the options say. */
export function clientOf(base, options) {
  return new RunsClient(base, { headers: { authorization: "Bearer demo" }, baseDelay: 10, maxDelay: 200, ...options });
}

/** A request to run. `demo` says how the run goes. */
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
