// AG-UI beside its official client's own pipeline: a response of AG-UI read to messages and state.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { read } from "agentwire/ag-ui";
import { ROOT, installed } from "../place.mjs";
import { compare } from "../rounds.mjs";
import { chunksOf, streamOf } from "./pipelines.mjs";

const RUN = { threadId: "t", runId: "r" };
const CORPUS = join(ROOT, "tests/corpus/ag-ui");

/** One of the rows of `cells.mjs`. */
export async function agUi(row, effort) {
  const client = await installed("@ag-ui/client");
  const streams = row === "recorded" ? recorded() : [chunksOf(eventsOf(row))];
  const contestants = [ours(streams), ...(client ? [theirs(client, streams)] : [])];
  const bytes = streams.flat().reduce((sum, { length }) => sum + length, 0);
  const missing = client ? [] : ["@ag-ui/client"];
  return { row, streams: streams.length, bytes, missing, ...(await compare(contestants, { ...effort, digest: String })) };
}

function eventsOf(row) {
  const middle = Array.from({ length: 4_000 }, (_, at) => {
    const text = { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: `word ${at % 100} ` };
    const patch = [
      { op: "add", path: "/steps/-", value: { at, title: `step ${at}`, done: false } },
      { op: "replace", path: "/progress", value: at },
    ];
    switch (row) {
      case "text":
        return text;
      case "text with times":
        return { ...text, timestamp: 1_700_000_000_000 + at * 7 };
      default:
        return at % 2 === 0 ? text : { type: "STATE_DELTA", delta: patch };
    }
  });
  return [
    { type: "RUN_STARTED", ...RUN },
    { type: "STATE_SNAPSHOT", snapshot: { steps: [], progress: 0 } },
    { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
    ...middle,
    { type: "TEXT_MESSAGE_END", messageId: "m" },
    { type: "RUN_FINISHED", ...RUN },
  ];
}

/** The recorded streams that the client takes without a word, each in one chunk. */
function recorded() {
  const streams = [];
  for (const name of readdirSync(CORPUS)) {
    const file = (name_) => join(CORPUS, name, name_);
    if (!existsSync(file("client.json")) || !existsSync(file("stream.sse"))) {
      continue;
    }
    const { failure, warnings } = JSON.parse(readFileSync(file("client.json"), "utf8"));
    const { options } = JSON.parse(readFileSync(file("case.json"), "utf8"));
    if (failure === null && warnings.length === 0 && options === undefined) {
      streams.push([new Uint8Array(readFileSync(file("stream.sse")))]);
    }
  }
  return streams;
}

const responseOf = (list) => new Response(streamOf(list), { headers: { "content-type": "text/event-stream" } });

/** Length and end of what both hold. */
function told(messages, state) {
  const text = JSON.stringify([messages.map(({ id, role, content }) => [id, role, content]), state]);
  return `${text.length} characters, …${text.slice(-40)}`;
}

function ours(streams) {
  return {
    name: "agentwire: for await (… of read(response))",
    async pass() {
      const alive = [];
      const answers = [];
      for (const list of streams) {
        const run = read(responseOf(list));
        let last;
        for await (const update of run) {
          last = update;
        }
        const { snapshot } = await run.finished();
        answers.push(told(snapshot.messages, snapshot.state));
        alive.push([run, last]);
      }
      return { answer: answers.join("; "), alive };
    },
  };
}

function theirs({ HttpAgent }, streams) {
  return {
    name: "@ag-ui/client 1: HttpAgent.runAgent",
    async pass() {
      const alive = [];
      const answers = [];
      const { fetch } = globalThis;
      try {
        for (const list of streams) {
          globalThis.fetch = async () => responseOf(list);
          const agent = new HttpAgent({ url: "http://127.0.0.1/agent", threadId: RUN.threadId });
          await agent.runAgent({ runId: RUN.runId });
          answers.push(told(agent.messages, agent.state));
          alive.push(agent);
        }
      } finally {
        globalThis.fetch = fetch;
      }
      return { answer: answers.join("; "), alive };
    },
  };
}
