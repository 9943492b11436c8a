// `connect` in every protocol, against the handler of the package: text, tools, approvals, failure, stop, and a stored conversation.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AgentwireError, parseJson, stringifyJson } from "agentwire";
import { settled, until } from "../support/sources.mjs";
import { PROTOCOLS, connected, handler, read, textOf } from "./agents.mjs";

const code = (code) => (error) => error instanceof AgentwireError && error.code === code;
const parameters = { type: "object", properties: { color: { type: "string" } } };

for (const [protocol, { hasTools }] of Object.entries(PROTOCOLS)) {
  const noTools = !hasTools && "the protocol has no tools of the client";

  describe(protocol, () => {
    test("send() continues the conversation in each turn", async () => {
      const { agent, sent } = connected(protocol);
      assert.deepEqual([agent.protocol, agent.status, agent.snapshot, agent.pending], [protocol, "idle", undefined, []]);
      assert.deepEqual(await read(agent.send("One.")), { text: "You said: One.", rounds: 1 });
      assert.deepEqual(await read(agent.send("Two.")), { text: "You said: Two.", rounds: 1 });
      assert.deepEqual([sent.length, agent.status, textOf(agent.snapshot)], [2, "done", "You said: Two."]);
    });

    test("client tools are executed in several rounds", { skip: noTools }, async () => {
      const counted = [];
      const count = {
        description: "Counts.",
        parameters,
        execute: (args, { call, signal }) => (counted.push([args, call.name, signal.aborted]), `${counted.length} of 2`),
      };
      const { agent, sent } = connected(protocol, { tools: { count } });
      assert.deepEqual(await read(agent.send("Count.")), { text: "The page returned 2 of 2.", rounds: 3 });
      assert.deepEqual(counted, [
        [{ color: "teal" }, "count", false],
        [{ color: "teal" }, "count", false],
      ]);
      assert.equal((await read(agent.send("Thanks."))).text, "You said: Thanks.");
      assert.equal(sent.length, 4);
    });

    test("submitToolResults() completes a call without `execute`, and `maxToolRounds` limits the rounds", { skip: noTools }, async () => {
      const { agent } = connected(protocol, { tools: { paint: { description: "Paints." } } });
      await agent.send("Paint it.").finished();
      assert.deepEqual(agent.pending.map(({ kind, name, arguments: value }) => [kind, name, value]), [["call", "paint", { color: "teal" }]]);
      assert.throws(() => agent.submitToolResults({ other: 1 }), code("not-pending"));
      assert.throws(() => agent.submitToolResults({}), code("answer-missing"));
      assert.equal((await read(agent.submitToolResults({ [agent.pending[0].id]: "painted" }))).text, "The page returned painted.");
      assert.throws(() => agent.submitToolResults({}), code("nothing-pending"));
      const limited = connected(protocol, { tools: { count: { execute: () => "1 of 2" } }, maxToolRounds: 2 });
      await limited.agent.send("Count.").finished();
      assert.deepEqual([limited.sent.length, limited.agent.pending.length], [3, 1]);
    });

    test("the error of a tool that throws is sent to the agent", { skip: noTools }, async () => {
      const execute = () => {
        throw new Error("no paint");
      };
      const { agent } = connected(protocol, { tools: { paint: { execute } } });
      assert.equal((await read(agent.send("Paint it."))).text, "The page returned Error: no paint.");
    });

    test("tool results are sent with the next request if their request failed", { skip: noTools }, async () => {
      let isDown = false;
      const fetch = (request) => (isDown ? new Response("", { status: 503 }) : handler(request));
      const { agent } = connected(protocol, { fetch, tools: { paint: { execute: () => ((isDown = true), "painted") } } });
      await assert.rejects(agent.send("Paint it.").finished(), code("http-status"));
      isDown = false;
      const bodies = [];
      const later = connected(protocol, { fetch: async (request) => (bodies.push(await request.clone().text()), handler(request)), state: agent.state, tools: { paint: {} } });
      assert.equal((await read(later.agent.send("Two."))).text, "You said: Two.");
      assert.match(bodies[0], /"painted"/);
      assert.doesNotMatch(bodies[0], /not answered/);
    });

    test("an approval is granted, declined, or skipped by the next message", async () => {
      const { agent } = connected(protocol);
      for (const [decision, text] of [[true, "They are gone."], [{ approved: false }, "They stay."]]) {
        await agent.send("Delete all.").finished();
        assert.deepEqual(agent.pending.map(({ kind }) => kind), ["approval"]);
        assert.throws(() => agent.resume({}), code("answer-missing"));
        assert.equal((await read(agent.resume({ [agent.pending[0].id]: decision }))).text, text);
      }
      await agent.send("Delete all.").finished();
      // AG-UI requires a reply to every interrupt: the cancellation follows the message, and this agent reads the last input.
      assert.equal((await read(agent.send("Never mind."))).text, protocol === "ag-ui" ? "They stay." : "You said: Never mind.");
    });

    test("a failure is thrown, and the request is retried only by retry()", async () => {
      let fails = true;
      let count = 0;
      const fetch = async (request) => (count++, fails ? new Response("busy", { status: 503 }) : handler(request));
      const { agent } = connected(protocol, { fetch });
      assert.throws(() => agent.retry(), code("nothing-to-retry"));
      await assert.rejects(async () => {
        for await (const _ of agent.send("One."));
      }, code("http-status"));
      await settled();
      assert.deepEqual([count, agent.status, agent.error.code], [1, "failed", "http-status"]);
      fails = false;
      assert.equal((await read(agent.retry())).text, "You said: One.");
      assert.deepEqual([count, agent.status, agent.error], [2, "done", undefined]);
      assert.throws(() => agent.retry(), code("nothing-to-retry"));
    });

    test("stop() keeps the received text, and the next request can follow immediately", async () => {
      const { agent, sent } = connected(protocol);
      const run = agent.send("Wait.");
      assert.throws(() => agent.send("Too early."), code("busy"));
      for await (const { snapshot } of run) {
        if (textOf(snapshot).includes("I wait")) {
          agent.stop();
          assert.deepEqual([agent.status, textOf(agent.snapshot)], ["aborted", "I wait"]);
        }
      }
      assert.equal((await run.finished()).report.endReason, "aborted");
      assert.equal((await read(agent.send("Two."))).text, "You said: Two.");
      await until(() => sent.length === (protocol === "a2a" ? 3 : 2));
      // A task continues after its connection is closed.
      assert.equal(sent.filter(({ body }) => body.method === "CancelTask").length, protocol === "a2a" ? 1 : 0);
    });

    test("leaving the loop, aborting the signal and cancel() stop the run", async () => {
      const { agent } = connected(protocol);
      const run = agent.send("Wait.");
      for await (const { snapshot } of run) {
        if (textOf(snapshot) === "I wait") break;
      }
      assert.deepEqual([agent.status, (await run.finished()).report.endReason], ["aborted", "aborted"]);
      const controller = new AbortController();
      const aborted = agent.retry({ signal: controller.signal });
      const over = aborted.finished();
      controller.abort();
      assert.deepEqual([agent.status, (await over).report.endReason], ["aborted", "aborted"]);
      const early = agent.retry({ signal: AbortSignal.abort() });
      assert.deepEqual([(await early.finished()).report.endReason, agent.status], ["aborted", "aborted"]);
      assert.equal((await agent.retry().cancel()).report.endReason, "aborted");
      assert.equal((await read(agent.send("Two."))).text, "You said: Two.");
    });

    test("a conversation continues from its serialized state", async () => {
      const tools = { paint: { execute: () => "painted" } };
      const first = connected(protocol, { tools });
      await read(first.agent.send("One."));
      await first.agent.send("Delete all.").finished();
      const state = parseJson(stringifyJson(first.agent.state));
      const second = connected(protocol, { state, tools });
      assert.deepEqual([second.agent.status, textOf(second.agent.snapshot)], ["done", textOf(first.agent.snapshot)]);
      assert.equal(second.agent.state.id, first.agent.state.id);
      assert.equal((await read(second.agent.resume({ [second.agent.pending[0].id]: true }))).text, "They are gone.");
      assert.equal((await read(second.agent.send("Two."))).text, "You said: Two.");
      // A reload during a response: the request can be retried.
      const run = second.agent.send("Wait.");
      for await (const { snapshot } of run) {
        if (textOf(snapshot).includes("I wait")) break;
      }
      const third = connected(protocol, { state: JSON.parse(JSON.stringify({ ...second.agent.state })) });
      assert.equal(third.agent.status, "aborted");
      const other = protocol === "a2a" ? "ag-ui" : "a2a";
      assert.throws(() => connected(other, { state }), code("wrong-option"));
    });
  });
}
