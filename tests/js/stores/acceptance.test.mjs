// The runs service on each store: the same tests of cuts, kills, races, identity and retention.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { withoutDisk } from "../support/disk.mjs";
import { STORES, clientOf, closeServers } from "../support/runs_stores.mjs";
import { cutFirst } from "../support/runs_site.mjs";
import { until } from "../support/until.mjs";

const PNG = Uint8Array.from("\x89PNG\r\n\x1a\n and more", (one) => one.charCodeAt(0));

/** A request for a run; `text` is a command of the agent. */
const request = (text, threadId = crypto.randomUUID(), members) => ({
  threadId,
  runId: crypto.randomUUID(),
  messages: [{ id: crypto.randomUUID(), role: "user", content: text }],
  forwardedProps: { runtime_mode: "chat" },
  ...members,
});
const idsIn = (text) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
const framesIn = (text) => text.split("\n\n").filter((frame) => frame.startsWith("id: "));
const answerOf = ({ snapshot }) =>
  snapshot.messages.find(({ role }) => role === "assistant")?.content;
const counted = (count) => Array.from({ length: count }, (_, at) => `${at + 1} `).join("");

after(closeServers);

for (const [
  name,
  { open, skip = false, isDurable = false, isRust = false, openSmall, needsNoDisk },
] of Object.entries(STORES)) {
  describe(`the runs service: ${name}`, { skip }, () => {
    let site;
    before(async () => {
      site = await open({ limits: { keepAliveMs: 200 } });
    });
    after(() => site?.close());
    /** Opens a service for one test. */
    const opened = async (context, options) => {
      const own = await open(options);
      context.after(() => own.close());
      return own;
    };

    const ask = (path, { user = "ann", headers, at = site, ...init } = {}) =>
      fetch(at.base + path, {
        ...init,
        headers: {
          ...(user && { authorization: `Bearer ${user}` }),
          ...(init.body && { "content-type": "application/json" }),
          ...headers,
        },
      });
    /**
     * Requests a run; repeats a request that the runtime's connection has lost, which starts one
     * run.
     */
    const post = async (body, init) => {
      const send = () => ask("/runs", { method: "POST", body: JSON.stringify(body), ...init });
      return send().catch(send);
    };
    const events = ({ threadId, runId }, cursor, init) =>
      ask(`/runs/${threadId}/events?runId=${runId}`, {
        headers: cursor && { "last-event-id": cursor },
        ...init,
      });
    const ran = async (body, at = site, user) => {
      const { threadId, runId } = await at.client(user).createRun(body);
      return at.client(user).events(threadId, runId).finished();
    };
    async function refused(response, status, code) {
      const text = await response.text();
      assert.equal(response.status, status, text);
      assert.equal(JSON.parse(text).code, code);
      return response.headers;
    }

    test("a run is created, interrupted, resumed, cancelled and listed in the history", async () => {
      const run = request("count 40 5");
      const created = await post(run);
      assert.equal(created.status, 202);
      const { taskId, ...answer } = await created.json();
      assert.deepEqual(answer, { threadId: run.threadId, runId: run.runId, created: true });
      // The connection is left after the first frames, and continued strictly after the last whole
      // one.
      const reader = (await events(run)).body.pipeThrough(new TextDecoderStream()).getReader();
      let begun = "";
      while (framesIn(begun).length < 4) begun += (await reader.read()).value;
      await reader.cancel();
      begun = begun.slice(0, begun.lastIndexOf("\n\n") + 2);
      const rest = await (await events(run, idsIn(begun).at(-1))).text();
      const numbers = [...idsIn(begun), ...idsIn(rest)].map((id) => Number(id.split("-")[1]));
      assert.deepEqual(
        numbers,
        [...new Set(numbers)].sort((one, other) => one - other),
        "each event once, in order",
      );
      const text = [...(begun + rest).matchAll(/"delta":"([^"]*)"/g)]
        .map(([, delta]) => delta)
        .join("");
      assert.equal(text, counted(40));
      assert.equal((await events(run, idsIn(rest).at(-1))).status, 204);

      const long = request("count 1000 10", run.threadId);
      await post(long);
      const following = site.client().events(long.threadId, long.runId);
      await until(
        async () =>
          (await (await ask(`/history?threadId=${run.threadId}`)).json()).messages.length === 3,
      );
      assert.equal(
        (await ask(`/runs/${run.threadId}/cancel?runId=${long.runId}`, { method: "POST" })).status,
        202,
      );
      const { snapshot } = await following.finished();
      assert.equal(snapshot.error.code, "AGENT_RUN_CANCELLED");
      const { messages, day } = await (await ask(`/history?threadId=${run.threadId}`)).json();
      assert.equal(day, new Date().toISOString().slice(0, 10));
      assert.deepEqual(
        messages.map(({ role }) => role),
        ["user", "assistant", "user", "assistant"].slice(0, messages.length),
      );
      assert.equal(messages[1].content, counted(40));
      assert.deepEqual(
        messages.map(({ seq }) => seq),
        messages.map(({ seq }) => seq).sort((one, other) => one - other),
      );
    });

    test("a connection is cut after every byte without loss or duplicates", async (context) => {
      const run = request("count 4");
      await ran(run);
      const whole = await (await events(run)).arrayBuffer();
      const cutAfter = async (cut) => {
        const outcome = await site
          .client("ann", { baseDelayMs: 1, maxDelayMs: 1, fetch: cutFirst(cut) })
          .events(run.threadId, run.runId)
          .finished();
        assert.deepEqual(
          [answerOf(outcome), outcome.report.endReason, outcome.report.violations],
          [counted(4), "completed", []],
          `cut after ${cut} bytes`,
        );
      };
      const AT_ONCE = 40;
      for (let from = 0; from <= whole.byteLength; from += AT_ONCE) {
        await Promise.all(
          Array.from({ length: Math.min(AT_ONCE, whole.byteLength + 1 - from) }, (_, at) =>
            cutAfter(from + at),
          ),
        );
      }
      context.diagnostic(`${whole.byteLength + 1} cuts`);
    });

    test("many followers receive the same events, from the start and from the middle", async () => {
      const run = request("count 60 3");
      await post(run);
      const followers = await Promise.all(
        Array.from({ length: 40 }, async () => (await events(run)).text()),
      );
      const texts = followers.map((text) =>
        [...text.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join(""),
      );
      assert.deepEqual(new Set(texts), new Set([counted(60)]));
      const [first] = followers;
      const ids = idsIn(first);
      for (const [at, id] of ids.slice(0, -1).entries()) {
        const text = await (await events(run, id)).text();
        assert.ok(
          idsIn(text).every((later) => Number(later.split("-")[1]) > Number(id.split("-")[1])),
          id,
        );
        const deltas = [...framesIn(first).slice(0, at + 1), ...framesIn(text)].map(
          (frame) => /"delta":"([^"]*)"/.exec(frame)?.[1] ?? "",
        );
        assert.equal(deltas.join(""), counted(60), id);
      }
    });

    test("concurrent equal requests are one run, and different ones are one run and rejections", async () => {
      const run = request("count 3 1");
      const answers = await Promise.all(Array.from({ length: 30 }, () => post(run)));
      const tasks = await Promise.all(answers.map((answer) => answer.json()));
      assert.deepEqual(
        answers.map(({ status }) => status),
        answers.map(() => 202),
      );
      assert.equal(new Set(tasks.map(({ taskId }) => taskId)).size, 1);
      await refused(
        await post({ ...run, messages: [{ ...run.messages[0], content: "who" }] }),
        422,
        "AGENT_IDEMPOTENCY_CONFLICT",
      );
      await site.client().events(run.threadId, run.runId).finished();
      const threadId = crypto.randomUUID();
      const different = await Promise.all(
        Array.from({ length: 10 }, () => post(request("count 30 10", threadId))),
      );
      assert.deepEqual(different.map(({ status }) => status).sort(), [202, ...Array(9).fill(409)]);
      const busy = different.find(({ status }) => status === 409);
      assert.equal(
        (await refused(busy, 409, "AGENT_SESSION_RUN_LIMIT_EXCEEDED")).get("retry-after"),
        "1",
      );
      // Two users who race for the id of a thread: it belongs to one of them.
      const shared = crypto.randomUUID();
      const raced = await Promise.all(
        ["eve", "bob"].map((user) => post(request("count 1", shared), { user })),
      );
      assert.deepEqual(raced.map(({ status }) => status).sort(), [202, 403]);
      const keyed = { "idempotency-key": "one-key" };
      const one = request("count 1");
      const { taskId } = await (await post(one, { headers: keyed })).json();
      assert.equal((await (await post(one, { headers: keyed })).json()).taskId, taskId);
      await refused(
        await post(request("count 1", one.threadId), { headers: keyed }),
        422,
        "AGENT_IDEMPOTENCY_CONFLICT",
      );
    });

    test("a thread belongs to a user, not to a token", async () => {
      const run = request("count 2");
      await ran(run, site, "ann.first");
      const { threadId, runId } = run;
      assert.equal((await events(run, undefined, { user: "ann.second" })).status, 200);
      const others = [
        () => events(run, undefined, { user: "eve" }),
        () => ask(`/runs/${threadId}/cancel?runId=${runId}`, { user: "eve", method: "POST" }),
        () => ask(`/history?threadId=${threadId}`, { user: "eve" }),
        () => post(request("count 1", threadId), { user: "eve" }),
        () => ask(`/runs/${threadId}/signed-url?runId=${runId}`, { user: "eve" }),
      ];
      for (const other of others) {
        await refused(await other(), 403, "AGENT_FORBIDDEN");
      }
      const { headers } = await ask("/history", { user: "" });
      assert.equal(headers.get("www-authenticate"), "Bearer");
      await refused(await ask("/history", { user: "" }), 401, "AUTH_UNAUTHORIZED");
      assert.equal(
        (await (await ask("/history", { user: "ann" })).json()).threadId,
        threadId,
        "the latest thread of the user",
      );
      assert.deepEqual((await (await ask("/history", { user: "nobody" })).json()).messages, []);
    });

    test("a signed URL works without a token, for its run only", async () => {
      const run = request("count 5 2");
      await post(run);
      const url = await site.client().eventsUrl(run.threadId, run.runId);
      const text = await (await fetch(url)).text();
      assert.match(text, /event: RUN_FINISHED/);
      const rest = await fetch(url, { headers: { "last-event-id": idsIn(text)[0] } });
      assert.equal(idsIn(await rest.text()).at(-1), idsIn(text).at(-1));
      for (const [name, value] of [
        ["runId", "other"],
        ["expires", "1"],
        ["signature", "0".repeat(64)],
      ]) {
        const changed = new URL(url);
        changed.searchParams.set(name, value);
        await refused(await fetch(changed), 403, "AGENT_SIGNATURE_INVALID");
      }
      await refused(
        await fetch(url.replace(run.threadId, crypto.randomUUID())),
        403,
        "AGENT_SIGNATURE_INVALID",
      );
    });

    test("the agent receives earlier messages, the user and the environment, and its errors are masked", async () => {
      const threadId = crypto.randomUUID();
      await ran(request("count 1", threadId));
      await ran(request("count 2", threadId));
      assert.equal(answerOf(await ran(request("recall", threadId))), "count 1|count 2");
      assert.equal(answerOf(await ran(request("who"), site, "bob")), "bob here");
      const { snapshot, report } = await ran(request("fail"));
      assert.deepEqual([snapshot.error.code, report.violations], ["AGENT_FAILED", []]);
      assert.doesNotMatch(JSON.stringify(snapshot), /secret/);
    });

    test("an agent that does not respond ends at its timeout and when cancelled", async (context) => {
      const own = await opened(context, { limits: { runMs: 300 } });
      assert.equal((await ran(request("hang"), own)).snapshot.error.code, "AGENT_TIMEOUT");
    });

    test("attachments are stored, served by signed URLs and belong to a user", async () => {
      const threadId = crypto.randomUUID();
      const image = await site.client().upload(threadId, new Blob([PNG], { type: "image/png" }));
      const found = await fetch(image.url);
      assert.deepEqual(
        [found.status, found.headers.get("content-type"), Buffer.from(await found.arrayBuffer())],
        [200, "image/png", Buffer.from(PNG)],
      );
      const part = await fetch(image.url, { headers: { range: "bytes=1-3" } });
      assert.deepEqual([part.status, await part.text()], [206, "PNG"]);
      assert.equal(
        (await fetch(image.url, { headers: { "if-none-match": found.headers.get("etag") } }))
          .status,
        304,
      );
      await assert.rejects(site.client("eve").signedUrl(image.bucket, image.path), { status: 403 });
      await refused(
        await fetch(image.url.replace(/signature=\w/, "signature=g")),
        403,
        "AGENT_SIGNATURE_INVALID",
      );
      const message = {
        id: "u",
        role: "user",
        content: [
          { type: "text", text: "count 1" },
          { type: "binary", mimeType: "image/png", url: image.url },
        ],
      };
      await ran({ ...request("", threadId), messages: [message] });
      const { messages } = await site.client().history({ threadId });
      assert.equal((await fetch(messages[0].attachments[0].url)).status, 200);
    });

    test("deleting a thread deletes its log, messages and attachments, also while it runs", async () => {
      const threadId = crypto.randomUUID();
      const client = site.client("dan");
      const image = await client.upload(threadId, new Blob([PNG], { type: "image/png" }));
      const message = {
        id: "u",
        role: "user",
        content: [
          { type: "text", text: "count 2" },
          { type: "binary", mimeType: "image/png", url: image.url },
        ],
      };
      await ran({ ...request("", threadId), messages: [message] }, site, "dan");
      const run = request("count 500 20", threadId);
      await client.createRun(run);
      const following = events(run, undefined, { user: "dan" }).then((answer) => answer.text());
      await refused(
        await ask(`/runs/${threadId}`, { user: "eve", method: "DELETE" }),
        403,
        "AGENT_FORBIDDEN",
      );
      await client.deleteThread(threadId);
      assert.doesNotMatch(await following, /RUN_FINISHED|RUN_ERROR/);
      await refused(await events(run, undefined, { user: "dan" }), 404, "AGENT_SESSION_NOT_FOUND");
      await refused(
        await ask(`/history?threadId=${threadId}`, { user: "dan" }),
        404,
        "AGENT_SESSION_NOT_FOUND",
      );
      assert.equal((await client.history()).threadId, null);
      assert.equal((await fetch(image.url)).status, 404);
      await refused(
        await ask(`/runs/${threadId}`, { user: "dan", method: "DELETE" }),
        404,
        "AGENT_SESSION_NOT_FOUND",
      );
      // The id is free again, and cursors of the deleted log are invalid.
      const next = request("recall", threadId);
      assert.equal(answerOf(await ran(next, site, "eve")) ?? "", "");
      await refused(
        await events(next, "00000000-1", { user: "eve" }),
        422,
        "AGENT_INVALID_LAST_EVENT_ID",
      );
    });

    test("active runs and connections of a user are limited across all threads", async (context) => {
      const own = await opened(context, {
        limits: { userRuns: 2, userConnections: 3, keepAliveMs: 100 },
      });
      const runs = [request("count 500 20"), request("count 500 20")];
      for (const run of runs) assert.equal((await post(run, { at: own })).status, 202);
      await refused(await post(request("count 1"), { at: own }), 429, "AGENT_RATE_LIMIT_EXCEEDED");
      assert.equal((await post(request("count 1"), { at: own, user: "bob" })).status, 202);
      const stop = new AbortController();
      for (const run of [runs[0], runs[1], runs[0]]) {
        assert.equal((await events(run, undefined, { at: own, signal: stop.signal })).status, 200);
      }
      const { headers } = await events(runs[1], undefined, { at: own });
      assert.equal(headers.get("retry-after"), "5");
      await refused(
        await events(runs[1], undefined, { at: own }),
        429,
        "AGENT_SSE_CONNECTION_LIMIT",
      );
      stop.abort();
      await until(async () => {
        const again = await events(runs[1], undefined, { at: own });
        await again.body.cancel();
        return again.status === 200;
      }, 50);
      await Promise.all(runs.map(({ threadId, runId }) => own.client().cancel(threadId, runId)));
      await until(async () => (await post(request("count 1"), { at: own })).status === 202, 50);
    });

    test("a log is compacted and then deleted; cursors remain valid and the history is kept", async (context) => {
      // A run has about 9,000 bytes as it is written.
      const own = await opened(context, {
        retention: { logBytes: 7000 },
        limits: { keepAliveMs: 100 },
      });
      const threadId = crypto.randomUUID();
      const runs = [];
      for (let at = 0; at < 15; at++) {
        const run = request("count 100", threadId);
        await until(async () => (await post(run, { at: own })).status === 202, 20);
        const text = await (await events(run, undefined, { at: own })).text();
        runs.push({ run, ids: idsIn(text) });
      }
      const statuses = async () => {
        const found = [];
        for (const { run } of runs) {
          const answer = await events(run, undefined, { at: own });
          await answer.text();
          found.push(answer.status);
        }
        return found.join(" ");
      };
      await until(async () => /^(410 )+(200 ?){3,}$/.test(await statuses()), 300);
      await refused(await events(runs[0].run, undefined, { at: own }), 410, "AGENT_RUN_EXPIRED");
      // A run that was written in pieces and then shortened: the text after each cursor.
      const { run } = runs.at(-3);
      const short = await (await events(run, undefined, { at: own })).text();
      const [first] = idsIn(short).map((id) => Number(id.split("-")[1]));
      const [generation] = idsIn(short)[0].split("-");
      for (let number = first; number < first + 100; number += 9) {
        const text = await (await events(run, `${generation}-${number}`, { at: own })).text();
        const deltas = [...text.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta).join("");
        // The first two events are RUN_STARTED and TEXT_MESSAGE_START.
        assert.equal(
          deltas,
          counted(100)
            .split(" ")
            .slice(Math.max(0, number - first - 1))
            .join(" "),
          `after ${number}`,
        );
      }
      // The repeated request is the old run, although its log is deleted.
      assert.equal((await post(runs[0].run, { at: own })).status, 202);
      await refused(await events(runs[0].run, undefined, { at: own }), 410, "AGENT_RUN_EXPIRED");
      const { messages } = await own.client().history({ threadId });
      assert.equal(messages.length, 30);
    });

    test("the process is killed at every event of a run", {
      skip: !isDurable && "memory does not survive its process",
    }, async (context) => {
      const codes = {};
      let kills = 0;
      for (let at = 1; at <= 14; at++) {
        const run = request("count 40 25");
        const client = clientOf(site.base);
        await client.createRun(run);
        const following = client.events(run.threadId, run.runId);
        const seen = [];
        let isKilled = false;
        for await (const { snapshot } of following) {
          seen.push(answerOf({ snapshot }) ?? "");
          if (!isKilled && following.connections.events >= at) {
            isKilled = true;
            kills++;
            await site.kill();
          }
        }
        const { snapshot, report } = await following.finished();
        assert.deepEqual(
          [report.endReason, report.violations],
          ["completed", []],
          `killed at event ${at}`,
        );
        assert.ok(
          (answerOf({ snapshot }) ?? "").startsWith(seen.at(-1)),
          "nothing that was seen is lost",
        );
        assert.ok(counted(40).startsWith(answerOf({ snapshot }) ?? ""), "nothing is doubled");
        const code = snapshot.error?.code ?? "finished";
        codes[code] = (codes[code] ?? 0) + 1;
        assert.deepEqual(
          (await client.events(run.threadId, run.runId).finished()).snapshot,
          snapshot,
        );
        // The history has the part that was stored, and the thread accepts the next run.
        const { messages } = await client.history({ threadId: run.threadId });
        assert.equal(messages[1]?.content ?? "", answerOf({ snapshot }) ?? "");
        assert.equal(answerOf(await ran(request("count 2", run.threadId))), counted(2));
      }
      assert.ok(codes.AGENT_RUN_INTERRUPTED >= 10, JSON.stringify(codes));
      context.diagnostic(`${kills} kills: ${JSON.stringify(codes)}`);
    });

    const withoutSpace =
      openSmall === undefined ? "memory is not limited" : !needsNoDisk && withoutDisk;
    test("the storage is full during a run: what was sent is kept, requests are refused, and the service recovers", {
      skip: withoutSpace,
    }, async (context) => {
      const small = await openSmall({ limits: { keepAliveMs: 100 } });
      context.after(() => small.close());
      const before = request("count 5");
      await ran(before, small);
      const text = await (await events(before, undefined, { at: small })).text();

      const run = request("count 4000 1");
      await small.client().createRun(run);
      const following = small.client().events(run.threadId, run.runId);
      const seen = [];
      let refusals;
      for await (const { snapshot } of following) {
        seen.push(answerOf({ snapshot }) ?? "");
        if (refusals === undefined && following.connections.events >= 5) {
          await small.fill();
          refusals = (async () => {
            const large = () => post(request("x".repeat(300_000)), { at: small });
            await refused(await large(), 503, "AGENT_STORAGE_UNAVAILABLE");
            await sleep(2500);
            await refused(await large(), 503, "AGENT_STORAGE_UNAVAILABLE");
            await small.free();
          })();
        }
      }
      await refusals;
      const { snapshot, report } = await following.finished();
      assert.deepEqual(
        [report.endReason, report.violations, snapshot.error?.code],
        ["completed", [], "AGENT_RUN_INTERRUPTED"],
      );
      const answer = answerOf({ snapshot });
      assert.ok(answer.startsWith(seen.at(-1)), "nothing that was sent is lost");
      assert.ok(counted(4000).startsWith(answer), "nothing is doubled");
      // The log, the history and the next run after the loss of the storage.
      assert.deepEqual(
        (await small.client().events(run.threadId, run.runId).finished()).snapshot,
        snapshot,
      );
      assert.equal(
        (await small.client().history({ threadId: run.threadId })).messages[1].content,
        answer,
      );
      assert.equal(await (await events(before, undefined, { at: small })).text(), text);
      assert.equal(answerOf(await ran(request("count 3", run.threadId), small)), counted(3));
      context.diagnostic(`${answer.split(" ").length - 1} of 4000 events were stored`);
    });

    test("accepted runs continue after a kill without a request", {
      skip: !isDurable && "memory does not survive its process",
    }, async () => {
      const runs = Array.from({ length: 5 }, () => request("count 3"));
      await Promise.all(runs.map((run) => post(run)));
      await site.kill();
      for (const run of runs) {
        const { snapshot } = await site.client().events(run.threadId, run.runId).finished();
        assert.ok(
          snapshot.status === "finished" || snapshot.error.code === "AGENT_RUN_INTERRUPTED",
        );
      }
    });
  });
}
