// A storage that fails: requests are answered by 503 in the form of their protocol, and may be
// repeated.
import assert from "node:assert/strict";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { storageRefusal } from "agentwire/runs/server";
import { input, killRuntime, openRuns, ran } from "../support/runs_site.mjs";

test("storage errors of the platform are distinguished from errors of the code", () => {
  const full = Object.assign(new Error("database or disk is full: SQLITE_FULL"), { remote: true });
  const reset = Object.assign(new Error("the object was reset"), { durableObjectReset: true });
  const busy = Object.assign(new Error("too many requests"), { overloaded: true });
  for (const error of [
    full,
    reset,
    busy,
    new Error("internal error; reference = nrfgpo62ccph3ek4b9jp2ira"),
  ]) {
    assert.equal(storageRefusal(error)?.refused, "AGENT_STORAGE_UNAVAILABLE", error.message);
  }
  for (const error of [
    new TypeError("x is undefined"),
    new Error("internal error"),
    undefined,
    "SQLITE",
  ]) {
    assert.equal(storageRefusal(error), undefined, String(error));
  }
});

test("an unreadable database: 503 AGENT_STORAGE_UNAVAILABLE with `retry-after`", async () => {
  const site = await openRuns({ KEEP_ALIVE: "100" });
  try {
    const headers = { authorization: "Bearer demo" };
    const jsonHeaders = { ...headers, "content-type": "application/json" };
    const { threadId, runId } = input("");
    await ran(site.client(), { ...input("echo hi"), threadId, runId });
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "echo hi" }] };
    const a2aHeaders = { ...headers, "content-type": "application/json", "a2a-version": "1.0" };
    const sent = await fetch(`${site.url}/a2a/message:send`, {
      method: "POST",
      headers: a2aHeaders,
      body: JSON.stringify({ message }),
    });
    assert.equal(sent.status, 200);
    const { task } = await sent.json();
    const objects = join(site.folder, "kept/objects");
    const files = (await readdir(objects, { recursive: true })).filter((file) =>
      /Thread\/[0-9a-f]{64}\.sqlite/.test(file),
    );
    killRuntime();
    for (const file of files) {
      if (file.endsWith(".sqlite")) {
        await writeFile(join(objects, file), "no database".repeat(1000));
      } else {
        await rm(join(objects, file), { force: true });
      }
    }
    const body = new FormData();
    body.set("threadId", threadId);
    body.set(
      "file",
      new Blob([Uint8Array.from("\x89PNG\r\n\x1a\n and more", (one) => one.charCodeAt(0))]),
      "a.png",
    );
    const requests = [
      () =>
        fetch(`${site.base}/runs`, {
          method: "POST",
          headers: jsonHeaders,
          body: JSON.stringify({ ...input("echo hi"), threadId }),
        }),
      () => fetch(`${site.base}/runs/${threadId}/events?runId=${runId}`, { headers }),
      () => fetch(`${site.base}/history?threadId=${threadId}`, { headers }),
      () => fetch(`${site.base}/attachments`, { method: "POST", headers, body }),
    ];
    for (const request of requests) {
      const answer = await answered(request);
      const problem = await answer.json();
      assert.deepEqual(
        [answer.status, problem.code, answer.headers.get("retry-after")],
        [503, "AGENT_STORAGE_UNAVAILABLE", "5"],
        JSON.stringify(problem),
      );
    }
    const failed = await answered(() =>
      fetch(`${site.url}/a2a/tasks/${task.id}`, { headers: a2aHeaders }),
    );
    assert.deepEqual(
      [failed.status, (await failed.json()).error.status, failed.headers.get("retry-after")],
      [503, "UNAVAILABLE", "5"],
    );
    // A call of JSON-RPC is answered under its id.
    const call = { jsonrpc: "2.0", id: "call-7", method: "GetTask", params: { id: task.id } };
    const called = await fetch(`${site.url}/a2a`, {
      method: "POST",
      headers: a2aHeaders,
      body: JSON.stringify(call),
    });
    assert.deepEqual(
      [called.status, (await called.json()).id, called.headers.get("retry-after")],
      [503, "call-7", "5"],
    );
    // Other threads are not affected.
    const { snapshot } = await ran(site.client(), input("echo hi"));
    assert.equal(snapshot.status, "finished");
  } finally {
    await site.close();
  }
});

/** The answer to a request, as soon as the runtime is there again. */
async function answered(request) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
