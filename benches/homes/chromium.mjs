// The rows of a page in Chromium.
import { withChromium } from "../browser/chromium.mjs";
import { pageStarts } from "../browser/starts.mjs";
import { CELLS, RECORDED, columnName } from "../cells.mjs";
import { recordedStreams } from "../recorded.mjs";
import { recordedName } from "../report/recorded.mjs";
import { installedVersions } from "./node.mjs";
import { Sections } from "./sections.mjs";

export async function chromium(effort, say) {
  const sections = new Sections("chromium", say);
  const version = await withChromium(async (ask, version) => {
    for (const [corpus, chunking] of CELLS) {
      const cell = async () => ({
        corpus,
        chunking,
        ...(await ask("cell", effort.cells, corpus, chunking)),
      });
      await sections.run("cells", columnName([corpus, chunking]), cell, { many: true });
    }
    for (const when of ["every chunk", "every frame"]) {
      for (const [corpus, chunking] of CELLS.slice(0, 2)) {
        const look = async () => ({
          when,
          corpus,
          chunking,
          ...(await ask("look", effort.looks, corpus, chunking, when)),
        });
        await sections.run("looks", `${columnName([corpus, chunking])}, text read ${when}`, look, {
          many: true,
        });
      }
    }
    const streams = recordedStreams().map(({ name, bytes, ends }) => ({
      name,
      ends,
      base64: Buffer.from(bytes).toString("base64"),
    }));
    for (const shape of RECORDED) {
      const row = () => ask("recorded", effort.recorded, shape, streams);
      await sections.run("recorded", recordedName(shape), row, { many: true });
    }
    for (const chunking of ["net", "event"]) {
      const each = () => ask("recordedEach", effort.recordedEach, { chunking }, streams);
      await sections.run("recordedEach", `recorded streams one by one, ${chunking}`, each, {
        many: true,
      });
    }
    await sections.run("starts", "cold start", () => pageStarts(ask, effort.cold));
    await sections.run("pipelines", "pipelines", () => ask("pipelines", effort.pipelines));
    return version;
  });
  const versions = { chromium: version, ...installedVersions(["agentwire", "eventsource-parser"]) };
  return { versions, ...sections.results, failures: sections.failures };
}
