// The gateway compared with LiteLLM's proxy and with Portkey: clients of OpenAI Responses and of Chat
// Completions in front of one upstream, a server of Chat Completions. The CPU time of the proxy's
// process is compared, on one core, so that the clients and the upstream do not count.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../children.mjs";
import { ROOT } from "../place.mjs";
import { spread } from "../statistics.mjs";
import { addedLatency, HELD, memoryOfStreams, SHORT } from "./costs.mjs";

/** The program of LiteLLM, in its virtual environment. */
const LITELLM = process.env.AGENTWIRE_BENCH_LITELLM;
/** The server of `@portkey-ai/gateway`, a file. */
const PORTKEY = process.env.AGENTWIRE_BENCH_PORTKEY;
/** LiteLLM without a key and without requests to other servers. */
const LOCAL = {
  LITELLM_LOG: "ERROR",
  LITELLM_LOCAL_MODEL_COST_MAP: "True",
  LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: "true",
};
/** Milliseconds of a clock tick of the kernel, in which it counts CPU time. */
const TICK = 10;

/**
 * Measures rounds of `streams` concurrent streams, each with `deltas` deltas; the latency of
 * `requests` short answers, one after the other; and the memory of `held` streams.
 */
export async function gatewayLoad({ rounds, streams, deltas, requests, held }, say) {
  if (LITELLM === undefined) {
    return {
      missing:
        "AGENTWIRE_BENCH_LITELLM does not name the program of `pip install 'litellm[proxy]'`",
    };
  }
  const upstream = await startUpstream(deltas);
  const folder = mkdtempSync(join(tmpdir(), "agentwire-gateway-"));
  const proxies = [];
  try {
    await run(process.env.CARGO ?? "cargo", [
      "build",
      "--locked",
      "--release",
      "--manifest-path",
      join(ROOT, "Cargo.toml"),
      "--features",
      "gateway",
      "--bin",
      "agentwire",
    ]);
    proxies.push(
      await start("agentwire: agentwire serve", [
        join(ROOT, "target/release/agentwire"),
        "serve",
        "--upstream",
        upstream.url,
        "--model",
        "m",
        "--listen",
      ]),
    );
    const config = join(folder, "config.yaml");
    // Otherwise it asks the upstream in Responses, too.
    writeFileSync(
      config,
      `model_list: [{model_name: m, litellm_params: {model: hosted_vllm/m, api_base: "${upstream.url}", api_key: none, use_chat_completions_api: true}}]\n`,
    );
    const litellm = await start("LiteLLM: litellm --num_workers 1", [
      LITELLM,
      "--config",
      config,
      "--num_workers",
      "1",
      "--host",
      "127.0.0.1",
      "--port",
    ]);
    // For information: without a conversion.
    const chat = (proxy, name) => ({ ...proxy, name, informal: true, api: CHAT });
    proxies.push(
      litellm,
      chat(proxies[0], "agentwire, clients of Chat Completions"),
      chat(litellm, "LiteLLM, clients of Chat Completions"),
    );
    if (PORTKEY !== undefined) {
      const portkey = await start("Portkey", [process.execPath, PORTKEY, "--headless", "--port="]);
      portkey.headers = {
        "x-portkey-provider": "openai",
        "x-portkey-custom-host": upstream.url,
        authorization: "Bearer none",
      };
      proxies.push(chat(portkey, "Portkey, clients of Chat Completions"));
    }
    const expected = await ask(proxies[0], deltas);
    for (const proxy of proxies) {
      await ask(proxy, deltas, expected);
    }
    const direct = { name: "without a proxy", api: CHAT, url: upstream.url.slice(0, -3) };
    say("latency");
    const latency = await addedLatency(direct, proxies, requests, send);
    const memory = [];
    for (const proxy of proxies) {
      say(`memory, ${proxy.name}`);
      memory.push(await memoryOfStreams(proxy, held, send));
    }
    const times = proxies.map(() => ({ wall: [], cpu: [] }));
    for (let round = 0; round < rounds; round++) {
      for (const [at, proxy] of proxies.entries()) {
        say(`round ${round + 1}, ${proxy.name}`);
        const [cpu, wall] = [cpuTime(proxy), performance.now()];
        await Promise.all(Array.from({ length: streams }, () => ask(proxy, deltas, expected)));
        times[at].wall.push(performance.now() - wall);
        times[at].cpu.push(cpuTime(proxy) - cpu);
      }
    }
    const ratios = (clock, at) =>
      spread(times[at][clock].map((time, round) => time / times[0][clock][round]));
    const [subject, ...opponents] = proxies.map(({ name, informal = false }, at) => ({
      name,
      informal,
      wall: spread(times[at].wall),
      cpu: spread(times[at].cpu),
      ratio: ratios("wall", at),
      cpuRatio: ratios("cpu", at),
    }));
    const costs = proxies.map(({ name }, at) => ({ name, ...latency[at], ...memory[at] }));
    return { rounds, streams, deltas, subject, opponents, requests, held, costs };
  } finally {
    proxies.forEach(({ child }) => child.kill("SIGKILL"));
    rmSync(folder, { recursive: true, force: true });
    upstream.close();
  }
}

