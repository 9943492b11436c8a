// The official OpenAI clients, both majors, against an agent with `responsesAdapter`: no error, and
// the text, calls and statuses of the agent. And random runs of the Agent API, converted, through
// the accumulators of both: `PROGRAMS` sets their number.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { describe, test } from "node:test";
import { Converter, Decoder } from "agentwire";
import {
  AgentApiStreamBuilder,
  AgentError,
  createHandler,
  responsesAdapter,
} from "agentwire/server";
import { randomOf } from "../../support/random.mjs";

const PROGRAMS = Number(process.env.PROGRAMS ?? 200);
const ORIGIN = "http://127.0.0.1";
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

const clients = ["../../../..", "../../official_clients/openai-6"].map((from) => {
  const client = createRequire(new URL(`${from}/package.json`, import.meta.url));
  const { ResponseStream } = client("openai/lib/responses/ResponseStream");
  return {
    OpenAI: client("openai").OpenAI,
    ResponseStream,
    version: client("openai/version").VERSION,
  };
});

/** The agents, with the results that both clients must have. */
const AGENTS = {
  async text(out) {
    const text = out.message().text();
    for (const piece of ["你", "好, ", "👨‍👩‍👧", " \u2028 end"]) await text.delta(piece);
    out.usage({ input_tokens: 3, output_tokens: 4 });
  },
  async tools(out) {
    const calls = ["a", "b"].map((name) =>
      out.tool(name, { callId: `call_${name}`, parallel: true }),
    );
    for (const piece of ['{"n":', "1}"]) for (const call of calls) await call.arguments(piece);
    await calls[1].result("two");
    await calls[0].result({ one: 1 });
    await out.tool("mine", { callId: "c", type: "plugin_call" }).result("plain");
    const mcp = out.tool("remote", { callId: "m", type: "mcp_call" });
    await mcp.arguments("{}");
    await mcp.complete();
  },
  async reasoning(out) {
    await out.reasoning().delta("Hm. ");
    await out.message().text().delta("So.");
  },
  refusal: (out) => out.message().refusal().delta("No."),
  async image(out) {
    const message = out.message();
    await message.text().delta("Look:");
    await message.image(`data:image/png;base64,${PIXEL}`);
  },
  approval: (out) =>
    out.interrupt({ id: "q1", reason: "approval", payload: { question: "Delete?" } }),
  async failure(out) {
    await out.message().text().delta("half");
    throw new AgentError("QUOTA", "no more today");
  },
  async cancel(out) {
    await out.message().text().delta("half");
    await out.cancel();
  },
  async incomplete(out) {
    await out.message().text().delta("half");
    await out.incomplete("max_output_tokens");
  },
};

const serve = createHandler({
  adapters: [responsesAdapter()],
  agent: (out, request) => AGENTS[request.toJSON().input.at(-1).content[0].text](out),
});

/** The substance of a response. */
function facts({ status, output, output_text, error, incomplete_details, usage }) {
  const said = output.map(
    ({ type, call_id, name, arguments: args, input, output, content, summary, result }) => {
      const parts = [...(summary ?? []), ...(content ?? [])].map(
        ({ text, refusal }) => text ?? refusal,
      );
      const more = type === "mcp_call" && output ? [output] : [];
      return [
        type,
        call_id ?? "",
        name ?? "",
        args ?? input ?? output ?? result ?? parts.join("|"),
        ...more,
      ];
    },
  );
  return {
    status,
    text: output_text,
    said,
    error: error?.code,
    reason: incomplete_details?.reason,
    tokens: usage?.total_tokens,
  };
}

const item = (type, text) => [type, "", "", text];
const EXPECTED = {
  text: {
    status: "completed",
    text: "你好, 👨‍👩‍👧 \u2028 end",
    said: [item("message", "你好, 👨‍👩‍👧 \u2028 end")],
    tokens: 7,
  },
  tools: {
    status: "completed",
    text: "",
    said: [
      ["function_call", "call_a", "a", '{"n":1}'],
      ["function_call", "call_b", "b", '{"n":1}'],
      ["function_call_output", "call_b", "", "two"],
      ["function_call_output", "call_a", "", '{"one":1}'],
      // A tool that the agent runs: clients run functions and custom tools.
      ["mcp_call", "", "mine", "", "plain"],
      ["mcp_call", "", "remote", "{}"],
    ],
  },
  reasoning: {
    status: "completed",
    text: "So.",
    said: [item("reasoning", "Hm. "), item("message", "So.")],
  },
  refusal: { status: "completed", text: "", said: [item("message", "No.")] },
  image: {
    status: "completed",
    text: "Look:",
    said: [item("message", "Look:"), item("image_generation_call", PIXEL)],
  },
  approval: {
    status: "completed",
    text: "",
    said: [["mcp_approval_request", "", "interrupt", '{"question":"Delete?"}']],
  },
  failure: { status: "failed", text: "half", said: [item("message", "half")], error: "QUOTA" },
  cancel: { status: "cancelled", text: "half", said: [item("message", "half")] },
  incomplete: {
    status: "incomplete",
    text: "half",
    said: [item("message", "half")],
    reason: "max_output_tokens",
  },
};
const plain = (value) => JSON.parse(JSON.stringify(value));

