#!/usr/bin/env node
// Runs all measurements: `node benches/run.mjs [--quick] [--home
// native|node|chromium|runs|stores|gateway]
// [--instructions] [--write]`. The meaning of the figures is in README.md.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { CORPORA, corpus } from "./corpus.mjs";
import { FULL, QUICK } from "./effort.mjs";
import { chromium } from "./homes/chromium.mjs";
import { gateway } from "./homes/gateway.mjs";
import { native } from "./homes/native.mjs";
import { node } from "./homes/node.mjs";
import { runs } from "./homes/runs.mjs";
import { stores } from "./homes/stores.mjs";
import { ROOT } from "./place.mjs";
import { homeReport } from "./report/home.mjs";
import { plot } from "./report/plot.mjs";
import { bounds, resultsFile } from "./report/results_file.mjs";

const HOMES = { native, node, chromium, runs, stores, gateway };
/** Results of earlier runs, so that a run of one home keeps the others' in RESULTS.md. */
const KEPT = join(ROOT, "target/bench-results");

const { values: wanted } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    home: { type: "string", multiple: true, default: Object.keys(HOMES) },
    instructions: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const unknown = wanted.home.find((home) => !(home in HOMES));
if (unknown !== undefined) {
  console.error(`there is no home ${unknown}: ${Object.keys(HOMES).join(", ")}`);
  process.exit(2);
}

const began = Date.now();
const corpora = {};
for (const name of CORPORA) {
  const { bytes, events } = await corpus(name);
  corpora[name] = { bytes: bytes.length, events };
}
const measured = {};
for (const home of Object.keys(HOMES).filter((home) => wanted.home.includes(home))) {
  measured[home] = await measure(home);
  console.log(`\n${homeReport(home, measured[home], corpora)}\n`);
}
checkDigests(measured);
console.log(`${bounds(measured)}\n\n${seconds(Date.now() - began)} in all.`);
keep(measured);
if (wanted.write) {
  write();
}
process.exitCode = Object.values(measured).some(({ failures }) => failures.length > 0) ? 1 : 0;

async function measure(home) {
  const [load] = loadavg();
  if (load > 0.7) {
    console.error(
      `${home}: the machine is busy (load ${load.toFixed(1)}): what is measured now is not to be published`,
    );
  }
  const machine = `${cpus().length} × ${cpus()[0].model.trim()}, load ${load.toFixed(1)} at the start`;
  const date = new Date().toISOString().slice(0, 10);
  const say = (line) => console.error(`${seconds(Date.now() - began).padStart(6)}  ${line}`);
  try {
    const result = await HOMES[home](wanted.quick ? QUICK : FULL, say, {
      instructions: wanted.instructions,
    });
    return { date, quick: wanted.quick, machine, ...result };
  } catch (error) {
    const failures = [{ section: "all of it", message: error.message }];
    console.error(error.message);
    return { date, quick: wanted.quick, machine, versions: {}, failures };
  }
}

/** Verifies that the answers are equal in all homes, not only among the contestants of each. */
function checkDigests(homes) {
  const expected = new Map();
  for (const [home, { cells = [] }] of Object.entries(homes)) {
    for (const { corpus, digest } of cells) {
      const first = expected.get(corpus) ?? { home, digest };
      expected.set(corpus, first);
      if (first.digest !== digest) {
        throw new Error(
          `${corpus} comes to ${first.digest} in ${first.home}, to ${digest} in ${home}`,
        );
      }
    }
  }
}

function keep(homes) {
  mkdirSync(KEPT, { recursive: true });
  for (const [home, result] of Object.entries(homes)) {
    writeFileSync(join(KEPT, `${home}.json`), JSON.stringify(result));
  }
}

function write() {
  const homes = {};
  for (const home of Object.keys(HOMES)) {
    const kept = measured[home] ?? earlier(home);
    if (kept !== undefined) {
      homes[home] = kept;
    }
  }
  writeFileSync(join(ROOT, "benches/RESULTS.md"), resultsFile(homes, corpora));
  writeFileSync(join(ROOT, "benches/scaling.svg"), plot(homes));
  console.log("benches/RESULTS.md and benches/scaling.svg are written.");
}

function earlier(home) {
  try {
    return JSON.parse(readFileSync(join(KEPT, `${home}.json`), "utf8"));
  } catch {
    return undefined;
  }
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(0)} s`;
}
