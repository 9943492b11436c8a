// One section of the node home, in a process of its own:
// `node --expose-gc section.mjs <name> <effort as JSON> …`.
import { chunks, corpus } from "../corpus.mjs";
import { recordedStreams } from "../recorded.mjs";
import { compare } from "../rounds.mjs";
import { digestOf } from "./digest.mjs";

const [name, encoded, ...rest] = process.argv.slice(2);
const effort = JSON.parse(encoded);

const SECTIONS = {
  async cell(corpusName, chunking) {
    const { contestants } = await import("./contestants.mjs");
    const list = chunks(await corpus(corpusName), chunking);
    return compare(contestants(list), { ...effort, digest: digestOf });
  },

  async look(corpusName, chunking, when) {
    const { LOOKS, lookers } = await import("./looks.mjs");
    const list = chunks(await corpus(corpusName), chunking);
    return compare(lookers(list, LOOKS[when]), { ...effort, digest: String });
  },

  async recorded(shape) {
    const { recorded } = await import("./recorded.mjs");
    return recorded(recordedStreams(), effort, JSON.parse(shape));
  },

  async recordedEach(shape) {
    const { recordedEach } = await import("./recorded.mjs");
    return recordedEach(recordedStreams(), effort, JSON.parse(shape));
  },

  async pipelines() {
    const { digestOfText, pipelines } = await import("./pipelines.mjs");
    const { sdks } = await import("./sdks.mjs");
    const { tokens, bytes, contestants } = await pipelines();
    const { contestants: more, missing } = await sdks(tokens);
    const compared = await compare([...contestants, ...more], { ...effort, digest: digestOfText });
    return { tokens: tokens.length, bytes, missing, ...compared };
  },

  async agUi(row) {
    const { agUi } = await import("./ag_ui.mjs");
    return agUi(row, effort);
  },

  async responses(row) {
    const { responses } = await import("./responses.mjs");
    return responses(row, effort);
  },

  async a2a(row) {
    const { a2a } = await import("./a2a.mjs");
    return a2a(row, effort);
  },

  async modelToUi(row) {
    const { modelToUi } = await import("./model_to_ui.mjs");
    return modelToUi(row, effort);
  },

  async converting(row) {
    const { converting } = await import("./converting.mjs");
    const { contestants, digest, ...input } = await converting(JSON.parse(row));
    return { ...JSON.parse(row), ...input, ...(await compare(contestants, { ...effort, digest })) };
  },

  async convertingInWorkerd(row) {
    const { convertingInWorkerd } = await import("../workerd/converting.mjs");
    return convertingInWorkerd(JSON.parse(row), effort);
  },

  async scaling() {
    const { scaling } = await import("./scaling.mjs");
    return scaling(effort);
  },

  async emission() {
    const { emission } = await import("./emission.mjs");
    return emission(effort);
  },

  async floods() {
    return (await import("./floods.mjs")).floods(effort);
  },

  async limited(name) {
    return (await import("./memory.mjs")).limited(name);
  },

  async streamed() {
    return (await import("./memory.mjs")).streamed();
  },

  async concurrent() {
    return (await import("./memory.mjs")).concurrent();
  },
};

console.log(JSON.stringify(await SECTIONS[name](...rest)));
