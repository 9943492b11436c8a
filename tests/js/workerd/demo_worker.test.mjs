import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { read } from "agentwire";
import { openSite } from "../browser/playground.mjs";
import { until } from "../support/until.mjs";

describe("the demo worker", () => {
  let site;
  before(async () => {
    site = await openSite();
  });
  after(() => site?.close());

  const post = (body, options) =>
    fetch(`${site.url}/process`, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...options,
      headers: { "content-type": "application/json", ...options?.headers },
    });
  const asking = (text, demo) => ({
    input: [{ role: "user", content: [{ type: "text", text }] }],
    session_id: "s",
    user_id: "u",
    biz_params: { demo },
  });
  const outcomeOf = (body) => read(post(body), { protocol: "agent-api" }).finished();

  test("continues a session by its id, per user", async () => {
    const session_id = crypto.randomUUID();
    const said = async (text, user_id = "u") =>
      (await outcomeOf({ ...asking(text, undefined), session_id, user_id })).snapshot.output.at(-1)
        .content[0].text;
    await said("echo My name is Ada");
    assert.equal(await said("What did I say?"), "Before this you said: “echo My name is Ada”.");
    assert.equal(await said("What did I say?", "v"), "You have said nothing before.");
    assert.equal(await said("Who am I?", "v"), "You are v.");
  });

  test("responds with reasoning, a tool call, text and an image", async () => {
    const {
      snapshot: response,
      toolCalls,
      report,
    } = await outcomeOf(asking("杭州的天气怎么样？", { delay: 0 }));
    assert.deepEqual(report.violations, []);
    assert.equal(report.endReason, "completed");
    assert.equal(response.status, "completed");
    assert.equal(response.session_id, "s");
    const notes = response.output.filter(({ type }) => type.startsWith("agentwire."));
    assert.deepEqual(
      response.output
        .filter((message) => !notes.includes(message))
        .map(({ type, role, status }) => [type, role, status]),
      [
        ["reasoning", "assistant", "completed"],
        ["plugin_call", "assistant", "completed"],
        ["plugin_call_output", "tool", "completed"],
        ["message", "assistant", "completed"],
      ],
    );
    const [{ name, state, callId }] = toolCalls;
    assert.deepEqual(
      { name, state, callId },
      { name: "get_weather", state: "answered", callId: "call_hangzhou_1" },
    );
    const dataOf = (name) =>
      notes
        .filter(({ type }) => type === `agentwire.${name}`)
        .map(({ content }) => content[0].data);
    assert.deepEqual(
      dataOf("state").map(({ value }) => [value.city, value.phase]),
      [
        ["Hangzhou", "thinking"],
        ["Hangzhou", "answered"],
      ],
    );
    assert.deepEqual(
      [...dataOf("step-start"), ...dataOf("step-end")].map(({ name }) => name),
      Array(2).fill("look up the weather"),
    );
    const activities = dataOf("activity");
    assert.ok(
      activities.every(
        ({ id, activityType }) => id === activities[0].id && activityType === "WEATHER_SEARCH",
      ),
    );
    assert.equal(activities.at(-1).content.answered, activities.at(-1).content.stations);
    const [text, image] = response.output.find(({ type }) => type === "message").content;
    assert.match(text.text, /^杭州现在 .*⛅️|☀️|🌦️|🌬️.*👨‍👩‍👧:$/su);
    assert.match(image.image_url, /^data:image\/svg\+xml;base64,[A-Za-z0-9+/]+=*$/);
    assert.ok(response.usage.output_tokens > 0);
  });

  test("streams the arguments of a call in deltas", async () => {
    const text = await (await post(asking("Berlin", { delay: 0 }))).text();
    const pieces = eventsOf(text).filter(({ type, delta }) => type === "data" && delta);
    assert.ok(pieces.length > 3);
    assert.deepEqual(JSON.parse(pieces.map(({ data }) => data.arguments).join("")), {
      city: "Berlin",
      unit: "celsius",
      days: 5,
    });
  });

  test("responds deterministically", async () => {
    const streams = await Promise.all(
      [1, 2].map(async () => (await post(asking("Lisbon", { delay: 0 }))).text()),
    );
    const [one, other] = streams.map(anonymous);
    assert.equal(one, other);
    assert.notEqual(one, anonymous(await (await post(asking("Tokyo", { delay: 0 }))).text()));
  });

  for (const [question, answer] of [
    ["What is the weather like in Paris?", /^Paris现在/],
    ["巴黎的天气怎么样？", /^Paris现在/],
    ["Is it warm in San José?", /^San José现在/],
    ["weather in reykjavík", /^Reykjavík现在/],
    ["昆明天气怎么样", /^昆明现在/],
    [
      "Compare Paris and 东京",
      /^- Paris: \d+ °C.*\n- Tokyo: .*\n\nIt is warmest in (Paris|Tokyo)\.$/,
    ],
    ["How is the weather?", /^杭州现在/],
    ["What is love?", /^You asked “What is love\?”/],
  ]) {
    test(`answers the question: ${question}`, async () => {
      const { snapshot: response, report } = await outcomeOf(asking(question, { delay: 0 }));
      assert.deepEqual(report.violations, []);
      assert.match(response.output.find(({ type }) => type === "message").content[0].text, answer);
    });
  }

  test("runs a subagent for each city", async () => {
    const { snapshot: response } = await outcomeOf(
      asking("Compare Paris and Berlin", { delay: 0 }),
    );
    const dataOf = (name) =>
      response.output
        .filter(({ type }) => type === `agentwire.${name}`)
        .map(({ content }) => content[0].data);
    assert.deepEqual(
      dataOf("lane-start").map(({ name }) => name),
      ["scout of Paris", "scout of Berlin"],
    );
    assert.deepEqual(
      dataOf("lane-end").map(({ status, result }) => [status, result.city]),
      [
        ["completed", "Paris"],
        ["completed", "Berlin"],
      ],
    );
  });

  for (const [variant, status, trigger] of [
    ["failure", "failed", "please fail in 杭州"],
    ["cancel", "canceled", "取消"],
    ["incomplete", "incomplete", "an incomplete one"],
    ["reject", "rejected", "please reject this"],
    ["echo", "completed", "echo 你好 👋"],
  ]) {
    test(`runs the variant ${variant}, by option and by prompt`, async () => {
      for (const body of [
        asking("anything", { variant, delay: 0 }),
        asking(trigger, { delay: 0 }),
      ]) {
        const { snapshot: response, report } = await outcomeOf(body);
        assert.equal(response.status, status);
        assert.equal(report.endReason, "completed");
        assert.deepEqual(report.violations, []);
      }
    });
  }

  test("sends an AgentError with its code and message", async () => {
    const { snapshot: response } = await outcomeOf(
      asking("杭州", { variant: "failure", delay: 0 }),
    );
    assert.deepEqual(response.error, {
      code: "WEATHER_STATION_SILENT",
      message: "the weather station does not answer any more (气象站没有响应)",
    });
    // The text before the failure stays.
    assert.match(
      response.output.find(({ type }) => type === "message").content[0].text,
      /^杭州现在/,
    );
  });

  test("echoes the last user text, with all kinds of characters", async () => {
    const said = "line\r\nline\u2028\u0085\u0000 مرحبا 👨‍👩‍👧 \ud83d";
    const { snapshot: response } = await outcomeOf(asking(`echo ${said}`, { delay: 0 }));
    assert.equal(response.output[0].content[0].text, said.toWellFormed());
    const chinese = await outcomeOf(asking("重复 你好", { delay: 0 }));
    assert.equal(chinese.snapshot.output[0].content[0].text, "你好");
  });

  test("streams a long response with the requested number of tokens", async () => {
    const { snapshot: response, report } = await outcomeOf(
      asking("go", { variant: "long", tokens: 5000, delay: 0 }),
    );
    assert.equal(response.status, "completed");
    assert.equal(report.events, 5000 + 6);
    assert.deepEqual(report.violations, []);
  });

  test("sends heartbeats while the agent is silent", async () => {
    const text = await (
      await post(asking("杭州", { variant: "echo", delay: 350, heartbeat: 100 }))
    ).text();
    assert.ok(text.split("\n\n").filter((frame) => frame === ": heartbeat").length >= 2, text);
  });

  test("uses the ids of the request", async () => {
    const { snapshot: response } = await outcomeOf({
      ...asking("echo hi", { delay: 0 }),
      id: "response_mine",
      session_id: "会话",
    });
    assert.equal(response.id, "response_mine");
    assert.equal(response.session_id, "会话");
    const other = await outcomeOf({ ...asking("echo hi", { delay: 0 }), session_id: null });
    assert.match(other.snapshot.session_id, /^[0-9a-f-]{36}$/);
  });

  test("sends headers that prevent buffering and caching", async () => {
    const answer = await post(asking("echo hi", { delay: 0 }), {
      headers: { origin: "https://elsewhere.example" },
    });
    await answer.text();
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), "text/event-stream; charset=utf-8");
    assert.match(answer.headers.get("cache-control"), /no-cache.*no-transform/);
    assert.equal(answer.headers.get("x-accel-buffering"), "no");
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
  });

  test("rejects a body that is not a JSON object with 422", async () => {
    for (const [body, type] of [
      ["{", "json_invalid"],
      ["[]", "dict_type"],
      ["7", "dict_type"],
      ["", "missing"],
    ]) {
      const answer = await post(body);
      assert.equal(answer.status, 422, body);
      const { detail } = await answer.json();
      assert.equal(detail[0].type, type, body);
      assert.equal(detail[0].loc[0], "body");
    }
    await assert.rejects(read(post("[]"), { protocol: "agent-api" }).finished(), {
      name: "HttpError",
      code: "http-status",
      status: 422,
    });
  });

  test("rejects a body that is too large before it is complete", async () => {
    for (const path of ["/process", "/send-message"]) {
      const pieces = [...Array(4).fill(1 << 20), 1].map((length) =>
        new Uint8Array(length).fill(32),
      );
      // No more data is sent, and the body does not end: a client that sends while the server
      // closes may lose the response.
      const body = new ReadableStream({
        pull: (controller) => {
          const piece = pieces.shift();
          if (piece !== undefined) controller.enqueue(piece);
        },
      });
      const answer = await fetch(site.url + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        duplex: "half",
      });
      assert.equal(answer.status, 413, path);
      assert.equal((await answer.json()).detail[0].type, "body_too_long");
    }
  });

  test("rejects an invalid request with one error frame", async () => {
    for (const body of [
      {},
      { input: 5 },
      { input: [{ role: "critic" }] },
      { input: [{ content: [{ type: "smell" }] }], n: 9 },
    ]) {
      const answer = await post(body);
      assert.equal(answer.status, 200);
      const text = await answer.text();
      assert.match(
        text,
        /^data: \{"error": "\d validation errors? for AgentRequest\\n[^\n]*"\}\n\n$/,
      );
      const { snapshot: response, report } = await read(new Response(text).body, {
        protocol: "agent-api",
      }).finished();
      assert.equal(report.endReason, "error");
      assert.equal(response.status, "failed");
    }
  });

  test("stops the agent when the client disconnects", async () => {
    const health = async () => (await (await fetch(`${site.url}/health`)).json()).runs;
    const before = await health();
    const ways = [
      async () => {
        const abort = new AbortController();
        const run = read(post(asking("杭州", { delay: 200 }), { signal: abort.signal }), {
          protocol: "agent-api",
          signal: abort.signal,
        });
        for await (const _ of run) break;
        abort.abort();
      },
      async () => {
        const reader = (await post(asking("杭州", { delay: 200 }))).body.getReader();
        await reader.read();
        await reader.cancel();
      },
    ];
    await Promise.all(ways.map((leave) => leave()));
    await until(async () => {
      const { active, stopped } = await health();
      return active === before.active && stopped === before.stopped + ways.length;
    }, 50);
  });

  test("serves many runs concurrently", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, (_, at) => outcomeOf(asking(`echo number ${at}`, { delay: 1 }))),
    );
    outcomes.forEach(({ snapshot: response, report }, at) => {
      assert.equal(response.output[0].content[0].text, `number ${at}`);
      assert.deepEqual(report.violations, []);
    });
  });

  test("serves files, health and CORS preflights, and returns 404 and 405", async () => {
    const request = async (path, options) => {
      const answer = await fetch(site.url + path, options);
      return [
        answer.status,
        answer.headers.get("content-type")?.split(";")[0] ?? null,
        await answer.text(),
        answer.headers,
      ];
    };
    assert.match((await request("/"))[2], /<title>agentwire playground<\/title>/);
    assert.equal((await request("/", { method: "HEAD" }))[0], 200);
    assert.equal((await request("/main.js"))[1], "text/javascript");
    const [status, type, body] = await request("/health");
    assert.deepEqual([status, type, JSON.parse(body).status], [200, "application/json", "healthy"]);
    assert.deepEqual((await request("/nothing")).slice(0, 2), [404, "application/json"]);
    const [notAllowed, json, , headers] = await request("/process");
    assert.deepEqual(
      [notAllowed, json, headers.get("allow")],
      [405, "application/json", "POST, OPTIONS"],
    );
    assert.equal((await request("/", { method: "POST" }))[0], 405);
    const [preflight, , , cors] = await request("/process", {
      method: "OPTIONS",
      headers: { origin: "https://elsewhere.example", "access-control-request-method": "POST" },
    });
    assert.equal(preflight, 204);
    assert.match(cors.get("access-control-allow-methods"), /POST/);
  });
});

/** The events of a stream. */
function eventsOf(text) {
  return text
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: "))
    .map((frame) => JSON.parse(frame.slice("data: ".length)));
}

/** Returns a stream without the values that differ from run to run. */
function anonymous(text) {
  const names = new Map();
  const named = text.replace(/(msg|response|activity)_[0-9a-f-]{32,36}/g, (id, kind) => {
    if (!names.has(id)) {
      names.set(id, `${kind}_${names.size}`);
    }
    return names.get(id);
  });
  return named.replace(/"(created_at|completed_at)":\d+/g, '"$1":0');
}
