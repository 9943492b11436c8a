// The rows of node: every section in a process of its own.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  A2A,
  AG_UI,
  CELLS,
  CONVERTING,
  MODEL_TO_UI,
  RECORDED,
  RESPONSES,
  columnName,
  conversionName,
} from "../cells.mjs";
import { inNode } from "../children.mjs";
import { writeCorpusFiles } from "../corpus_files.mjs";
import { coldStarts } from "../js/cold.mjs";
import { ELSEWHERE, ROOT } from "../place.mjs";
import { recordedName } from "../report/recorded.mjs";
import { Sections } from "./sections.mjs";

const SECTION = join(ROOT, "benches/js/section.mjs");

export async function node(effort, say) {
  const sections = new Sections("node", say);
  await writeCorpusFiles();
  const measure = (name, effort, ...rest) =>
    inNode(SECTION, [name, JSON.stringify(effort), ...rest]);
  for (const [corpus, chunking] of CELLS) {
    const cell = async () => ({
      corpus,
      chunking,
      ...(await measure("cell", effort.cells, corpus, chunking)),
    });
    await sections.run("cells", columnName([corpus, chunking]), cell, { many: true });
  }
  for (const when of ["every chunk", "every frame"]) {
    for (const [corpus, chunking] of CELLS.slice(0, 4)) {
      const look = async () => ({
        when,
        corpus,
        chunking,
        ...(await measure("look", effort.looks, corpus, chunking, when)),
      });
      await sections.run("looks", `${columnName([corpus, chunking])}, text read ${when}`, look, {
        many: true,
      });
    }
  }
  for (const shape of RECORDED) {
    const row = () => measure("recorded", effort.recorded, JSON.stringify(shape));
    await sections.run("recorded", recordedName(shape), row, { many: true });
  }
  for (const chunking of ["net", "event"]) {
    const each = () => measure("recordedEach", effort.recordedEach, JSON.stringify({ chunking }));
    await sections.run("recordedEach", `recorded streams one by one, ${chunking}`, each, {
      many: true,
    });
  }
  await sections.run("pipelines", "pipelines", () => measure("pipelines", effort.pipelines));
  for (const [name, title, rows] of [
    ["agUi", "AG-UI", AG_UI],
    ["responses", "Responses", RESPONSES],
    ["a2a", "A2A", A2A],
  ]) {
    for (const row of rows) {
      await sections.run(name, `${title}, ${row}`, () => measure(name, effort.official, row), {
        many: true,
      });
    }
  }
  for (const row of MODEL_TO_UI) {
    await sections.run(
      "modelToUi",
      `model to UI, ${row}`,
      () => measure("modelToUi", effort.modelToUi, row),
      { many: true },
    );
  }
  for (const name of ["converting", "convertingInWorkerd"]) {
    for (const row of CONVERTING) {
      const converted = () => measure(name, effort.converting, JSON.stringify(row));
      await sections.run(name, `${name}, ${conversionName(row)}`, converted, { many: true });
    }
  }
  await sections.run("cold", "cold start", () => coldStarts(effort.cold));
  await sections.run("emission", "emission", () => measure("emission", effort.emission));
  await sections.run("scaling", "scaling", () => measure("scaling", effort.scaling));
  const memory = async () => ({
    streamed: await measure("streamed", effort.scaling),
    concurrent: await measure("concurrent", effort.scaling),
    limited: [
      await measure("limited", effort.scaling, "at its limits on counts"),
      await measure("limited", effort.scaling, "in an event of 64 MB"),
    ],
  });
  await sections.run("memory", "memory", memory);
  await sections.run("floods", "floods", () => measure("floods", effort.floods));
  const packages = [
    "agentwire",
    "eventsource-parser",
    "ai",
    "@ai-sdk/openai",
    "@ag-ui/client",
    "openai",
    "a2a-sdk-1",
    "miniflare",
  ];
  const versions = {
    node: process.version.slice(1),
    v8: process.versions.v8,
    ...installedVersions(packages),
  };
  return { versions, ...sections.results, failures: sections.failures };
}

/** Returns the versions of those packages that are installed. */
export function installedVersions(names) {
  const folders = [
    join(ROOT, "node_modules"),
    ...(ELSEWHERE ? [join(ELSEWHERE, "node_modules")] : []),
  ];
  const version = (name) => {
    for (const folder of folders) {
      try {
        return JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8")).version;
      } catch {
        // Not in this folder.
      }
    }
    return undefined;
  };
  return Object.fromEntries(
    names.map((name) => [name, version(name)]).filter(([, found]) => found !== undefined),
  );
}
