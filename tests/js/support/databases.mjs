// Servers of databases on loopback, in temporary folders. They are those that are installed on this
// machine.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, existsSync } from "node:fs";
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
 * Returns a certificate of 127.0.0.1 that signs itself, and its key: paths of files in a folder.
 */
export function certificateIn(folder) {
  const [certificate, key] = [join(folder, "certificate.pem"), join(folder, "key.pem")];
  const options = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1 -addext basicConstraints=critical,CA:FALSE -keyout ${key} -out ${certificate}`;
  const { status, stderr } = spawnSync("openssl", options.split(" "), { encoding: "utf8" });
  if (status !== 0) {
    throw new Error(stderr);
  }
  return { certificate, key };
}

/** Copies the files of a certificate into the folder of a server. */
function placed({ certificate, key }, folder, { uid, gid }) {
  const copies = { certificate: join(folder, "server.pem"), key: join(folder, "server.key") };
  copyFileSync(certificate, copies.certificate);
  copyFileSync(key, copies.key);
  chmodSync(copies.key, 0o600);
  if (uid !== undefined) {
    for (const path of Object.values(copies)) chownSync(path, uid, gid);
  }
  return copies;
}

const postgresTls = ({ certificate, key }) =>
  ["ssl=on", `ssl_cert_file=${certificate}`, `ssl_key_file=${key}`].flatMap((setting) => [
    "-c",
    setting,
  ]);

const redisTls = ({ certificate, key }, port) => [
  ...["--port", "0", "--tls-port", String(port), "--tls-auth-clients", "no"],
  ...["--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file", certificate],
];

/**
 * Starts Postgres, with TLS if it has a certificate. `create` creates a database, in a folder if one is given, and returns its
 * address.
 */
export async function startPostgres({ tls } = {}) {
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
      ...(tls === undefined ? [] : postgresTls(placed(tls, folder, user))),
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
 * Starts Redis, which stores each command before it answers; with a certificate, it only accepts TLS.
 * `create` returns the address of an
 * empty database.
 */
export async function startRedis({ tls } = {}) {
  const running = await server(
    "redis",
    () => {},
    (folder, port) => [
      pathOf("redis-server"),
      ...[
        ...(tls === undefined ? ["--port", String(port)] : redisTls(placed(tls, folder, {}), port)),
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
  const scheme = tls === undefined ? "redis" : "rediss";
  return { ...running, create: async () => `${scheme}://127.0.0.1:${running.port}/${count++}` };
}
