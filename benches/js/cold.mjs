// Cold start: the cost of a short answer that is the first one of its process. Rounds of three
// fresh processes in an alternating order; the ratio is taken inside a round. One of the three has
// called `warm()` before, which costs nothing while a client waits for the server.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inNode } from "../children.mjs";
import { corpus } from "../corpus.mjs";
import { CORPUS_FILES } from "../corpus_files.mjs";
import { spread } from "../statistics.mjs";

const PASS = fileURLToPath(new URL("cold_pass.mjs", import.meta.url));

export async function coldStarts({ pairs }) {
  const results = [];
  for (const events of [50, 300, 2_000]) {
    results.push(await coldStart(await beginning(events), events, pairs));
  }
  return results;
}

async function coldStart(file, events, pairs) {
  const order = ["agentwire", "warmed", "javascript"];
  const found = { agentwire: [], warmed: [], javascript: [] };
  for (let pair = 0; pair < pairs; pair++) {
    for (const who of order) {
      found[who].push(await inNode(PASS, [who, file], []));
    }
    order.reverse();
    const [ours, warmed, theirs] = [
      found.agentwire.at(-1),
      found.warmed.at(-1),
      found.javascript.at(-1),
    ];
    if (ours.digest !== theirs.digest || warmed.digest !== theirs.digest) {
      throw new Error(
        `the results of agentwire are ${ours.digest} and ${warmed.digest}, that of JavaScript ${theirs.digest}`,
      );
    }
  }
  const compared = (name, figure, who) => [
    name,
    {
      agentwire: spread(found[who].map((times) => times[figure])),
      javascript: spread(found.javascript.map((times) => times[figure])),
      ratio: spread(
        found.javascript.map((times, pair) => times[figure] / found[who][pair][figure]),
      ),
    },
  ];
  const figures = ["imported", "first", "second"].map((figure) =>
    compared(figure, figure, "agentwire"),
  );
  return {
    events,
    pairs,
    ...Object.fromEntries([...figures, compared("warmed", "first", "warmed")]),
  };
}

/** Writes the first events of `mixed` to a file. */
export async function beginning(events) {
  const { bytes, ends } = await corpus("mixed");
  const blocks = new TextDecoder().decode(bytes.subarray(0, ends.at(-1))).split("\n\n");
  let left = events;
  const wanted = blocks.slice(
    0,
    blocks.findIndex((block) => block.startsWith("data:") && --left === 0) + 1,
  );
  const file = join(CORPUS_FILES, `cold-${events}.sse`);
  writeFileSync(file, `${wanted.join("\n\n")}\n\n`);
  return file;
}
