// Reading with access: the growing text is read after every chunk, or once per frame, as a page
// that shows it does. Joining the pieces of a string that has grown costs more than parsing them,
// and both sides pay for it.
import { Decoder } from "agentwire/reader";
import {
  feeder,
  immutableState,
  mutableState,
  reduceImmutable,
  reduceMutable,
} from "./baseline.mjs";
import { IMMUTABLE, MUTABLE } from "./contestants.mjs";

/** Bytes between two accesses: 32 KiB are a frame at 2 MB/s. */
export const LOOKS = { "every chunk": 0, "every frame": 32 * 1024 };

/**
 * Returns the contestants. A pass returns one number for all accessed texts, which must be equal.
 */
export function lookers(chunks, bytesBetween) {
  const looking = (push, messages) => {
    let seen = 0;
    let unseen = 0;
    for (const chunk of chunks) {
      push(chunk);
      unseen += chunk.length;
      if (unseen >= bytesBetween) {
        unseen = 0;
        const text = growing(messages());
        // Reading a character joins the pieces, as rendering the text does.
        seen = (Math.imul(seen, 31) + text.length + (text.charCodeAt(text.length - 1) || 0)) | 0;
      }
    }
    return seen;
  };
  return [
    {
      name: "agentwire",
      pass() {
        const decoder = new Decoder();
        let snapshot;
        const seen = looking(
          (chunk) => decoder.push(chunk),
          () => (snapshot = decoder.update()?.snapshot ?? snapshot ?? decoder.snapshot).output,
        );
        const outcome = decoder.finish();
        return { answer: seen, alive: [decoder, snapshot, outcome] };
      },
    },
    {
      name: MUTABLE,
      pass() {
        const state = mutableState();
        const push = feeder((event) => reduceMutable(state, JSON.parse(event.data)));
        return { answer: looking(push, () => state.order), alive: [push, state] };
      },
    },
    {
      name: IMMUTABLE,
      informal: true,
      pass() {
        let state = immutableState();
        const push = feeder((event) => (state = reduceImmutable(state, JSON.parse(event.data))));
        return { answer: looking(push, () => state.messages), alive: [push, state] };
      },
    },
  ];
}

/** Returns the text at the end. */
function growing(messages) {
  const content = messages.at(-1)?.content.at(-1);
  return content?.text || content?.data?.arguments || content?.data?.output || "";
}
