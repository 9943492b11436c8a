// The table: a block of rows per opponent, a column per corpus and chunking.
import { columnName } from "../cells.mjs";
import { digits, each, ratio, speed, table } from "./format.mjs";
import { boundOf } from "./verdicts.mjs";

/** Returns the table; `corpora` has the events and bytes of each corpus. */
export function cellTable(home, cells, corpora) {
  const row = (name, figure, text) => [
    name,
    figure,
    ...cells.map((cell) => text(cell, corpora[cell.corpus])),
  ];
  const absolutes = (pick) => [
    row("", "ns/event", (cell, { events }) => each(pick(cell).wall, events)),
    row("", "GB/s", (cell, { bytes }) => speed(pick(cell).wall, bytes)),
  ];
  const [ours, ...rest] = absolutes((cell) => cell.subject);
  const rows = [["agentwire", ...ours.slice(1)], ...rest];
  cells[0].opponents.forEach(({ name, informal, cpuRatio }, at) => {
    const pick = (cell) => cell.opponents[at];
    rows.push(
      row(informal ? `${name} (for information)` : name, "times as long", (cell) =>
        ratio(pick(cell).ratio),
      ),
    );
    if (!informal) {
      rows.push(row("", "bound", (cell) => bound(home, cell, pick(cell))));
    }
    if (cpuRatio !== null) {
      rows.push(row("", "by CPU", (cell) => ratio(pick(cell).cpuRatio)));
    }
    rows.push(...absolutes(pick));
  });
  return table(
    ["", "", ...cells.map(({ corpus, chunking }) => columnName([corpus, chunking]))],
    rows,
  );
}

function bound(home, cell, { ratio: { median } }) {
  const least = boundOf(home, cell);
  return least === undefined ? "–" : `≥ ${digits(least)}x ${median >= least ? "met" : "MISSED"}`;
}
