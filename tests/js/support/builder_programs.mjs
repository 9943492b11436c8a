// Reads the corpus of random programs of the real builder. Depends on no platform: node, workers
// and pages share it.
import { crlf, excerpt, pieces, sizes } from "../node/support/cuts.mjs";
import exceptions from "../../data/builder_programs/exceptions.json" with { type: "json" };

/**
 * Returns the errors with which `agentwire` (the package's exports) reads the programs; empty
 * without errors.
 *
 * @param {Uint8Array} packed `programs.jsonl.gz`
 * @param {boolean} committed whether it is the corpus that needs every exception, and not another
 * one
 * @returns {Promise<string[]>} the errors; `README.md` describes the comparison
 */
export async function complaintsAbout(agentwire, packed, committed = true) {
  const lines = (await decompressed(packed)).trimEnd().split("\n");
  const needed = new Set();
  const found = lines.flatMap((line) => complaints(agentwire, agentwire.parseJson(line), needed));
  if (committed) {
    const listed = [...Object.keys(exceptions.departs), ...Object.keys(exceptions.violations)];
    found.push(
      ...listed
        .filter((name) => !needed.has(name))
        .map((name) => `an exception that no program needs: ${name}`),
    );
    if (lines.length !== 500) {
      found.push(`${lines.length} programs`);
    }
  }
  return found;
}

function complaints(agentwire, { program, stream: text, held, departs, errors }, needed) {
  const found = [];
  const compare = (what, actual, expected) => {
    if (actual !== expected) {
      found.push(
        `${program}, ${what}:\n  ${excerpt(actual, expected)}\n  instead of\n  ${excerpt(expected, actual)}`,
      );
    }
  };
  const canonical = (value) => agentwire.stringifyJson(sorted(value));
  for (const { at, why, reads } of departs) {
    const path = at.split("/").slice(1);
    const last = path.pop();
    const holder = path.reduce((value, step) => value[step], held);
    if (canonical(holder[last]) === canonical(reads)) {
      found.push(`${program}: ${at} does not depart`);
    }
    holder[last] = reads;
    needed.add(why);
    if (!(why in exceptions.departs)) {
      found.push(`${program}: no reason ${why}`);
    }
  }
  const expected = canonical(held);
  const stream = new TextEncoder().encode(text);
  const read = (chunks, looks = false) => {
    const decoder = new agentwire.Decoder();
    for (const chunk of chunks) {
      decoder.push(chunk);
      if (looks) {
        decoder.update();
      }
    }
    return decoder.finish();
  };
  const whole = read([stream]);
  for (const { rule, severity, detail } of whole.report.violations) {
    needed.add(rule);
    if (!(severity === "error" || rule in exceptions.violations)) {
      found.push(`${program}: ${rule}: ${detail}`);
    }
  }
  const check = (how, outcome) => {
    compare(how, canonical(stripped(outcome.snapshot)), expected);
    const bad = outcome.report.violations.filter(({ severity }) => severity === "error");
    compare(
      `${how}: the errors`,
      JSON.stringify(bad.map(({ rule, messageId, index }) => [rule, messageId, index])),
      agentwire.stringifyJson(errors),
    );
    compare(`${how}: the violations`, places(outcome), places(whole));
  };
  check("whole", whole);
  check("byte by byte", read(pieces(stream, () => 1)));
  check("random cuts", read(pieces(stream, sizes(1))));
  check("random cuts, every update taken", read(pieces(stream, sizes(2)), true));
  check("CRLF byte by byte", read(pieces(crlf(stream), () => 1)));
  return found;
}

/** All of the violations but their offsets, which a CR moves. */
function places({ report }) {
  return JSON.stringify(
    report.violations.map(({ rule, event, messageId, index }) => [rule, event, messageId, index]),
  );
}

/** The same value with the members of its objects in one order. */
function sorted(value) {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (value === null || typeof value !== "object") {
    return value;
  }
  const members = Object.entries(value).map(([key, member]) => [key, sorted(member)]);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function decompressed(packed) {
  return new Response(
    new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")),
  ).text();
}

/** Properties that are not compared. */
const DROPPED = new Set(["sequence_number", "object", "delta", "msg_id"]);

/**
 * A response without the dropped members: in itself, its messages and their contents, not in free
 * JSON.
 */
function stripped(object, lists = ["output", "content"]) {
  const [list, ...deeper] = lists;
  const members = Object.entries(object).filter(([key]) => !DROPPED.has(key));
  return Object.fromEntries(
    members.map(([key, value]) => [
      key,
      key === list ? value.map((item) => stripped(item, deeper)) : value,
    ]),
  );
}
