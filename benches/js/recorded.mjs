// Recorded streams, each read by a fresh reader: the cost of reading with a start and an end every
// time, as in a page with short answers.
import { Decoder } from "agentwire/reader";
import { SHORT } from "../cells.mjs";
import { chunks } from "../corpus.mjs";
import { compare } from "../rounds.mjs";
import { feed, mutableState, reduceMutable } from "./baseline.mjs";
import { MUTABLE } from "./contestants.mjs";
import { digestOf } from "./digest.mjs";

/** Reads per pass for a single stream: about a millisecond. */
const READS = 25;

/** The factor from which JavaScript counts as faster on a stream. */
const AHEAD = 1.2;

/**
 * Streams for which the answer of the reducer by hand differs, with the reason. A stream that
 * differs and is missing here, or is here and does not differ, is an error.
 */
export const DIFFERENT = {
  "05_builder_zero_tokens": "the message's end alone says that it has a text",
  "23_error_type_message": "the message's end alone says its content",
  "31_text_framework_no_tokens": "the message's end alone says that it has a text",
  "41_heartbeat": "heartbeats are shown as messages",
  "61_agentscope_thinking_text_tool": "the message's end alone says its contents",
  "65_langgraph_tool_and_text":
    "the order of the messages, and contents that the message's end alone says",
  "67_agno_reasoning_tool_text": "the message's end alone says its contents",
  "80_legacy_1_0_0_null_msg_id": "messages without an id are shown as one more message",
};

/**
 * Measures all streams or the short ones in one pass; a garbage collection before each only if
 * `collects`.
 */
export async function recorded(streams, effort, { which, chunking, collects }) {
  const chosen = streams.filter((stream) => which === "all" || isShort(stream));
  const lists = chosen.map((stream) => chunks(stream, chunking));
  const digest = (answers) =>
    String(answers.map((messages, at) => digestIn(chosen[at].name, messages)));
  const contestants = readers().map(({ name, read }) => ({
    name,
    pass: () => ({ answer: lists.map(read) }),
  }));
  checkDifferent(chosen, lists);
  const sum = (pick) => chosen.reduce((sum, stream) => sum + pick(stream), 0);
  return {
    which,
    chunking,
    collects,
    streams: chosen.length,
    bytes: sum(({ bytes }) => bytes.length),
    events: sum(({ ends }) => ends.length),
    ...(await compare(contestants, { ...effort, digest, collects })),
  };
}

/**
 * Measures each stream by itself, after `effort.first` passes over the short ones: on how many of
 * them JavaScript is faster.
 */
export async function recordedEach(streams, effort, { chunking }) {
  const lists = streams.map((stream) => chunks(stream, chunking));
  // So that the engine has compiled its code before the first measurement.
  const short = lists.filter((_, at) => isShort(streams[at]));
  for (let pass = 0; pass < effort.first; pass++) {
    readers().forEach(({ read }) => short.forEach(read));
  }
  const each = [];
  for (const [at, { name, ends }] of streams.entries()) {
    const times = Math.max(1, Math.round(READS / (1 + ends.length / 100)));
    const contestants = readers().map(({ name, read }) => ({
      name,
      pass: () => ({ answer: repeated(times, () => read(lists[at])) }),
    }));
    const digest = (messages) => digestIn(name, messages);
    const { opponents } = await compare(contestants, { ...effort, digest, collects: false });
    each.push({
      name,
      events: ends.length,
      ratio: (opponents[0].cpuRatio ?? opponents[0].ratio).median,
    });
  }
  return {
    chunking,
    streams: each.length,
    ahead: each.filter(({ ratio }) => ratio < 1 / AHEAD).length,
    each,
  };
}

function readers() {
  return [
    {
      name: "agentwire",
      read(list) {
        const decoder = new Decoder();
        for (const chunk of list) {
          decoder.push(chunk);
        }
        return decoder.finish().snapshot.output;
      },
    },
    {
      name: MUTABLE,
      read(list) {
        const state = mutableState();
        feed(list, (event) => reduceMutable(state, parsed(event.data)));
        return state.order;
      },
    },
  ];
}

function isShort({ bytes }) {
  return bytes.length < SHORT;
}

/** Data that is not JSON is not an event. */
function parsed(data) {
  try {
    return JSON.parse(data);
  } catch {
    return {};
  }
}

function repeated(times, work) {
  for (let left = times - 1; left > 0; left--) {
    work();
  }
  return work();
}

function digestIn(name, messages) {
  return name in DIFFERENT ? name : digestOf(messages);
}

function checkDifferent(streams, lists) {
  const [ours, theirs] = readers();
  for (const [at, { name }] of streams.entries()) {
    if (name in DIFFERENT && digestOf(ours.read(lists[at])) === digestOf(theirs.read(lists[at]))) {
      throw new Error(
        `${name}: the answers are equal, so it is no exception (DIFFERENT in recorded.mjs)`,
      );
    }
  }
}
