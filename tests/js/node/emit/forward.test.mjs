// `out.forward`: what the client receives is what a conversion of the same stream gives, for every
// source and target.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Converter, Decoder, WRITABLE, defineProtocol } from "agentwire";
import { AgentError, respond } from "agentwire/server";
import { cases } from "../support/cases.mjs";
import { pieces, sizes } from "../support/cuts.mjs";

const encoder = new TextEncoder();

/** The members that belong to a run, and not to what was passed on. */
const OF_RUN = new Set([
  "response_id",
  "session_id",
  "created_at",
  "completed_at",
  "sequence_number",
  "threadId",
  "runId",
  "model",
  "usage",
  "timestamp",
  "contextId",
  "taskId",
  "echo",
  "parentRunId",
  "previous_response_id",
]);

/** The hub numbers the messages of a run. */
const isNumberOfMessage = (name, member) => name === "message" && typeof member === "number";

/**
 * Returns a value without the members of runs, and with the numbers of ids in the order of their
 * first use.
 */
function comparable(value, ids = new Map()) {
  if (typeof value === "string") {
    // Ids that a writer has made. Those of messages that stand for steps begin with the id of the
    // response.
    return value
      .replace(/^.*_step_\d+$/, "step")
      .replace(/\b([a-z]+_)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) => {
        ids.set(id, ids.get(id) ?? `#${ids.size}`);
        return ids.get(id);
      });
  }
  if (Array.isArray(value)) {
    return value.map((item) => comparable(item, ids));
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name, member]) => !OF_RUN.has(name) && !isNumberOfMessage(name, member))
        .map(([name, member]) => [name, comparable(member, ids)]),
    );
  }
  return value;
}

/** The messages in the snapshot of a protocol. */
const messagesOf = {
  "agent-api": ({ output }) => output,
  "ag-ui": ({ messages, pendingToolCallIds, activities, state }) => ({
    messages,
    pendingToolCallIds,
    activities,
    state,
  }),
  agentscope: ({ content }) => content,
  "ag-kit": ({ segments, parts, toolCalls, ...rest }) => ({ segments, parts, toolCalls }),
  responses: ({ output }) => output,
  "ai-sdk": ({ parts }) => parts,
  anthropic: ({ content }) => content,
  chat: ({ choices }) => choices,
  a2a: ({ task }) => task?.artifacts,
};

function read(protocol, chunks) {
  const decoder = new Decoder({ protocol });
  chunks.forEach((chunk) => decoder.push(chunk));
  return decoder.finish();
}

function converted(from, to, bytes, options) {
  const converter = new Converter({ ...options, from, to });
  const chunks = [converter.push(bytes), converter.finish()];
  return { ...read(to, chunks), losses: converter.conversion.losses };
}

async function forwarded(from, to, chunks) {
  let end;
  let failure;
  const response = respond({}, { protocol: to, heartbeatMs: 0, onError: () => {} }, async (out) => {
    try {
      end = await out.forward(
        (async function* () {
          yield* chunks;
        })(),
        { protocol: from },
      );
    } catch (error) {
      failure = error;
      throw error;
    }
  });
  return { ...read(to, [new Uint8Array(await response.arrayBuffer())]), end, failure };
}

/**
 * Streams with several runs: a conversion has the first one, and a run that passes them on has all.
 */
const SEVERAL = new Set(["u55_multi_run", "u56_multi_run_after_error"]);

/** The streams that end as the protocol intends: what follows a failure is the run's own. */
const sound = (await cases()).filter(
  ({ name, ended, options, detected, protocol }) =>
    ended === "terminal" &&
    Object.keys(options).length === 0 &&
    detected === protocol &&
    !SEVERAL.has(name),
);

test("there are streams of every protocol", () => {
  assert.ok(sound.length > 120, `${sound.length}`);
});

for (const { protocol, name, stream } of sound) {
  test(`${protocol} ${name}: forwarded as it is converted, at any chunk boundary`, async () => {
    for (const to of WRITABLE) {
      const expected = converted(protocol, to, stream, {});
      for (const chunks of [[stream], pieces(stream, sizes(1))]) {
        const { snapshot, report, end, failure } = await forwarded(protocol, to, chunks);
        if (failure !== undefined) {
          assert.ok(failure instanceof AgentError, `${failure.stack}`);
          continue;
        }
        assert.deepEqual(
          comparable(messagesOf[to](snapshot)),
          comparable(messagesOf[to](expected.snapshot)),
          to,
        );
        assert.equal(report.counts["unknown-type"], expected.report.counts["unknown-type"]);
        assert.equal(end.protocol, protocol);
      }
    }
  });
}
