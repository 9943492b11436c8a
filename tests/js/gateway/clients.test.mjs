// The official clients of five protocols ask one upstream, a server of Chat Completions, through
// the gateway. The variable GATEWAY is the path of the program, built with the feature `gateway`.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { HttpAgent } from "@ag-ui/client";
import { Message, StreamResponse } from "a2a-sdk-1";
import { ClientFactory } from "a2a-sdk-1/client";
import { DefaultChatTransport, readUIMessageStream } from "ai";
import { connect } from "agentwire/responses";
import OpenAI from "openai";
import { until } from "../support/until.mjs";

const PROGRAM =
  process.env.GATEWAY ?? fileURLToPath(new URL("../../../target/debug/agentwire", import.meta.url));

/** The flood: so many pieces of so many characters. The buffers of the sockets hold up to 20 MB. */
const FLOOD = { pieces: 6000, length: 8192 };

const schema = { type: "object", properties: { of: { type: "string" } }, required: ["of"] };

/** The bytes of the flood that the upstream has sent. */
let sent;

const event = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** The answers of the upstream, by the text of the user. */
const ANSWERS = {
  text(answer) {
    answer.write(event({ role: "assistant", content: "" }));
    for (const content of ["Hel", "lo 你好", " 👋"]) answer.write(event({ content }));
    answer.end(`${event({}, "stop")}data: [DONE]\n\n`);
  },
  tool(answer, { messages, tools }) {
    assert.ok(tools === undefined || tools[0].function.name === "pick_color");
    const last = messages.at(-1);
    if (last.role === "tool") {
      return answer.end(
        `${event({ role: "assistant", content: `You picked ${last.content}.` })}${event({}, "stop")}data: [DONE]\n\n`,
      );
    }
    const call = (members) => event({ tool_calls: [{ index: 0, ...members }] });
    answer.write(event({ role: "assistant", content: null }));
    answer.write(
      call({
        id: "call_1",
        type: "function",
        function: { name: "pick_color", arguments: '{"of":' },
      }),
    );
    answer.end(
      `${call({ function: { arguments: '"sky"}' } })}${event({}, "tool_calls")}data: [DONE]\n\n`,
    );
  },
  async cut(answer) {
    answer.write(event({ role: "assistant", content: "half" }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    answer.destroy();
  },
  flood(answer) {
    Readable.from(flood()).pipe(answer);
  },
};

/**
 * The content codings of the answer `text`: the name in the header, and the function that
 * compresses.
 */
const CODINGS = {
  gzip: ["gzip", gzipSync],
  deflate: ["deflate", deflateSync],
  "deflate without a header": ["deflate", deflateRawSync],
  br: ["br", brotliCompressSync],
};

/** The requests that the upstream has received. */
const received = [];

function* flood() {
  for (let piece = 0; piece < FLOOD.pieces; piece++) {
    yield event({ content: `${piece} `.padEnd(FLOOD.length, "x") });
    sent = (piece + 1) * FLOOD.length;
  }
  yield `${event({}, "stop")}data: [DONE]\n\n`;
}

let upstream;
let gateway;
let url;

before(async () => {
  upstream = createServer(async (request, answer) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts));
    received.push(body);
    const { content } = body.messages.find(({ role }) => role === "user");
    const text = typeof content === "string" ? content : content[0].text;
    if (Number(text) > 0) {
      return answer
        .writeHead(Number(text), { "content-type": "application/json", "retry-after": "0" })
        .end('{"error":{"message":"no"}}');
    }
    const [coding, compress] = CODINGS[text] ?? [];
    answer.writeHead(200, {
      "content-type": "text/event-stream",
      ...(coding && { "content-encoding": coding }),
    });
    if (compress !== undefined) {
      return answer.end(
        compress(`${event({ content: "Hello 你好" })}${event({}, "stop")}data: [DONE]\n\n`),
      );
    }
    await ANSWERS[text](answer, body);
  });
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  gateway = spawn(
    PROGRAM,
    [
      "serve",
      "--listen",
      "127.0.0.1:0",
      "--model",
      "small",
      "--upstream",
      `http://127.0.0.1:${upstream.address().port}`,
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const lines = createInterface(gateway.stderr);
  const [first] = await once(lines, "line");
  lines.on("line", () => {});
  url = first.match(/http:\S+/)[0];
});
after(() => {
  gateway?.kill();
  upstream?.closeAllConnections();
  upstream?.close();
});

/**
 * The clients. `ask` resolves to the text, the calls and the error of an answer, and with `output`,
 * of the answer to the result of its call. `pieces` iterates over the pieces of a text while they
 * arrive.
 */
const CLIENTS = {
  openai: {
    client: () => new OpenAI({ apiKey: "unused", baseURL: `${url}/v1`, maxRetries: 0 }),
    async ask(text, output) {
      const tools =
        text === "tool"
          ? [{ type: "function", name: "pick_color", parameters: schema, strict: false }]
          : undefined;
      const turn = async (input) => {
        const { status, error, output_text, output } = await this.client()
          .responses.stream({ model: "any", input, tools })
          .finalResponse();
        const calls = output.filter(({ type }) => type === "function_call");
        return {
          status,
          text: output_text,
          error: error?.code,
          calls: calls.map(({ name, arguments: args }) => [name, args]),
          output,
        };
      };
      const first = await turn(text);
      const [call] = first.output.filter(({ type }) => type === "function_call");
      const next = (output) =>
        turn([
          { role: "user", content: text },
          ...first.output,
          { type: "function_call_output", call_id: call.call_id, output },
        ]);
      return output === undefined ? first : next(output);
    },
    async *pieces(text) {
      for await (const event of await this.client().responses.create({
        model: "any",
        input: text,
        stream: true,
      })) {
        if (event.type === "response.output_text.delta") yield event.delta;
      }
    },
  },
  // The upstream has the same protocol: its answer is passed on as it is.
  "openai chat": {
    client: () => new OpenAI({ apiKey: "unused", baseURL: `${url}/v1`, maxRetries: 0 }),
    async ask(text, output) {
      const tools =
        text === "tool"
          ? [{ type: "function", function: { name: "pick_color", parameters: schema } }]
          : undefined;
      const turn = async (messages) => {
        const answer = { text: "", error: undefined, calls: [], message: undefined };
        const stream = this.client().chat.completions.stream({ model: "any", messages, tools });
        try {
          stream.on("content", (delta) => void (answer.text += delta));
          const { choices } = await stream.finalChatCompletion();
          answer.message = choices[0].message;
          answer.calls = (choices[0].message.tool_calls ?? []).map(
            ({ function: { name, arguments: args } }) => [name, args],
          );
        } catch (error) {
          answer.error = `${error.code} ${error.message}`;
        }
        return answer;
      };
      const user = { role: "user", content: text };
      const first = await turn([user]);
      if (output === undefined) return first;
      const [{ id }] = first.message.tool_calls;
      return turn([user, first.message, { role: "tool", tool_call_id: id, content: output }]);
    },
    async *pieces(text) {
      for await (const { choices } of await this.client().chat.completions.create({
        model: "any",
        messages: [{ role: "user", content: text }],
        stream: true,
      })) {
        if (choices[0]?.delta.content) yield choices[0].delta.content;
      }
    },
  },
  "@ag-ui/client": {
    async ask(text, output) {
      const agent = new HttpAgent({
        url: `${url}/ag-ui`,
        initialMessages: [{ id: "m1", role: "user", content: text }],
      });
      const tools =
        text === "tool" ? [{ name: "pick_color", description: "", parameters: schema }] : [];
      const turn = async () => {
        let error;
        // The client reports a failure on the console, too.
        const { error: print } = console;
        console.error = () => {};
        await agent
          .runAgent({ tools }, { onRunErrorEvent: ({ event }) => void (error = event.code) })
          .catch(() => {})
          .finally(() => (console.error = print));
        const { content, toolCalls = [] } = agent.messages.findLast(
          ({ role }) => role === "assistant",
        );
        return {
          text: content,
          error,
          calls: toolCalls.map(({ function: { name, arguments: args } }) => [name, args]),
          ids: toolCalls.map(({ id }) => id),
        };
      };
      const first = await turn();
      if (output === undefined) return first;
      agent.messages.push({ id: "m2", role: "tool", toolCallId: first.ids[0], content: output });
      return turn();
    },
  },
  "@a2a-js/sdk": {
    async *events(text) {
      const client = await new ClientFactory().createFromUrl(`${url}/`);
      const message = Message.fromJSON({ messageId: "m1", role: "ROLE_USER", parts: [{ text }] });
      for await (const event of client.sendMessageStream({
        tenant: "",
        message,
        configuration: undefined,
        metadata: {},
      }))
        yield StreamResponse.toJSON(event);
    },
    async ask(text) {
      const answer = { text: "", error: undefined, calls: [] };
      for await (const { task, statusUpdate, artifactUpdate } of this.events(text)) {
        const { append, artifact } = artifactUpdate ?? {};
        const text = artifact?.parts.map(({ text = "" }) => text).join("");
        // The last update of an artifact has all of it.
        answer.text = text === undefined ? answer.text : append ? answer.text + text : text;
        const { state, message } = statusUpdate?.status ?? task?.status ?? {};
        if (state === "TASK_STATE_FAILED")
          answer.error = message.parts.map(({ text }) => text).join("");
      }
      return answer;
    },
  },
  ai: {
    chunks(messages) {
      return new DefaultChatTransport({ api: `${url}/api/chat` }).sendMessages({
        chatId: "c",
        trigger: "submit-message",
        messageId: undefined,
        messages,
      });
    },
    async ask(text, output) {
      const user = { id: "u1", role: "user", parts: [{ type: "text", text }] };
      const turn = async (messages) => {
        let [message, error] = [{ parts: [] }];
        const stream = await this.chunks(messages);
        for await (message of readUIMessageStream({
          stream,
          onError: ({ message }) => (error = message),
        }));
        const calls = message.parts.filter(({ toolCallId }) => toolCallId !== undefined);
        const texts = message.parts.map(({ type, text }) => (type === "text" ? text : ""));
        return {
          text: texts.join(""),
          error,
          calls: calls.map(({ type, input }) => [type.replace("tool-", ""), JSON.stringify(input)]),
          message,
        };
      };
      const first = await turn([user]);
      // As `addToolOutput` of `useChat` does.
      const answered = first.message.parts.map((part) =>
        part.toolCallId === undefined ? part : { ...part, state: "output-available", output },
      );
      return output === undefined ? first : turn([user, { ...first.message, parts: answered }]);
    },
    async *pieces(text) {
      for await (const chunk of await this.chunks([
        { id: "u1", role: "user", parts: [{ type: "text", text }] },
      ])) {
        if (chunk.type === "text-delta") yield chunk.delta;
      }
    },
  },
};

/** The clients that cannot read slowly. */
const NOT_SLOW = {
  "@ag-ui/client": "the client reads without pause",
  "@a2a-js/sdk": "the last event has the whole text, and the client limits events to 4 MB",
};

test("openai lists the model", async () => {
  assert.deepEqual(
    (await CLIENTS.openai.client().models.list()).data.map(({ id }) => id),
    ["small"],
  );
});

for (const coding of Object.keys(CODINGS)) {
  test(`an answer that is compressed with ${coding} is read`, async () => {
    assert.equal((await CLIENTS.openai.ask(coding)).text, "Hello 你好");
  });
}

/**
 * The errors of the client, with the codes of OpenAI where it has one for what the upstream has
 * refused.
 */
const ERRORS = {
  400: ["BadRequestError", "upstream_400"],
  401: ["AuthenticationError", "upstream_401"],
  403: ["PermissionDeniedError", "upstream_403"],
  404: ["NotFoundError", "model_not_found"],
  429: ["RateLimitError", "rate_limit_exceeded"],
  500: ["InternalServerError", "upstream_500"],
  503: ["InternalServerError", "server_is_overloaded"],
  529: ["InternalServerError", "server_is_overloaded"],
};

for (const [status, [name, code]] of Object.entries(ERRORS)) {
  for (const stream of [false, true]) {
    test(`openai throws for the status ${status}, or repeats the request (stream: ${stream})`, async () => {
      const from = received.length;
      const client = new OpenAI({ apiKey: "unused", baseURL: `${url}/v1`, maxRetries: 1 });
      await assert.rejects(
        client.responses.create({ model: "any", input: status, stream }),
        (error) => {
          assert.deepEqual(
            [error.constructor.name, error.status, error.code],
            [name, Number(status), code],
          );
          return true;
        },
      );
      assert.equal(received.length - from, status === "429" || status >= 500 ? 2 : 1);
    });
  }
}

test("the client of the AI SDK throws for a status", async () => {
  await assert.rejects(CLIENTS.ai.ask("503"), /upstream_503/);
});

test("the client of AG-UI fails for a status", async () => {
  const agent = new HttpAgent({
    url: `${url}/ag-ui`,
    initialMessages: [{ id: "m1", role: "user", content: "503" }],
  });
  const { error: print } = console;
  console.error = () => {};
  await assert.rejects(
    agent.runAgent({}).finally(() => (console.error = print)),
    /503/,
  );
});

test("connect of this package sends the whole conversation, because the gateway stores nothing", async () => {
  const chat = connect(`${url}/v1/responses`, { body: { model: "any" } });
  for (const messages of [1, 3, 5]) {
    const { snapshot } = await chat.send("text").finished();
    assert.deepEqual([snapshot.status, snapshot.store], ["completed", false]);
    assert.equal(received.at(-1).messages.length, messages);
  }
});

for (const [name, client] of Object.entries(CLIENTS)) {
  describe(name, () => {
    test("receives a text", async () => {
      const { text, error } = await client.ask("text");
      assert.deepEqual([text, error], ["Hello 你好 👋", undefined]);
    });

    test("receives a call of its tool, and the answer to the result", {
      skip: name === "@a2a-js/sdk" && "a message of A2A has no tools",
    }, async () => {
      assert.deepEqual((await client.ask("tool")).calls, [["pick_color", '{"of":"sky"}']]);
      assert.equal((await client.ask("tool", "blue")).text, "You picked blue.");
    });

    test("receives an error when the upstream breaks off", async () => {
      const { text, error } = await client.ask("cut");
      assert.equal(text, "half");
      assert.match(error, /upstream_cut_off|broke off/);
    });

    test("stops the upstream while it does not read, and loses nothing", {
      skip: NOT_SLOW[name],
    }, async () => {
      const total = FLOOD.pieces * FLOOD.length;
      let [count, length] = [0, 0];
      for await (const piece of client.pieces("flood")) {
        assert.ok(piece.startsWith(`${count} x`), piece.slice(0, 20));
        count++;
        length += piece.length;
        if (count === 1) {
          let before;
          await until(() => before === (before = sent), 500);
          assert.ok(sent < total * 0.75, `${sent} of ${total}`);
        }
      }
      assert.deepEqual([count, length], [FLOOD.pieces, total]);
    });
  });
}
