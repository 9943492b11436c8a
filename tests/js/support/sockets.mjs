// Responses over WebSocket: the official client against a server. The servers of all languages have
// the same tests.
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import OpenAI from "openai";
import { ResponsesWS } from "openai/resources/responses/ws";
import { WebSocket } from "ws";
import { until } from "./until.mjs";

const ENDS = new Set(["response.completed", "response.failed", "response.incomplete", "error"]);
const user = (content) => [{ type: "message", role: "user", content }];
const textOf = ({ response }) =>
  response.output
    .flatMap(({ content }) => content ?? [])
    .map(({ text }) => text)
    .join("");

/** The official client, and the events that it receives as far as the end of a response. */
export function officialSocket(baseURL, apiKey = "key") {
  const client = new OpenAI({ apiKey, baseURL });
  const socket = new ResponsesWS(client);
  const errors = [];
  socket.on("error", (error) => errors.push(error));
  const events = [];
  const waiting = [];
  socket.on("event", (event) => {
    events.push(event);
    for (const look of waiting.splice(0)) look();
  });
  const received = async (isIt) => {
    for (;;) {
      const at = events.findIndex(isIt);
      if (at >= 0) return events.splice(0, at + 1).at(-1);
      await new Promise((resolve) => waiting.push(resolve));
    }
  };
  const ended = () => received(({ type }) => ENDS.has(type));
  const ask = async (text, members = {}) => {
    socket.send({ type: "response.create", model: "agent", input: user(text), ...members });
    return ended();
  };
  return { socket, received, ended, ask, events, errors };
}

/**
 * Defines the tests of a server. `start` resolves to its `url`, with `/v1`, and to `close`. Its
 * agent is that of `socket_agent.mjs`, its key is `key`, a message has at most 4,096 bytes. `most` is the number
 * of responses at once, and `refusesHandshake` whether a request without the key opens no socket.
 */
