// The steps of a run, which protocols of your own read and write: `docs/reference/hub.md` describes each in every protocol.

import type { ErrorInfo, Json, MessageType, Role, RunStatus } from "../agentwire.js";
import type { NewContent } from "../emit/options.js";

/** Where a step belongs: the number of a message, unique in the run, and of a part, unique in its message. */
export interface Place {
  readonly message: number;
  readonly part: number;
}

/** What every step can have besides its own members. */
export interface StepContext {
  /** The subagent run that it belongs to; none is the main agent. */
  readonly subagentId?: string;
  /** The number of the source's event, from 0. Whoever says steps need not say it. */
  readonly event?: number;
  /** Free. */
  readonly metadata?: JsonMembers;
}

/**
 * One step of a run. A source need not be careful: what it leaves out (opening a message, ending a part, the end) is put in
 * on the way, and what cannot be (a piece after the end) is left out and noted. A target gets every run in one order:
 * `start`, then messages that open, hold their parts and close, then `end`. Notes can come anywhere between.
 */
export type ProtocolStep = (RunStep | MessageStep | PartStep | ToolStep | ProtocolNote) & StepContext;

type RunStep =
  | {
      readonly type: "start";
      readonly id?: string;
      readonly sessionId?: string;
      /** The run that began this one. */
      readonly parentId?: string;
      readonly model?: string;
      /** In seconds since 1970. */
      readonly createdAt?: number;
    }
  | { readonly type: "heartbeat" }
  | {
      readonly type: "end";
      readonly status: RunStatus;
      readonly error?: { readonly code?: string; readonly message: string };
      /** Why it is incomplete, in a word. */
      readonly reason?: string;
      /** What the run came to, besides its messages. */
      readonly result?: Json;
      /** Ids of the calls that wait for the client. */
      readonly pending?: readonly string[];
      readonly usage?: JsonMembers;
    };

type MessageStep =
  | {
      readonly type: "open";
      readonly message: number;
      /** `message` if left out. */
      readonly messageType?: MessageType;
      /** `assistant` if left out. */
      readonly role?: Role;
      readonly id?: string;
      /** The name of who it is from. */
      readonly name?: string;
      /** The id of the message that it belongs to. */
      readonly parent?: string;
      /** Which of several alternative answers it belongs to; 0, the answer, if left out. */
      readonly alternative?: number;
    }
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
      /** The message's own. */
      readonly metadata?: JsonMembers;
    };

type PartStep =
  | ({ readonly type: "text" | "refusal" | "arguments"; readonly piece: string } & Place)
  | ({ readonly type: "reasoning"; readonly piece: string; readonly summary?: boolean } & Place)
  | ({
      readonly type: "whole";
      readonly content: NewContent;
      /** A better one follows in the same part. */
      readonly preview?: boolean;
    } & Place)
  | ({
      readonly type: "media";
      readonly kind: "audio" | "video" | "file";
      /** Base64; the pieces joined are the media. */
      readonly piece: string;
      readonly mediaType?: string;
    } & Place)
  | ({
      readonly type: "end-part";
      /** False when it was cut off. */
      readonly whole?: boolean;
    } & Place);

type ToolStep =
  | ({
      readonly type: "call";
      readonly id: string;
      readonly name: string;
      /** What its arguments are; `json` if left out. */
      readonly input?: "json" | "text";
      readonly more?: JsonMembers;
    } & Place)
  | ({
      readonly type: "result";
      /** The call's id. */
      readonly id: string;
      readonly name?: string;
      readonly output: string;
      /** The same as a list of parts. */
      readonly content?: readonly Json[];
      /** A better one follows. */
      readonly preview?: boolean;
      readonly more?: JsonMembers;
    } & Place)
  | ({
      readonly type: "interrupt";
      readonly id: string;
      readonly reason?: string;
      readonly payload: Json;
      /** The id of the call that it is about. */
      readonly call?: string;
      /** The question for people. */
      readonly text?: string;
      readonly expiresAt?: string;
      /** A JSON schema. */
      readonly responseSchema?: Json;
    } & Place)
  | ({
      readonly type: "answer";
      /** The interrupt's id. */
      readonly id: string;
      readonly approved?: boolean;
      readonly reason?: string;
      readonly payload?: Json;
    } & Place);

