// What the agent of the runs endpoints does not do, and what clients and `onError` receive then.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RunsClient } from "agentwire/runs";
import { memoryStore } from "agentwire/stores";
import { AgentError } from "agentwire/server";
import { runsService } from "../../support/runs_agent.mjs";

/** Runs an agent. Resolves to the snapshot of its run, and to the errors that `onError` received. */
async function run(agent, options) {
  const errors = [];
  const runs = runsService({
    store: memoryStore(),
    authenticate: () => "ann",
    agent,
    onError: (error) => void errors.push(error),
    ...options,
  });
  const client = new RunsClient("http://localhost/api/v1/agent", {
    fetch: (request, init) => runs(new Request(request, init)),
  });
  const messages = [{ id: "u", role: "user", content: "Hi" }];
  const { threadId, runId } = await client.createRun({
    threadId: crypto.randomUUID(),
    runId: "r",
    messages,
    forwardedProps: { runtime_mode: "chat" },
  });
  const { snapshot } = await client.events(threadId, runId).finished();
  await runs.close();
  return { ...snapshot, errors };
}

test("an agent may return its answer; one that has written another fails", async () => {
  const { messages, errors } = await run(async () => "Hello");
  assert.deepEqual([messages.map(({ content }) => content), errors], [["Hello"], []]);
  const both = await run(async (out) => {
    await out.text("Hello");
    return "Hello";
  });
  assert.equal(both.error.code, "AGENT_FAILED");
  assert.deepEqual(
    both.errors.map(({ code }) => code),
    ["value-returned"],
  );
});

test("an agent that writes nothing has an empty run, and onError is called", async () => {
  const { error, errors } = await run(() => {});
  assert.deepEqual([error, errors.map(({ code }) => code)], [null, ["no-output"]]);
});

test("the code of an AgentError is that of the run; other errors are masked", async () => {
  const own = await run(() => {
    throw new AgentError("QUOTA_EXCEEDED", "no more questions today");
  });
  assert.deepEqual(
    [own.error.code, own.error.message],
    ["QUOTA_EXCEEDED", "no more questions today"],
  );
  const masked = await run(() => {
    throw new Error("a secret of the agent");
  });
  assert.equal(masked.error.code, "AGENT_FAILED");
  assert.doesNotMatch(masked.error.message, /secret/);
});

test("the agent receives the run, its thread, and the user", async () => {
  let received;
  await run(
    (out, request, { user, env, http }) => {
      received = [request.toJSON().id, request.id.length, user, env, new URL(http.url).pathname];
      return out.message().text().delta("x");
    },
    { env: "here" },
  );
  assert.deepEqual(received, ["r", 36, "ann", "here", "/api/v1/agent/runs"]);
});
