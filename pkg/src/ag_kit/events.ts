// AG-Kit's events as they stand on the wire: what servers leave out is optional, and what is not declared stays. Types only.

import type { Json, OtherName } from "../agentwire.js";

/** One event of an AG-Kit stream: `switch` on `type`. (A.4.) */
export type AgKitEvent =
  | { readonly type: "text"; /** The next piece of the turn's text. */ readonly content: string }
  | { readonly type: "tool-call-start"; readonly toolCallId: string; readonly toolCallName: string }
  | {
      readonly type: "tool-call-args";
      readonly toolCallId: string;
      /** The next piece of the arguments, which are JSON text. */
      readonly delta: string;
    }
  | { readonly type: "tool-call-end"; readonly toolCallId: string }
  | { readonly type: "tool-result"; readonly toolCallId: string; readonly result: string }
  | {
      readonly type: "interrupt";
      /** What to name when resuming. */
      readonly id: string;
      readonly reason?: string | null;
      readonly payload?: Json;
    }
  | { readonly type: "error"; readonly error: Json; readonly details?: Json }
  /** `[DONE]`, which stands on the wire as it is, without quotes and braces. */
  | { readonly type: "[DONE]" }
  /** An error without a type (K8), or an object that says nothing. */
  | { readonly type?: null; readonly error?: Json; readonly details?: Json; readonly [member: string]: unknown }
  /** An event that this version does not know. */
  | { readonly type: OtherName; readonly [member: string]: unknown };
