// The messages of a chat: one type for all protocols. The names and members of their parts are
// those of the AI SDK's `UIMessage`, so that components written for it render them.

import type { ChatError } from "../store/ending.js";

export type { ChatError };

/**
 * JSON as the AI SDK's types accept it: integers that a number cannot hold are rounded, and lists
 * are mutable in their type only.
 */
export type PlainJson =
  | null
  | string
  | number
  | boolean
  | PlainJson[]
  | { [member: string]: PlainJson | undefined };

/**
 * Properties without a member of their own, by their provider: those of this package are under
 * `agentwire`.
 */
export interface Metadata {
  [provider: string]: { [member: string]: PlainJson | undefined };
}

/** A text. While it grows, `state` is `streaming`. */
export interface TextPart {
  readonly type: "text";
  readonly text: string;
  readonly state?: "streaming" | "done";
  /** `agentwire.refusal` is true for the text of a refusal. */
  readonly providerMetadata?: Metadata;
}

/** The reasoning of the model, or its summary. */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  readonly state?: "streaming" | "done";
  readonly providerMetadata?: Metadata;
}

/** A file: an address, or a data URL with its content. */
export interface FilePart {
  readonly type: "file";
  readonly mediaType: string;
  readonly url: string;
  readonly filename?: string;
  readonly providerMetadata?: Metadata;
}

/** A source of the answer with an address. */
export interface SourceUrlPart {
  readonly type: "source-url";
  readonly sourceId: string;
  readonly url: string;
  readonly title?: string;
  readonly providerMetadata?: Metadata;
}

/** A document as a source of the answer. */
export interface SourceDocumentPart {
  readonly type: "source-document";
  readonly sourceId: string;
  readonly mediaType: string;
  readonly title: string;
  readonly filename?: string;
  readonly providerMetadata?: Metadata;
}

/** Content of the protocol that no other part represents: `data` is the native value. */
export interface DataPart {
  readonly type: `data-${string}`;
  readonly id?: string;
  readonly data: unknown;
}

/** The beginning of a request, in an answer that took several. */
export interface StepStartPart {
  readonly type: "step-start";
}

/** A question whether a call may be made, or another question of the agent. */
export interface Question {
  readonly id: string;
  readonly approved?: never;
  readonly reason?: never;
  /** The native question, for example with the schema of its answer. */
  readonly descriptor?: unknown;
  /** The text of the question, if it has one. */
  readonly requestReason?: string;
}

/** A question and the decision of the user. */
export interface Decided<A extends boolean> {
  readonly id: string;
  readonly approved: A;
  readonly reason?: string;
  readonly descriptor?: unknown;
  readonly requestReason?: string;
}

interface AnyToolPart {
  readonly toolCallId: string;
  readonly title?: string;
  /** Whether the server executes the call. */
  readonly providerExecuted?: boolean;
  readonly callProviderMetadata?: Metadata;
}

/** The state of a call. `input` is the arguments: parsed JSON, or the text if it is none. */
export type ToolState =
  | {
      readonly state: "input-streaming";
      readonly input?: unknown;
      readonly rawInput?: string;
      readonly approval?: never;
    }
  | { readonly state: "input-available"; readonly input: unknown; readonly approval?: never }
  | { readonly state: "approval-requested"; readonly input: unknown; readonly approval: Question }
  | {
      readonly state: "approval-responded";
      readonly input: unknown;
      readonly approval: Decided<boolean>;
    }
  | {
      readonly state: "output-available";
      readonly input: unknown;
      readonly output: unknown;
      readonly approval?: Decided<true>;
    }
  | {
      readonly state: "output-error";
      readonly input: unknown;
      readonly errorText: string;
      readonly approval?: Decided<true>;
    }
  | { readonly state: "output-denied"; readonly input: unknown; readonly approval: Decided<false> };

/** A call of a tool in the options of the chat. */
export type KnownToolPart = { readonly type: `tool-${string}` } & AnyToolPart & ToolState;

/**
 * A call of another tool; or a question without a call, whose `toolName` is its reason. Questions
 * have the states `approval-requested`, `approval-responded` and `output-denied`.
 */
export type DynamicToolPart = {
  readonly type: "dynamic-tool";
  readonly toolName: string;
} & AnyToolPart &
  ToolState;

/** A call, or a question of the agent. */
export type ToolPart = KnownToolPart | DynamicToolPart;

/** A part of a message. */
export type Part =
  | TextPart
  | ReasoningPart
  | ToolPart
  | FilePart
  | SourceUrlPart
  | SourceDocumentPart
  | DataPart
  | StepStartPart;

/** A part that the user can send. */
export type UserPart = TextPart | FilePart;

/**
 * The progress of a message.
 *
 * - `queued`: sent when the run before it has ended
 * - `sending`: no part of an answer has arrived
 * - `streaming`: the answer arrives, or its calls are executed
 * - `done`: the run has ended as the protocol defines; its calls and questions may wait for an
 *   answer
 * - `stopped`, `failed`: the run was stopped, or has failed: see `error`. The parts that have
 *   arrived are kept
 */
export type MessageStatus = "queued" | "sending" | "streaming" | "done" | "stopped" | "failed";

/**
 * A message of a chat. It is assignable to `UIMessage` of `ai` 6 and 7. An unchanged message is the
 * same object.
 */
export interface Message {
  /** The id, which never changes: a key for lists. */
  readonly id: string;
  readonly role: "user" | "assistant" | "system";
  /**
   * The content in its order. Unchanged parts are the same objects. The list is mutable in its type
   * only, which `UIMessage` requires.
   */
  readonly parts: Part[];
  readonly status: MessageStatus;
  /** The reason of the status `failed`. */
  readonly error?: ChatError;
  /** The metadata given to `send`, or those of the answer in protocols that have them. */
  readonly metadata?: unknown;
}

/** Returns the text of a message, without its reasoning. */
export function messageText({ parts }: Pick<Message, "parts">): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Returns whether a part is a call or a question. */
export function isToolPart(part: { readonly type: string }): part is ToolPart {
  return part.type === "dynamic-tool" || part.type.startsWith("tool-");
}
