// The results of reading the toy. Types only.

import type { AgentRequest } from "../agentwire.js";
import type { ToyEvent } from "../generated/toy/events.js";

/** The snapshot. */
export interface ToyAnswer {
  readonly status: "open" | "over" | "failed";
  readonly why: string | null;
  readonly speeches: readonly {
    readonly type: "spoken";
    readonly who: string;
    readonly text: string;
  }[];
}

/** The types that a reader returns. */
export interface ToyTypes {
  readonly answer: ToyAnswer;
  readonly toolCall: never;
  readonly event: ToyEvent;
  readonly request: AgentRequest;
}
