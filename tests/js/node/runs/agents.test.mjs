// What the agent of a service returns: events, or an error for `onError` that states what to
// return.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RunsClient } from "agentwire/runs";
import { createRuns } from "agentwire/runs/server";
import { memoryStore } from "agentwire/stores";

/** Runs an agent. Resolves to the error of its run, and to the errors that `onError` received. */
async function run(agent) {
  const errors = [];
  const runs = createRuns({
    store: memoryStore(),
    authenticate: () => "ann",
    agent,
    onError: (error) => void errors.push(error),
  });
  const client = new RunsClient("http://localhost/api/v1/agent", {
    fetch: (request, init) => runs.fetch(new Request(request, init)),
  });
  const messages = [{ id: "u", role: "user", content: "Hi" }];
  const { threadId, runId } = await client.createRun({
    threadId: crypto.randomUUID(),
    runId: "r",
    messages,
    forwardedProps: { runtime_mode: "chat" },
  });
  const { snapshot } = await client.events(threadId, runId).finished();
  return { error: snapshot.error, errors };
}

const MISTAKES = {
  nothing: () => undefined,
  "a text": async () => "Hello",
  "a number": () => 5,
  "an object": () => ({ type: "RUN_STARTED" }),
};
for (const [what, agent] of Object.entries(MISTAKES)) {
  test(`an agent that returns ${what} fails, and onError receives the remedy`, async () => {
    const { error, errors } = await run(agent);
    assert.equal(error.code, "AGENT_FAILED");
    assert.deepEqual(
      errors.map(({ code }) => code),
      ["wrong-argument"],
    );
    assert.match(errors[0].message, /response of `respond\(…\)`/);
  });
}

test("events in any iterable are those of the run", async () => {
  const started = { type: "RUN_STARTED", threadId: "t", runId: "r" };
  const finished = { ...started, type: "RUN_FINISHED" };
  for (const agent of [
    ({ threadId }) => [
      { ...started, threadId },
      { ...finished, threadId },
    ],
    async function* ({ threadId }) {
      yield { ...started, threadId };
      yield JSON.stringify({ ...finished, threadId });
    },
  ]) {
    const { error, errors } = await run(agent);
    assert.deepEqual([error, errors], [null, []]);
  }
});
