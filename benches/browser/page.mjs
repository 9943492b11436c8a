// The sections of the chromium home. One section per page.
import { Decoder, init, warm } from "agentwire/reader";
import { chunks, corpus } from "../corpus.mjs";
import { feed, mutableState, reduceMutable } from "../js/baseline.mjs";
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

  /**
   * Measures the first passes of a page, once: `inlined` on arrival, `streamed` after `warm()`, or
   * `javascript`.
   */
  async start(who, stream) {
    const { bytes } = ofBase64(stream);
    const list = [];
    for (let from = 0; from < bytes.length; from += 2048) {
      list.push(bytes.slice(from, from + 2048));
    }
    const before = performance.now();
    if (who !== "javascript") {
      await init(who === "streamed" ? "reader.wasm" : undefined);
    }
    const initialised = performance.now() - before;
    if (who === "streamed") {
      warm();
    }
    const begun = performance.now();
    const answer = who === "javascript" ? readByHand(list) : read(list);
    return { init: initialised, first: performance.now() - begun, digest: digestOf(answer) };
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

function read(list) {
  const decoder = new Decoder();
  for (const chunk of list) {
    decoder.push(chunk);
  }
  return decoder.finish().snapshot.output;
}

function readByHand(list) {
  const state = mutableState();
  feed(list, (event) => reduceMutable(state, JSON.parse(event.data)));
  return state.order;
}

/** Decodes a recorded stream from the program that drives the page. */
function ofBase64({ name, base64, ends }) {
  return {
    name,
    ends,
    bytes: Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)),
  };
}
