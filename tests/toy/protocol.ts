// The toy, as what reads it has to know it.

import type { Readable } from "../readable.js";
import type { ToyEvent } from "./events.js";
import type { Said } from "../tool_call_view.js";
import { TABLES } from "./tables.js";

/** What was said. */
export interface ToyAnswer {
  readonly status: "open" | "over" | "failed";
  readonly why: string | null;
  readonly speeches: readonly { readonly type: "spoken"; readonly who: string; readonly text: string }[];
}

/** What there is to read. */
export interface ToyTypes {
  readonly answer: ToyAnswer;
  readonly toolCall: never;
  readonly event: ToyEvent;
}

/** The toy. */
export const TOY: Readable = {
  tables: TABLES,
  sample: () => `data: {"kind":"says","who":"a","text":"é","nonce":1,"at":1}\n\ndata: {"kind":"bye"}\n\n`,
};

/** It has none. */
export function callsOf(_: ToyAnswer): Said[] | undefined {
  return undefined;
}
