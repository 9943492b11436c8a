// From a model to a chat, compared with the AI SDK: a response of Chat Completions read to a
// `UIMessage`, whose every state is seen.
import { read } from "agentwire";
import { installed } from "../place.mjs";
import { brief, compareReaders, ours, responseOf } from "./official.mjs";
import { chunksOf } from "./pipelines.mjs";

/** The streams of a row: so many, with so many deltas of text each. */
const ROWS = { long: { streams: 1, deltas: 4_000 }, short: { streams: 10, deltas: 100 } };

/** Measures one of the rows of `cells.mjs`. */
export async function modelToUi(row, effort) {
  const [ai, openai] = [await installed("ai"), await installed("@ai-sdk/openai")];
  const missing = [...(ai ? [] : ["ai"]), ...(openai ? [] : ["@ai-sdk/openai"])];
  const { streams: count, deltas } = ROWS[row];
  const streams = Array.from({ length: count }, () => chunksOf(completion(deltas), "[DONE]"));
  const own = ours((response) => read(response, { protocol: "chat", as: "ai-sdk" }), streams, told);
  return compareReaders(
    row,
    streams,
    [own, ...(missing.length === 0 ? [theirs(ai, openai, streams)] : [])],
    missing,
    effort,
  );
}

/** Returns the chunks of an answer: a text in tokens, and a call of a tool. */
function completion(deltas) {
  const chunk = (delta, finish = null) => ({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const call = (args, members) =>
    chunk({
      tool_calls: [
        {
          index: 0,
          ...members,
          function: { ...(members && { name: "look_up" }), arguments: args },
        },
      ],
    });
  return [
    chunk({ role: "assistant", content: "" }),
    ...Array.from({ length: deltas }, (_, at) =>
      chunk({ content: at % 10 === 9 ? "words.\n" : `token${at % 10} ` }),
    ),
    call("", { id: "call_1", type: "function" }),
    ...['{"city"', ':"Lis', 'bon"}'].map((piece) => call(piece)),
    chunk({}, "tool_calls"),
    {
      ...chunk({}),
      choices: [],
      usage: { prompt_tokens: 10, completion_tokens: deltas, total_tokens: deltas + 10 },
    },
  ];
}

function told({ parts }) {
  return brief(
    parts
      .filter(({ type }) => type !== "step-start")
      .map(({ type, text, input, state }) => [type, text ?? input, state]),
  );
}

function theirs({ streamText, readUIMessageStream, tool, jsonSchema }, { createOpenAI }, streams) {
  const tools = {
    look_up: tool({
      inputSchema: jsonSchema({ type: "object", properties: { city: { type: "string" } } }),
    }),
  };
  return {
    name: "ai 6 + @ai-sdk/openai: streamText(…).toUIMessageStream() + readUIMessageStream",
    async pass() {
      const [alive, answers] = [[], []];
      for (const list of streams) {
        const openai = createOpenAI({ apiKey: "none", fetch: async () => responseOf(list) });
        const stream = streamText({
          model: openai.chat("m"),
          prompt: "Hi",
          tools,
        }).toUIMessageStream();
        let last;
        for await (last of readUIMessageStream({ stream }));
        answers.push(told(last));
        alive.push(last);
      }
      return { answer: answers.join("; "), alive };
    },
  };
}
