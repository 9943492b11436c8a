// What a page of the chromium home can be asked to do. One section per page.
import { init } from "agentwire/reader";
import { chunks, corpus } from "../corpus.mjs";
import { contestants } from "../js/contestants.mjs";
import { digestOf } from "../js/digest.mjs";
import { LOOKS, lookers } from "../js/looks.mjs";
import { recorded, recordedEach } from "../js/recorded.mjs";
import { digestOfText, pipelines } from "../js/pipelines.mjs";
import { compare } from "../rounds.mjs";

globalThis.bench = {
  async cell(effort, corpusName, chunking) {
    await init();
    const list = chunks(await corpus(corpusName), chunking);
    return compare(contestants(list), { ...effort, digest: digestOf });
  },

  async look(effort, corpusName, chunking, when) {
    await init();
    const list = chunks(await corpus(corpusName), chunking);
    return compare(lookers(list, LOOKS[when]), { ...effort, digest: String });
  },

  async recorded(effort, shape, streams) {
    await init();
    return recorded(streams.map(ofBase64), effort, shape);
  },

  async recordedEach(effort, shape, streams) {
    await init();
    return recordedEach(streams.map(ofBase64), effort, shape);
  },

  async pipelines(effort) {
    await init();
    const { tokens, bytes, contestants } = await pipelines();
    return {
      tokens: tokens.length,
      bytes,
      missing: [],
      ...(await compare(contestants, { ...effort, digest: digestOfText })),
    };
  },
};

/** A recorded stream as it came from the program that drives the page. */
function ofBase64({ name, base64, ends }) {
  return { name, ends, bytes: Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)) };
}
