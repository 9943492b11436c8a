// One home's results as Markdown, for the terminal and for RESULTS.md.
import { cellTable } from "./cells.mjs";
import { recorded, recordedEach } from "./recorded.mjs";
import * as others from "./sections.mjs";

const SECTIONS = { ...others, recorded, recordedEach };
const ORDER = [
  "recorded",
  "recordedEach",
  "looks",
  "pipelines",
  "agUi",
  "responses",
  "a2a",
  "modelToUi",
  "converting",
  "convertingInWorkerd",
  "cold",
  "starts",
  "emission",
  "memory",
  "floods",
  "scaling",
  "instructions",
  "load",
  "stores",
  "gateway",
];

export function homeReport(home, result, corpora) {
  const { versions, date, quick, machine, failures } = result;
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const parts = [
    `## ${home}`,
    `${date}, ${quick ? "quick run" : "full run"}; ${named.join(", ")}. ${machine}.`,
    ...failures.map(({ section, message }) => `**Failed: ${section}.** ${message.split("\n")[0]}`),
  ];
  if (result.cells?.length > 0) {
    parts.push(cellTable(home, result.cells, corpora));
  }
  for (const name of ORDER) {
    if (result[name] !== undefined) {
      parts.push(SECTIONS[name](result[name], corpora));
    }
  }
  return parts.join("\n\n");
}
