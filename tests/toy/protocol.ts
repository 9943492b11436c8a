// The toy, as what reads it has to know it.

import type { Readable } from "../readable.js";
import type { Said } from "../tool_call_view.js";
import { TABLES } from "./tables.js";
import type { ToyAnswer } from "./types.js";

/** The toy. */
export const TOY: Readable = {
  tables: TABLES,
  more: {},
  sample: () => `data: {"kind":"says","who":"a","text":"é","nonce":1,"at":1}\n\ndata: {"kind":"bye"}\n\n`,
};

/** It has none. */
export function callsOf(answer: ToyAnswer): Said[] | undefined {
  return "speeches" in answer ? [] : undefined;
}
