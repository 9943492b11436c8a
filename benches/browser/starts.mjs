// Cold start of a page: the time until the module can read, and the cost of the first answer.
// Rounds of fresh pages in an alternating order; the ratio is taken inside a round.
import { readFileSync } from "node:fs";
import { COLD_EVENTS } from "../cells.mjs";
import { beginning } from "../js/cold.mjs";
import { spread } from "../statistics.mjs";

const WHO = ["inlined", "streamed", "javascript"];

/** `ask` runs a section in a fresh page. */
export async function pageStarts(ask, { pairs }) {
  const starts = [];
  for (const events of COLD_EVENTS) {
    starts.push(await pageStart(ask, events, pairs));
  }
  return starts;
}

async function pageStart(ask, events, pairs) {
  const stream = { base64: readFileSync(await beginning(events)).toString("base64") };
  const found = { inlined: [], streamed: [], javascript: [] };
  const order = [...WHO];
  for (let pair = 0; pair < pairs; pair++) {
    for (const who of order) {
      found[who].push(await ask("start", who, stream));
    }
    order.reverse();
    const digests = WHO.map((who) => found[who].at(-1).digest);
    if (new Set(digests).size > 1) {
      throw new Error(`the results of ${WHO} are ${digests}`);
    }
  }
  const times = (who, figure) => spread(found[who].map((start) => start[figure]));
  const against = (who) =>
    spread(found.javascript.map(({ first }, pair) => first / found[who][pair].first));
  return {
    events,
    pairs,
    init: { inlined: times("inlined", "init"), streamed: times("streamed", "init") },
    javascript: times("javascript", "first"),
    first: { ...times("inlined", "first"), ratio: against("inlined") },
    warmed: { ...times("streamed", "first"), ratio: against("streamed") },
  };
}
