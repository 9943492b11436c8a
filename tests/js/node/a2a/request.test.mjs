// Requests to an A2A server, in both versions, and requests that continue a task.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import {
  cancelTask,
  createRequest,
  getTask,
  nextRequest,
  pendingToolCalls,
  read,
  resume,
  subscribeToTask,
} from "agentwire/a2a";
import { a2aAdapter, createHandler, parseRequest } from "agentwire/server";

const URL_ = "http://127.0.0.1/a2a";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const wrong = { code: "wrong-argument" };

/**
 * Asks two questions for "Delete.", waits for "Wait.", and otherwise repeats the text of the user.
 */
async function agent(out, request) {
  const answers = request.answers;
  const said = request.text;
  if (said === "Delete.") {
    return out.interrupt(
      { id: "q1", reason: "confirmation", payload: { what: 1 } },
      { id: "q2", reason: "confirmation", payload: { what: 2 } },
    );
  }
  if (said === "Wait.") {
    await out.message().text().delta("Waiting");
    return new Promise((resolve) => out.signal.addEventListener("abort", resolve));
  }
  const received = answers.map(({ id, approved }) => `${id} ${approved}`).join(", ");
  const { content = [] } = request.toJSON().input.at(-1) ?? {};
  await out
    .message()
    .text()
    .delta(
      `${received || JSON.stringify(content.map(({ text, data, type }) => text ?? data ?? type))}`,
    );
}

const serving = () =>
  createHandler({ adapters: [a2aAdapter({ name: "n", description: "d" })], agent });

async function answered(serve, request) {
  const { snapshot, report } = await read(serve(request)).finished();
  assert.deepEqual(report.violations, []);
  return snapshot;
}

const textOf = ({ task }) =>
  task.artifacts
    .at(-1)
    .parts.map(({ text }) => text)
    .join("");
const asked = (request) => request.clone().json();

for (const [version, methods] of [
  ["1.0", ["SendStreamingMessage", "SubscribeToTask", "GetTask", "CancelTask"]],
  ["0.3", ["message/stream", "tasks/resubscribe", "tasks/get", "tasks/cancel"]],
]) {
  describe(`A2A ${version}`, () => {
    const [send, subscribe, get, cancel] = methods;
    const sending = (input, more) => createRequest(URL_, input, { version, ...more });

    test("createRequest() turns a text into a valid JSON-RPC call", async () => {
      const request = sending("hi", { headers: { authorization: "Bearer x" } });
      assert.equal(request.method, "POST");
      const {
        "content-type": type,
        accept,
        authorization,
        "a2a-version": said,
      } = Object.fromEntries(request.headers);
      assert.deepEqual(
        [type, accept, authorization, said],
        ["application/json", "text/event-stream", "Bearer x", version],
      );
      const { jsonrpc, id, method, params } = await asked(request);
      assert.deepEqual([jsonrpc, method], ["2.0", send]);
      assert.match(id, UUID);
      assert.match(params.message.messageId, UUID);
      parseRequest("a2a", JSON.stringify((await asked(createRequest(URL_, "hi"))).params));
      const { task } = await answered(serving(), request);
      assert.deepEqual([task.status.state, textOf({ task })], ["TASK_STATE_COMPLETED", '["hi"]']);
    });

    test("the next message keeps the context, and starts a new task if the previous one has ended", async () => {
      const serve = serving();
      const first = await answered(serve, sending("One."));
      const second = await answered(serve, sending(nextRequest(undefined, first, "Two.")));
      assert.equal(textOf(second), '["Two."]');
      assert.equal(second.task.contextId, first.task.contextId);
      assert.notEqual(second.task.id, first.task.id);
    });

    test("parts of every type reach the agent", async () => {
      const parts = [
        { text: "Look:", metadata: { a: 1 } },
        { data: { rows: 9007199254740993n } },
        { data: [1, null] },
        { url: "https://example.com/a.png", mediaType: "image/png", filename: "a.png" },
        { raw: "aGk=", mediaType: "text/plain", filename: "a.txt" },
      ];
      const recorded = [];
      const serve = createHandler({
        adapters: [a2aAdapter({ name: "n", description: "d" })],
        agent: (out, request) => void recorded.push(...request.toJSON().input.at(-1).content),
      });
      const answer = await answered(serve, sending(parts));
      assert.equal(answer.task.status.state, "TASK_STATE_COMPLETED");
      assert.deepEqual(
        recorded.map(({ type }) => type),
        ["text", "data", "data", "image", "file"],
      );
      assert.deepEqual(recorded[1].data, { rows: 9007199254740993n });
      assert.equal(
        recorded.find(({ type }) => type === "image").image_url,
        "https://example.com/a.png",
      );
    });

    test("resume() answers the questions of a waiting task by id, nextRequest() by text", async () => {
      const serve = serving();
      const ask = async () => answered(serve, sending("Delete."));
      const waiting = await ask();
      assert.deepEqual(
        pendingToolCalls(waiting).map(({ id }) => id),
        ["q1", "q2"],
      );
      const both = await answered(
        serve,
        sending(resume(undefined, waiting, { q2: { approved: true }, q1: false })),
      );
      assert.deepEqual([both.task.id, textOf(both)], [waiting.task.id, "q1 false, q2 true"]);
      const other = await ask();
      const inWords = await answered(serve, sending(nextRequest(undefined, other, "Yes.")));
      assert.deepEqual([inWords.task.id, textOf(inWords)], [other.task.id, "q1 true"]);
    });

    test("a task can be subscribed to, retrieved and canceled by another client", async () => {
      const serve = serving();
      const left = read(serve(sending("Wait.")));
      let id;
      for await (const { snapshot } of left) {
        if (snapshot.task?.artifacts?.length > 0) {
          id = snapshot.task.id;
          break;
        }
      }
      const about = (method) =>
        ({ SubscribeToTask: subscribeToTask, GetTask: getTask, CancelTask: cancelTask })[method](
          URL_,
          id,
          { version },
        );
      assert.deepEqual(
        await Promise.all(
          ["SubscribeToTask", "GetTask", "CancelTask"].map(
            async (method) => (await asked(about(method))).method,
          ),
        ),
        [subscribe, get, cancel],
      );
      const followed = read(serve(about("SubscribeToTask")));
      const state = async (method) =>
        (await (await serve(about(method))).json()).result.status.state;
      assert.match(await state("GetTask"), /working/i);
      assert.match(await state("CancelTask"), /canceled/i);
      const { snapshot, report } = await followed.finished();
      assert.deepEqual(
        [snapshot.task.status.state, textOf(snapshot), report.violations],
        ["TASK_STATE_CANCELED", "Waiting", []],
      );
    });
  });
}

