// The native rows: builds `benches/native` and runs it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run, said } from "../children.mjs";
import { CORPUS_FILES, writeCorpusFiles } from "../corpus_files.mjs";
import { CELLS, CONVERTING, columnName } from "../cells.mjs";
import { ROOT } from "../place.mjs";
import { shortStreams } from "../recorded.mjs";
import { Sections } from "./sections.mjs";

const PROGRAM = join(ROOT, "target/bench-native/agentwire-bench");

/**
 * The C library returns large blocks to the system at once and gets new ones that the kernel has to
 * clear, page by page. With streams of 64 MB that would dominate the measurement, so the library is
 * configured to keep its memory.
 */
const KEEP_MEMORY = { MALLOC_MMAP_MAX_: "0", MALLOC_TRIM_THRESHOLD_: String(2 ** 40) };

export async function native(effort, say, { instructions }) {
  const sections = new Sections("native", say);
  await writeCorpusFiles();
  say("native: build");
  await build();
  const measure = (job, { rounds, warm }, rest = [], env = {}) =>
    said(PROGRAM, [job, String(rounds), String(warm), ...rest], env);
  await sections.run("cells", "the table", () =>
    measure("cells", effort.nativeCells, [CORPUS_FILES]),
  );
  await sections.run("emission", "emission", () => measure("emission", effort.emission));
  await sections.run("scaling", "scaling", () =>
    measure("scaling", effort.nativeScaling, [], KEEP_MEMORY),
  );
  if (instructions) {
    await sections.run("instructions", "instructions", () =>
      countInstructions(sections.results.cells),
    );
  }
  const { output: rustc } = await run("rustc", ["--version"]);
  const versions = {
    rustc: rustc.trim().split(" ")[1],
    ...lockedVersions(["sse-stream", "serde_json", "serde"]),
  };
  return { versions, ...sections.results, failures: sections.failures };
}

async function build() {
  const profile = join(ROOT, "benches/native/profile.toml");
  const manifest = join(ROOT, "Cargo.toml");
  const args = [
    "build",
    "--locked",
    "--manifest-path",
    manifest,
    "--config",
    profile,
    "--profile",
    "bench-native",
  ];
  await run(process.env.CARGO ?? "cargo", [...args, "--package", "agentwire-bench"]);
}

/**
 * Counts the instructions per pass: the difference between three passes and one, so that loading
 * the files is not included.
 */
async function countInstructions(cells) {
  try {
    await run("valgrind", ["--version"]);
  } catch {
    return { missing: "valgrind is not installed" };
  }
  const names =
    cells === undefined ? [] : [cells[0].subject, ...cells[0].opponents].map(({ name }) => name);
  const counted = [];
  for (const cell of CELLS) {
    const passes = {};
    for (const name of names) {
      const [three, one] = [await collected(cell, name, 3), await collected(cell, name, 1)];
      passes[name] = (three - one) / 2;
    }
    counted.push({ column: columnName(cell), corpus: cell[0], passes });
  }
  const conversions = [];
  for (const row of CONVERTING) {
    const corpus = `${row.from === "responses" ? "responses-" : ""}${row.stream}`;
    const job = ["count-conversion", CORPUS_FILES, corpus, row.from, row.to];
    const pass = ((await collectedBy([...job, "3"])) - (await collectedBy([...job, "1"]))) / 2;
    const events = readFileSync(join(CORPUS_FILES, `${corpus}.sse`), "utf8").match(
      /^data:/gm,
    ).length;
    conversions.push({ row, perEvent: pass / events });
  }
  const recorded = [];
  for (const chunking of ["net", "event"]) {
    const cell = ["recorded", chunking];
    const pass =
      ((await collected(cell, "agentwire", 3)) - (await collected(cell, "agentwire", 1))) / 2;
    recorded.push({ chunking, perStream: pass / shortStreams().length });
  }
  return { counted, recorded, conversions };
}

function collected(cell, name, passes) {
  return collectedBy(["count", CORPUS_FILES, ...cell, name, String(passes)]);
}

async function collectedBy(job) {
  const tool = ["--tool=callgrind", "--callgrind-out-file=/dev/null"];
  const { errors } = await run("valgrind", [...tool, PROGRAM, ...job]);
  return Number(/Collected : (\d+)/.exec(errors)[1]);
}

function lockedVersions(names) {
  const lock = readFileSync(join(ROOT, "Cargo.lock"), "utf8");
  const version = (name) => new RegExp(`name = "${name}"\nversion = "([^"]+)"`).exec(lock)?.[1];
  return Object.fromEntries(names.map((name) => [name, version(name)]));
}
