// A runs service as a process: node runs_server.mjs <port> <folder> <store as JSON> <options as
// JSON>. The folder keeps the attachments.
import { createServer } from "node:http";
import { join } from "node:path";
import { toNodeListener } from "agentwire/node";
import { folderBlobs } from "agentwire/runs/server";
import { memoryStore, postgresStore, redisStore, sqliteStore } from "agentwire/stores";
import { createHandler } from "agentwire/server";
import { answersOptions } from "./answers.mjs";

const [port, folder, { kind, address, ...storeOptions }, options] = process.argv
  .slice(2)
  .map((text, at) => (at > 1 ? JSON.parse(text) : text));
const opened = {
  memory: () => memoryStore(),
  SQLite: () => sqliteStore(join(folder, "runs.sqlite")),
  Postgres: () => postgresStore(address, storeOptions),
  Redis: () => redisStore(address, storeOptions),
};
const runs = createHandler(
  answersOptions({
    ...options,
    store: opened[kind](),
    blobs: folderBlobs(join(folder, "blobs")),
    env: { name: "here" },
  }),
);
createServer(toNodeListener(runs)).listen(Number(port), "127.0.0.1");
process.on("SIGTERM", () => runs.close({ waitMs: 10_000 }).then(() => process.exit()));
