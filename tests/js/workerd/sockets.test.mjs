// Responses over WebSocket: the official client against a worker.
import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { testSockets } from "../support/sockets.mjs";
import { COMPATIBILITY_DATES, startWorker } from "../support/worker.mjs";

const entry = fileURLToPath(new URL("sockets.worker.mjs", import.meta.url));

for (const compatibilityDate of COMPATIBILITY_DATES) {
  const start = async () => {
    const worker = await startWorker(entry, { compatibilityDate });
    const address = await worker.ready;
    return { url: new URL("/v1", address).href, close: () => worker.dispose() };
  };
  testSockets(`workerd of ${compatibilityDate}`, { start, most: 8 });

  describe(`workerd of ${compatibilityDate}: a handshake`, () => {
    test("of the page of another origin is refused", async () => {
      const { url, close } = await start();
      for (const [origin, isOpen] of [
        ["https://evil.example", false],
        [new URL(url).origin, true],
      ]) {
        const socket = new WebSocket(`${url.replace("http", "ws")}/responses`, {
          headers: { authorization: "Bearer key", origin },
        });
        if (isOpen) {
          await once(socket, "open");
          socket.close();
          continue;
        }
        const [, response] = await once(socket, "unexpected-response");
        assert.equal(response.statusCode, 403);
        response.destroy();
      }
      await close();
    });
  });
}