for (const { OpenAI, version } of clients) {
  describe(`openai ${version}`, () => {
    const calls = [];
    const client = new OpenAI({
      apiKey: "unused",
      baseURL: `${ORIGIN}/v1`,
      maxRetries: 0,
      fetch: async (url, init) => {
        const answer = await serve(new Request(url, { ...init, duplex: "half" }));
        calls.push(answer);
        return answer;
      },
    });

    for (const [name, expected] of Object.entries(EXPECTED)) {
      test(`${name}, streamed and not streamed`, async () => {
        const streamed = await client.responses.stream({ model: "m", input: name }).finalResponse();
        const { reason, ...rest } = plain(facts(streamed));
        // The agent's own reason for its question.
        assert.deepEqual(
          name === "approval" ? rest : { ...rest, ...(reason && { reason }) },
          expected,
        );
        const whole = await client.responses.create({ model: "m", input: name });
        assert.equal(calls.at(-1).headers.get("content-type"), "application/json");
        assert.deepEqual(facts(whole), facts(streamed));
      });
    }

    test("an invalid request and an unknown response id are rejected", async () => {
      await assert.rejects(
        client.responses.create({ model: "m", input: [{ role: "wizard", content: "hi" }] }),
        (error) => {
          assert.equal(error.status, 400);
          assert.deepEqual(
            [error.type, error.param, error.code],
            ["invalid_request_error", "input[0].role", "literal_error"],
          );
          return true;
        },
      );
      await assert.rejects(client.responses.retrieve("resp_1"), (error) => {
        assert.deepEqual(
          [error.status, error.type, error.code],
          [404, "invalid_request_error", "not_found"],
        );
        return /resp_1/.test(error.message);
      });
    });

    test("a stream is retrieved again from a sequence number", async () => {
      const kept = new Map();
      const keeping = createHandler({
        adapters: [
          responsesAdapter({
            async retrieve(id, { url }) {
              const after = Number(new URL(url).searchParams.get("starting_after") ?? -1);
              const events = kept
                .get(id)
                ?.split(/(?<=\n\n)/)
                .filter((event) => Number(/"sequence_number":(\d+)/.exec(event)[1]) > after);
              return (
                events &&
                new Response(events.join(""), { headers: { "content-type": "text/event-stream" } })
              );
            },
          }),
        ],
        agent: AGENTS.text,
      });
      const again = new OpenAI({
        apiKey: "unused",
        baseURL: `${ORIGIN}/v1`,
        maxRetries: 0,
        fetch: (url, init) => keeping(new Request(url, { ...init, duplex: "half" })),
      });
      const first = await keeping(
        new Request(`${ORIGIN}/v1/responses`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ input: "text", stream: true }),
        }),
      );
      const text = await first.text();
      const { id } = JSON.parse(/"response":(\{.*\})\}/.exec(text)[1]);
      kept.set(id, text);
      const numbers = [];
      for await (const event of await again.responses.retrieve(id, {
        stream: true,
        starting_after: 3,
      }))
        numbers.push(event.sequence_number);
      assert.deepEqual(numbers.slice(0, 2), [4, 5]);
      const replayed = await again.responses.stream({ response_id: id }).finalResponse();
      assert.equal(replayed.output_text, EXPECTED.text.text);
    });
  });
}

const TYPES = [
  "message",
  "message",
  "message",
  "reasoning",
  "function_call",
  "plugin_call",
  "component_call",
  "mcp_call",
];
const OUTPUTS = [
  "function_call_output",
  "plugin_call_output",
  "component_call_output",
  "mcp_call_output",
];
const pick = (random, list) => list[random(list.length)];

/**
 * One run of the Agent API, as its builder writes it, with colliding ids. Rejected calls write
 * nothing.
 */
