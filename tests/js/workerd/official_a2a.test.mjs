// The official A2A clients of both versions, by JSON-RPC and REST, against the demo worker: no
// error, and the same text, calls and states as the agent's own.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ClientFactory as Factory03 } from "a2a-sdk-0/client";
import { Message, Task, StreamResponse, TaskState, taskStateToJSON } from "a2a-sdk-1";
import { ClientFactory, RestTransportFactory } from "a2a-sdk-1/client";
import { openSite } from "../browser/playground.mjs";

let site;
before(async () => {
  site = await openSite();
});
after(() => site?.close());

const demo = { delay: 0 };
let messages = 0;

/** The clients with one interface: all values are in the form of 1.0 as JSON. */
const CLIENTS = {
  "1.3.0 by JSON-RPC": async () => of1(await new ClientFactory().createFromUrl(`${site.url}/`)),
  "1.3.0 by REST": async () => {
    const factory = new ClientFactory({
      transports: [new RestTransportFactory()],
      preferredTransports: ["HTTP+JSON"],
    });
    return of1(await factory.createFromUrl(`${site.url}/`));
  },
  "0.3.14": async () => of03(await new Factory03().createFromUrl(site.url)),
};

function of1(client) {
  const request = (parts, ids, configuration, asked = demo) => ({
    tenant: "",
    message: Message.fromJSON({ messageId: `m${++messages}`, role: "ROLE_USER", parts, ...ids }),
    configuration,
    metadata: { demo: asked },
  });
  return {
    async *stream(parts, ids = {}) {
      for await (const event of client.sendMessageStream(request(parts, ids))) {
        assert.ok(event.payload !== undefined);
        yield StreamResponse.toJSON(event);
      }
    },
    send: async (parts, ...how) =>
      Task.toJSON(await client.sendMessage(request(parts, {}, ...how))),
    get: async (id) => Task.toJSON(await client.getTask({ tenant: "", id })),
    cancel: async (id) =>
      Task.toJSON(await client.cancelTask({ tenant: "", id, metadata: undefined })),
    async *subscribe(id) {
      for await (const event of client.resubscribeTask({ tenant: "", id }))
        yield StreamResponse.toJSON(event);
    },
    list: (contextId) => client.listTasks({ tenant: "", contextId, pageToken: "", status: 0 }),
    push: async (taskId) =>
      client.createTaskPushNotificationConfig({
        tenant: "",
        taskId,
        id: "p",
        url: "https://example.com",
        token: "",
      }),
  };
}

const STATES = { "input-required": "INPUT_REQUIRED", "auth-required": "AUTH_REQUIRED" };

function of03(client) {
  const state = (status) => ({
    ...status,
    state: `TASK_STATE_${STATES[status.state] ?? status.state.toUpperCase()}`,
  });
  const part = ({ kind, file, ...rest }) =>
    kind === "file" ? { url: file.uri, raw: file.bytes, mediaType: file.mimeType, ...rest } : rest;
  const artifact = ({ parts, ...rest }) => ({ ...rest, parts: parts.map(part) });
  const task = ({ kind, status, artifacts, ...rest }) => ({
    ...rest,
    status: state(status),
    ...(artifacts && { artifacts: artifacts.map(artifact) }),
  });
  const event = (said) => {
    switch (said.kind) {
      case "task":
        return { task: task(said) };
      case "status-update": {
        const ended = ["completed", "failed", "canceled", "rejected"].includes(said.status.state);
        assert.equal(said.final, ended);
        return { statusUpdate: { ...said, status: state(said.status) } };
      }
      case "artifact-update":
        return { artifactUpdate: { ...said, artifact: artifact(said.artifact) } };
      default:
        throw new Error(`an event of kind ${said.kind}`);
    }
  };
  const params = (parts, ids, { returnImmediately } = {}, asked = demo) => ({
    message: {
      kind: "message",
      messageId: `m${++messages}`,
      role: "user",
      parts: parts.map(({ text, data }) =>
        text === undefined ? { kind: "data", data } : { kind: "text", text },
      ),
      ...ids,
    },
    ...(returnImmediately && { configuration: { blocking: false } }),
    metadata: { demo: asked },
  });
  return {
    async *stream(parts, ids = {}) {
      for await (const said of client.sendMessageStream(params(parts, ids))) yield event(said);
    },
    send: async (parts, ...how) => task(await client.sendMessage(params(parts, {}, ...how))),
    get: async (id) => task(await client.getTask({ id })),
    cancel: async (id) => task(await client.cancelTask({ id })),
    async *subscribe(id) {
      for await (const said of client.resubscribeTask({ id })) yield event(said);
    },
    push: async (taskId) =>
      client.setTaskPushNotificationConfig({
        taskId,
        pushNotificationConfig: { id: "p", url: "https://example.com" },
      }),
  };
}

