// Every statement of the interface of stores, checked with each store of the package.
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { memoryStore, postgresStore, redisStore } from "agentwire/stores";
import { testStore } from "agentwire/stores/testing";
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

test("the store in SQLite passes the checks", { skip: withoutSqlite }, async () => {
  await run(
    sqliteNode,
    ["--no-warnings", "--test", fileURLToPath(new URL("kit_sqlite.mjs", import.meta.url))],
    { env: { NODE_TEST_CONTEXT: "" } },
  );
});

describe("stores in Durable Objects", () => {
  let worker;
  before(async () => {
    worker = await startWorker(fileURLToPath(new URL("kit.worker.mjs", import.meta.url)), {
      durableObjects: { STORES: { className: "Store", useSQLite: true } },
    });
  });
  after(() => worker?.dispose());
  testStore("Durable Objects", () => ({}), {
    test: (name) =>
      test(name, async () => {
        const check = name.slice("Durable Objects: ".length);
        const response = await worker.dispatchFetch("http://localhost/", {
          method: "POST",
          body: check,
        });
        if (!response.ok) throw new Error(await response.text());
      }),
  });
});
