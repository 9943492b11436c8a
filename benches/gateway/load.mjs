// The gateway compared with LiteLLM's proxy: clients of OpenAI Responses in front of one upstream,
// a server of Chat Completions. The CPU time of the proxy's process is compared, on one core, so
// that the clients and the upstream do not count.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../children.mjs";
import { ROOT } from "../place.mjs";
import { spread } from "../statistics.mjs";

/** The program of LiteLLM, in its virtual environment. */
const LITELLM = process.env.AGENTWIRE_BENCH_LITELLM;
/** LiteLLM without a key and without requests to other servers. */
const LOCAL = {
  LITELLM_LOG: "ERROR",
  LITELLM_LOCAL_MODEL_COST_MAP: "True",
  LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: "true",
};
/** Milliseconds of a clock tick of the kernel, in which it counts CPU time. */
const TICK = 10;

/** Measures rounds of `streams` concurrent streams, each with `deltas` deltas. */
export async function gatewayLoad({ rounds, streams, deltas }, say) {
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
    proxies.push(litellm, {
      ...litellm,
      name: "LiteLLM, clients of Chat Completions",
      informal: true,
      api: CHAT,
    });
    const expected = await ask(proxies[0], deltas);
    for (const proxy of proxies) {
      await ask(proxy, deltas, expected);
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
    return { rounds, streams, deltas, subject, opponents };
  } finally {
    proxies.forEach(({ child }) => child.kill("SIGKILL"));
    rmSync(folder, { recursive: true, force: true });
    upstream.close();
  }
}

/** Starts a proxy on the first core. The last argument that it gets is its address or its port. */
async function start(name, [program, ...args]) {
  const port = await freePort();
  const address = args.at(-1) === "--listen" ? `127.0.0.1:${port}` : String(port);
  const child = spawn("taskset", ["-c", "0", program, ...args, address], {
    stdio: "ignore",
    env: { ...process.env, ...LOCAL },
  });
  const proxy = { name, child, api: RESPONSES, url: `http://127.0.0.1:${port}` };
  while (
    !(await fetch(`${proxy.url}/v1/models`).then(
      ({ ok }) => ok,
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
  body: { model: "m", input: "Hi", stream: true },
  delta: ({ type, delta }) => (type === "response.output_text.delta" ? delta : ""),
  isEnd: ({ type }) => type === "response.completed",
};
const CHAT = {
  path: "/v1/chat/completions",
  body: { model: "m", messages: [{ role: "user", content: "Hi" }], stream: true },
  delta: ({ choices }) => choices[0]?.delta.content ?? "",
  isEnd: ({ choices }) => choices[0]?.finish_reason === "stop",
};

/**
 * Asks once; fails if the answer is not whole, or another one than expected. Resolves to its text.
 */
async function ask({ name, url, api }, deltas, expected) {
  const response = await fetch(url + api.path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(api.body),
  });
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
    request.resume();
    answer.writeHead(200, { "content-type": "text/event-stream" });
    for (const [at, piece] of [event({ role: "assistant", content: "" }), ...pieces].entries()) {
      answer.write(piece);
      // As a model: a chunk of the network for each few tokens.
      if (at % 4 === 0) await new Promise(setImmediate);
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
