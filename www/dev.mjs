// Runs the whole project on this machine: the worker in the edge runtime, the playground, and one
// run, read with the package.
// `cargo xtask demo` builds the package and then runs this.
//
//   node www/dev.mjs [--port N] [--check]
//
// It serves until it is interrupted; with --check it ends after the run, with status 0 if all
// checks passed.
import { createServer } from "node:net";
import { parseArgs } from "node:util";
import { read, version } from "agentwire";
import { startSite } from "./site.mjs";
import { bold, dim, green, printRun, printVerdict, red } from "./terminal.mjs";

const FIRST_PORT = 8787;
// A scripted run, and one of a model: of the one that is configured, or of the one that the worker
// contains.
const QUESTIONS = ["What is the weather like in 杭州?", "Ask the model for the weather in Lisbon."];

const { port, check } = options();
if (port && !(await isFree(port))) {
  fail(`port ${port} is taken`);
}
console.log(`${bold("agentwire")} ${version()}  ${dim("building the worker and the playground…")}`);
// Ends the runtime's process with this one, also after a signal.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => process.exit(0));
}
const site = await startSite({ port: port ?? (await firstFree(FIRST_PORT)) });

try {
  const well = await demonstrate(site.url);
  if (check) {
    await stop(well ? 0 : 1);
  } else {
    console.log(`\n  ${bold("playground")}  ${green(`${site.url}/`)}  ${dim("Ctrl+C stops it")}`);
  }
} catch (error) {
  console.error(red(error.stack ?? String(error)));
  await stop(1);
}

/** Streams the runs and requests the page; resolves to whether all are correct. */
async function demonstrate(url) {
  const complaints = [];
  for (const question of QUESTIONS) {
    console.log(`\n  ${dim(`POST ${url}/process`)}  ${question}`);
    const { outcome, milliseconds } = await printRun(read(ask(url, question)));
    printVerdict(outcome, milliseconds);
    complaints.push(...complaintsAbout(outcome));
  }
  if (!(await isPlayground(url))) {
    complaints.push(`${url}/ is not the playground`);
  }
  for (const complaint of complaints) {
    console.error(red(`  ✗ ${complaint}`));
  }
  return complaints.length === 0;
}

function complaintsAbout({ snapshot: response, toolCalls, report }) {
  return [
    response.status !== "completed" && `the run is ${response.status}, not completed`,
    report.endReason !== "completed" &&
      `the stream ended ${report.endReason}, not with its terminal event`,
    report.violations.length > 0 && "the stream is illegal",
    toolCalls[0]?.state !== "answered" && "the tool call was not answered",
  ].filter(Boolean);
}

function ask(url, question) {
  return fetch(`${url}/process`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      input: [{ role: "user", content: [{ type: "text", text: question }] }],
      session_id: "demo",
      user_id: "demo",
    }),
  });
}

async function isPlayground(url) {
  const page = await fetch(`${url}/`);
  const script = await fetch(`${url}/main.js`);
  const scriptBytes = (await script.arrayBuffer()).byteLength;
  return (
    page.ok && (await page.text()).includes("agentwire playground") && script.ok && scriptBytes > 0
  );
}

/** Sets the exit code without `process.exit`: the runtime removes its folders in the background. */
async function stop(status) {
  process.exitCode = status;
  await site.close();
}

function options() {
  let values;
  try {
    ({ values } = parseArgs({
      options: { port: { type: "string" }, check: { type: "boolean", default: false } },
    }));
  } catch (error) {
    fail(error.message);
  }
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65535)) {
    fail("--port needs a number from 0 to 65535");
  }
  return { port, check: values.check };
}

/** Returns the first free port from `from` on. */
async function firstFree(from) {
  for (let candidate = from; candidate < from + 100; candidate++) {
    if (await isFree(candidate)) {
      return candidate;
    }
  }
  return 0;
}

function isFree(candidate) {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(candidate, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

function fail(message) {
  console.error(`${red(message)}\nusage: node www/dev.mjs [--port N] [--check]`);
  process.exit(2);
}
