// benches/RESULTS.md, the source of the figures in README and docs.
import { homeReport } from "./home.mjs";
import { table } from "./format.mjs";
import { verdicts } from "./verdicts.mjs";

const INTRO = `# Results

Written by \`cargo xtask bench --write\`; [README.md](README.md) describes the measurements. Ratios are computed within one
run, round by round: median (10th–90th percentile) of the time of the other contestant divided by that of agentwire. Tables with
different rows are comparable only by ratio. All contestants of a table must have the same result, or the table is not measured.

![Cost per event against size](scaling.svg)`;

/** Returns the file. `homes`: results by home. */
export function resultsFile(homes, corpora) {
  const names = Object.keys(homes);
  const reports = names.map((home) => homeReport(home, homes[home], corpora));
  return `${[INTRO, "## Bounds", bounds(homes), ...reports].join("\n\n")}\n`;
}

/** Returns a table of the bounds and the results. */
export function bounds(homes) {
  const all = Object.entries(homes).flatMap(([home, result]) => verdicts(home, result));
  const rows = all.map(({ home, what, bound, got, met }) => [
    `${home}: ${what}`,
    bound,
    got,
    met ? "met" : "MISSED",
  ]);
  const met = all.filter(({ met }) => met).length;
  return `${met} of ${all.length} bounds are met. They guard against regressions (\`BOUNDS\` in [cells.mjs](cells.mjs)); [performance.md](../docs/project/performance.md#limits) lists what is slower than the alternative.\n\n${table(["", "bound", "measured", ""], rows)}`;
}
