// The readers of a cell's chunks. The first is agentwire.
import { Decoder } from "agentwire/reader";
import { feed, immutableState, mutableState, reduceImmutable, reduceMutable } from "./baseline.mjs";

export const MUTABLE = "eventsource-parser + JSON.parse + mutable reducer";
export const IMMUTABLE = "eventsource-parser + JSON.parse + immutable reducer";

export function contestants(chunks) {
  return [
    {
      name: "agentwire",
      pass() {
        const decoder = new Decoder();
        for (const chunk of chunks) {
          decoder.push(chunk);
        }
        const outcome = decoder.finish();
        return { answer: outcome.snapshot.output, alive: [decoder, outcome] };
      },
    },
    {
      name: MUTABLE,
      pass() {
        const state = mutableState();
        const parser = feed(chunks, (event) => reduceMutable(state, JSON.parse(event.data)));
        return { answer: state.order, alive: [parser, state] };
      },
    },
    {
      name: IMMUTABLE,
      informal: true,
      pass() {
        let state = immutableState();
        const parser = feed(
          chunks,
          (event) => (state = reduceImmutable(state, JSON.parse(event.data))),
        );
        return { answer: state.messages, alive: [parser, state] };
      },
    },
  ];
}