/** A step that is not a part of a message. */
export type ProtocolNote =
  | { readonly type: "status"; readonly status: "queued" | "in_progress"; readonly detail?: string }
  | { readonly type: "usage"; readonly usage: JsonMembers; readonly message?: number }
  | { readonly type: "error"; readonly code?: string; readonly message: string }
  | { readonly type: "reopened"; readonly id?: string; readonly sessionId?: string; readonly parentId?: string }
  | { readonly type: "messages"; readonly messages: readonly Json[] }
  | { readonly type: "retract"; readonly message: number; readonly part?: number }
  | { readonly type: "metadata"; readonly value: JsonMembers; readonly message?: number; readonly call?: string }
  | { readonly type: "replace"; readonly message: number; readonly part: number; readonly text: string }
  | { readonly type: "annotation"; readonly message: number; readonly part?: number; readonly annotation: JsonMembers }
  | {
      readonly type: "opaque";
      readonly kind: "signature" | "encrypted";
      readonly value: string;
      readonly message?: number;
      readonly call?: string;
    }
  | { readonly type: "progress"; readonly id: string; readonly status: string; readonly data?: Json }
  | { readonly type: "output"; readonly id: string; readonly piece: string; readonly channel?: string }
  | { readonly type: "tool-error"; readonly id: string; readonly cause?: "input" | "tool" | "denied"; readonly message: string }
  | { readonly type: "state"; readonly value: Json }
  | { readonly type: "state-patch"; readonly patch: readonly Json[] }
  | {
      readonly type: "activity";
      readonly id: string;
      readonly activityType: string;
      readonly content: JsonMembers;
      /** It is left as it is if there is one of that id. */
      readonly keep?: boolean;
    }
  | { readonly type: "activity-patch"; readonly id: string; readonly activityType: string; readonly patch: readonly Json[] }
  | {
      readonly type: "step-start" | "step-end";
      readonly id?: string;
      readonly name?: string;
      readonly kind?: "step" | "reasoning";
    }
  | {
      readonly type: "subagent-start";
      readonly id: string;
      readonly name: string;
      readonly text?: string;
      /** The subagent run that began it. */
      readonly parent?: string;
      readonly parentCall?: string;
      readonly parentMessage?: string;
    }
  | {
      readonly type: "subagent-end";
      readonly id: string;
      readonly status: RunStatus;
      readonly error?: JsonMembers;
      readonly result?: Json;
      readonly pending?: readonly string[];
    }
  | { readonly type: "alternative"; readonly alternative: number; readonly status: RunStatus; readonly reason?: string }
  | { readonly type: "custom"; readonly name: string; readonly value: Json }
  | { readonly type: "passthrough"; readonly protocol: string; readonly name: string; readonly data: string };

type JsonMembers = { readonly [key: string]: Json };

/** The names of a step that differ in the core's JSON. */
const CORE_TYPES: Readonly<Record<string, string>> = { "subagent-start": "lane-start", "subagent-end": "lane-end" };
const TYPES: Readonly<Record<string, string>> = { "lane-start": "subagent-start", "lane-end": "subagent-end" };

/** Returns a step as the core names its members. */
export function toCoreStep(step: ProtocolStep): object {
  const { type, subagentId, ...rest } = step;
  return { type: CORE_TYPES[type] ?? type, ...(subagentId !== undefined && { lane: subagentId }), ...rest };
}

/** Returns a step that the core has written. */
export function fromCoreStep(step: object): ProtocolStep {
  const { type, lane, ...rest } = step as { readonly type: string; readonly lane?: string };
  return { type: TYPES[type] ?? type, ...(lane !== undefined && { subagentId: lane }), ...rest } as ProtocolStep;
}
