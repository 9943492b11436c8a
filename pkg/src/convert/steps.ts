// What passes through the hub: the Agent API's own objects, said one step at a time. Types only.

import type { ErrorInfo, Json, MessageType, Role, RunStatus } from "../agentwire.js";
import type { NewContent } from "../emit/options.js";

/** Where a step belongs: the number of a message, unique in the run, and of a part, unique in its message. */
export interface Place {
  readonly message: number;
  readonly part: number;
}

/**
 * One step of a run. A source need not be careful: what it leaves out (opening a message, ending a part, the end) is put in
 * on the way, and what cannot be (a piece after the end) is left out and noted. A target gets every run in one order:
 * `start`, then messages that open, hold their parts and close, then `end`, which is always the last step.
 */
export type HubStep =
  | { readonly type: "start"; readonly id?: string; readonly sessionId?: string }
  | {
      readonly type: "open";
      readonly message: number;
      /** `message` if left out. */
      readonly messageType?: MessageType;
      /** `assistant` if left out. */
      readonly role?: Role;
      readonly id?: string;
    }
  | ({ readonly type: "text" | "reasoning" | "refusal" | "arguments"; readonly piece: string } & Place)
  | ({ readonly type: "call"; readonly id: string; readonly name: string; readonly more?: JsonMembers } & Place)
  | ({
      readonly type: "result";
      /** The call's id. */
      readonly id: string;
      readonly name?: string;
      readonly output: string;
      readonly more?: JsonMembers;
    } & Place)
  | ({ readonly type: "interrupt"; readonly id: string; readonly reason?: string; readonly payload: Json } & Place)
  | ({ readonly type: "whole"; readonly content: NewContent } & Place)
  | ({
      readonly type: "end-part";
      /** False when it was cut off. */
      readonly whole?: boolean;
    } & Place)
  | {
      readonly type: "close";
      readonly message: number;
      /** `completed` if left out. */
      readonly status?: RunStatus;
      readonly error?: ErrorInfo;
      /** Code and text of a message of type error. */
      readonly code?: string;
      readonly text?: string;
      readonly usage?: JsonMembers;
      readonly metadata?: JsonMembers;
    }
  | { readonly type: "heartbeat" }
  | {
      readonly type: "end";
      readonly status: RunStatus;
      readonly error?: { readonly code?: string; readonly message: string };
      /** Why it is incomplete, in a word. */
      readonly reason?: string;
      readonly usage?: JsonMembers;
    };

type JsonMembers = { readonly [key: string]: Json };
