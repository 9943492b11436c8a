// AG-UI compared with its official client's own pipeline: a response of AG-UI read to messages and
// state.
import { read } from "agentwire/ag-ui";
import { installed } from "../place.mjs";
import { brief, compareReaders, ours, recordedOf, responseOf } from "./official.mjs";
import { chunksOf } from "./pipelines.mjs";

const RUN = { threadId: "t", runId: "r" };

/** Measures one of the rows of `cells.mjs`. */
export async function agUi(row, effort) {
  const client = await installed("@ag-ui/client");
  // The recorded streams that the client accepts without a warning.
  const isTaken = ({ failure, warnings }) => failure === null && warnings.length === 0;
  const streams = row === "recorded" ? recordedOf("ag-ui", isTaken) : [chunksOf(eventsOf(row))];
  const held = ({ messages, state }) => told(messages, state);
  const contestants = [ours(read, streams, held), ...(client ? [theirs(client, streams)] : [])];
  return compareReaders(row, streams, contestants, client ? [] : ["@ag-ui/client"], effort);
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

const told = (messages, state) =>
  brief([messages.map(({ id, role, content }) => [id, role, content]), state]);

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
