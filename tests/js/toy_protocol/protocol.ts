// The description of the toy for its readers.

import type { Readable } from "../read/patch.js";
import type { RawToolCall } from "../read/tool_call_view.js";
import { TABLES } from "../generated/toy/tables.js";
import type { Toy } from "../agentwire.js";

/** The toy. */
export const TOY: Readable = {
  tables: TABLES,
  more: {},
  sample: () =>
    `data: {"kind":"says","who":"a","text":"é","nonce":1,"at":1}\n\ndata: {"kind":"bye"}\n\n`,
};

/** Returns the tool calls of a snapshot: the toy has no calls. */
export function callsOf(answer: Toy): RawToolCall[] | undefined {
  return "speeches" in answer ? [] : undefined;
}
