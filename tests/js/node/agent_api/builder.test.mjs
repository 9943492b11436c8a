import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentwireError, Decoder } from "agentwire";
import { AgentApiStreamBuilder } from "agentwire/server";

const coded = (code) => (error) => error instanceof AgentwireError && error.code === code;
const encoder = new TextEncoder();

/** Returns the outcome of a reader; asserts that it has found nothing but notes. */
function outcomeOf(events, options) {
  const decoder = new Decoder({ protocol: "agent-api", ...options });
  events.forEach((event) => decoder.push(encoder.encode(event.toSse())));
  const outcome = decoder.finish();
  assert.deepEqual(
    outcome.report.violations.filter(({ severity }) => severity !== "note"),
    [],
  );
  return outcome;
}

test("a stream is built event by event", () => {
  const response = new AgentApiStreamBuilder({ sessionId: "s", responseId: "r", ids: "numbered" });
  const events = [response.created(), response.inProgress()];
  const message = response.createMessageBuilder();
  events.push(message.inProgress());
  const text = message.createContentBuilder("text");
  events.push(
    text.addTextDelta("Hel"),
    text.addDelta("lo"),
    text.addTextDelta(null),
    text.complete(),
  );
  assert.equal(text.getContentData().text, "Hello");
  message.setMetadata({ big: 12345678901234567890n });
  events.push(message.complete());
  assert.deepEqual(message.getMessageData().metadata, { big: 12345678901234567890n });
  response.setUsage({ total_tokens: 3 });
  assert.equal(response.ended, false);
  events.push(response.completed());
  assert.equal(response.ended, true);

  assert.equal(message.id, "msg_1");
  assert.equal(response.id, "r");
  assert.deepEqual(
    events.map((event) => event.toObject().sequence_number),
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
  );
  const outcome = outcomeOf(events);
  assert.deepEqual(outcome.report.counts, {});
  assert.equal(outcome.snapshot.session_id, "s");
  assert.equal(outcome.snapshot.output[0].content[0].text, "Hello");
  assert.deepEqual(outcome.snapshot.output[0].metadata, { big: 12345678901234567890n });
  assert.deepEqual(outcome.snapshot.usage, { total_tokens: 3 });
  assert.deepEqual(response.getResponseData().output[0].id, "msg_1");
  response.free();
});

test("an event has the same content as an object, as JSON and as SSE", () => {
  const response = new AgentApiStreamBuilder({
    responseId: "r",
    style: "compact",
    numbering: false,
  });
  const event = response.created();
  const { created_at } = event.toObject();
  assert.ok(Math.abs(created_at - Date.now() / 1000) < 10);
  assert.equal(
    event.json,
    `{"object":"response","status":"created","id":"r","created_at":${created_at},"output":[]}`,
  );
  assert.equal(event.toSse(), `data: ${event.json}\n\n`);
  assert.equal(`${event}`, event.json);
  response.free();
});

test("every type of content can be set, streamed and added", () => {
  const response = new AgentApiStreamBuilder();
  const events = [response.created(), response.queued(), response.inProgress()];
  const message = response.createMessageBuilder("assistant", "message");
  events.push(message.inProgress());
  const set = (type, work) => {
    const content = message.createContentBuilder(type);
    events.push(...work(content), content.complete());
  };
  set("text", (content) => [content.setText("a"), content.addTextDelta("b")]);
  set("refusal", (content) => [content.setRefusal("a"), content.addRefusalDelta("b")]);
  set("image", (content) => [content.setImageUrl("https://x/i")]);
  set("video", (content) => [content.setVideoUrl("https://x/v")]);
  set("audio", (content) => [content.setAudio({ data: "AAAA", format: "wav" })]);
  set("file", (content) => [content.setFile({ file_id: "f", filename: "n" })]);
  set("data", (content) => [
    content.setData({ n: 1, s: "a" }),
    content.updateData("l", [1]),
    content.addDataDelta({ n: 2, s: "b", l: [2] }),
  ]);
  const whole = [
    { type: "text", text: "t" },
    { type: "refusal", refusal: "r" },
    { type: "image", image_url: "https://x/i" },
    { type: "video", video_url: "https://x/v" },
    { type: "audio", data: "AAAA" },
    { type: "file", file_url: "https://x/f" },
    { type: "data", data: { a: [1] } },
  ];
  events.push(
    ...whole.map((content) => message.addContent(content)),
    message.complete(),
    response.completed(),
  );
  const { content } = outcomeOf(events).snapshot.output[0];
  const types = ["text", "refusal", "image", "video", "audio", "file", "data"];
  assert.deepEqual(
    content.map(({ type }) => type),
    [...types, ...types],
  );
  assert.deepEqual(content[0].text, "ab");
  assert.deepEqual(content[1].refusal, "ab");
  assert.deepEqual(content[4].format, "wav");
  assert.deepEqual(content[5].filename, "n");
  assert.deepEqual(content[6].data, { n: 3, s: "ab", l: [1, 2] });
  whole.forEach((wanted, at) => {
    for (const [key, value] of Object.entries(wanted)) {
      assert.deepEqual(content[7 + at][key], value);
    }
  });
  response.free();
});

