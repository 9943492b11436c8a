// Reads one case of the corpora and validates all results against the schemas. Depends on no
// platform.
import { pieces, sizes } from "./cuts.mjs";

/**
 * Returns the values that do not have their declared type.
 *
 * @param shapes the code that `tests/js/support/shapes.mjs` writes
 * @returns {string[]}
 */
export function misshapen(agentwire, shapes, { path, protocol, options, stream }) {
  const found = [];
  const check = (shape, value) => {
    const isRight = shapes[`${protocol.replace("-", "_")}_${shape}`];
    // Integers beyond 2^53 are `bigint`, which schemas do not support; as JSON they are numbers.
    const json = JSON.parse(agentwire.stringifyJson(value));
    if (!isRight(json)) {
      const [{ instancePath, message }] = isRight.errors;
      found.push(
        `${path}: ${shape}${instancePath} ${message}: ${JSON.stringify(json).slice(0, 300)}`,
      );
    }
  };
  const decoder = new agentwire.Decoder({ protocol, ...options });
  for (const chunk of pieces(stream, sizes(5))) {
    decoder.push(chunk);
    const update = decoder.update();
    if (update !== undefined) {
      check("update", update);
      check("declared_answer", update.snapshot);
    }
  }
  const outcome = decoder.finish();
  check("outcome", outcome);
  check("declared_answer", outcome.snapshot);
  // `agentwire/reader` does not export events.
  if (agentwire.EventDecoder !== undefined) {
    const events = new agentwire.EventDecoder({
      protocol,
      ...(options.limits && { limits: options.limits }),
    });
    // An event of which the reader drops a part is as the server sent it.
    const faulty = new Set(
      outcome.report.violations
        .filter(({ rule }) => rule === "malformed-event")
        .map(({ event }) => event),
    );
    for (const entry of [...events.push(stream), ...events.finish()]) {
      if (entry.kind === "event" && !faulty.has(entry.number)) {
        check("event", entry.event);
        check("declared_event", entry.event);
      }
    }
  }
  return found;
}
