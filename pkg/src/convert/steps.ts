// The steps of a run, which custom protocols decode to and encode from. `docs/reference/hub.md`
// describes each in every protocol.

import type { ErrorInfo, Json, MessageType, Role, RunStatus } from "../agentwire.js";
import type { NewContent } from "./builder_options.js";

/**
 * The location of a step: the number of a message, unique in the run, and of a part, unique in its
 * message.
 */
export interface StepPosition {
  readonly message: number;
  readonly part: number;
}

/** The properties that every step can have. */
export interface StepContext {
  /** The id of the subagent; absent for the main agent. */
  readonly subagentId?: string;
  /** The number of the source's event, from 0. Set automatically if it is missing. */
  readonly event?: number;
  /** Arbitrary properties. */
  readonly metadata?: JsonMembers;
  /**
   * Whether the step repeats a message of the last `messages` note, for targets without a list of
   * messages.
   */
  readonly listed?: true;
}

/**
 * One step of a run. A source can omit steps: missing ones (the start of a message, the end of a
 * part, the end of the run) are inserted, and steps that are not allowed (a delta after the end)
 * are dropped and recorded as losses. A target receives every run in the same order: `start`, then
 * messages that open, contain their parts and close, then `end`. Notes can occur anywhere between.
 */
export type ProtocolStep = (RunStep | MessageStep | PartStep | ToolStep | ProtocolNote) &
  StepContext;

type RunStep =
  | {
      readonly type: "start";
      readonly id?: string;
      readonly sessionId?: string;
      /** The id of the run that started this one. */
      readonly parentId?: string;
      readonly model?: string;
      /** The Unix time in seconds. */
      readonly createdAt?: number;
    }
  | { readonly type: "heartbeat" }
  | {
      readonly type: "end";
      readonly status: RunStatus;
      readonly error?: { readonly code?: string; readonly message: string };
      /** The reason for an incomplete run, as one word. */
      readonly reason?: string;
      /** The result of the run, in addition to its messages. */
      readonly result?: Json;
      /** The ids of the calls that the client has to answer. */
      readonly pending?: readonly string[];
      readonly usage?: JsonMembers;
    };

type MessageStep =
  | {
      readonly type: "open";
      readonly message: number;
      /** The type; `message` by default. */
      readonly messageType?: MessageType;
      /** The role; `assistant` by default. */
      readonly role?: Role;
      readonly id?: string;
      /** The name of the author. */
      readonly name?: string;
      /** The id of the message that this one belongs to. */
      readonly parent?: string;
      /** The number of the alternative response; 0, the main one, by default. */
      readonly alternative?: number;
    }
  | {
      readonly type: "close";
      readonly message: number;
      /** The status; `completed` by default. */
      readonly status?: RunStatus;
      readonly error?: ErrorInfo;
      /** The code and text of a message of type `error`. */
      readonly code?: string;
      readonly text?: string;
      readonly usage?: JsonMembers;
      /** The metadata of the message. */
      readonly metadata?: JsonMembers;
    };

type PartStep =
  | ({ readonly type: "text" | "refusal" | "arguments"; readonly piece: string } & StepPosition)
  | ({
      readonly type: "reasoning";
      readonly piece: string;
      readonly summary?: boolean;
    } & StepPosition)
  | ({
      readonly type: "whole";
      readonly content: NewContent;
      /** Whether a better version of the same part follows. */
      readonly preview?: boolean;
    } & StepPosition)
  | ({
      readonly type: "media";
      readonly kind: "audio" | "video" | "file";
      /** A base64 delta; the deltas joined are the media. */
      readonly piece: string;
      readonly mediaType?: string;
    } & StepPosition)
  | ({
      readonly type: "end-part";
      /** False if the part was cut off. */
      readonly whole?: boolean;
    } & StepPosition);

type ToolStep =
  | ({
      readonly type: "call";
      readonly id: string;
      readonly name: string;
      /** The format of the arguments; `json` by default. */
      readonly input?: "json" | "text";
      readonly more?: JsonMembers;
    } & StepPosition)
  | ({
      readonly type: "result";
      /** The id of the call. */
      readonly id: string;
      readonly name?: string;
      readonly output: string;
      /** The output as a list of parts. */
      readonly content?: readonly Json[];
      /** Whether a better result follows. */
      readonly preview?: boolean;
      readonly more?: JsonMembers;
    } & StepPosition)
  | ({
      readonly type: "interrupt";
      readonly id: string;
      readonly reason?: string;
      readonly payload: Json;
      /** The id of the call that the question is about. */
      readonly call?: string;
      /** The question as text. */
      readonly text?: string;
      readonly expiresAt?: string;
      /** The JSON schema of the answer. */
      readonly responseSchema?: Json;
    } & StepPosition)
  | ({
      readonly type: "answer";
      /** The id of the interrupt. */
      readonly id: string;
      readonly approved?: boolean;
      readonly reason?: string;
      readonly payload?: Json;
    } & StepPosition);

