// Servers of databases on loopback, in temporary folders. They are those that are installed on this
// machine.
import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./process.mjs";
import { until } from "./until.mjs";

/**
 * Returns the path of a program, also of Debian's Postgres, whose folder is not in the search path;
 * undefined if it is not installed.
 */
function pathOf(program) {
  const folders = [
    ...process.env.PATH.split(":"),
    ...Array.from({ length: 10 }, (_, at) => `/usr/lib/postgresql/${24 - at}/bin`),
  ];
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** The reasons why tests of a server are skipped; false if they are not. */
export const withoutPostgres =
  ["initdb", "postgres"].some((name) => pathOf(name) === undefined) &&
  "Postgres is not installed (`apt-get install postgresql`)";
export const withoutRedis =
  pathOf("redis-server") === undefined && "Redis is not installed (`apt-get install redis-server`)";

/** Postgres refuses to run as root: then it runs as another user. */
export function unprivileged() {
  if (process.getuid() !== 0) {
    return {};
  }
  const [uid, gid] = ["-u", "-g"].map((option) =>
    Number(spawnSync("id", [option, "nobody"], { encoding: "utf8" }).stdout),
  );
  return { uid, gid };
}

/**
 * Starts a process in a folder of its own; `kill` kills it and starts it again with the same data.
 */
async function server(name, prepare, command, user = {}) {
  const folder = await mkdtemp(join(tmpdir(), `agentwire-${name}-`));
  const port = await freePort();
  if (user.uid !== undefined) {
    chownSync(folder, user.uid, user.gid);
  }
  prepare(folder);
  const [program, ...values] = command(folder, port);
  let child;
  let ended;
  const start = async () => {
    for (let isOver = true; isOver; ) {
      child = spawn(program, values, { stdio: "ignore", cwd: folder, ...user });
      isOver = false;
      ended = new Promise((resolve) => child.once("close", resolve)).then(() => (isOver = true));
      // Processes of a killed Postgres may still have its memory; then the next one ends.
      await until(async () => isOver || connects(port));
    }
  };
  await start();
  return {
    port,
    async kill() {
      child.kill("SIGKILL");
      await ended;
      await start();
    },
    async close() {
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function connects(port) {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    socket
      .once("connect", () => resolve(socket.destroy() !== undefined))
      .once("error", () => resolve(false));
  });
}

/**
 * Starts Postgres. `create` creates a database, in a folder if one is given, and returns its
 * address.
 */
export async function startPostgres() {
  const user = unprivileged();
  const prepare = (folder) => {
    const options = [
      "-D",
      join(folder, "data"),
      "-U",
      "agentwire",
      "--auth=trust",
      "--no-sync",
      "--encoding=UTF8",
      "--locale=C",
    ];
    const { status, stderr } = spawnSync(pathOf("initdb"), options, {
      encoding: "utf8",
      cwd: folder,
      ...user,
    });
    if (status !== 0) {
      throw new Error(stderr);
    }
  };
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
  ].flatMap((setting) => ["-c", setting]);
  const running = await server(
    "postgres",
    prepare,
    (folder, port) => [
      pathOf("postgres"),
      "-D",
      join(folder, "data"),
      "-p",
      String(port),
      ...settings,
    ],
    user,
  );
  const { default: pg } = await import("pg");
  const addressOf = (database) => `postgres://agentwire@127.0.0.1:${running.port}/${database}`;
  let count = 0;
  return {
    ...running,
    async create(folder) {
      const name = `runs_${++count}`;
      const execute = async () => {
        const client = new pg.Client(addressOf("postgres"));
        await client.connect();
        if (folder !== undefined)
          await client.query(`CREATE TABLESPACE ${name} LOCATION '${folder}'`);
        await client.query(
          `CREATE DATABASE ${name}${folder === undefined ? "" : ` TABLESPACE ${name}`}`,
        );
        await client.end();
        return true;
      };
      // A server that has just started refuses connections.
      await until(() => execute().catch(() => false));
      return addressOf(name);
    },
  };
}

/**
 * Starts Redis, which stores each command before it answers. `create` returns the address of an
 * empty database.
 */
export async function startRedis() {
  const running = await server(
    "redis",
    () => {},
    (folder, port) => [
      pathOf("redis-server"),
      ...[
        "--port",
        String(port),
        "--bind",
        "127.0.0.1",
        "--dir",
        folder,
        "--save",
        "",
        "--appendonly",
        "yes",
        "--appendfsync",
        "always",
        "--databases",
        "64",
      ],
    ],
  );
  let count = 0;
  return { ...running, create: async () => `redis://127.0.0.1:${running.port}/${count++}` };
}
