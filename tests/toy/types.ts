// What reading the toy gives. Types only.

import type { AgentRequest } from "../agentwire.js";
import type { ToyEvent } from "./events.js";

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
  readonly request: AgentRequest;
}
