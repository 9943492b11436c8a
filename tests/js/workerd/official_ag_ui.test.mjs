// The official AG-UI clients, with their default pipelines, against the demo worker: they accept
// every stream without a warning, and have the same messages, state and questions as this package's
// reader of the same bytes.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, describe, test } from "node:test";
import { Decoder } from "agentwire";
import { openSite } from "../browser/playground.mjs";
import { until } from "../support/until.mjs";

const TOOL = {
  name: "change-background-color",
  description: "Change the background color of the page.",
  parameters: { type: "object", properties: { color: { type: "string" } }, required: ["color"] },
};
const demo = { delay: 0 };
const plain = (value) => JSON.parse(JSON.stringify(value));

for (const from of ["../../..", "../official_clients/ag-ui-0.0"]) {
  const client = createRequire(new URL(`${from}/package.json`, import.meta.url));
  const { HttpAgent } = client("@ag-ui/client");
  const { version } = client("@ag-ui/client/package.json");
  const isFirst = version.startsWith("0.0");

  describe(`@ag-ui/client ${version} and the demo worker`, () => {
    let site;
    before(async () => {
      site = await openSite();
    });
    after(() => site?.close());

    /** An agent of the client's, its input, and the output of its console. */
    function agentAt(path, options = {}) {
      const sent = {};
      class Tapped extends HttpAgent {
        requestInit(input) {
          // The state of the client, because its requests do not have activities.
          Object.assign(
            sent,
            plain({ messages: this.messages, state: this.state, runId: input.runId }),
          );
          return super.requestInit(input);
        }
      }
      const agent = new Tapped({ url: site.url + path, threadId: "thread", ...options });
      const { fetch } = globalThis;
      const run = async (parameters) => {
        globalThis.fetch = async (url, init) => {
          const response = await fetch(url, init);
          const [mine, its] = response.body.tee();
          sent.bytes = new Response(mine).arrayBuffer().then((buffer) => new Uint8Array(buffer));
          return new Response(its, response);
        };
        try {
          return await agent.runAgent({
            forwardedProps: { demo },
            tools: [],
            context: [],
            ...parameters,
          });
        } finally {
          globalThis.fetch = fetch;
        }
      };
      return { agent, run, sent };
    }

    /** Returns the snapshot of this package for the same stream. */
    async function ours({ messages, state, bytes }) {
      const reader = new Decoder({ protocol: "ag-ui", messages, state });
      reader.push(await bytes);
      const { snapshot, report } = reader.finish();
      assert.deepEqual(report.violations, []);
      assert.equal(report.endReason, "completed");
      return snapshot;
    }

    const asking = (content) => ({ initialMessages: [{ id: "u1", role: "user", content }] });

    /** Asserts that neither side finds an error in one run, and that both have the same result. */
    async function agreed(context, held, parameters) {
      const complaints = ["warn", "error"].map((name) =>
        context.mock.method(console, name, () => {}),
      );
      await held.run(parameters);
      assert.deepEqual(
        complaints.flatMap(({ mock }) => mock.calls.map(({ arguments: said }) => said)),
        [],
      );
      complaints.forEach(({ mock }) => mock.restore());
      const snapshot = await ours(held.sent);
      assert.deepEqual(plain(held.agent.messages), plain(snapshot.messages));
      assert.deepEqual(plain(held.agent.state), plain(snapshot.state));
      assert.deepEqual(plain(held.agent.pendingInterrupts), plain(snapshot.pendingInterrupts));
      return snapshot;
    }

    test("a plain response", async (context) => {
      const held = agentAt("/ag-ui", asking("echo 你好 👋"));
      const { messages, threadId, runId } = await agreed(context, held);
      assert.deepEqual(
        messages.map(({ role, content }) => [role, content]),
        [
          ["user", "echo 你好 👋"],
          ["assistant", "你好 👋"],
        ],
      );
      assert.deepEqual([threadId, runId], ["thread", held.sent.runId]);
    });

    test("reasoning, a server tool, an activity, steps and a state that persists", async (context) => {
      const held = agentAt("/ag-ui", {
        ...asking("What is the weather like in Paris?"),
        initialState: { mine: 1 },
      });
      const first = await agreed(context, held);
      const roles = first.messages.map(({ role }) => role);
      for (const role of ["reasoning", "tool", "activity"]) {
        assert.ok(roles.includes(role), role);
      }
      assert.match(
        first.messages.find(({ role, content }) => role === "assistant" && content !== undefined)
          .content,
        /^Paris现在/,
      );
      assert.deepEqual(
        [first.state.mine, first.state.city, first.state.phase],
        [1, "Paris", "answered"],
      );
      assert.deepEqual(
        first.steps.map(({ stepName }) => stepName),
        ["look up the weather"],
      );
      held.agent.addMessage({ id: "u2", role: "user", content: "And in Tokyo, how warm is it?" });
      const second = await agreed(context, held);
      assert.deepEqual([second.state.mine, second.state.cities], [1, ["Paris", "Tokyo"]]);
    });

    test("a subagent for each of several cities", async (context) => {
      const { subagents } = await agreed(
        context,
        agentAt("/ag-ui", asking("Compare Paris and Berlin")),
      );
      assert.deepEqual(
        subagents.map(({ name, status }) => [name, status]),
        [
          ["scout of Paris", "finished"],
          ["scout of Berlin", "finished"],
        ],
      );
    });

    test("a client tool", async (context) => {
      const held = agentAt("/ag-ui", asking("Change the background to rebeccapurple"));
      const called = await agreed(context, held, { tools: [TOOL] });
      const [call] = called.messages.at(-1).toolCalls;
      assert.deepEqual(
        [call.function.name, JSON.parse(call.function.arguments)],
        [TOOL.name, { color: "rebeccapurple" }],
      );
      held.agent.addMessage({
        id: "t1",
        role: "tool",
        toolCallId: call.id,
        content: "it is purple now",
      });
      const { messages } = await agreed(context, held, { tools: [TOOL] });
      assert.match(messages.at(-1).content, /it is purple now/);
    });

    test("a question and its answer", async (context) => {
      for (const [status, payload, says] of [
        ["resolved", { approved: true }, /^Approved/],
        ["resolved", { approved: false }, /^Declined/],
        ["cancelled", undefined, /^Declined/],
      ]) {
        const held = agentAt("/ag-ui", asking("Delete all files"));
        const { outcome, pendingInterrupts } = await agreed(context, held);
        assert.equal(outcome, "interrupt");
        const [{ id, reason, responseSchema }] = pendingInterrupts;
        assert.deepEqual([reason, responseSchema.required], ["approval", ["approved"]]);
        const resumed = await agreed(context, held, {
          resume: [{ interruptId: id, status, ...(payload && { payload }) }],
        });
        assert.match(resumed.messages.at(-1).content, says);
        assert.deepEqual(resumed.pendingInterrupts, []);
      }
    });

    test("a failure", async (context) => {
      const held = agentAt("/ag-ui", asking("Weather in Paris, and fail"));
      const failed = [];
      held.agent.subscribe({
        onRunErrorEvent: ({ event }) => void failed.push([event.code, event.message]),
      });
      const complaints = context.mock.method(console, "error", () => {});
      await held.run().catch((error) => assert.match(error.message, /weather station/));
      complaints.mock.restore();
      const { status, error, messages } = await ours(held.sent);
      assert.deepEqual(failed, [
        ["WEATHER_STATION_SILENT", "the weather station does not answer any more (气象站没有响应)"],
      ]);
      assert.deepEqual([status, error.code], ["failed", "WEATHER_STATION_SILENT"]);
      assert.deepEqual(plain(held.agent.messages), plain(messages));
    });

    test("a run that the agent cancels", async (context) => {
      const held = agentAt("/ag-ui", asking("Weather in Paris, but cancel"));
      if (isFirst) {
        // The client supports the outcomes `success` and `interrupt` only, and refuses others;
        // AG-UI 1.0 has `cancelled`.
        context.mock.method(console, "error", () => {});
        await assert.rejects(held.run(), /invalid_union_discriminator/);
        return assert.equal((await ours(held.sent)).outcome, "cancelled");
      }
      const { outcome } = await agreed(context, held);
      assert.equal(outcome, "cancelled");
    });

    test("a client that disconnects stops the agent", async () => {
      const health = async () => (await (await fetch(`${site.url}/health`)).json()).runs;
      const before = await health();
      const { agent } = agentAt("/ag-ui", asking("a long story"));
      const running = agent.runAgent(
        { forwardedProps: { demo: { delay: 50 } } },
        { onTextMessageContentEvent: () => agent.abortRun() },
      );
      await running.catch(() => {});
      await until(async () => (await health()).stopped !== before.stopped, 50);
      const { stopped, active } = await health();
      assert.deepEqual([stopped, active], [before.stopped + 1, before.active]);
    });

    test("the AG-Kit path also serves AG-UI requests", async (context) => {
      const { messages } = await agreed(context, agentAt("/send-message", asking("echo hi")));
      assert.equal(messages.at(-1).content, "hi");
    });
  });
}
