// Runs services on each store, over HTTP.
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toNodeListener } from "agentwire/node";
import { RunsClient } from "agentwire/runs";
import { createRuns, memoryBlobs, memoryStore } from "agentwire/runs/server";
import { freePort } from "./process.mjs";
import { service } from "./runs_agent.mjs";
import { killRuntime } from "./runs_site.mjs";
import { until } from "./until.mjs";
import { startWorker } from "./worker.mjs";

const PATH = "/api/v1/agent";

/** The Node that has `node:sqlite`: this one, or the one of the variable `SQLITE_NODE`. */
export const sqliteNode = [process.execPath, process.env.SQLITE_NODE].find(
  (node) => node && spawnSync(node, ["--no-warnings", "-e", "process.exit(process.getBuiltinModule?.('node:sqlite') ? 0 : 1)"]).status === 0,
);

/** The reason why a test of SQLite is skipped; false if it is not. */
export const withoutSqlite = sqliteNode === undefined && `Node ${process.version} has no node:sqlite: use Node 22.13, or set SQLITE_NODE to the path of one`;

const root = fileURLToPath(new URL("../../", import.meta.url));
const withoutCargo = spawnSync("cargo", ["--version"]).status !== 0 && "cargo is not installed";
let rustProgram = process.env.RUNS_PROGRAM;

/** Returns the service in Rust, `tests/runs_server/acceptance.rs`: compiled once, unless the variable `RUNS_PROGRAM` has its path. */
function compiledRust() {
  if (rustProgram === undefined) {
    const example = ["--example", "runs_acceptance", "--all-features"];
    const { status } = spawnSync("cargo", ["build", "--locked", "--quiet", ...example], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
    if (status !== 0) {
      throw new Error("the service in Rust was not compiled");
    }
    rustProgram = join(root, "target/debug/examples/runs_acceptance");
  }
  return rustProgram;
}

/** Each store opens a service with `options`, which JSON can represent; `kill` kills its process, which starts again. */
export const STORES = {
  memory: { open: openMemory },
  SQLite: { open: openSqlite, skip: withoutSqlite, isDurable: true },
  "Durable Objects": { open: openDurable, isDurable: true },
  "Rust, memory": { open: (options) => openRust("-", options), skip: withoutCargo, isRust: true },
  "Rust, SQLite": { open: (options) => openRust(undefined, options), skip: withoutCargo, isRust: true, isDurable: true },
};

const served = (origin, more) => ({ base: origin + PATH, client: (user, options) => clientOf(origin + PATH, user, options), ...more });

/** A client of a user. */
export function clientOf(base, user = "ann", options) {
  return new RunsClient(base, { headers: { authorization: `Bearer ${user}` }, baseDelayMs: 5, maxDelayMs: 100, attempts: 200, ...options });
}

async function openMemory(options) {
  const runs = createRuns({ ...service, ...options, store: memoryStore(), blobs: memoryBlobs(), env: { name: "here" } });
  const server = createServer(toNodeListener(runs.fetch));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return served(`http://127.0.0.1:${server.address().port}`, {
    async close() {
      runs.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function openSqlite(options) {
  return openProcess(sqliteNode, ["--no-warnings", fileURLToPath(new URL("runs_server.mjs", import.meta.url))], undefined, options);
}

function openRust(folder, options) {
  return openProcess(compiledRust(), [], folder, options);
}

/** Starts a service as a process, whose last arguments are a port, the folder of its store, and the options. */
async function openProcess(program, first, place, options) {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-runs-store-"));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let child;
  let ended;
  const start = () => {
    child = spawn(program, [...first, String(port), place ?? folder, JSON.stringify(options ?? {})], { stdio: ["ignore", "ignore", "inherit"] });
    ended = new Promise((resolve) => child.once("close", resolve));
    return until(() => fetch(origin).then(() => true, () => child.exitCode !== null));
  };
  await start();
  return served(origin, {
    folder,
    async kill() {
      child.kill("SIGKILL");
      await ended;
      await start();
    },
    async close() {
      child.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  });
}

async function openDurable(options) {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-durable-"));
  const worker = await startWorker(fileURLToPath(new URL("runs_durable.worker.mjs", import.meta.url)), {
    compatibilityFlags: ["enable_request_signal"],
    durableObjects: { THREADS: { className: "Thread", useSQLite: true }, USERS: { className: "User", useSQLite: true } },
    durableObjectsPersist: join(folder, "objects"),
    r2Buckets: { BLOBS: "blobs" },
    bindings: { OPTIONS: options ?? {}, name: "here" },
  });
  const { origin } = await worker.ready;
  return served(origin, {
    async kill() {
      killRuntime();
      await until(() => fetch(origin).then(() => true, () => false));
    },
    async close() {
      await worker.dispose();
      await rm(folder, { recursive: true, force: true });
    },
  });
}
