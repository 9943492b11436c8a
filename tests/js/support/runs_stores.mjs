// Runs services on each store, over HTTP.
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toNodeListener } from "agentwire/node";
import { RunsClient } from "agentwire/runs";
import { memoryBlobs } from "agentwire/runs/server";
import { memoryStore } from "agentwire/stores";
import { createHandler } from "agentwire/server";
import { answersOptions } from "./answers.mjs";
import {
  startPostgres,
  startRedis,
  unprivileged,
  withoutPostgres,
  withoutRedis,
} from "./databases.mjs";
import { smallDisk, withoutDisk } from "./disk.mjs";
import { freePort } from "./process.mjs";
import { killRuntime, runtimeOf } from "./runs_site.mjs";
import { until } from "./until.mjs";
import { startWorker } from "./worker.mjs";

const PATH = "/api/v1/agent";

/** The Node that has `node:sqlite`: this one, or the one of the variable `SQLITE_NODE`. */
export const sqliteNode = [process.execPath, process.env.SQLITE_NODE].find(
  (node) =>
    node &&
    spawnSync(node, [
      "--no-warnings",
      "-e",
      "process.exit(process.getBuiltinModule?.('node:sqlite') ? 0 : 1)",
    ]).status === 0,
);

/** The reason why a test of SQLite is skipped; false if it is not. */
export const withoutSqlite =
  sqliteNode === undefined &&
  `Node ${process.version} has no node:sqlite: use Node 22.13, or set SQLITE_NODE to the path of one`;

const root = fileURLToPath(new URL("../../../", import.meta.url));
/** The reason why tests of the service in Rust are skipped; false if they are not. */
export const withoutCargo =
  spawnSync("cargo", ["--version"]).status !== 0 && "cargo is not installed";
let rustProgram = process.env.RUNS_PROGRAM;

/**
 * Returns the service in Rust, `tests/rust/runs_server/acceptance.rs`: compiled once, unless the
 * variable `RUNS_PROGRAM` has its path.
 */
