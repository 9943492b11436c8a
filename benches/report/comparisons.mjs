// Comparisons as a table.
import { digits, each, ratio, table } from "./format.mjs";

/**
 * Returns a table of one comparison per block: contestants with their times. `unit` is the unit of
 * `count`.
 */
export function comparisons(list, unit) {
  const rows = list.flatMap(({ title, count, subject, opponents }) => [
    [`**${title}**`],
    ...[subject, ...opponents].map((row, at) => [
      row.name,
      at === 0 ? "" : ratio(row.ratio),
      at === 0 || row.cpuRatio === null ? "" : ratio(row.cpuRatio),
      digits(row.wall.median),
      row.cpu === null ? "" : digits(row.cpu.median),
      each(row.wall, count),
    ]),
  ]);
  return table(["", "times as long", "by CPU", "wall ms", "CPU ms", `ns/${unit}`], rows);
}