/**
 * Returns the result of a stream: the artifacts by the rules of the official store, the states, and
 * the last message.
 */
async function summaryOf(stream) {
  const [states, artifacts] = [[], new Map()];
  let task, last;
  for await (const { task: first, statusUpdate, artifactUpdate } of stream) {
    if (first) {
      task = first;
      states.push(first.status.state);
      for (const known of first.artifacts ?? []) artifacts.set(known.artifactId, known);
    } else if (statusUpdate) {
      last = statusUpdate;
      states.push(statusUpdate.status.state);
    } else {
      const { artifact, append } = artifactUpdate;
      const known = artifacts.get(artifact.artifactId);
      assert.ok(known || !append, "an appended chunk follows a first chunk");
      const parts = artifact.parts ?? [];
      artifacts.set(
        artifact.artifactId,
        append
          ? {
              ...known,
              parts: [...known.parts, ...parts],
              metadata: { ...known.metadata, ...artifact.metadata },
            }
          : { ...artifact, parts },
      );
    }
  }
  const all = [...artifacts.values()];
  const of = (type) => all.filter(({ metadata }) => metadata?.type === type);
  const text = of("message")
    .flatMap(({ parts }) => parts.map(({ text }) => text ?? ""))
    .join("");
  return {
    task,
    last,
    states: states.map((state) => state.replace("TASK_STATE_", "")),
    all,
    of,
    text,
  };
}

const text = (words) => [{ text: words }];

