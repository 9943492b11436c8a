// Streams of other protocols, converted to AgentScope 2: the library of AgentScope 2 reads them, and
// finds the same texts. The library of its web page, which applies events as this one does, is not
// published.
//
//     PYTHON=venv/bin/python node tests/js/official_clients/agentscope/converted.mjs [protocol …]
//
// The environment of PYTHON has `agentscope[full]==2.0.11`. The package is built.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { convert, Decoder } from "agentwire";

import { python } from "./service.mjs";

const CORPUS = join(import.meta.dirname, "../../../data/corpus");
const wanted = process.argv.slice(2);
const protocols = wanted.length > 0 ? wanted : ["agent-api", "ag-kit", "ai-sdk"];

/** The texts of a reply. */
const textOf = ({ content }) =>
  content.flatMap(({ type, text }) => (type === "text" && text !== "" ? [text] : []));

const streams = [];
for (const protocol of protocols) {
  for (const name of await readdir(join(CORPUS, protocol))) {
    const folder = join(CORPUS, protocol, name);
    const stream = await readFile(join(folder, "stream.sse")).catch(() => undefined);
    if (stream === undefined) continue;
    const source = new Blob([stream]).stream();
    const bytes = source.pipeThrough(convert({ from: protocol, to: "agentscope" }));
    const text = await new Response(bytes).text();
    const decoder = new Decoder({ protocol: "agentscope" });
    decoder.push(new TextEncoder().encode(text));
    streams.push({ name: `${protocol}/${name}`, text, own: decoder.finish().snapshot });
  }
}
const read = await python("client.py", JSON.stringify(streams.map(({ text }) => text)));
let wrong = 0;
for (const [at, { name, own }] of streams.entries()) {
  const official = read[at];
  const same =
    official === null
      ? own.content.length === 0
      : official.refused === undefined &&
        JSON.stringify(textOf(official)) === JSON.stringify(textOf(own));
  if (!same) {
    wrong += 1;
    console.log(name, official?.refused ?? [textOf(official ?? own), textOf(own)]);
  }
}
console.log(`${streams.length} streams, ${wrong} are read otherwise`);
process.exitCode = wrong > 0 ? 1 : 0;