test("every end status is written with its error or reason", () => {
  const error = { code: "C", message: "m" };
  const ends = {
    completed: (builder) => builder.completed(),
    failed: (builder) => builder.failed(error),
    canceled: (builder) => builder.canceled(),
    rejected: (builder) => builder.rejected(error),
    incomplete: (builder) => builder.incomplete("max_tokens"),
  };
  for (const [status, end] of Object.entries(ends)) {
    const builder = new AgentApiStreamBuilder();
    const { snapshot: response } = outcomeOf([
      builder.created(),
      builder.inProgress(),
      end(builder),
    ]);
    assert.equal(response.status, status);
    assert.deepEqual(response.error, status === "failed" || status === "rejected" ? error : null);
    assert.deepEqual(
      response.incomplete_details,
      status === "incomplete" ? { reason: "max_tokens" } : undefined,
    );

    const other = new AgentApiStreamBuilder();
    const events = [other.created(), other.inProgress()];
    const message = other.createMessageBuilder();
    const text = message.createContentBuilder();
    events.push(message.inProgress(), text.addDelta("x"), ...message.finishWith(status, error));
    events.push(...other.finishWith(status, error));
    const outcome = outcomeOf(events);
    assert.equal(outcome.snapshot.status, status);
    assert.equal(outcome.snapshot.output[0].status, status);
    assert.equal(outcome.snapshot.output[0].content[0].text, "x");
    assert.deepEqual(other.finishWith(status), []);
  }
});

test("each end status of a message is written", () => {
  const error = { code: "C", message: "m" };
  const response = new AgentApiStreamBuilder();
  const events = [response.created(), response.inProgress()];
  for (const end of ["failed", "canceled", "rejected", "incomplete", "complete"]) {
    const message = response.createMessageBuilder(
      "assistant",
      end === "failed" ? "error" : "message",
    );
    message.setError(error);
    events.push(message.inProgress(), message[end](error));
  }
  events.push(...response.finishWith("completed"));
  const { output } = outcomeOf(events).snapshot;
  const statuses = output.map(({ status }) => status);
  assert.deepEqual(statuses.sort(), ["canceled", "completed", "failed", "incomplete", "rejected"]);
  assert.ok(output.every(({ code, message }) => code === "C" && message === "m"));
});

test("generateStreamingResponse() writes a whole text", () => {
  const response = new AgentApiStreamBuilder({ sessionId: "s" });
  const events = response.generateStreamingResponse(["Hel", "lo", "\n\n", "data: x\n\n"]);
  assert.equal(events.length, 10);
  assert.deepEqual(outcomeOf(events).snapshot.output[0].content[0].text, "Hello\n\ndata: x\n\n");
  assert.equal(response.generateStreamingResponse(new Set(["a"]), "user").length, 7);
});

test("an illegal call is rejected with a code and the correct call", () => {
  const response = new AgentApiStreamBuilder();
  assert.throws(() => response.completed(), AgentwireError);
  response.created();
  response.inProgress();
  assert.throws(() => response.reset(), coded("reset-in-stream"));
  assert.throws(() => response.createMessageBuilder("critic"), coded("unknown-role"));
  const message = response.createMessageBuilder();
  assert.throws(() => message.createContentBuilder("smell"), coded("unknown-content-type"));
  assert.throws(() => message.addContent({ type: "smell" }), coded("unknown-content-type"));
  assert.throws(() => message.createContentBuilder().addTextDelta("x"), AgentwireError);
  message.inProgress();
  const text = message.createContentBuilder();
  assert.throws(() => text.setImageUrl("x"), AgentwireError);
  text.addTextDelta("x");
  assert.throws(() => text.setText("y"), coded("set-after-delta"));
  assert.throws(() => message.complete(), AgentwireError);
  text.complete();
  assert.throws(() => text.complete(), AgentwireError);
  assert.throws(() => message.addContent({ type: "text" }), coded("missing-argument"));
  assert.throws(() => message.failed({}), coded("missing-argument"));
  assert.throws(() => response.failed({}), coded("missing-argument"));
  const data = message.createContentBuilder("data");
  for (const wrong of [[1], "x", null, undefined]) {
    assert.throws(() => data.setData(wrong), coded("not-an-object"));
  }
  message.complete();
  response.completed();
  assert.throws(() => response.created(), /instead|new|reset/);
  response.reset();
  response.created();
  assert.throws(() => message.complete(), AgentwireError);
});