for (const [name, connect] of Object.entries(CLIENTS)) {
  describe(`the official A2A client ${name} and the demo worker`, () => {
    let client;
    before(async () => {
      client = await connect();
    });

    test("a plain response", async () => {
      const { task, states, text: said, of } = await summaryOf(client.stream(text("echo 你好 👋")));
      assert.deepEqual(states, ["SUBMITTED", "WORKING", "COMPLETED"]);
      assert.equal(said, "你好 👋");
      assert.equal(of("message")[0].parts.length, 1);
      const stored = await client.get(task.id);
      assert.equal(stored.status.state, "TASK_STATE_COMPLETED");
      assert.equal(stored.artifacts[0].parts[0].text, "你好 👋");
      assert.equal(stored.history[0].parts[0].text, "echo 你好 👋");
    });

    test("reasoning, a tool, an image and token usage", async () => {
      const {
        text: said,
        of,
        last,
        all,
      } = await summaryOf(client.stream(text("What is the weather like in Paris?")));
      assert.match(said, /^Paris现在.*next five days/s);
      assert.match(of("reasoning")[0].parts[0].text, /I should not guess the weather/);
      const [call] = of("plugin_call")[0].parts;
      assert.deepEqual(
        [call.data.name, JSON.parse(call.data.arguments)],
        ["get_weather", { city: "Paris", unit: "celsius", days: 5 }],
      );
      const [output] = of("plugin_call_output")[0].parts;
      assert.equal(output.data.call_id, call.data.call_id);
      assert.ok(
        all.some(({ parts }) =>
          parts.some(({ raw, url, mediaType }) => mediaType?.startsWith("image/") && (raw || url)),
        ),
      );
      assert.equal(last.metadata.usage.output_tokens, 96);
    });

    test("parallel client tools", async () => {
      const { of, states } = await summaryOf(client.stream(text("two at once")));
      const calls = of("function_call").flatMap(({ parts }) =>
        parts.map(({ data }) => [data.call_id, data.name, data.arguments]),
      );
      assert.deepEqual(calls, [
        ["call_one", "tool_one", '{"n":1}'],
        ["call_two", "tool_two", '{"n":1}'],
      ]);
      assert.equal(states.at(-1), "COMPLETED");
    });

    test("several subagents", async () => {
      const { text: said, states } = await summaryOf(
        client.stream(text("Compare Paris and Berlin")),
      );
      assert.match(said, /It is warmest in/);
      assert.equal(states.at(-1), "COMPLETED");
    });

    test("a question and its answer in the same task", async () => {
      for (const [answer, says] of [
        [{ text: "yes" }, /^Approved/],
        [{ data: { approved: true } }, /^Approved/],
        [{ text: "hm" }, /^Declined/],
      ]) {
        const asked = await summaryOf(client.stream(text("Delete all files")));
        assert.deepEqual(asked.states.at(-1), "INPUT_REQUIRED");
        const { id: taskId, contextId } = asked.task;
        assert.ok(asked.last.status.message.parts.some(({ data }) => data?.id === "approval_1"));
        const answered = await summaryOf(client.stream([answer], { taskId, contextId }));
        assert.equal(answered.task.id, taskId);
        assert.match(answered.of("message").at(-1).parts[0].text, says);
        const { status, history, artifacts } = await client.get(taskId);
        assert.equal(status.state, "TASK_STATE_COMPLETED");
        assert.equal(history.filter(({ role }) => /user/i.test(role)).length, 2);
        assert.ok(artifacts.length >= 2);
      }
    });

    for (const [words, state, check] of [
      [
        "Weather in Paris, and fail",
        "FAILED",
        ({ status }) =>
          assert.ok(
            status.message.parts.some(({ data }) => data?.code === "WEATHER_STATION_SILENT"),
          ),
      ],
      ["Weather in Paris, but cancel", "CANCELED", () => {}],
      ["Reject this", "REJECTED", () => {}],
      [
        "Weather in Paris, incomplete",
        "FAILED",
        ({ metadata }) => assert.equal(metadata.incomplete, "max_output_tokens"),
      ],
    ]) {
      test(`a run that ends as ${state}: ${words}`, async () => {
        const { states, last } = await summaryOf(client.stream(text(words)));
        assert.equal(states.at(-1), state);
        check(last);
      });
    }

    test("a response that is not streamed", async () => {
      const { status, artifacts, history } = await client.send(text("echo hi"));
      assert.deepEqual(
        [status.state, artifacts[0].parts[0].text, history.length],
        ["TASK_STATE_COMPLETED", "hi", 1],
      );
    });

    test("a task can be subscribed to and canceled", async () => {
      const { id, status } = await client.send(
        text("a long story"),
        { acceptedOutputModes: [], returnImmediately: true },
        { delay: 50 },
      );
      assert.match(status.state, /SUBMITTED|WORKING/);
      const following = summaryOf(client.subscribe(id));
      assert.equal((await client.cancel(id)).status.state, "TASK_STATE_CANCELED");
      const { states, task } = await following;
      assert.equal(task.id, id);
      assert.equal(states.at(-1), "CANCELED");
      await assert.rejects(summaryOf(client.subscribe(id)), /ended|subscribed/);
    });

    test("invalid calls are rejected with their error codes", async () => {
      const { id } = await client.send(text("echo hi"));
      await assert.rejects(client.get("nobody"), /not found/i);
      await assert.rejects(client.cancel(id), /cannot be canceled/);
      await assert.rejects(client.push(id), /not supported/i);
      await assert.rejects(
        summaryOf(client.stream(text("more"), { taskId: id })),
        /accepts no messages/,
      );
    });

    if (!name.startsWith("0.3")) {
      test("tasks are listed in pages", async () => {
        const { contextId, id } = await client.send(text("echo one"));
        const { tasks, totalSize } = await client.list(contextId);
        assert.deepEqual([tasks.map((task) => task.id), totalSize], [[id], 1]);
        assert.equal(taskStateToJSON(tasks[0].status.state), "TASK_STATE_COMPLETED");
        assert.equal(TaskState.TASK_STATE_COMPLETED, tasks[0].status.state);
      });
    }
  });
}
