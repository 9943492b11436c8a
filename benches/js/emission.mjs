// Writing streams of text deltas, event by event to bytes: the builders, which refuse violations,
// against
// JSON.stringify by hand, which writes the same without checks.
import * as agentwire from "agentwire";
import * as server from "agentwire/server";
import { compare } from "../rounds.mjs";

/**
 * The workloads: a number of streams, one after the other. The same as in `native/src/emission.rs`.
 */
export const WORKLOADS = [
  { name: "long", streams: 1, deltas: 20_000, others: 6, builder: built, byHand },
  { name: "short", streams: 1_000, deltas: 20, others: 6, builder: built, byHand },
  {
    name: "ag-kit",
    streams: 1,
    deltas: 20_000,
    others: 1,
    builder: builtAgKit,
    byHand: agKitByHand,
  },
];
const WORDS = ["the", " and", ' "quoted"', "你好", " stream", ".\n"];
const ENCODER = new TextEncoder();

/** Measures a comparison per workload. */
export async function emission(effort) {
  if (server.AgentApiStreamBuilder === undefined) {
    return { missing: "this build of the package has no builders" };
  }
  const streams = [];
  for (const { name, streams: times, deltas, others, ...writers } of WORKLOADS) {
    const tokens = Array.from({ length: deltas }, (_, at) => WORDS[(at * 5) % WORDS.length]);
    const contestants = [
      { name: "agentwire", pass: () => repeated(times, tokens, writers.builder) },
      { name: "JSON.stringify by hand", pass: () => repeated(times, tokens, writers.byHand) },
    ];
    const bytes = contestants[0].pass().answer.reduce((sum, { length }) => sum + length, 0);
    const title = `${name}: ${times} × ${deltas + others} events`;
    const comparison = await compare(contestants, { ...effort, digest });
    streams.push({ title, events: times * (deltas + others), bytes, ...comparison });
  }
  return { streams };
}

function repeated(times, tokens, write) {
  const chunks = [];
  const alive = [];
  for (let at = 0; at < times; at++) {
    alive.push(write(tokens, chunks));
  }
  return { answer: chunks, alive };
}

function built(tokens, chunks) {
  const send = (event) => chunks.push(ENCODER.encode(event.toSse()));
  const response = new server.AgentApiStreamBuilder({ sessionId: "session", ids: "numbered" });
  send(response.created());
  send(response.inProgress());
  const message = response.createMessageBuilder("assistant", "message");
  send(message.inProgress());
  const content = message.createContentBuilder("text");
  for (const token of tokens) {
    send(content.addTextDelta(token));
  }
  send(content.complete());
  send(message.complete());
  send(response.completed());
  const builders = [content, message, response];
  builders.forEach((builder) => builder.free());
  return builders;
}

function builtAgKit(tokens, chunks) {
  const send = (frame) => chunks.push(ENCODER.encode(frame));
  const turn = new server.EventWriter({ protocol: "ag-kit" });
  for (const content of tokens) {
    send(turn.write({ type: "text", content }));
  }
  send(turn.finish());
  return turn;
}

function agKitByHand(tokens, chunks) {
  for (const content of tokens) {
    chunks.push(ENCODER.encode(`data: ${JSON.stringify({ type: "text", content })}\n\n`));
  }
  chunks.push(ENCODER.encode("data: [DONE]\n\n"));
}

function byHand(tokens, chunks) {
  let number = 0;
  const send = (event) => {
    chunks.push(ENCODER.encode(`data: ${JSON.stringify(event)}\n\n`));
    number++;
  };
  const created_at = Math.floor(Date.now() / 1000);
  const session_id = "session";
  const response = (status, completed_at, output) =>
    send({
      sequence_number: number,
      object: "response",
      status,
      error: null,
      id: "response_1",
      created_at,
      completed_at,
      output,
      usage: null,
      session_id,
    });
  response("created", null, []);
  response("in_progress", null, []);
  send(message(number, "in_progress", null));
  let text = "";
  for (const token of tokens) {
    text += token;
    send(content(number, "in_progress", true, token));
  }
  const whole = content(number, "completed", false, text);
  send(whole);
  const ended = message(number, "completed", [whole]);
  send(ended);
  response("completed", Math.floor(Date.now() / 1000), [ended]);
  return ended;
}

function message(sequence_number, status, content) {
  const rest = { content, code: null, message: null, usage: null, metadata: null };
  return {
    sequence_number,
    object: "message",
    status,
    error: null,
    id: "msg_2",
    type: "message",
    role: "assistant",
    ...rest,
  };
}

function content(sequence_number, status, delta, text) {
  return {
    sequence_number,
    object: "content",
    status,
    error: null,
    type: "text",
    index: 0,
    delta,
    msg_id: "msg_2",
    text,
  };
}

/** Returns a digest of the chunks without the times. */
function digest(chunks) {
  const decoder = new TextDecoder();
  const text = chunks
    .map((chunk) => decoder.decode(chunk))
    .join("")
    .replace(/(ed_at":)\d+/g, "$1…");
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return `${chunks.length} events, ${text.length}:${(hash >>> 0).toString(16)}`;
}
