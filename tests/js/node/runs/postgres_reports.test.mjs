// The connection that reports changes executes one statement at a time, as the driver of Postgres
// requires.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { PostgresReports } from "../../../../pkg/build/stores/postgres_reports.js";

/** A connection that fails the test if a statement begins while another one is executed. */
function connection() {
  let isBusy = false;
  const statements = [];
  const client = {
    statements,
    on: () => {},
    release: () => {},
    async query(text) {
      assert.ok(!isBusy, `${text} begins while ${statements.at(-1)} is executed`);
      isBusy = true;
      statements.push(text);
      await sleep(2);
      isBusy = false;
      if (text === 'LISTEN "agentwire_broken"') throw new Error("refused");
      return { rows: [] };
    },
  };
  return client;
}

test("statements are executed one after the other, also after one that fails", async () => {
  const client = connection();
  const reports = new PostgresReports("me", async () => ({ connect: async () => client }));
  const watching = ["a", "b", "broken", "c"].map((thread) => reports.watch(thread, () => {}));
  ["a", "b", "c"].forEach((thread) => reports.send(thread));
  const [ends] = [await Promise.allSettled(watching)];
  assert.deepEqual(
    ends.map(({ status }) => status),
    ["fulfilled", "fulfilled", "rejected", "fulfilled"],
  );
  ends.forEach(({ value }) => value?.());
  reports.send("d");
  while (client.statements.filter((text) => text.startsWith("UNLISTEN")).length < 4) await sleep(2);
  await reports.close();
});
