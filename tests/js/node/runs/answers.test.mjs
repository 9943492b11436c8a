// Resumable answers of the protocols in a service on a store: cut, resumed, repeated, stopped,
// owned.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { Decoder, read } from "agentwire";
import { resumableFetch } from "agentwire/runs";
import { memoryStore } from "agentwire/stores";
import {
  a2aAdapter,
  agKitAdapter,
  agUiAdapter,
  agentApiAdapter,
  agentScopeAdapter,
  aiSdkAdapter,
  responsesAdapter,
} from "agentwire/server";
import { REQUESTS, cutFetch, optionsOf, protocols } from "../../support/answers.mjs";
import { language, onlyTypeScript, openService } from "../../support/services.mjs";
import { until } from "../../support/until.mjs";

/** The approximate number of cuts of an answer. */
const CUTS = 40;
const ORIGIN = "http://service.test";

const ann = { authorization: "Bearer ann" };
const json = { "content-type": "application/json" };
const idsIn = (text) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
const withoutIds = (text) => text.replace(/^id: .*\n/gm, "");
const store = memoryStore();
const runs = openService(store);
after(() => runs.close());

const ask = (path, init, at = runs) => at(new Request(ORIGIN + path, init));
const post = ([path, body], headers = {}, at = runs) =>
  ask(
    path,
    {
      method: "POST",
      headers: { ...json, ...ann, prefer: "resumable", ...headers },
      body: JSON.stringify(body),
    },
    at,
  );
const get = (where, cursor, headers = ann, at = runs) =>
  ask(where, { headers: { ...headers, ...(cursor && { "last-event-id": cursor }) } }, at);
// Ids of both languages have other prefixes, and the blocks of AgentScope have numbers in Rust.
const prefix = language === "Rust" ? "([a-z]+_)?" : "(response_|resp_)?";
const block = language === "Rust" ? /"block_id":"[^"]*"/g : /(?!)/;
const ids = new RegExp(
  `${prefix}([0-9a-f]{64}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})`,
  "g",
);
const shape = (text) =>
  withoutIds(text)
    .replace(ids, "")
    .replace(block, "")
    .replace(/"(created|completed)_at":\d+|"timestamp":"[^"]*"/g, "");

function folded(name, text) {
  const decoder = new Decoder(optionsOf(name));
  decoder.push(Buffer.from(text));
  return decoder.finish();
}

/** An adapter whose answers fail in the middle. */
const failing = (adapter) => ({
  ...adapter,
  async answer(...asked) {
    const frames = (await (await adapter.answer(...asked)).text()).split(/(?<=\n\n)/);
    async function* half() {
      yield Buffer.from(frames.slice(0, frames.length / 2).join(""));
      throw new Error("the upstream has failed");
    }
    return new Response(ReadableStream.from(half()), {
      headers: { "content-type": "text/event-stream" },
    });
  },
});

