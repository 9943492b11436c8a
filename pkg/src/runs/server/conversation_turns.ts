// The turns of a conversation whose client sends only its new messages. A turn has the messages of
// a request and those of its answer, in the form of the Agent API, so that a conversation can be
// continued in another protocol.

import type { InputMessage, Json } from "../../agentwire.js";
import { parseJson, stringifyJson } from "../../core/json.js";
import type { StoredTurn } from "../../http/context.js";
import type { LatestMessages, NewStoredMessage } from "./store.js";

/** The maximum number of characters of the earlier messages that an agent receives. */
export const HISTORY = 4 * 1024 * 1024;

/** A stored message: a row of a turn. */
export interface TurnRow {
  readonly turn: string;
  readonly side: "input" | "output";
  /** The id of the answer; absent in what an earlier version has stored. */
  readonly answer?: string;
  /** The time at which the turn was stored, in ISO 8601; absent like `answer`. */
  readonly at?: string;
  /** Whether the answer was cut off, has failed or was cancelled. */
  readonly isCut: boolean;
  /** What the turn replaces: the whole conversation, or the turn before it. */
  readonly replaces?: "all" | "last";
  readonly message: InputMessage;
}

/** An answer, a response of the Agent API. */
interface Answer {
  readonly id?: string;
  readonly status?: string;
  readonly output?: readonly { readonly [member: string]: Json }[];
}

/** A turn that is being written. */
export class ConversationTurn implements StoredTurn {
  readonly #id: string;
  readonly #earlier: LatestMessages;
  #input: readonly InputMessage[] | undefined;
  #replaces: TurnRow["replaces"];
  #answer: Answer | undefined;

  /**
   * @param id the id of the turn
   * @param earlier the rows of the earlier turns, as JSON
   */
  constructor(id: string, earlier: LatestMessages) {
    [this.#id, this.#earlier] = [id, earlier];
  }

  begin(input: readonly object[]): InputMessage[] {
    const messages = input as readonly InputMessage[];
    const instructions = messages.filter(isInstruction);
    const own = messages.filter((message) => !isInstruction(message));
    const turns = turnsIn(this.#earlier.messages);
    if (own.some(isOfAgent)) {
      // The client sends its history itself.
      [this.#input, this.#replaces] = [own, "all"];
      return [...messages];
    }
    const last = turns.at(-1);
    const fresh = last === undefined ? own : own.filter((message) => !repeats(message, last));
    const isRepeated = last !== undefined && own.length > 0 && fresh.length === 0;
    [this.#input, this.#replaces] = isRepeated ? [own, "last"] : [fresh, undefined];
    const before = (isRepeated ? turns.slice(0, -1) : turns).flat().map(({ message }) => message);
    const begin = before.findIndex(isQuestion);
    return [...instructions, ...(begin < 0 ? [] : before.slice(begin)), ...this.#input];
  }

  end(answer: object): void {
    this.#answer = answer as Answer;
  }

  get isCut(): boolean {
    return this.#replaces !== "all" && this.#earlier.isCut;
  }

  get hasBegun(): boolean {
    return this.#input !== undefined;
  }

  get hasEnded(): boolean {
    return this.#answer !== undefined;
  }

  /** The rows of the turn, as JSON. */
  get rows(): string[] {
    const { id: answer, status = "", output = [] } = this.#answer ?? {};
    const isCut = !["completed", "incomplete"].includes(status);
    const at = new Date().toISOString();
    const rowsOf = (side: TurnRow["side"], messages: readonly InputMessage[]): string[] =>
      messages.map((message) => {
        const row = { turn: this.#id, side, isCut, at, message };
        return stringifyJson({
          ...row,
          ...(side === "output" && answer && { answer }),
          ...(this.#replaces && { replaces: this.#replaces }),
        } as unknown as Json);
      });
    return [...rowsOf("input", this.#input ?? []), ...rowsOf("output", output.flatMap(repeatable))];
  }
}

/** Returns the messages that are stored for the rows of a turn. */
export function messagesOfTurn(rows: readonly string[], at: number): NewStoredMessage[] {
  return rows.map((row) => {
    const { turn, side, message } = rowIn(row);
    return {
      id: message.id || turn,
      role: message.role ?? (side === "input" ? "user" : "assistant"),
      content: "",
      extra: "{}",
      message: row,
      isShown: false,
      at,
    };
  });
}

/** Returns the turns in rows, without those that were replaced. */
export function turnsIn(rows: readonly string[]): TurnRow[][] {
  let turns: TurnRow[][] = [];
  for (const row of rows.map(rowIn)) {
    const last = turns.at(-1);
    if (last?.[0]!.turn === row.turn) {
      last.push(row);
      continue;
    }
    if (row.replaces !== undefined) {
      turns = row.replaces === "all" ? [] : turns.slice(0, -1);
    }
    turns.push([row]);
  }
  return turns;
}

function rowIn(row: string): TurnRow {
  return parseJson(row) as unknown as TurnRow;
}

/** Returns whether a message repeats one of the last turn. */
function repeats(message: InputMessage, last: readonly TurnRow[]): boolean {
  const key = keyOf(message);
  return last.some((row) => {
    const isSame =
      row.side === "input" &&
      key === keyOf(row.message) &&
      jsonOf(message.content) === jsonOf(row.message.content);
    // Without an id, the same text can be a new message, unless its answer was cut off.
    return isSame && (key !== undefined || row.isCut);
  });
}

/** Returns the name of a message that identifies it in its conversation. */
function keyOf({ id, content = [] }: InputMessage): string | undefined {
  const [part] = (Array.isArray(content) ? content : []) as readonly { readonly data?: Json }[];
  const { call_id: call } = Object(part?.data) as { readonly call_id?: Json };
  return typeof call === "string" ? `call ${call}` : id || undefined;
}

function jsonOf(value: unknown): string {
  return stringifyJson((value ?? null) as Json);
}

function isInstruction({ role }: InputMessage): boolean {
  return role === "system" || role === "developer";
}

function isText({ type }: InputMessage): boolean {
  return type === undefined || type === null || type === "message";
}

/** Returns whether a message is one of the user, with which a history can begin. */
export function isQuestion(message: InputMessage): boolean {
  return isText(message) && (message.role ?? "user") === "user";
}

/** The types of messages that only an agent writes. */
const AGENTS: readonly unknown[] = [
  "reasoning",
  "function_call",
  "plugin_call",
  "component_call",
  "mcp_call",
  "mcp_approval_request",
];

function isOfAgent({ role, type }: InputMessage): boolean {
  return role === "assistant" || AGENTS.includes(type);
}

/** Returns a content without the members of its stream. */
function withoutStream(content: Json): Json {
  const { sequence_number, object, status, error, delta, msg_id, index, ...rest } = Object(
    content,
  ) as { readonly [member: string]: Json };
  return rest;
}

/** The types of messages that are not sent back. */
const NOT_SENT_BACK: readonly unknown[] = ["error", "heartbeat"];

/** Returns a message of an answer as a later request repeats it. */
function repeatable(message: { readonly [member: string]: Json }): InputMessage[] {
  const { id, type, role, content, metadata } = message;
  const contents = Array.isArray(content) ? content.map(withoutStream) : content;
  const members = Object.entries({ id, type, role, content: contents ?? null, metadata });
  return NOT_SENT_BACK.includes(type)
    ? []
    : [Object.fromEntries(members.filter(([, value]) => value != null)) as unknown as InputMessage];
}
