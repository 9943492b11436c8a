// Compares the native reader with the optimized wasm: the same bytes and chunks yield the same
// snapshot, tool calls and report.
//
//   node tests/js/hostile/differential.mjs <seconds> [folder of inputs …]
//   node tests/js/hostile/differential.mjs --mutated <count> [seed]
//
// The first reads the inputs of the folders, and then mutations of them until the time is over; the
// second reads the given number of mutated streams of all corpora, which the native side generates.
// Inputs with a difference are stored in target/fuzz/artifacts/reading; the last line contains the
// number of inputs and the number of differences.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as toolkit from "agentwire";
import * as reader from "agentwire/reader";
import { explain } from "agentwire/rules";
import { sorted } from "../node/support/corpus.mjs";
import { mutations } from "../support/mutations.mjs";

const ROOT = new URL("../../../", import.meta.url);

/** The number of bytes of an input that configure the reader: `LENGTH` in src/setting.rs. */
export const PREFIX = 6;

/** A process that reads natively. */
export class Native {
  #child;
  #pieces;
  #rest = "";

  /** `mutated` contains the count and the seed of generated inputs. */
  constructor(mutated = []) {
    const { CARGO = "cargo", ANSWERS } = process.env;
    const profile = mutated.length > 0 ? ["--release"] : [];
    const run = [
      "run",
      "--quiet",
      "--locked",
      ...profile,
      "--package",
      "agentwire-fuzzing",
      "--bin",
      "answers",
      "--",
      ...mutated,
    ];
    // `ANSWERS` is the path of the compiled program, if it exists.
    const command = ANSWERS === undefined ? [CARGO, run] : [ANSWERS, mutated];
    this.#child = spawn(...command, {
      cwd: fileURLToPath(ROOT),
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#child.stdin.on("error", () => {});
    this.#pieces = this.#child.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
  }

  /** A line of JSON for each input. */
  async answers(inputs) {
    for (const input of inputs) {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(input.length);
      this.#child.stdin.write(length);
      this.#child.stdin.write(input);
    }
    const lines = [];
    while (lines.length < inputs.length) {
      const line = await this.line();
      if (line === undefined) {
        throw new Error(`the native reader ended after ${lines.length} of ${inputs.length} inputs`);
      }
      lines.push(line);
    }
    return lines;
  }

  /** The next line; undefined after the last one. */
  async line() {
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end >= 0) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        return line;
      }
      const { value, done } = await this.#pieces.next();
      if (done) {
        return undefined;
      }
      this.#rest += value;
    }
  }

  close() {
    this.#child.stdin.end();
  }
}

/**
 * Returns a readable description of the difference between the wasm and a line of the native
 * reader; undefined without one.
 */
function difference({ Decoder, parseJson, stringifyJson }, input, line) {
  const { options, from, chunks, look, ...wanted } = JSON.parse(line);
  const decoder = new Decoder(options);
  let at = from;
  for (const length of chunks) {
    decoder.push(input.subarray(at, (at += length)));
    if (look) {
      decoder.update();
    }
  }
  const { protocol, snapshot: answer, toolCalls, report } = decoder.finish();
  for (const [name, value] of Object.entries({
    answer,
    toolCalls,
    report: explained(report, protocol),
  })) {
    // In these objects, members may arrive later: here they are last, natively in the declared
    // order.
    const ordered = ["agent-api", "ag-kit"].includes(protocol) ? (json) => json : sorted;
    const known = name === "report" ? renamed : (json) => json;
    const [ours, natively] = [
      stringifyJson(ordered(value)),
      wanted[name] && stringifyJson(ordered(known(parseJson(wanted[name])))),
    ];
    if (
      wanted[name] !== null &&
      ours !== natively &&
      rounded(ours) !== rounded(natively) &&
      !HALF.test(ours)
    ) {
      return `${name}, ${JSON.stringify(options)}:\n  wasm:   ${ours}\n  native: ${natively}`;
    }
  }
  return undefined;
}

/**
 * Returns the report of the package with the texts of its rules, which the native report contains.
 */
function explained(report, protocol) {
  const violations = report.violations.map(({ actual, ...violation }) => {
    const { expected, recovery } = explain(violation, protocol);
    return { ...violation, expected, actual, recovery };
  });
  return { ...report, violations };
}