describe(`resumable answers: ${language}`, () => {
  for (const [name, request] of Object.entries(REQUESTS)) {
    test(`${name}: an answer has cursors, and each cursor returns the rest`, async () => {
      const response = await post(request("count 20"));
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("preference-applied"), "resumable");
      const where = response.headers.get("content-location");
      assert.match(where, /^\/answers\/[0-9a-f]{64}(\?turn=[0-9a-f]{64})?$/);
      const text = await response.text();
      const ids = idsIn(text);
      assert.ok(ids.length > 20, `${ids.length} frames`);
      assert.equal(new Set(ids).size, ids.length);
      const [path, body] = request("count 20");
      const plain = await protocols(
        new Request(ORIGIN + path, { method: "POST", headers: json, body: JSON.stringify(body) }),
      );
      // A response states whether its server stores it.
      const unstored = await plain.text();
      assert.equal(unstored.includes('"store":false'), name === "responses");
      assert.equal(shape(text), shape(unstored).replaceAll('"store":false', '"store":true'));
      assert.equal(await (await get(where)).text(), text);
      for (const [at, id] of ids.slice(0, -1).entries()) {
        assert.equal(
          await (await get(where, id)).text(),
          text.slice(text.indexOf(`id: ${ids[at + 1]}\n`)),
        );
      }
      assert.equal((await get(where, ids.at(-1))).status, 204);
      assert.equal((await get(where, "not-1")).status, 422);
    });

    test(`${name}: a client reads a whole answer through a connection that is cut at any byte`, async () => {
      const key = { "idempotency-key": crypto.randomUUID() };
      const asked = request("count 5");
      const whole = await (await post(asked, key)).text();
      const length = Buffer.byteLength(whole);
      const expected = folded(name, whole).snapshot;
      const [path, body] = asked;
      for (let cut = 0; cut <= length; cut += Math.ceil(length / CUTS) | 1) {
        const fetch = resumableFetch({
          fetch: cutFetch(runs, cut, ann),
          baseDelayMs: 1,
          maxDelayMs: 1,
        });
        const answer = fetch(ORIGIN + path, {
          method: "POST",
          headers: { ...json, ...key },
          body: JSON.stringify(body),
        });
        const { snapshot, report } = await read(answer, optionsOf(name)).finished();
        assert.deepEqual(snapshot, expected, `cut after ${cut}`);
        assert.equal(report.endReason, "completed", `cut after ${cut}`);
      }
    });

    test(`${name}: the agent continues without a reader, and stops when the answer is deleted`, async () => {
      const response = await post(request("count 20 2"));
      const where = response.headers.get("content-location");
      await response.body.cancel();
      assert.match(
        JSON.stringify(folded(name, await (await get(where)).text()).snapshot),
        /19 好 20 好/,
      );
      const endless = await post(request("count 100000 2"));
      assert.equal(
        (await ask(endless.headers.get("content-location"), { method: "DELETE", headers: ann }))
          .status,
        202,
      );
      const { report } = folded(name, await endless.text());
      assert.deepEqual(
        [report.endReason, report.violations.filter(({ severity }) => severity === "error")],
        ["completed", []],
      );
    });
  }

  test("a repeated request returns the same answer, and another request with its key is refused", async () => {
    const key = { "idempotency-key": "ann-1" };
    const texts = await Promise.all(
      Array.from({ length: 10 }, async () =>
        (await post(REQUESTS["ag-ui"]("count 20 1"), key)).text(),
      ),
    );
    assert.equal(new Set(texts).size, 1);
    assert.equal((await post(REQUESTS["ag-ui"]("count 21"), key)).status, 422);
    // Keys belong to a user.
    assert.equal(
      (await post(REQUESTS["ag-ui"]("count 21"), { ...key, authorization: "Bearer bob" })).status,
      200,
    );
  });

  test("an answer belongs to its user, whom the agent receives", async () => {
    const response = await post(REQUESTS["agent-api"]("who"));
    const where = response.headers.get("content-location");
    assert.match(await response.text(), /"ann"/);
    assert.equal((await get(where, undefined, { authorization: "Bearer bob" })).status, 404);
    assert.equal((await get(where, undefined, {})).status, 401);
    assert.equal((await post(REQUESTS["agent-api"]("who"), { authorization: "" })).status, 401);
    const plain = await post(REQUESTS["agent-api"]("who"), { prefer: "" });
    assert.equal(plain.headers.get("content-location"), null);
    assert.match(await plain.text(), /"ann"/);
  });

  test("without a user, if that is allowed, the id is the credential", async (context) => {
    const open = openService(memoryStore(), { isPublic: true });
    context.after(() => open.close());
    const response = await post(REQUESTS["agent-api"]("who"), { authorization: "" }, open);
    assert.match(await response.text(), /"a stranger"/);
    assert.equal(
      (await get(response.headers.get("content-location"), undefined, {}, open)).status,
      200,
    );
    assert.equal(
      (
        await post(
          REQUESTS["agent-api"]("who"),
          { authorization: "", "idempotency-key": "short" },
          open,
        )
      ).status,
      422,
    );
  });

  test("a refusal of the protocol is the response, and the request may be sent again", async () => {
    const key = { "idempotency-key": "ann-2" };
    const refused = await post(["/ag-ui", {}], key);
    assert.ok(refused.status >= 400 && refused.status < 500);
    assert.equal((await post(REQUESTS["ag-ui"]("count 3"), key)).status, 200);
  });

  test("an answer whose process has ended gets the end of its protocol from the next one", async (context) => {
    for (const [name, request] of Object.entries(REQUESTS)) {
      const store = memoryStore();
      const first = openService(store);
      const response = await post(request("count 100000 2"), {}, first);
      const where = response.headers.get("content-location");
      await response.body.getReader().read();
      await first.close();
      const second = openService(store);
      context.after(() => second.close());
      const { snapshot, report } = folded(
        name,
        await (await get(where, undefined, ann, second)).text(),
      );
      assert.deepEqual(
        [report.endReason, report.violations.filter(({ severity }) => severity === "error")],
        ["completed", []],
        name,
      );
      assert.match(JSON.stringify(snapshot), /interrupted/, name);
    }
  });

  test(
    "an answer whose adapter fails in the middle gets the end of its protocol",
    onlyTypeScript,
    async (context) => {
      const errors = [];
      const broken = openService(memoryStore(), {
        protocols: [],
        adapters: [
          agentApiAdapter,
          agentScopeAdapter,
          agKitAdapter,
          agUiAdapter,
          responsesAdapter,
          a2aAdapter,
          aiSdkAdapter,
        ].map((adapterOf) => failing(adapterOf())),
        onError: ({ message }) => errors.push(message),
      });
      context.after(() => broken.close());
      for (const [name, request] of Object.entries(REQUESTS)) {
        const { snapshot, report } = folded(
          name,
          await (await post(request("count 20"), {}, broken)).text(),
        );
        assert.deepEqual(
          [report.endReason, report.violations.filter(({ severity }) => severity === "error")],
          ["completed", []],
          name,
        );
        for (const text of ["5 好 ", "the agent has failed"])
          assert.ok(JSON.stringify(snapshot).includes(text), `${name}: ${text}`);
        assert.deepEqual(errors.splice(0), ["the upstream has failed"], name);
      }
    },
  );

  test(
    "frames of an adapter may arrive in pieces of any size, between comments",
    onlyTypeScript,
    async (context) => {
      const frames = ["data: one\n\n", `data: ${"好".repeat(5000)}\n\n`, "event: e\ndata: two\n\n"];
      const bytes = Buffer.from(`: hello\n\n\n${frames.join(": still here\n\n")}`);
      for (const size of [1, 2, 7, bytes.length]) {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        const adapter = {
          path: "/ag-ui",
          answer: async () =>
            new Response(ReadableStream.from(pieces), {
              headers: { "content-type": "text/event-stream" },
            }),
        };
        const own = openService(memoryStore(), { protocols: [], adapters: [adapter] });
        context.after(() => own.close());
        const text = await (await post(REQUESTS["ag-ui"]("x"), {}, own)).text();
        assert.equal(withoutIds(text), frames.join(""), `${size} bytes`);
        assert.equal(idsIn(text).length, frames.length);
      }
    },
  );

  test("an answer is deleted at the end of its life", async (context) => {
    const short = openService(memoryStore(), { retention: { answerMs: 300 } });
    context.after(() => short.close());
    const response = await post(REQUESTS["agent-api"]("count 3"), {}, short);
    const where = response.headers.get("content-location");
    const stored = await get(where, undefined, ann, short);
    assert.equal(await stored.text(), await response.text());
    await until(async () => {
      const again = await get(where, undefined, ann, short);
      // An answer is kept as long as it is read.
      await again.body?.cancel();
      return again.status === 404;
    }, 400);
  });
});
