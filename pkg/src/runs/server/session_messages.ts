// The messages of a session of AgentScope, made from the stored turns of its conversation, which can
// also be those of another protocol.

import type { AgentScopeReply, AgentScopeRequest, InputMessage, Json } from "../../agentwire.js";
import { Converter } from "../../convert/converter.js";
import { Decoder } from "../../convert/read_as.js";
import { converted } from "../../convert/request.js";
import { isObject, stringifyJson } from "../../core/json.js";
import { type TurnRow, isQuestion, turnsIn } from "./conversation_turns.js";
import { membersOf } from "./turns.js";

/** A message (`Msg`) of a session. */
export type StoredMessage = { readonly [member: string]: Json };

/** A reply: its turns, each with the messages of the Agent API. */
interface StoredReply {
  id: string;
  isCut: boolean;
  at: string | undefined;
  readonly turns: Map<string, InputMessage[]>;
  /** The ids of the questions and calls that the client has answered. */
  readonly answered: Set<unknown>;
}

const encoder = new TextEncoder();

/** Returns the messages for the rows of turns, and the id of the last turn. */
export function messagesOfRows(rows: readonly string[]): {
  readonly messages: readonly StoredMessage[];
  readonly cursor: string | null;
} {
  const messages: StoredMessage[] = [];
  const turns = turnsIn(rows);
  let reply: StoredReply | undefined;
  const end = (): void => {
    messages.push(...(reply === undefined ? [] : [messageOfReply(reply)]));
    reply = undefined;
  };
  const append = ({ turn, side, isCut, at, answer, message }: TurnRow): void => {
    reply ??= { id: answer ?? turn, isCut, at, turns: new Map(), answered: new Set() };
    [reply.id, reply.isCut, reply.at] = [answer ?? reply.id, isCut, at];
    if (side === "input") {
      const { approval_request_id, call_id } = dataOf(message);
      reply.answered.add(approval_request_id ?? call_id);
    }
    // A result belongs to the turn of its call.
    const of = side === "input" ? ([...reply.turns.keys()].at(-1) ?? turn) : turn;
    reply.turns.set(of, [...(reply.turns.get(of) ?? []), message]);
  };
  for (const row of turns.flat()) {
    if (row.side === "input" && isQuestion(row.message)) {
      end();
      messages.push(...messageOfUser(row));
    } else {
      append(row);
    }
  }
  end();
  return { messages, cursor: turns.at(-1)?.[0]!.turn ?? null };
}

/** Returns the messages of the body of a request. */
export function messagesOfInput(body: string): StoredMessage[] {
  const { input } = membersOf(body);
  return [input]
    .flat()
    .filter((value): value is StoredMessage => isObject(value) && "role" in value);
}

function messageOfUser({ turn, at, message }: TurnRow): StoredMessage[] {
  const request = { session_id: turn, input: [message] };
  const { input } = converted<AgentScopeRequest>("agent-api", "agentscope", request).request;
  const id = message.id || turn;
  return [input as Json]
    .flat()
    .flatMap((value) => (isObject(value) ? [{ ...value, id, ...(at && { created_at: at }) }] : []));
}

function messageOfReply({ id, isCut, at, turns, answered }: StoredReply): StoredMessage {
  const status = isCut ? "canceled" : "completed";
  const replies = [...turns.values()].map((output) =>
    replyOf({ object: "response", id, status, output }),
  );
  const content = replies.flatMap((reply) => reply.content as unknown as StoredMessage[]);
  const { status: _, session_id, model, custom, ...message } = replies.at(-1)!;
  return {
    ...withTime(message as unknown as StoredMessage, at),
    content: content.map((block) => ({
      ...withTime(block, at),
      ...(block.type === "tool_call" && answered.has(block.id) && { state: "finished" }),
    })),
  };
}

/** Returns a message or a block with the time at which it was stored, in place of that of now. */
function withTime(
  { created_at, finished_at, ...rest }: StoredMessage,
  at: string | undefined,
): StoredMessage {
  const time = (name: string, value: Json | undefined) => at && value && { [name]: at };
  return { ...rest, ...time("created_at", created_at), ...time("finished_at", finished_at) };
}

/** Returns a response of the Agent API as a reply. */
function replyOf(response: { readonly id: string; readonly [member: string]: unknown }) {
  const converter = new Converter({
    from: "agent-api",
    to: "agentscope",
    responseId: response.id,
  });
  const reader = new Decoder({ protocol: "agentscope" });
  const frame = `data: ${stringifyJson(response as unknown as Json)}\n\n`;
  reader.push(converter.push(encoder.encode(frame)));
  reader.push(converter.finish());
  return reader.finish().snapshot as AgentScopeReply;
}

function dataOf({ content }: InputMessage): { readonly [member: string]: Json } {
  const [part] = (Array.isArray(content) ? content : []) as readonly { readonly data?: Json }[];
  return Object(part?.data);
}