/** Starts a proxy on the first core. The last argument that it gets is its address or its port. */
async function start(name, [program, ...args]) {
  const port = await freePort();
  const last = args.pop();
  const address = last === "--listen" ? `127.0.0.1:${port}` : String(port);
  const given = last.endsWith("=") ? [last + address] : [last, address];
  const child = spawn("taskset", ["-c", "0", program, ...args, ...given], {
    stdio: "ignore",
    env: { ...process.env, ...LOCAL },
  });
  const proxy = { name, child, api: RESPONSES, url: `http://127.0.0.1:${port}` };
  while (
    !(await fetch(`${proxy.url}/v1/models`).then(
      ({ status }) => status < 500,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) {
      throw new Error(`${program} does not start`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return proxy;
}

/** An API: its path, the body of a request, and the text and the end of an answer by its events. */
const RESPONSES = {
  path: "/v1/responses",
  body: (input) => ({ model: "m", input, stream: true }),
  delta: ({ type, delta }) => (type === "response.output_text.delta" ? delta : ""),
  isEnd: ({ type }) => type === "response.completed",
};
const CHAT = {
  path: "/v1/chat/completions",
  body: (content) => ({ model: "m", messages: [{ role: "user", content }], stream: true }),
  delta: ({ choices }) => choices[0]?.delta.content ?? "",
  isEnd: ({ choices }) => choices[0]?.finish_reason === "stop",
};

/**
 * Asks once; fails if the answer is not whole, or another one than expected. Resolves to its text.
 */
async function ask(proxy, deltas, expected) {
  const { name, api } = proxy;
  const response = await send(proxy, "Hi");
  const events = (await response.text())
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)));
  const text = events.map(api.delta).join("");
  if (
    !events.some(api.isEnd) ||
    text.length < deltas ||
    (expected !== undefined && text !== expected)
  ) {
    throw new Error(`${name}: ${response.status}, ${text.length} characters, or no end`);
  }
  return text;
}

/** Sends a request with a text. */
function send({ url, api, headers }, text) {
  return fetch(url + api.path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(api.body(text)),
  });
}

/** Returns the CPU time of a process in milliseconds. */
function cpuTime({ child }) {
  const numbers = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  return (Number(numbers[11]) + Number(numbers[12])) * TICK;
}

async function startUpstream(deltas) {
  const event = (delta, finish = null) =>
    `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const pieces = Array.from({ length: deltas }, (_, at) => event({ content: `token${at % 10} ` }));
  const last = `${event({}, "stop")}data: [DONE]\n\n`;
  const server = createServer(async (request, answer) => {
    const asked = (await request.toArray()).join("");
    answer.writeHead(200, { "content-type": "text/event-stream" });
    const sent = asked.includes(SHORT) ? pieces.slice(0, 10) : pieces;
    const isHeld = asked.includes(HELD);
    for (const [at, piece] of [event({ role: "assistant", content: "" }), ...sent].entries()) {
      answer.write(piece);
      // As a model: a chunk of the network for each few tokens.
      if (at % 4 === 0) await new Promise(setImmediate);
      if (isHeld && at === 4) await new Promise((resolve) => setTimeout(resolve, 4_000));
    }
    answer.end(last);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/v1`, close };
}

async function freePort() {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