/** The end reasons of the package by their native names. */
const END_REASONS = {
  open: null,
  terminal: "completed",
  "error-frame": "error",
  eof: "truncated",
  aborted: "aborted",
  refused: "refused",
};

/** Returns the native report with the names of the package. */
function renamed({ ended, retry, ...report }) {
  const violations = report.violations.map(({ got, recovery, ...violation }) => ({
    ...violation,
    actual: got,
    recovery,
  }));
  return { endReason: END_REASONS[ended], ...report, violations, retryMs: retry };
}

/** Declared integers are numbers in JavaScript, which are rounded beyond 2^53. */
const rounded = (json) => json?.replaceAll(/-?\d{16,}/g, (digits) => String(Number(digits)));

/**
 * An escaped lone surrogate in free JSON: a JavaScript string can contain it; natively it becomes
 * U+FFFD.
 */
const HALF = /\\ud[89a-f][0-9a-f]{2}/;

/**
 * Returns the inputs for which the two differ, each with the difference. The two modules of the
 * package are used alternately.
 */
export async function differences(native, inputs) {
  const found = [];
  // Small batches, so that each is processed quickly.
  for (let from = 0; from < inputs.length; from += 200) {
    const some = inputs.slice(from, from + 200);
    const lines = await native.answers(some);
    some.forEach((input, at) => {
      const what = difference(at % 2 === 0 ? toolkit : reader, input, lines[at]);
      if (what !== undefined) {
        found.push({ input, what });
      }
    });
  }
  return found;
}

/** Endless inputs: these streams, changed, read in every way. */
export function* inputsFrom(streams, seed) {
  const { random, below, mutated } = mutations(streams, seed);
  const rarely = (byte) => (random() < 0.3 ? byte : 0);
  for (;;) {
    const prefix = [
      below(256),
      rarely(below(256)),
      rarely(below(256)),
      below(256),
      below(256),
      below(256),
    ];
    yield Buffer.concat([Buffer.from(prefix), mutated()]);
  }
}

/** Returns the files of a folder; none if it does not exist. */
export async function filesOf(folder) {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(names.map((name) => readFile(new URL(name, folder))));
}

async function search(seconds, folders) {
  const until = Date.now() + 1000 * seconds;
  const native = new Native();
  const inputs = (
    await Promise.all(folders.map((folder) => filesOf(new URL(`${folder}/`, ROOT))))
  ).flat();
  const more = inputsFrom(
    inputs.map((input) => input.subarray(PREFIX)),
    Date.now() & 0xffff,
  );
  let [runs, count] = [0, 0];
  while (Date.now() < until) {
    const some =
      runs < inputs.length
        ? inputs.slice(runs, runs + 200)
        : Array.from({ length: 200 }, () => more.next().value);
    for (const { input, what } of await differences(native, some)) {
      count++;
      await keep(input, what);
    }
    runs += some.length;
  }
  native.close();
  console.log(`${runs} inputs, ${count} findings`);
}

/** Reads the given number of mutated streams; the exit code reports whether one of them differs. */
async function searchMutated(count, seed = "1") {
  const native = new Native([count, seed]);
  let [runs, found] = [0, 0];
  for (let line; (line = await native.line()) !== undefined; runs++) {
    const end = line.indexOf(" ");
    const input = Buffer.from(line.slice(0, end), "hex");
    const what = difference(runs % 2 === 0 ? toolkit : reader, input, line.slice(end + 1));
    if (what !== undefined) {
      found++;
      await keep(input, what);
    }
  }
  native.close();
  console.log(`${runs} inputs, ${found} findings`);
  process.exitCode = found === 0 && runs === Number(count) ? 0 : 1;
}

async function keep(input, what) {
  const artifacts = new URL("target/fuzz/artifacts/reading/", ROOT);
  const path = new URL(`differential-${createHash("sha1").update(input).digest("hex")}`, artifacts);
  await mkdir(artifacts, { recursive: true });
  await writeFile(path, input);
  console.log(`${fileURLToPath(path)}: ${what.slice(0, 2000)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [seconds, ...folders] = process.argv.slice(2);
  await (seconds === "--mutated" ? searchMutated(...folders) : search(Number(seconds), folders));
}