test("invalid options are rejected", () => {
  const strings = { style: "loose", ids: "prime", partOrder: "size" };
  const wrong = {
    ...strings,
    numbering: 1,
    nullOutput: "",
    completedOnly: 0,
    sessionId: 5,
    responseId: 5,
  };
  for (const [name, value] of Object.entries(wrong)) {
    assert.throws(() => new AgentApiStreamBuilder({ [name]: value }), coded("wrong-option"), name);
  }
});

test("the last event lists every message that was sent, or with `completedOnly` the completed ones", () => {
  const listed = (options) => {
    const response = new AgentApiStreamBuilder({ ids: "numbered", ...options });
    response.created();
    response.inProgress();
    const [first, second] = [response.createMessageBuilder(), response.createMessageBuilder()];
    first.inProgress();
    second.inProgress();
    second.complete();
    const events = response.finishWith("failed");
    response.free();
    const { output } = JSON.parse(events.at(-1).toSse().slice(6));
    return output.map(({ id, status }) => `${id} ${status}`);
  };
  assert.deepEqual(listed({}), ["msg_3 completed", "msg_2 failed"]);
  assert.deepEqual(listed({ completedOnly: true }), ["msg_3 completed"]);
});

test("U+2028, U+2029 and U+0085 are escaped", () => {
  const text = "a\u2028b\u2029c\u0085d – “e”";
  const response = new AgentApiStreamBuilder({ sessionId: text });
  const events = [response.created(), response.inProgress()];
  const message = response.createMessageBuilder();
  events.push(message.inProgress(), message.addContent({ type: "data", data: { [text]: text } }));
  events.push(message.addContent({ type: "text", text }), ...response.finishWith("completed"));
  const decoder = new Decoder({ protocol: "agent-api" });
  for (const event of events) {
    assert.doesNotMatch(event.toSse(), /[\u2028\u2029\u0085]/);
    decoder.push(new TextEncoder().encode(event.toSse()));
  }
  const [data, said] = decoder.finish().snapshot.output[0].content;
  assert.deepEqual([data.data, said.text], [{ [text]: text }, text]);
  response.free();
});

test("methods throw after free()", () => {
  const response = new AgentApiStreamBuilder();
  response.created();
  response.inProgress();
  const message = response.createMessageBuilder();
  const text = message.createContentBuilder();
  response[Symbol.dispose]();
  // A message does not need the handle of its response.
  message.inProgress();
  text.addTextDelta("x");
  assert.throws(() => response.completed(), coded("freed"));
  text.free();
  text.free();
  assert.throws(() => text.complete(), coded("freed"));
  message.free();
  assert.throws(() => message.complete(), coded("freed"));
});

test("a finished message is streamed as a legal sequence of events", () => {
  const decoder = new Decoder({ protocol: "agent-api" });
  const made = new AgentApiStreamBuilder({ ids: "numbered" });
  const elsewhere = [made.created(), made.inProgress()];
  const message = made.createMessageBuilder("assistant", "function_call");
  elsewhere.push(message.inProgress());
  const data = message.createContentBuilder("data");
  elsewhere.push(
    data.setData({ call_id: "c", name: "f", arguments: '{"n":1}', big: 9007199254740993n }),
  );
  elsewhere.push(data.complete(), message.complete(), made.completed());
  elsewhere.forEach((event) => decoder.push(new TextEncoder().encode(event.toSse())));
  const { snapshot: response } = decoder.finish();

  const builder = new AgentApiStreamBuilder();
  const events = [
    builder.created(),
    builder.inProgress(),
    ...builder.addMessage(response.output[0]),
    builder.completed(),
  ];
  const reader = new Decoder({ protocol: "agent-api" });
  events.forEach((event) => reader.push(new TextEncoder().encode(event.toSse())));
  const outcome = reader.finish();
  assert.deepEqual(outcome.report.violations, []);
  assert.deepEqual(outcome.snapshot.output[0].content[0].data, response.output[0].content[0].data);
  assert.throws(() => builder.addMessage(response.output[0]), { name: "AgentwireError" });
  [made, builder, message, data].forEach((handle) => handle.free());
});
