// Conversations by the id of the response before, and lists of input items, with both majors of the
// official client.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { TOOL } from "../support/openai_tool.mjs";
import { openRuns } from "../support/runs_site.mjs";

for (const from of ["../../..", "../official_clients/openai-6"]) {
  const required = createRequire(new URL(`${from}/package.json`, import.meta.url));
  const { OpenAI } = required("openai");
  const { VERSION } = required("openai/version");

  describe(`openai ${VERSION} and turns`, () => {
    let site;
    let client;
    before(async () => {
      site = await openRuns({ KEEP_ALIVE: "100" }, { runsLimit: 100_000 });
      client = new OpenAI({ apiKey: "unused", baseURL: `${site.url}/v1`, maxRetries: 0 });
    });
    after(() => site?.close());

    const create = (input, more = {}) => client.responses.create({ model: "demo", input, ...more });
    const next = ({ id }, input, more) => create(input, { previous_response_id: id, ...more });

    test("the agent receives the earlier turns: streamed, not streamed and not stored", async () => {
      const first = await create("echo one");
      const second = await next(first, "echo two");
      assert.equal(second.previous_response_id, first.id);
      const third = await next(second, "what did I say?");
      assert.equal(third.output_text, "Before this you said: “echo one”, “echo two”.");
      const streamed = await client.responses
        .stream({ model: "demo", input: "what did I say?", previous_response_id: second.id })
        .finalResponse();
      assert.deepEqual(
        [streamed.output_text, streamed.previous_response_id],
        [third.output_text, second.id],
      );
      assert.equal(
        (await next(second, "what did I say?", { store: false })).output_text,
        third.output_text,
      );
      // A turn with two continuations can be continued from either.
      assert.equal(
        (await next(first, "what did I say?")).output_text,
        "Before this you said: “echo one”.",
      );
    });

    test("a tool loop over turns sends only the tool results", async () => {
      const asked = await create("Change my background to pink", { tools: [TOOL] });
      const call = asked.output.find(({ type }) => type === "function_call");
      assert.deepEqual(JSON.parse(call.arguments), { color: "pink" });
      const done = await next(
        asked,
        [{ type: "function_call_output", call_id: call.call_id, output: "it is pink" }],
        { tools: [TOOL] },
      );
      assert.equal(done.output_text, "Done. Your side says: it is pink");
      const question = await create("delete all files");
      const request = question.output.find(({ type }) => type === "mcp_approval_request");
      const answer = await next(question, [
        { type: "mcp_approval_response", approval_request_id: request.id, approve: true },
      ]);
      assert.match(answer.output_text, /^Approved/);
    });

    test("an invalid `previous_response_id` is rejected", async () => {
      const param = "previous_response_id";
      for (const unknown of ["resp_1", `resp_${"0".repeat(64)}`, "nobody"]) {
        const refused = {
          status: 400,
          param,
          code: "previous_response_not_found",
          type: "invalid_request_error",
        };
        await assert.rejects(next({ id: unknown }, "hi"), refused);
        await assert.rejects(next({ id: unknown }, "hi", { stream: true }), refused);
        await assert.rejects(next({ id: unknown }, "hi", { store: false }), refused);
      }
      const { id } = await create("echo gone");
      await client.responses.delete(id);
      await assert.rejects(next({ id }, "hi"), {
        status: 400,
        code: "previous_response_not_found",
      });
      const slow = await create("a slow story", { background: true, metadata: { demo: "slow" } });
      await assert.rejects(next(slow, "hi"), {
        status: 400,
        param,
        code: "previous_response_in_progress",
      });
      await client.responses.cancel(slow.id);
      const large = [
        { role: "user", content: "x".repeat(3_000_000) },
        { role: "user", content: "echo hi" },
      ];
      const long = await next(await create(large), large);
      await assert.rejects(next(long, large), {
        status: 400,
        param,
        code: "context_length_exceeded",
      });
    });

    test("input items are listed in pages, including those of earlier turns", async () => {
      const { inputItems } = client.responses;
      const listed = async (id, query) => {
        const items = [];
        for await (const item of inputItems.list(id, query)) items.push(item);
        return items;
      };
      const first = await create([
        { role: "developer", content: "Be brief." },
        { role: "user", content: [{ type: "input_text", text: "echo hi" }] },
        { type: "reasoning", id: "rs_own", summary: [] },
      ]);
      const items = await listed(first.id, { order: "asc" });
      assert.deepEqual(
        items.map(({ type, role, content, status }) => [type, role, content?.[0].text, status]),
        [
          ["message", "developer", "Be brief.", "completed"],
          ["message", "user", "echo hi", "completed"],
          ["reasoning", undefined, undefined, undefined],
        ],
      );
      assert.equal(items[2].id, "rs_own");
      assert.match(items[0].id, /^msg_/);
      const second = await next(first, "echo two");
      const all = await listed(second.id, { order: "asc" });
      assert.deepEqual(all.slice(0, 3), items);
      assert.deepEqual(
        all.slice(3).map(({ role, content }) => [role, content[0].text]),
        [
          ["assistant", "hi"],
          ["user", "echo two"],
        ],
      );
      assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
      // The newest item first, unless the order is set; in pages.
      assert.deepEqual(await listed(second.id), all.toReversed());
      for (const limit of [1, 2, 3, 100]) {
        assert.deepEqual(
          await listed(second.id, { order: "asc", limit }),
          all,
          `pages of ${limit}`,
        );
      }
      const query = new URLSearchParams({ order: "asc", limit: "2", after: all[0].id });
      const page = await (
        await fetch(`${site.url}/v1/responses/${second.id}/input_items?${query}`)
      ).json();
      assert.deepEqual(
        [page.data, page.first_id, page.last_id, page.has_more, page.object],
        [all.slice(1, 3), all[1].id, all[2].id, true, "list"],
      );
      for (const [query, param] of [
        [{ limit: 0 }, "limit"],
        [{ limit: 101 }, "limit"],
        [{ order: "up" }, "order"],
        [{ after: "nothing" }, "after"],
      ]) {
        await assert.rejects(listed(second.id, query), { status: 400, param });
      }
      await assert.rejects(listed(`resp_${"0".repeat(64)}`), { status: 404, code: "not_found" });
      for (const path of [second.id, `${second.id}/input_items`]) {
        const head = await fetch(`${site.url}/v1/responses/${path}`, { method: "HEAD" });
        assert.deepEqual([head.status, await head.text()], [200, ""]);
      }
      const post = await fetch(`${site.url}/v1/responses/${second.id}/input_items`, {
        method: "POST",
      });
      assert.deepEqual([post.status, post.headers.get("allow")], [405, "GET, HEAD, OPTIONS"]);
    });

    test("the response repeats the properties of its request", async () => {
      const asked = {
        model: "demo-model",
        instructions: "Be brief.",
        tools: [TOOL],
        tool_choice: "auto",
        temperature: 0.5,
        top_p: 0.9,
        max_output_tokens: 1000,
        parallel_tool_calls: false,
        metadata: { mine: "yes", demo: "echo" },
        user: "u",
        truncation: "auto",
      };
      const events = [];
      const stream = client.responses.stream({ input: "echo hi", ...asked });
      stream.on("event", (event) => void events.push(event));
      const response = await stream.finalResponse();
      const whole = await create("echo hi", asked);
      const unkept = await create("echo hi", { ...asked, store: false });
      for (const got of [
        events[0].response,
        response,
        whole,
        unkept,
        await client.responses.retrieve(whole.id),
      ]) {
        const repeated = Object.fromEntries(Object.keys(asked).map((key) => [key, got[key]]));
        assert.deepEqual(JSON.parse(JSON.stringify(repeated)), asked);
        assert.equal("input" in got || "stream" in got, false);
      }
      const secret = {
        type: "mcp",
        server_label: "s",
        server_url: "https://mcp.example",
        headers: { authorization: "secret" },
        authorization: "secret",
      };
      const { tools } = await create("echo hi", { tools: [secret] });
      assert.deepEqual(tools, [
        { type: "mcp", server_label: "s", server_url: "https://mcp.example" },
      ]);
    });
  });
}
