// Reads one case of the corpora at every kind of cut. Knows no platform: node, workers and pages share it.
import { agentApiCase } from "./corpus_agent_api.mjs";
import { agKitCase } from "./corpus_ag_kit.mjs";
import { crlf, excerpt, pieces, sizes } from "./cuts.mjs";

/**
 * What is wrong with how `agentwire` (the package's exports) reads a case; empty when nothing is.
 *
 * @param wanted the files of the case, as `cases.mjs` reads them
 * @returns {string[]}
 */
export function complaints(agentwire, wanted) {
  const { stringify } = agentwire;
  const { name, stream } = wanted;
  const { options, comparisons } = wanted.protocol === "ag-kit" ? agKitCase(agentwire, wanted) : agentApiCase(agentwire, wanted);
  const found = [];
  const compare = (how, actual, expected) => {
    if (actual !== expected) {
      found.push(`${name}, ${how}:\n  ${excerpt(actual, expected)}\n  instead of\n  ${excerpt(expected, actual)}`);
    }
  };
  const check = (how, outcome) => {
    for (const { what, actual, expected } of comparisons) {
      compare(`${how}: ${what}`, actual(outcome), expected);
    }
  };
  const read = (chunks, look = () => false, more = {}) => {
    const decoder = new agentwire.Decoder({ ...options, ...more });
    for (const chunk of chunks) {
      decoder.push(chunk);
      look(decoder);
    }
    return decoder.finish();
  };
  const whole = read([stream]);
  check("whole", whole);
  check("byte by byte", read(pieces(stream, () => 1)));
  check("byte by byte, every update taken", read(pieces(stream, () => 1), (decoder) => decoder.update()));
  for (let seed = 1; seed <= 3; seed++) {
    const cut = read(pieces(stream, sizes(seed)), (decoder) => seed === 2 && decoder.update());
    check(`random cuts, seed ${seed}`, cut);
    compare(`random cuts, seed ${seed}: the report`, stringify(cut.report), stringify(whole.report));
  }
  if (!stream.includes(13)) {
    check("CRLF", read([crlf(stream)]));
    check("CRLF byte by byte", read(pieces(crlf(stream), () => 1)));
  }
  const protocols = new Set();
  const note = ({ protocol }) => protocol !== undefined && protocols.add(protocol);
  const told = read(pieces(stream, sizes(4)), note, { protocol: "auto" });
  check("told by its first event", told);
  // Where no event came, the end tells.
  note(told);
  compare("the protocol of the updates", [...protocols].join(), wanted.protocol);
  return found;
}
