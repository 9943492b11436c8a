// A worker that runs a check of the store in an object's storage, or in a D1 database.
import { DurableObject } from "cloudflare:workers";
import { durableStore } from "agentwire/runs/server";
import { sqlStore } from "agentwire/stores";
import { storeChecks } from "agentwire/stores/testing";

async function check(request, store) {
  const name = await request.text();
  try {
    await storeChecks(() => store)
      .find((check) => check.name === name)
      .run();
    return new Response();
  } catch (error) {
    return new Response(error.stack, { status: 500 });
  }
}

export class Store extends DurableObject {
  fetch = (request) => check(request, durableStore(this.ctx.storage));
}

/** The program of the guide to stores. */
const d1Store = (db) =>
  sqlStore({
    dialect: "sqlite",
    async execute(statements) {
      const bound = statements.map(({ sql, values }) => db.prepare(sql).bind(...values));
      return (await db.batch(bound)).map(({ results }) => results);
    },
  });

export default {
  fetch: (request, env) =>
    new URL(request.url).pathname === "/d1"
      ? check(request, d1Store(env.DATABASE))
      : env.STORES.getByName("store").fetch(request),
};
