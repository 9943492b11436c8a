// Edge conversion, bytes in and bytes out: the same contestants in node and in workerd.
import { Converter, Decoder } from "agentwire";
import { corpus } from "../corpus.mjs";
import { cut } from "./made.mjs";
import { responsesStream } from "./made_responses.mjs";
import { toAgentApi } from "./to_agent_api.mjs";
import { toResponses } from "./to_responses.mjs";

const SOURCES = {
  responses: responsesStream,
  "agent-api": async (stream) => (await corpus(stream)).bytes,
};
const BY_HAND = { responses: toResponses, "agent-api": toAgentApi };

/** Returns the contestants of a row of `cells.mjs`, and the size of their input. */
export async function converting({ from, to, stream }) {
  const bytes = await SOURCES[from](stream);
  const chunks = cut(bytes);
  const contestants = [
    {
      name: "agentwire: Converter",
      pass() {
        const converter = new Converter({ from, to });
        const out = chunks.map((chunk) => converter.push(chunk));
        out.push(converter.finish());
        return { answer: out, alive: converter };
      },
    },
    {
      name: "lines by hand + JSON.parse + a remap by hand + JSON.stringify",
      pass() {
        const push = BY_HAND[to]();
        return { answer: chunks.map((chunk) => push(chunk)), alive: push };
      },
    },
  ];
  return {
    bytes: bytes.length,
    events: eventsIn(bytes),
    contestants,
    digest: (out) => foldOf(to, out),
  };
}

function eventsIn(bytes) {
  return new TextDecoder()
    .decode(bytes)
    .split("\n\n")
    .filter((frame) => frame.includes("data: ")).length;
}

/**
 * Returns the answer of a reader of the target, without times and in one order: equivalent streams
 * have the same one.
 */
function foldOf(protocol, out) {
  const decoder = new Decoder({ protocol });
  out.forEach((bytes) => decoder.push(bytes));
  const { snapshot: response, report } = decoder.finish();
  const { ended, violations } = report;
  const held = JSON.stringify(response, (name, value) =>
    NOT_COMPARED.has(name) ? undefined : sorted(value),
  );
  let hash = 0x811c9dc5;
  for (let at = 0; at < held.length; at++) {
    hash = Math.imul(hash ^ held.charCodeAt(at), 0x01000193);
  }
  return `${ended}, ${violations.length} violations, ${held.length}:${(hash >>> 0).toString(16)}`;
}

function sorted(value) {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
}

/** Times, and the numbers of events inside the answer. */
const NOT_COMPARED = new Set(["created_at", "completed_at", "sequence_number"]);
