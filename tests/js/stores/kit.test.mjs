// Every statement of the interface of stores, checked with each store of the package.
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createClient } from "@libsql/client";
import { memoryStore, postgresStore, redisStore, sqlStore, sqliteStore } from "agentwire/stores";
import { testStore } from "agentwire/stores/testing";
import pg from "pg";
import postgres from "postgres";
import { startPostgres, startRedis, withoutPostgres, withoutRedis } from "../support/databases.mjs";
import { run } from "../support/process.mjs";
import { sqliteNode, withoutSqlite } from "../support/runs_stores.mjs";
import { startWorker } from "../support/worker.mjs";

const store = memoryStore();
testStore("memory", () => store, { test });

for (const [name, start, open, skip] of [
  ["Postgres", startPostgres, postgresStore, withoutPostgres],
  ["Redis", startRedis, redisStore, withoutRedis],
]) {
  describe(`stores in ${name}`, { skip }, () => {
    let server;
    let address;
    const stores = [];
    before(async () => {
      server = await start();
      address = await server.create();
    });
    after(async () => {
      await Promise.all(stores.map((store) => store.close()));
      await server?.close();
    });
    const opened = () => {
      const store = open(address);
      stores.push(store);
      return store;
    };
    testStore(name, opened, { test, openOther: opened });
  });
}

describe("stores with the connections of a service", { skip: withoutPostgres }, () => {
  let server;
  const ends = [];
  before(async () => {
    server = await startPostgres();
  });
  after(async () => {
    await Promise.all(ends.map((end) => end()));
    await server?.close();
  });
  for (const [name, connect, end] of [
    ["a pool of `pg`", (url) => new pg.Pool({ connectionString: url }), (pool) => pool.end()],
    ["a handle of `postgres`", (url) => postgres(url, { onnotice: () => {} }), (sql) => sql.end()],
  ]) {
    let address;
    before(async () => {
      address = await server.create();
    });
    const opened = () => {
      const connection = connect(address);
      const store = postgresStore(connection);
      ends.push(() => store.close().then(() => end(connection)));
      return store;
    };
    testStore(name, opened, { test, openOther: opened });
  }
});

test("the store in SQLite passes the checks", { skip: withoutSqlite }, async () => {
  await run(
    sqliteNode,
    ["--no-warnings", "--test", fileURLToPath(new URL("kit_sqlite.mjs", import.meta.url))],
    { env: { NODE_TEST_CONTEXT: "" } },
  );
});

describe("stores in libSQL", () => {
  const client = createClient({ url: ":memory:" });
  after(() => client.close());
  const store = sqlStore({
    dialect: "sqlite",
    async execute(statements) {
      const asked = statements.map(({ sql, values }) => ({ sql, args: values }));
      return (await client.batch(asked, "write")).map(({ rows }) => rows);
    },
  });
  testStore("libSQL", () => store, { test });
});

// It is compiled when it is installed, which takes minutes: it is not among the packages of the tests.
const Database = await import("better-sqlite3").then(
  ({ default: Package }) => Package,
  () => undefined,
);
const withoutBetter =
  Database === undefined && "not installed: `npm install --no-save better-sqlite3@12`";
describe("stores in `better-sqlite3`", { skip: withoutBetter }, () => {
  const database = Database && new Database(":memory:");
  const store = Database && sqliteStore(database);
  after(() => store?.close());
  testStore("better-sqlite3", () => store, { test });
});

describe("stores in workers", () => {
  let worker;
  before(async () => {
    worker = await startWorker(fileURLToPath(new URL("kit.worker.mjs", import.meta.url)), {
      durableObjects: { STORES: { className: "Store", useSQLite: true } },
      d1Databases: ["DATABASE"],
    });
  });
  after(() => worker?.dispose());
  for (const [name, path] of [
    ["Durable Objects", "/object"],
    ["D1", "/d1"],
  ]) {
    testStore(name, () => ({}), {
      test: (check) =>
        test(check, async () => {
          const response = await worker.dispatchFetch(`http://localhost${path}`, {
            method: "POST",
            body: check.slice(`${name}: `.length),
          });
          if (!response.ok) throw new Error(await response.text());
        }),
    });
  }
});
