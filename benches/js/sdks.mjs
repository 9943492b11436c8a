// The SDKs' own pipelines: the same tokens in their own protocols, read as in their documentation.
import { installed } from "../place.mjs";
import { chunksOf, drain, streamOf } from "./pipelines.mjs";

/** Returns contestants for the installed SDKs, and the names of the others. */
export async function sdks(tokens) {
  const [ai, agui] = [await installed("ai"), await installed("@ag-ui/client")];
  return {
    contestants: [...(ai ? aiSdk(ai, tokens) : []), ...(agui ? agUi(agui, tokens) : [])],
    missing: [ai ? [] : ["ai"], agui ? [] : ["@ag-ui/client"]].flat(),
  };
}

function aiSdk({ parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema }, tokens) {
  const list = chunksOf([
    { type: "start", messageId: "m1" },
    { type: "start-step" },
    { type: "text-start", id: "t1" },
    ...tokens.map((delta) => ({ type: "text-delta", id: "t1", delta })),
    { type: "text-end", id: "t1" },
    { type: "finish-step" },
    { type: "finish" },
  ]);
  const checked = () =>
    parseJsonEventStream({ stream: streamOf(list), schema: uiMessageChunkSchema });
  return [
    {
      name: "ai 6: parseJsonEventStream alone, nothing folded",
      informal: true,
      async pass() {
        let text = "";
        const stream = checked();
        await drain(stream, ({ success, value, error }) => {
          if (!success) throw error;
          if (value.type === "text-delta") text += value.delta;
        });
        return { answer: text, alive: stream };
      },
    },
    {
      name: "ai 6: parseJsonEventStream + readUIMessageStream",
      async pass() {
        const values = new TransformStream({
          transform({ success, value, error }, controller) {
            if (!success) throw error;
            controller.enqueue(value);
          },
        });
        const messages = readUIMessageStream({ stream: checked().pipeThrough(values) });
        let last;
        for await (const message of messages) {
          last = message;
        }
        const texts = last.parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
        return { answer: texts.join(""), alive: [messages, last] };
      },
    },
  ];
}

function agUi({ HttpAgent }, tokens) {
  const run = { threadId: "th1", runId: "r1" };
  const list = chunksOf([
    { type: "RUN_STARTED", ...run },
    { type: "TEXT_MESSAGE_START", messageId: "m1", role: "assistant" },
    ...tokens.map((delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "m1", delta })),
    { type: "TEXT_MESSAGE_END", messageId: "m1" },
    { type: "RUN_FINISHED", ...run },
  ]);
  const answer = async () =>
    new Response(streamOf(list), { headers: { "content-type": "text/event-stream" } });
  return [
    {
      name: "@ag-ui/client 1: HttpAgent.runAgent",
      async pass() {
        const agent = new HttpAgent({
          url: "http://127.0.0.1/agent",
          threadId: run.threadId,
          fetch: answer,
        });
        const { fetch } = globalThis;
        globalThis.fetch = answer;
        try {
          await agent.runAgent({ runId: run.runId });
        } finally {
          globalThis.fetch = fetch;
        }
        return { answer: agent.messages.at(-1).content, alive: agent };
      },
    },
  ];
}