export function testSockets(name, { start, most = 2, refusesHandshake = true }) {
  let url;
  let close;
  before(async () => ({ url, close } = await start()));
  after(() => close());

  describe(`${name}: the official client`, () => {
    test("has several responses on one connection, and continues the last one by its id", async () => {
      const { socket, ask } = officialSocket(url);
      const first = await ask("hi");
      assert.equal(textOf(first), "You said: hi");
      assert.equal(first.response.store, false);
      const second = await ask("texts", { previous_response_id: first.response.id });
      assert.deepEqual(JSON.parse(textOf(second)), ["hi", "You said: hi", "texts"]);
      socket.close();
    });

    test("returns the result of a tool", async () => {
      const { socket, ask, ended } = officialSocket(url);
      const tools = [{ type: "function", name: "get_weather", strict: false, parameters: {} }];
      const { response } = await ask("weather?", { tools });
      const [call] = response.output;
      assert.deepEqual([call.type, call.call_id], ["function_call", "call_1"]);
      socket.send({
        type: "response.create",
        model: "agent",
        previous_response_id: response.id,
        input: [{ type: "function_call_output", call_id: "call_1", output: "18 °C" }],
      });
      assert.equal(textOf(await ended()), "It is 18 °C.");
      socket.close();
    });

    test("has events in the order and with the numbers of server-sent events", async () => {
      const { socket, ask, events } = officialSocket(url);
      const received = [];
      socket.on("event", (event) => received.push(event));
      await ask("hi");
      const response = await fetch(`${url}/responses`, {
        method: "POST",
        headers: { authorization: "Bearer key", "content-type": "application/json" },
        body: JSON.stringify({ model: "agent", input: user("hi"), stream: true }),
      });
      const streamed = [...(await response.text()).matchAll(/^data: (\{.*)$/gm)];
      const kinds = (list) => list.map(({ type, sequence_number: number }) => `${number} ${type}`);
      assert.deepEqual(kinds(received), kinds(streamed.map(([, data]) => JSON.parse(data))));
      assert.equal(events.length, 0);
      socket.close();
    });

    test("prepares a response without output, and continues it", async () => {
      const { socket, ask } = officialSocket(url);
      const { response } = await ask("first", { generate: false });
      assert.deepEqual([response.status, response.output], ["completed", []]);
      const end = await ask("texts", { previous_response_id: response.id });
      assert.deepEqual(JSON.parse(textOf(end)), ["first", "texts"]);
      socket.close();
    });

    test("has responses at once by `stream_id`, within a limit, and one at a time without", async () => {
      const { socket, received } = officialSocket(url);
      const ask = (id, text) =>
        socket.send({ type: "response.create", model: "agent", stream_id: id, input: user(text) });
      const lanes = Array.from({ length: most }, (_, at) => `lane ${at}`);
      for (const lane of lanes) ask(lane, `wait ${lane}`);
      ask("lane 0", "again");
      ask("another", "too many");
      const refused = [];
      for (const lane of ["lane 0", "another"])
        refused.push(
          (await received((event) => event.type === "error" && event.stream_id === lane)).error
            .code,
        );
      assert.deepEqual(refused, ["response_in_progress", "too_many_responses"]);
      const texts = {};
      for (let at = 0; at < most; at++) {
        const end = await received(({ type }) => type === "response.completed");
        texts[end.stream_id] = textOf(end);
      }
      const expected = lanes.map((lane) => [lane, `You said: wait ${lane}`]);
      assert.deepEqual(texts, Object.fromEntries(expected));
      socket.close();
    });

    test("receives refusals as errors with their status, and the socket stays open", async () => {
      const { socket, ask, ended, received } = officialSocket(url);
      for (const [event, status, code] of [
        [{ type: "response.create", model: "agent", input: 5 }, 400, undefined],
        [
          { type: "response.create", input: user("x"), previous_response_id: "resp_9" },
          400,
          // A gateway stores no responses, and words it for every protocol.
          /^(previous_response_not_found|unsupported)$/,
        ],
        [{ type: "response.unheard" }, 400, /^unknown_event$/],
      ]) {
        socket.send(event);
        const error = await ended();
        assert.deepEqual([error.type, error.status], ["error", status]);
        if (code) assert.match(error.error.code, code);
      }
      socket.sendRaw("{");
      assert.equal((await ended()).error.code, "invalid_json");
      socket.send({ type: "response.steer", previous_response_id: "resp_1", input: "Shorter." });
      const failed = await received(({ type }) => type === "response.steer.failed");
      assert.equal(failed.error.code, "steering_not_supported");
      assert.deepEqual(failed.steer, { previous_response_id: "resp_1", input: "Shorter." });
      assert.equal(textOf(await ask("still here")), "You said: still here");
      socket.close();
    });

    test("without a key is refused", async () => {
      const { socket, ask, errors } = officialSocket(url, "other");
      if (refusesHandshake) {
        await until(() => errors.length > 0);
        assert.match(errors[0].message, /401/);
        return;
      }
      assert.equal((await ask("hi")).status, 401);
      socket.close();
    });

    test("that closes its socket stops the agent", async () => {
      const { socket, received } = officialSocket(url);
      const watching = officialSocket(url);
      const dropped = async () => Number(textOf(await watching.ask("dropped")));
      const before = await dropped();
      socket.send({ type: "response.create", model: "agent", input: "endless" });
      await received(({ type }) => type === "response.output_text.delta");
      socket.close();
      await until(async () => (await dropped()) > before);
      watching.socket.close();
    });
  });

  describe(`${name}: a socket`, () => {
    test("is closed with 1009 by a message that is too large, with 1003 by a binary one", async () => {
      for (const [message, expected] of [
        [JSON.stringify({ type: "response.create", input: "x".repeat(5000) }), 1009],
        [JSON.stringify({ type: "response.create", input: "é".repeat(3000) }), 1009],
        [JSON.stringify({ type: "response.create", input: "x".repeat(8_000_000) }), 1009],
        [Buffer.from("{}"), 1003],
      ]) {
        const socket = new WebSocket(`${url.replace("http", "ws")}/responses`, {
          headers: { authorization: "Bearer key" },
        });
        await once(socket, "open");
        socket.on("error", () => {});
        socket.send(message);
        const [code] = await once(socket, "close");
        assert.equal(code, expected);
      }
    });
  });
}