function program(number) {
  const random = randomOf(number);
  const out = new AgentApiStreamBuilder({ ids: "numbered" });
  const events = [];
  const say = (make) => {
    try {
      events.push(...[make()].flat());
    } catch (error) {
      assert.equal(error.name, "AgentwireError", `${number}: ${error.stack}`);
    }
  };
  const open = [];
  const called = [];
  const begin = (type, role) => {
    const message = out.createMessageBuilder(role, type);
    say(() => message.inProgress());
    return message;
  };
  const at_once = (type, role, data) => {
    const message = begin(type, role);
    const content = message.createContentBuilder("data");
    say(() => content.setData(data));
    say(() => content.complete());
    say(() => message.complete());
  };
  const act = () => {
    const held = open[random(open.length || 1)];
    switch (random(12)) {
      case 0:
      case 1: {
        const type = pick(random, TYPES);
        return open.push({
          message: begin(type, pick(random, ["assistant", "assistant", "user"])),
          type,
          parts: [],
        });
      }
      case 2: {
        const [call_id, type] = pick(random, called.length ? called : [["c0", 0]]);
        return at_once(OUTPUTS[type], "tool", {
          call_id,
          output: pick(random, ["out", "", '{"a":1}']),
        });
      }
      case 3:
        return at_once("mcp_approval_request", "assistant", {
          id: `q${random(3)}`,
          name: "n",
          arguments: "{}",
          server_label: "s",
        });
      case 4: {
        if (held === undefined) return;
        open.splice(open.indexOf(held), 1);
        held.parts.forEach((part) => say(() => part.complete()));
        return say(() => held.message.complete());
      }
      default: {
        if (held === undefined) return;
        const { message, type, parts } = held;
        const family = TYPES.slice(4).indexOf(type);
        if (family >= 0) {
          const call_id = `c${random(6)}`;
          called.push([call_id, family]);
          const content = message.createContentBuilder(
            "data",
            parts.push({ complete: () => [] }) - 1,
          );
          return say(() =>
            content.setData({
              call_id,
              name: "tool",
              arguments: pick(random, ["{}", '{"a":[1]}', ""]),
            }),
          );
        }
        if (random(6) === 0) {
          const content = message.createContentBuilder(
            "image",
            parts.push({ complete: () => [] }) - 1,
          );
          return say(() =>
            content.setImageUrl(
              pick(random, [`data:image/png;base64,${PIXEL}`, "https://example.com/a.png"]),
            ),
          );
        }
        if (parts.every(({ delta }) => delta === undefined) || random(5) === 0) {
          const refuses = type === "message" && random(5) === 0;
          const content = message.createContentBuilder(refuses ? "refusal" : "text", parts.length);
          const delta = (piece) =>
            refuses ? content.addRefusalDelta(piece) : content.addTextDelta(piece);
          parts.push({ delta, complete: () => content.complete() });
        }
        const part = pick(
          random,
          parts.filter(({ delta }) => delta !== undefined),
        );
        return say(() =>
          part.delta(pick(random, ["a", "é\n\u2028", "👨‍👩‍👧", '"\\', " ", "x".repeat(40)])),
        );
      }
    }
  };
  say(() => [out.created(), out.inProgress()]);
  for (let steps = random(40); steps > 0; steps--) act();
  if (random(2) === 0) {
    for (const { message, parts } of open) {
      parts.forEach((part) => say(() => part.complete()));
      say(() => message.complete());
    }
  }
  const end = pick(random, [
    "completed",
    "completed",
    "failed",
    "canceled",
    "incomplete",
    "rejected",
    undefined,
  ]);
  const error = { code: "C", message: "m" };
  if (end !== undefined) {
    say(() => (end === "failed" ? out.finishWith(end, error) : out.finishWith(end)));
  }
  out.free();
  return events.map((event) => event.toSse()).join("");
}

async function accumulated({ ResponseStream }, sse) {
  const lines = sse
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => `${line.slice(6)}\n`);
  const bytes = new Blob([lines.join("")]).stream();
  return ResponseStream.fromReadableStream(bytes).finalResponse();
}

test("random Agent API runs are accepted by both accumulators, with the same snapshot", async () => {
  let items = 0;
  for (let number = 0; number < PROGRAMS; number++) {
    const source = program(number);
    const converter = new Converter({ from: "agent-api", to: "responses", ids: "numbered" });
    const sse = new TextDecoder().decode(
      Buffer.concat([converter.push(new TextEncoder().encode(source)), converter.finish()]),
    );
    converter.free?.();
    const reader = new Decoder({ protocol: "responses" });
    reader.push(new TextEncoder().encode(sse));
    const { snapshot, report } = reader.finish();
    const broken = report.violations.filter(({ rule }) => rule !== "done-differs");
    assert.deepEqual(broken, [], `program ${number}\n${source}\n${sse}`);
    items += snapshot.output.length;
    for (const client of clients) {
      const theirs = await accumulated(client, sse).catch((error) =>
        assert.fail(
          `program ${number}, openai ${client.version}: ${error.message}\n${source}\n${sse}`,
        ),
      );
      assert.deepEqual(
        [theirs.status, theirs.output_text],
        [snapshot.status, textOf(snapshot)],
        `program ${number}\n${sse}`,
      );
      assert.deepEqual(
        plain(theirs.output.map(bare)),
        plain(snapshot.output.map(bare)),
        `program ${number}\n${sse}`,
      );
    }
  }
  assert.ok(items > PROGRAMS * 2, `${items} items`);
});

/** Removes the members that the client adds. */
function bare({ parsed_arguments: _, ...item }) {
  if (Array.isArray(item.content)) {
    item.content = item.content.map(({ parsed: __, ...part }) => part);
  }
  return item;
}

function textOf({ output }) {
  return output
    .flatMap(({ type, content }) => (type === "message" ? content : []))
    .map(({ text }) => text ?? "")
    .join("");
}
