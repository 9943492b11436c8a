// The stores in Rust with TLS: a certificate that the system does not have is refused.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  certificateIn,
  startPostgres,
  startRedis,
  withoutPostgres,
  withoutRedis,
} from "../support/databases.mjs";
import { openRustIn, withoutCargo } from "../support/runs_stores.mjs";

const folder = mkdtempSync(join(tmpdir(), "agentwire-tls-"));
after(() => rmSync(folder, { recursive: true }));

const STORES = {
  Postgres: {
    start: startPostgres,
    skip: withoutPostgres,
    of: (address) => `${address}?sslmode=require`,
  },
  Redis: { start: startRedis, skip: withoutRedis, of: (address) => address },
};

for (const [name, { start, skip, of }] of Object.entries(STORES)) {
  test(`${name}: a run is stored by a connection with TLS`, {
    skip: withoutCargo || skip,
  }, async (context) => {
    const own = mkdtempSync(join(folder, "store-"));
    const tls = certificateIn(own);
    const database = await start({ tls });
    context.after(() => database.close());
    const address = of(await database.create());
    const site = await openRustIn(own, {}, address, { SSL_CERT_FILE: tls.certificate });
    context.after(() => site.close());
    const { origin } = new URL(site.base);
    const ask = (at) =>
      fetch(`${at}/process`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: "Bearer ann",
          prefer: "resumable",
        },
        body: JSON.stringify({
          session_id: "s",
          input: [{ role: "user", content: [{ type: "text", text: "count 3" }] }],
        }),
      });
    const answer = await ask(origin);
    assert.match(await answer.text(), /1 好 2 好 3 好 /);

    // Another certificate: nothing is sent to the server.
    const other = certificateIn(mkdtempSync(join(folder, "other-")));
    const stranger = await openRustIn(own, { isPublic: true }, address, {
      SSL_CERT_FILE: other.certificate,
    });
    context.after(() => stranger.close());
    const refused = await fetch(new URL("/process", stranger.base), {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "resumable" },
      body: JSON.stringify({
        input: [{ role: "user", content: [{ type: "text", text: "count 3" }] }],
      }),
    });
    assert.equal(refused.status, 503);
  });
}
