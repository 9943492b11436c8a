// Random runs of an agent, written as A2A, through the official store: its task is the same as the
// snapshot of this package's reader.
// `PROGRAMS` sets the number of programs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { StreamResponse, Task } from "a2a-sdk-1";
import { InMemoryTaskStore, ResultManager, ServerCallContext } from "a2a-sdk-1/server";
import { Decoder } from "agentwire";
import { respond } from "agentwire/server";
import { nobody } from "../support/runs.mjs";
import { randomOf } from "../../support/random.mjs";

const PROGRAMS = Number(process.env.PROGRAMS ?? 200);
const PIECES = ["a", "", "é\n\u2028", "😀", '"\\', "some more words "];

/** An agent that writes random content, and whose run ends at random. */
async function agent(out, random) {
  const piece = () => PIECES[random(PIECES.length)];
  for (let left = random(12); left > 0; left--) {
    switch (random(12)) {
      case 0:
      case 1:
      case 2: {
        const message = out.message();
        const text = message.text();
        for (let pieces = random(5); pieces > 0; pieces--) await text.delta(piece());
        if (random(3) === 0) await message.image("https://example.com/a.png");
        if (random(3) === 0) await message.refusal("No.");
        if (random(4) === 0) await message.data({ n: random(9), deep: { list: [null, piece()] } });
        break;
      }
      case 3:
      case 4: {
        const thought = out.reasoning();
        for (let pieces = random(4); pieces > 0; pieces--) await thought.delta(piece());
        break;
      }
      case 5:
      case 6:
      case 7: {
        const call = out.tool("look_up", {
          type: ["function_call", "plugin_call", "mcp_call"][random(3)],
        });
        for (let pieces = random(3); pieces > 0; pieces--) await call.arguments("{}");
        if (random(2)) await call.result(piece());
        break;
      }
      case 8:
        await out.state({ phase: piece() });
        break;
      case 9:
        await out.custom("name", { value: piece() });
        break;
      case 10:
        await out.step("step").complete();
        break;
      default:
        out.usage({ input_tokens: random(9), output_tokens: 1 });
    }
  }
  switch (random(9)) {
    case 0:
      throw new Error("secret");
    case 1:
      return out.cancel();
    case 2:
      return out.reject();
    case 3:
      return out.incomplete("max_output_tokens");
    case 4:
      return out.interrupt({ id: "q", reason: "approval", payload: { a: 1 }, text: piece() });
    default:
  }
}

async function answerOf(program, echo) {
  const random = randomOf(program);
  const options = {
    protocol: "a2a",
    ids: "numbered",
    heartbeatMs: 0,
    responseId: "task",
    sessionId: "context",
    echo,
    requestId: "request",
    onError: () => {},
  };
  return respond(nobody, options, (out) => agent(out, random)).text();
}

function ours(stream) {
  const decoder = new Decoder({ protocol: "a2a", bigint: false });
  decoder.push(new TextEncoder().encode(stream));
  const { snapshot, report } = decoder.finish();
  assert.deepEqual([report.violations, report.endReason], [[], "completed"], stream);
  return JSON.parse(JSON.stringify(snapshot.task));
}

/** Returns the task of the official store after a stream. */
async function theirs(stream) {
  const context = new ServerCallContext({});
  const store = new ResultManager(new InMemoryTaskStore(), context);
  for (const frame of stream.split("\n\n").filter((frame) => frame !== "")) {
    const { payload } = StreamResponse.fromJSON(JSON.parse(frame.slice("data: ".length)).result);
    assert.ok(payload !== undefined, frame);
    await store.processEvent({ kind: payload.$case, data: payload.value });
  }
  return JSON.parse(JSON.stringify(Task.toJSON(store.currentTask)));
}

test("the snapshot equals the task of the official store after every run", async () => {
  const states = {};
  for (let program = 0; program < PROGRAMS; program++) {
    const stream = await answerOf(program, { id: program, resend: program % 4 !== 0 });
    const task = ours(stream);
    assert.deepEqual(task, await theirs(stream), `program ${program}\n${stream}`);
    states[task.status.state] = (states[task.status.state] ?? 0) + 1;
  }
  assert.ok(Object.keys(states).length >= 5, JSON.stringify(states));
});

test("a v0.3 stream yields the same task as v1.0, except for the media type of data parts", async () => {
  const untyped = (_, value) =>
    value?.data !== undefined ? { ...value, mediaType: undefined } : value;
  for (let program = 0; program < Math.min(PROGRAMS, 300); program++) {
    const [v1, v03] = [
      ours(await answerOf(program, { id: 1 })),
      ours(await answerOf(program, { id: "x", version: "0.3" })),
    ];
    assert.deepEqual(v03, JSON.parse(JSON.stringify(v1, untyped)), `program ${program}`);
  }
});

test("an artifact that is sent again as a whole has one part per text", async () => {
  for (let program = 0; program < Math.min(PROGRAMS, 300); program++) {
    const { artifacts = [] } = ours(await answerOf(program, { id: 1 }));
    for (const { parts = [] } of artifacts) {
      const indexes = parts
        .map(({ metadata }) => metadata?.index)
        .filter((index) => index !== undefined);
      assert.equal(new Set(indexes).size, indexes.length, JSON.stringify(parts));
    }
  }
});
