// A tool call as it is shown and answered, the same in every protocol.

import type { Json } from "./agentwire.js";
import { AgentwireError } from "./errors.js";
import { partialOf } from "./growing.js";
import { parseJson } from "./json.js";

/** A tool call, the same in every protocol. */
export interface ToolCall {
  /** What to name when answering; null as long as the server has not said it. */
  readonly id: string | null;
  /** The tool; null as long as the server has not said it. */
  readonly name: string | null;
  /**
   * `approval`: a question to the user, whether a tool may be called, or an interrupt; `name` may be its reason. Its `result`
   * is the answer.
   */
  readonly kind: "call" | "approval";
  /**
   * `streaming`: the arguments are coming. `called`: they are complete. `awaiting-approval`: the same of an approval. `answered`: the
   * result is complete.
   */
  readonly state: "streaming" | "called" | "awaiting-approval" | "answered";
  /** The text of the arguments so far, which is JSON in the end. */
  readonly argumentsText: string;
  /**
   * What the text says so far: strings up to where they were cut, numbers and literals only when they are whole, keys only
   * with a value. `undefined` while nothing is certain. For display only: half a path or command is the wrong one. Worked out
   * when it is read; objects of more than a hundred members and lists of more than two thousand follow a few pieces later.
   */
  readonly partialArguments: Json | undefined;
  /** The arguments; only once the call is complete, and if they are JSON. */
  readonly arguments: Json | undefined;
  /** What the tool came to, as text and, once it is complete and if it is JSON, as a value. `undefined` while there is nothing. */
  readonly result: { readonly text: string; readonly value: Json | undefined } | undefined;
  /** The run has ended well and nothing has answered: it is the client's to answer. Never while the stream lasts. */
  readonly pending: boolean;
}

/** What a protocol says of a call. */
export interface Said extends Pick<ToolCall, "id" | "name" | "kind" | "argumentsText" | "pending"> {
  /** The same for calls and approvals. */
  readonly state: Exclude<ToolCall["state"], "awaiting-approval">;
  /** The text of the result. */
  readonly result: string | undefined;
  /** The object of the answer whose member `raw` is, if one is. */
  readonly holder?: object | undefined;
}

/** How the calls of a protocol's answers are found; undefined for what is no answer of that protocol. */
export type CallsOf = (snapshot: never) => Said[] | undefined;

/** The tool calls of a snapshot, which is an answer of one of these protocols. */
export function viewsOf(snapshot: unknown, protocols: readonly CallsOf[]): ToolCall[] {
  for (const callsOf of protocols) {
    const calls = callsOf(Object(snapshot) as never);
    if (calls !== undefined) {
      return calls.map((said) => new View(said));
    }
  }
  throw new AgentwireError("wrong-argument", "toolCalls(): `snapshot` is the snapshot of an update or an outcome");
}

class View implements ToolCall {
  readonly id: string | null;
  readonly name: string | null;
  readonly kind: ToolCall["kind"];
  readonly state: ToolCall["state"];
  readonly argumentsText: string;
  readonly result: ToolCall["result"];
  readonly pending: boolean;
  readonly #holder: object | undefined;

  constructor({ result, ...said }: Said) {
    this.id = said.id;
    this.name = said.name;
    this.kind = said.kind;
    this.state = said.kind === "approval" && said.state === "called" ? "awaiting-approval" : said.state;
    this.argumentsText = said.argumentsText;
    this.result = result === undefined ? undefined : { text: result, value: said.state === "answered" ? jsonOf(result) : undefined };
    this.pending = said.pending;
    this.#holder = said.holder;
  }

  get partialArguments(): Json | undefined {
    return partialOf(this.argumentsText, this.#holder, this.state !== "streaming");
  }

  get arguments(): Json | undefined {
    return this.state === "streaming" ? undefined : jsonOf(this.argumentsText);
  }
}

function jsonOf(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