export function compiledRust() {
  if (rustProgram === undefined) {
    const example = ["--example", "runs_acceptance", "--all-features"];
    const { status } = spawnSync("cargo", ["build", "--locked", "--quiet", ...example], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (status !== 0) {
      throw new Error("the service in Rust was not compiled");
    }
    rustProgram = join(root, "target/debug/examples/runs_acceptance");
  }
  return rustProgram;
}

/**
 * Each store opens a service with `options`, which JSON can represent; `kill` kills its process,
 * which starts again. Several processes use a store that `isShared`. `openSmall` opens a service
 * whose storage is full after `fill` and has space again after `free`.
 */
export const STORES = {
  memory: { open: openMemory },
  SQLite: {
    open: (options) => inFolder((folder) => openSqliteIn(folder, options)),
    skip: withoutSqlite,
    isDurable: true,
    openSmall: onSmallDisk(openSqliteIn),
  },
  Postgres: {
    open: (options) => openFleetOfOne("Postgres", options),
    skip: withoutPostgres,
    isDurable: true,
    isShared: true,
    openSmall: openSmallPostgres,
  },
  Redis: {
    open: (options) => openFleetOfOne("Redis", options),
    skip: withoutRedis,
    isDurable: true,
    isShared: true,
    openSmall: openSmallRedis,
    needsNoDisk: true,
  },
  "Durable Objects": {
    open: (options) => inFolder((folder) => openDurableIn(folder, options)),
    isDurable: true,
    openSmall: onSmallDisk(openDurableIn),
  },
  "Rust, memory": {
    open: (options) => inFolder((folder) => openRustIn(folder, options, "memory")),
    skip: withoutCargo,
    isRust: true,
  },
  "Rust, SQLite": {
    open: (options) => inFolder((folder) => openRustIn(folder, options)),
    skip: withoutCargo,
    isRust: true,
    isDurable: true,
    openSmall: onSmallDisk(openRustIn),
  },
  "Rust, Postgres": {
    open: (options) => openFleetOfOne("Rust, Postgres", options),
    skip: withoutCargo || withoutPostgres,
    isRust: true,
    isDurable: true,
    isShared: true,
  },
  "Rust, Redis": {
    open: (options) => openFleetOfOne("Rust, Redis", options),
    skip: withoutCargo || withoutRedis,
    isRust: true,
    isDurable: true,
    isShared: true,
  },
};

const served = (origin, more) =>
  Object.assign(more, {
    base: origin + PATH,
    client: (user, options) => clientOf(origin + PATH, user, options),
  });

/** A client of a user. */
export function clientOf(base, user = "ann", options) {
  return new RunsClient(base, {
    headers: { authorization: `Bearer ${user}` },
    baseDelayMs: 5,
    maxDelayMs: 100,
    attempts: 200,
    ...options,
  });
}

async function openMemory(options) {
  const runs = createHandler(
    answersOptions({
      ...options,
      store: memoryStore(),
      blobs: memoryBlobs(),
      env: { name: "here" },
    }),
  );
  const server = createServer(toNodeListener(runs));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return served(`http://127.0.0.1:${server.address().port}`, {
    async close() {
      runs.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

/** Opens a service in memory as a process of its own. */
export function openMemoryProcess(options) {
  return inFolder((folder) => startService(folder, { kind: "memory" }, options));
}

export function openSqliteIn(folder, options) {
  return startService(folder, { kind: "SQLite" }, options, sqliteNode);
}

/** `address` is that of the store: a file in the folder by default. */
export function openRustIn(
  folder,
  options = {},
  address = `sqlite:${join(folder, "runs.sqlite")}`,
  env = {},
) {
  return startProcess(
    folder,
    (port) => [compiledRust(), port, address, folder, JSON.stringify(options)],
    env,
  );
}

/** Returns a function that opens a service in a folder on a small disk. */
function onSmallDisk(open) {
  return async (options) => {
    const disk = await smallDisk(48);
    const service = await open(disk.folder, options);
    const { close } = service;
    return Object.assign(service, disk, { close: () => close().finally(() => disk.close()) });
  };
}

/**
 * The database is on a small disk, but not the log of its server, without which the server ends.
 */
async function openSmallPostgres(options) {
  const disk = await smallDisk(64, unprivileged());
  const server = await startPostgres();
  const service = await inFolder(async (folder) =>
    startService(
      folder,
      { kind: "Postgres", address: await server.create(disk.folder), leaseMs: 1000 },
      options,
    ),
  );
  const { close } = service;
  return Object.assign(service, {
    fill: disk.fill,
    free: disk.free,
    close: () =>
      close()
        .then(() => server.close())
        .finally(() => disk.close()),
  });
}

/**
 * The server has a limit of its memory. On a full disk it ends, because it stores each command:
 * that is the loss of a database.
 */
async function openSmallRedis(options) {
  const server = await startRedis();
  const address = await server.create();
  const { createClient } = await import("redis");
  const client = await createClient({ url: address }).connect();
  const service = await inFolder((folder) =>
    startService(folder, { kind: "Redis", address, leaseMs: 1000 }, options),
  );
  const { close } = service;
  return Object.assign(service, {
    fill: () => client.configSet("maxmemory", "1mb"),
    free: () => client.configSet("maxmemory", "0"),
    close: () =>
      close().finally(() => {
        client.destroy();
        server.close();
      }),
  });
}

/** Opens a service with a folder that is removed at its end. */
async function inFolder(open) {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-runs-"));
  const service = await open(folder);
  const { close } = service;
  return Object.assign(service, {
    close: () => close().finally(() => rm(folder, { recursive: true, force: true })),
  });
}

/** The servers of databases that were started, by the kind of the store. */
const servers = new Map();
const STARTS = { Postgres: startPostgres, Redis: startRedis };

/** Stops the servers of databases. */
export async function closeServers() {
  await Promise.all([...servers.values()].map(async (server) => (await server).close()));
  servers.clear();
}

/** Returns the server of databases of a kind, which is started once. */
export function serverOf(kind) {
  const server = servers.get(kind) ?? STARTS[kind]();
  servers.set(kind, server);
  return server;
}

/**
 * Opens a database of its own, with so many services: in JavaScript, or in Rust for a kind that
 * begins with `Rust, `.
 */
export async function openFleet(kind, count, options, leaseMs = 1000) {
  const folder = await mkdtemp(join(tmpdir(), "agentwire-fleet-"));
  const database = kind.replace("Rust, ", "");
  const { create, kill } = await serverOf(database);
  const address = await create();
  const start = () =>
    database === kind
      ? startService(folder, { kind, address, leaseMs }, options)
      : openRustIn(folder, options, address);
  const sites = await Promise.all(Array.from({ length: count }, start));
  const ends = sites.map(({ end }) => end);
  return {
    sites,
    killDatabase: kill,
    async close() {
      await Promise.all(ends.map((end) => end()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function openFleetOfOne(kind, options) {
  const { sites, close } = await openFleet(kind, 1, options);
  return Object.assign(sites[0], { close });
}

/** Starts the service of `runs_server.mjs`. */
export function startService(folder, store, options = {}, node = process.execPath) {
  const server = fileURLToPath(new URL("runs_server.mjs", import.meta.url));
  return startProcess(folder, (port) => [
    node,
    "--no-warnings",
    server,
    port,
    folder,
    JSON.stringify(store),
    JSON.stringify(options),
  ]);
}

/** Starts a service as a process. `command` returns the program and its arguments for a port. */
async function startProcess(folder, command, env = {}) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const [program, ...parameters] = command(String(port));
  let child;
  let ended;
  const start = () => {
    child = spawn(program, parameters, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, ...env },
    });
    ended = new Promise((resolve) => child.once("close", resolve));
    // A request that needs the store: the first one opens it. A public service refuses it.
    const history = () =>
      fetch(`${origin}${PATH}/history`, { headers: { authorization: "Bearer first" } });
    return until(() =>
      history().then(
        ({ ok, status }) => ok || status === 401,
        () => child.exitCode !== null,
      ),
    );
  };
  const end = (signal) => {
    child.kill(signal);
    return ended;
  };
  await start();
  return served(origin, {
    folder,
    get pid() {
      return child.pid;
    },
    start,
    /** Sends a signal. */
    signal: (signal) => child.kill(signal),
    /** Resolves when the process has ended. */
    ended: () => ended,
    /** Ends the process, which does not start again. */
    end: () => end("SIGKILL"),
    async kill() {
      await end("SIGKILL");
      await start();
    },
    close: () => end("SIGKILL"),
  });
}

async function openDurableIn(folder, options) {
  const worker = await startWorker(
    fileURLToPath(new URL("runs_durable.worker.mjs", import.meta.url)),
    {
      compatibilityFlags: ["enable_request_signal"],
      durableObjects: {
        THREADS: { className: "Thread", useSQLite: true },
        USERS: { className: "User", useSQLite: true },
      },
      durableObjectsPersist: join(folder, "objects"),
      r2Buckets: { BLOBS: "blobs" },
      bindings: { OPTIONS: options ?? {}, name: "here" },
    },
  );
  const { origin } = await worker.ready;
  return served(origin, {
    pid: runtimeOf(process.pid),
    async kill() {
      killRuntime();
      await until(() =>
        fetch(origin).then(
          () => true,
          () => false,
        ),
      );
    },
    close: () => worker.dispose(),
  });
}
