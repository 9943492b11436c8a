// Reads one case of the corpus, of any protocol, with all chunk sizes. Independent of the platform:
// Node, workers and pages share it.
import { crlf, excerpt, pieces, sizes } from "./cuts.mjs";

/**
 * Returns the errors with which `agentwire` (the package's exports) reads a case; empty without
 * errors.
 *
 * @param wanted the files of the case, as `cases.mjs` reads them; with `only` the protocol is the
 * only one that is read
 * @returns {string[]}
 */
/** The end reasons, by their names in `case.json` and in Rust. */
const END_REASONS = {
  terminal: "completed",
  "error-frame": "error",
  eof: "truncated",
  aborted: "aborted",
  refused: "refused",
};

export function complaints(agentwire, wanted) {
  const { parseJson, stringifyJson } = agentwire;
  const { path, stream, options } = wanted;
  const found = [];
  const compare = (how, file, actual, expected) => {
    if (actual !== expected) {
      found.push(
        `${path}/${file}, ${how}:\n  ${excerpt(actual, expected)}\n  instead of\n  ${excerpt(expected, actual)}`,
      );
    }
  };
  // The order of an object's members has no meaning. Where some members arrive later it differs:
  // natively it is that of the declaration.
  const normal = (json) => stringifyJson(sorted(parseJson(json)));
  const expected = {
    snapshot: normal(wanted.snapshot),
    toolCalls: wanted.toolCalls && normal(wanted.toolCalls),
  };
  const violations = parseJson(wanted.violations);
  // `moved` maps an offset of the stream to the offset in the bytes that were read.
  const check = (how, { snapshot, toolCalls, report }, moved = (offset) => offset) => {
    compare(how, "snapshot.json", stringifyJson(sorted(snapshot)), expected.snapshot);
    if (expected.toolCalls !== null) {
      compare(how, "tool_calls.json", stringifyJson(sorted(toolCalls)), expected.toolCalls);
    }
    compare(how, "case.json: ended", report.endReason, END_REASONS[wanted.ended]);
    const broken = violations.map((violation) => ({
      ...row(violation),
      offset: moved(violation.offset),
    }));
    compare(
      how,
      "violations.json",
      stringifyJson(report.violations.map(row)),
      stringifyJson(broken),
    );
  };
  const read = (chunks, look = () => false, more = {}) => {
    const decoder = new agentwire.Decoder({ protocol: wanted.protocol, ...options, ...more });
    for (const chunk of chunks) {
      decoder.push(chunk);
      look(decoder);
    }
    return decoder.finish();
  };
  const whole = read([stream]);
  check("whole", whole);
  check("byte by byte", read(pieces(stream, () => 1)));
  check(
    "byte by byte, every update taken",
    read(
      pieces(stream, () => 1),
      (decoder) => decoder.update(),
    ),
  );
  for (let seed = 1; seed <= 3; seed++) {
    const cut = read(pieces(stream, sizes(seed)), (decoder) => seed === 2 && decoder.update());
    check(`random cuts, seed ${seed}`, cut);
    compare(
      `random cuts, seed ${seed}`,
      "the report",
      stringifyJson(cut.report),
      stringifyJson(whole.report),
    );
  }
  // CRLF line ends would be doubled, and binary frames have none.
  if (!stream.includes(13) && options.framing !== "length-prefixed") {
    const moved = (offset) =>
      offset + stream.subarray(0, offset).filter((byte) => byte === 10).length;
    check("CRLF", read([crlf(stream)]), moved);
    check("CRLF byte by byte", read(pieces(crlf(stream), () => 1)), moved);
  }
  if (wanted.only) {
    return found;
  }
  const protocols = new Set();
  const note = ({ protocol }) => protocol !== undefined && protocols.add(protocol);
  const told = read(pieces(stream, sizes(4)), note, { protocol: "auto" });
  // A stream whose events belong to another protocol is read in that protocol.
  if (wanted.detected === wanted.protocol) {
    check("told by its first event", told);
  }
  // Without an event, the end selects the protocol.
  note(told);
  compare("told by its first event", "case.json: protocol", [...protocols].join(), wanted.detected);
  return found;
}

/**
 * Returns the row of `violations.json` for a violation, without the text of its rule, which is
 * compared natively.
 */
function row({ rule, severity, event, offset, messageId, index }) {
  return { rule, severity, event, offset, messageId, index };
}

/** Returns the same value with the members of its objects sorted by name. */
export function sorted(value) {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const entries = Object.entries(value).map(([name, member]) => [name, sorted(member)]);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
