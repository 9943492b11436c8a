// The view of a tool call that all protocols share.

import type { Json } from "../agentwire.js";
import { AgentwireError } from "../core/errors.js";
import { partialOf } from "./partial_json.js";
import { valueOf } from "../core/json.js";

/** A tool call, the same in every protocol. */
export interface ToolCall {
  /** The id that an answer refers to; null until the server has sent it. */
  readonly id: string | null;
  /** The name of the tool; null until the server has sent it. */
  readonly name: string | null;
  /**
   * The kind. `approval`: a question to the user, whether a tool may be called, or an interrupt;
   * its `name` may be the reason, and its `result` is the answer.
   */
  readonly kind: "call" | "approval";
  /**
   * The state. `streaming`: the arguments are incomplete. `called`: the arguments are complete.
   * `awaiting-approval`: the arguments of an approval are complete. `answered`: the result is
   * complete.
   */
  readonly state: "streaming" | "called" | "awaiting-approval" | "answered";
  /** The text of the arguments so far, which is JSON when complete. */
  readonly argumentsText: string;
  /**
   * The value of the arguments so far: strings up to the last character, numbers and literals only
   * when complete, properties only with a value. `undefined` while nothing is certain. For display
   * only: a partial path or command has another meaning. Parsed on access; objects of more than a
   * hundred properties and lists of more than two thousand elements lag behind by a few deltas.
   */
  readonly partialArguments: Json | undefined;
  /**
   * The arguments; undefined until the call is complete, and if they are not JSON. An empty text is
   * an object without members.
   */
  readonly arguments: Json | undefined;
  /**
   * The result of the tool as text and, when it is complete and is JSON, as a value. `undefined`
   * before the first delta.
   */
  readonly result: { readonly text: string; readonly value: Json | undefined } | undefined;
  /**
   * Whether the client has to answer: the run has ended successfully without an answer. Never true
   * while the stream is being read.
   */
  readonly pending: boolean;
}

/** A tool call as the module of a protocol reads it. */
export interface RawToolCall
  extends Pick<ToolCall, "id" | "name" | "kind" | "argumentsText" | "pending"> {
  /** The state, which is the same for calls and approvals. */
  readonly state: Exclude<ToolCall["state"], "awaiting-approval">;
  /** The text of the result. */
  readonly result: string | undefined;
  /** The object of the snapshot that has the arguments' text as a property, if any. */
  readonly holder?: object | undefined;
}

/** Returns the calls of a protocol's snapshot; undefined for a snapshot of another protocol. */
export type CallsOf = (snapshot: never) => RawToolCall[] | undefined;

/** Returns the tool calls of a snapshot of one of these protocols. */
export function viewsOf(snapshot: unknown, protocols: readonly CallsOf[]): ToolCall[] {
  for (const callsOf of protocols) {
    const calls = callsOf(Object(snapshot) as never);
    if (calls !== undefined) {
      return calls.map((call) => new ToolCallView(call));
    }
  }
  throw new AgentwireError(
    "wrong-argument",
    "toolCalls(): `snapshot` is the snapshot of an update or an outcome",
  );
}

class ToolCallView implements ToolCall {
  readonly id: string | null;
  readonly name: string | null;
  readonly kind: ToolCall["kind"];
  readonly state: ToolCall["state"];
  readonly argumentsText: string;
  readonly result: ToolCall["result"];
  readonly pending: boolean;
  readonly #holder: object | undefined;

  constructor({ result, ...call }: RawToolCall) {
    this.id = call.id;
    this.name = call.name;
    this.kind = call.kind;
    this.state =
      call.kind === "approval" && call.state === "called" ? "awaiting-approval" : call.state;
    this.argumentsText = call.argumentsText;
    this.result =
      result === undefined
        ? undefined
        : { text: result, value: call.state === "answered" ? valueOf(result) : undefined };
    this.pending = call.pending;
    this.#holder = call.holder;
  }

  get partialArguments(): Json | undefined {
    return partialOf(this.argumentsText, this.#holder, this.state !== "streaming");
  }

  get arguments(): Json | undefined {
    if (this.state === "streaming") {
      return undefined;
    }
    // Models call a tool without parameters with an empty text.
    return this.kind === "call" && this.argumentsText.trim() === ""
      ? {}
      : valueOf(this.argumentsText);
  }
}
