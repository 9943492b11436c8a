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
  return `${[INTRO, "## Targets", targets(homes), ...reports].join("\n\n")}\n`;
}

/** Returns a table of the targets and the results. */
export function targets(homes) {
  const all = Object.entries(homes).flatMap(([home, result]) => verdicts(home, result));
  const rows = all.map(({ home, what, target, got, met }) => [
    `${home}: ${what}`,
    target,
    got,
    met ? "met" : "MISSED",
  ]);
  const met = all.filter(({ met }) => met).length;
  return `${met} of ${all.length} targets are met.\n\n${table(["", "target", "measured", ""], rows)}`;
}
