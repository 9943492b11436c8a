// Whole pipelines from a `ReadableStream` to the answer, with the same 20,000 tokens. The SDKs read
// their own protocols, which have a third of the bytes per token.
import { read } from "agentwire/reader";
import { createParser } from "eventsource-parser";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { chunkLengths, chunks, corpus } from "../corpus.mjs";
import { feed, immutableState, mutableState, reduceImmutable, reduceMutable } from "./baseline.mjs";

/** Returns the contestants that need only the platform, and the tokens, for the SDKs. */
export async function pipelines() {
  const text = await corpus("text");
  const list = chunks(text, "net");
  const source = () => streamOf(list);
  return { tokens: tokensOf(list), bytes: text.bytes.length, contestants: contestants(source) };
}

function contestants(source) {
  const events = () =>
    source().pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  return [
    {
      name: "agentwire: for await (… of read(stream))",
      async pass() {
        const run = read(source());
        let last;
        for await (const update of run) {
          last = update;
        }
        const outcome = await run.finished();
        return { answer: textOf(outcome.snapshot.output), alive: [run, last, outcome] };
      },
    },
    {
      name: "reader loop + eventsource-parser + JSON.parse + mutable reducer",
      async pass() {
        const state = mutableState();
        const decoder = new TextDecoder();
        const parser = createParser({
          onEvent: (event) => reduceMutable(state, JSON.parse(event.data)),
        });
        await drain(source(), (chunk) => parser.feed(decoder.decode(chunk, { stream: true })));
        return { answer: textOf(state.order), alive: [parser, state] };
      },
    },
    {
      name: "TextDecoderStream + EventSourceParserStream + JSON.parse + mutable reducer",
      async pass() {
        const state = mutableState();
        await drain(events(), (event) => reduceMutable(state, JSON.parse(event.data)));
        return { answer: textOf(state.order), alive: state };
      },
    },
    {
      name: "TextDecoderStream + EventSourceParserStream + JSON.parse + immutable reducer",
      async pass() {
        let state = immutableState();
        await drain(events(), (event) => (state = reduceImmutable(state, JSON.parse(event.data))));
        return { answer: textOf(state.messages), alive: state };
      },
    },
  ];
}

/** Returns length and last words: all pipelines must agree on them. */
export function digestOfText(text) {
  return `${text.length} characters, …${JSON.stringify(text.slice(-20))}`;
}

/**
 * Returns events of any protocol as the chunks of a stream; `end` is the data of a last event that
 * is not JSON.
 */
export function chunksOf(events, end) {
  const data = [
    ...events.map((event) => JSON.stringify(event)),
    ...(end === undefined ? [] : [end]),
  ];
  const bytes = new TextEncoder().encode(data.map((line) => `data: ${line}\n\n`).join(""));
  let from = 0;
  return chunkLengths({ bytes, ends: [] }, "net").map((length) =>
    bytes.slice(from, (from += length)),
  );
}

export function streamOf(list) {
  let next = 0;
  return new ReadableStream({
    pull(controller) {
      if (next < list.length) controller.enqueue(list[next++]);
      else controller.close();
    },
  });
}

/** Reads a stream to its end: the last step of every pipeline. */
export async function drain(stream, take) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    take(value);
  }
}

function tokensOf(list) {
  const tokens = [];
  feed(list, ({ data }) => {
    const event = JSON.parse(data);
    if (event.delta) tokens.push(event.text);
  });
  return tokens;
}

function textOf([message]) {
  return message.content[0].text;
}