/** A step that is not part of a message. */
export type ProtocolNote =
  | { readonly type: "status"; readonly status: "queued" | "in_progress"; readonly detail?: string }
  | { readonly type: "usage"; readonly usage: JsonMembers; readonly message?: number }
  | { readonly type: "error"; readonly code?: string; readonly message: string }
  | {
      readonly type: "reopened";
      readonly id?: string;
      readonly sessionId?: string;
      readonly parentId?: string;
    }
  | { readonly type: "messages"; readonly messages: readonly Json[] }
  | { readonly type: "retract"; readonly message: number; readonly part?: number }
  | {
      readonly type: "metadata";
      readonly value: JsonMembers;
      readonly message?: number;
      readonly call?: string;
    }
  | {
      readonly type: "replace";
      readonly message: number;
      readonly part: number;
      readonly text: string;
    }
  | {
      readonly type: "annotation";
      readonly message: number;
      readonly part?: number;
      readonly annotation: JsonMembers;
    }
  | {
      readonly type: "opaque";
      /** The protocol of the server that understands the members. */
      readonly format: string;
      /** The server and the family of the model. */
      readonly scope?: string;
      /** The members of the server's block, as it sent them. */
      readonly members: JsonMembers;
      /**
       * Whether they are a whole block; otherwise they are what is left of one besides its content.
       */
      readonly block?: boolean;
      readonly message?: number;
      readonly part?: number;
      readonly call?: string;
      /** Whether they belong to the result of the call. */
      readonly result?: boolean;
    }
  | {
      readonly type: "progress";
      readonly id: string;
      readonly status: string;
      readonly data?: Json;
    }
  | {
      readonly type: "output";
      readonly id: string;
      readonly piece: string;
      readonly channel?: string;
    }
  | {
      readonly type: "tool-error";
      readonly id: string;
      readonly cause?: "input" | "tool" | "denied";
      readonly message: string;
    }
  | { readonly type: "state"; readonly value: Json }
  | { readonly type: "state-patch"; readonly patch: readonly Json[] }
  | {
      readonly type: "activity";
      readonly id: string;
      readonly activityType: string;
      readonly content: JsonMembers;
      /** Whether an existing activity with this id stays unchanged. */
      readonly keep?: boolean;
    }
  | {
      readonly type: "activity-patch";
      readonly id: string;
      readonly activityType: string;
      readonly patch: readonly Json[];
    }
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
      /** The id of the subagent that started this one. */
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
  | {
      readonly type: "alternative";
      readonly alternative: number;
      readonly status: RunStatus;
      readonly reason?: string;
    }
  | { readonly type: "custom"; readonly name: string; readonly value: Json }
  | {
      readonly type: "passthrough";
      readonly protocol: string;
      readonly name: string;
      readonly data: string;
    };

type JsonMembers = { readonly [key: string]: Json };

/** The step names that differ in the JSON of the core. */
const CORE_TYPES: Readonly<Record<string, string>> = {
  "subagent-start": "lane-start",
  "subagent-end": "lane-end",
};
const TYPES: Readonly<Record<string, string>> = {
  "lane-start": "subagent-start",
  "lane-end": "subagent-end",
};

/** Returns a step with the property names of the core. */
export function toCoreStep(step: ProtocolStep): object {
  const { type, subagentId, ...rest } = step;
  return {
    type: CORE_TYPES[type] ?? type,
    ...(subagentId !== undefined && { lane: subagentId }),
    ...rest,
  };
}

/** Returns the step for a step of the core. */
export function fromCoreStep(step: object): ProtocolStep {
  const { type, lane, ...rest } = step as { readonly type: string; readonly lane?: string };
  return {
    type: TYPES[type] ?? type,
    ...(lane !== undefined && { subagentId: lane }),
    ...rest,
  } as ProtocolStep;
}