test("complete parameters are sent unchanged, with a generated message id if theirs is empty", async () => {
  const configuration = {
    historyLength: 2,
    returnImmediately: true,
    acceptedOutputModes: ["text/plain"],
  };
  const params = {
    message: {
      messageId: "",
      role: "ROLE_AGENT",
      parts: [{ text: "hi" }],
      referenceTaskIds: ["t"],
    },
    configuration,
    metadata: { a: 1 },
  };
  const sent = (await asked(createRequest(URL_, params))).params;
  assert.match(sent.message.messageId, UUID);
  assert.deepEqual({ ...sent, message: { ...sent.message, messageId: "" } }, params);
  const old = (await asked(createRequest(URL_, params, { version: "0.3" }))).params;
  assert.deepEqual(old.configuration, {
    historyLength: 2,
    acceptedOutputModes: ["text/plain"],
    blocking: false,
  });
  assert.deepEqual(
    [old.metadata, old.message.kind, old.message.role, old.message.parts],
    [{ a: 1 }, "message", "agent", [{ kind: "text", text: "hi" }]],
  );
});

test("nextRequest() keeps the context of a message", () => {
  const { message } = nextRequest(
    undefined,
    {
      task: null,
      message: { messageId: "m", contextId: "c", role: "ROLE_AGENT", parts: [] },
      error: null,
    },
    "hi",
  );
  assert.deepEqual([message.contextId, "taskId" in message], ["c", false]);
  assert.ok(
    !(
      "contextId" in
      nextRequest(undefined, { task: null, message: null, error: null }, "hi").message
    ),
  );
});

test("invalid arguments are rejected before a request is sent", async () => {
  for (const none of [undefined, null, 7, {}, { message: "hi" }]) {
    assert.throws(() => createRequest(URL_, none), wrong);
  }
  assert.throws(() => createRequest(URL_, "hi", { version: "2.0" }), { code: "wrong-option" });
  assert.throws(() => getTask(URL_), wrong);
  assert.throws(() => getTask(URL_, "t", { verson: "1.0" }), { code: "wrong-option" });
  assert.throws(() => nextRequest(undefined, undefined, "hi"), wrong);
  const waiting = await answered(serving(), createRequest(URL_, "Delete."));
  assert.throws(() => resume(undefined, waiting, { q1: true }), { code: "answer-missing" });
  assert.throws(() => resume(undefined, waiting, { q1: true, q2: true, q3: true }), {
    code: "not-pending",
  });
});
