// Reads one case of `tests/corpus/agent_api` at every kind of cut. Knows no platform: node, workers and pages share it.

/** Members that say nothing about the answer. */
const DROPPED = new Set(["sequence_number", "object", "delta", "msg_id"]);

/**
 * What is wrong with how `agentwire` (the package's exports) reads a case; empty when nothing is.
 *
 * @param {{ name: string, stream: Uint8Array, snapshot: string, violations: string, toolCalls: string }} wanted the files of the case
 * @returns {string[]}
 */
export function complaints(agentwire, { name, stream, snapshot, violations, toolCalls }) {
  const { parseJson, stringify } = agentwire;
  const answer = stringify(parseJson(snapshot));
  const verdict = stringify(parseJson(violations));
  const calls = stringify(parseJson(toolCalls));
  const found = [];
  const compare = (how, actual, expected) => {
    if (actual !== expected) {
      found.push(`${name}, ${how}:\n  ${excerpt(actual, expected)}\n  instead of\n  ${excerpt(expected, actual)}`);
    }
  };
  const whole = read(agentwire, [stream]);
  const check = (how, outcome) => {
    compare(`${how}: the answer`, stringify(stripped(outcome.response)), answer);
    compare(`${how}: the violations`, stringify(verdictOf(outcome)), verdict);
    compare(`${how}: the tool calls`, stringify(outcome.toolCalls), calls);
  };
  check("whole", whole);
  check("byte by byte", read(agentwire, pieces(stream, () => 1)));
  check("byte by byte, every snapshot read", read(agentwire, pieces(stream, () => 1), (update) => update.snapshot));
  for (let seed = 1; seed <= 3; seed++) {
    const cut = read(agentwire, pieces(stream, sizes(seed)), (update) => seed === 2 && update.snapshot);
    check(`random cuts, seed ${seed}`, cut);
    compare(`random cuts, seed ${seed}: the report`, stringify(cut.report), stringify(whole.report));
  }
  check("CRLF", read(agentwire, [crlf(stream)]));
  check("CRLF byte by byte", read(agentwire, pieces(crlf(stream), () => 1)));
  return found;
}

function read({ Decoder }, chunks, look = () => {}) {
  const decoder = new Decoder();
  for (const chunk of chunks) {
    look(decoder.push(chunk));
  }
  return decoder.finish();
}

/** A response without what is dropped: in itself, its messages and their contents, not in free JSON. */
function stripped(object, lists = ["output", "content"]) {
  const [list, ...deeper] = lists;
  const members = Object.entries(object).filter(([key]) => !DROPPED.has(key));
  return Object.fromEntries(
    members.map(([key, value]) => [key, key === list ? value.map((item) => stripped(item, deeper)) : value]),
  );
}

function verdictOf({ report }) {
  return report.violations.map(({ rule, event, messageId, index }) => ({ rule, event, messageId, index }));
}

function* pieces(bytes, size) {
  for (let from = 0; from < bytes.length; ) {
    const to = from + size();
    yield bytes.subarray(from, to);
    from = to;
  }
}

/** Sizes from 1 to 40, the same for the same seed. */
function sizes(seed) {
  let state = seed * 0x9e3779b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return 1 + ((state >>> 0) % 40);
  };
}

function crlf(bytes) {
  const out = [];
  for (const byte of bytes) {
    byte === 10 ? out.push(13, 10) : out.push(byte);
  }
  return new Uint8Array(out);
}

/** The text from shortly before the place where it differs from the other. */
function excerpt(text, other) {
  let at = 0;
  while (at < text.length && text[at] === other[at]) {
    at++;
  }
  return text.slice(Math.max(0, at - 60), at + 120);
}
