// From exchanges to messages, in the protocols whose snapshot is the answer to one request.

import type { View } from "./dialect.js";
import { type Exchange, groupAt, lastIndex } from "./exchange.js";
import {
  type Message,
  type MessageStatus,
  type Part,
  type ToolPart,
  isToolPart,
} from "./message.js";
import { type PartContext, STEP, isSameList, replyKey, samePrefix, sharedWith } from "./parts.js";

/**
 * Returns the message of the user with the status of its request: it has failed only if there is no
 * answer to show.
 */
export function userMessage(
  { user, status, error }: Pick<Exchange<unknown>, "user" | "status" | "error">,
  isAnswered: boolean,
): Message {
  const { id, parts, metadata } = user!;
  const own =
    isAnswered || status === "calling" ? "done" : status === "streaming" ? "sending" : status;
  return {
    id,
    role: "user",
    parts: parts as Part[],
    status: own,
    ...(error && !isAnswered && { error }),
    ...(metadata !== undefined && { metadata }),
  };
}

/** Returns the status of an answer by that of its last exchange. */
export function answerStatus(status: Exchange<unknown>["status"]): MessageStatus {
  return status === "sending" || status === "calling" ? "streaming" : status;
}

/** Returns whether the last message that was sent has parts of an answer. */
export function isAnswered(messages: readonly Message[]): boolean {
  return messages[lastIndex(messages, ({ status }) => status !== "queued")]?.role === "assistant";
}

/** Returns what the parts of an exchange depend on. */
export function contextOf(
  { status, replies }: Exchange<unknown>,
  tools: ReadonlySet<string>,
): PartContext {
  return {
    isLive: status === "streaming",
    tools,
    replies: new Map(replies.map((reply) => [replyKey(reply.kind, reply.id), reply])),
  };
}

type Continued = (part: ToolPart, later: ToolPart) => ToolPart;

/**
 * Returns the parts of several answers, each after a step. A call that continues, for example after
 * its approval, keeps its place.
 */
function joinedParts(
  answers: readonly (readonly Part[])[],
  continued: Continued | undefined,
): Part[] {
  const list: Part[] = [];
  const open = new Map<string, number>();
  for (const [at, parts] of answers.entries()) {
    const fresh = parts.filter((part) => {
      const known = isToolPart(part) ? open.get(part.toolCallId) : undefined;
      if (known !== undefined) {
        list[known] = continued!(list[known] as ToolPart, part as ToolPart);
      }
      return known === undefined;
    });
    if (fresh.length > 0) {
      list.push(...(fresh[0]!.type === "step-start" ? [] : [STEP]), ...fresh);
    }
    if (continued !== undefined && at < answers.length - 1) {
      list.forEach(
        (part, place) =>
          isToolPart(part) &&
          (part.state === "approval-responded" || part.state === "input-available") &&
          open.set(part.toolCallId, place),
      );
    }
  }
  return list;
}

/**
 * A message of the user with its answers: the index of its first exchange, and that of its first
 * message.
 */
interface Group {
  readonly at: number;
  readonly shownAt: number;
}

/**
 * Returns the view of a protocol. All answers up to the next message of the user are one message,
 * with a `step-start` before each of them.
 *
 * @param partsOf returns the parts of a snapshot; those of unchanged values are the same objects
 * @param metadataOf returns the metadata of the answer
 * @param continued returns a call that was open with its state in the next answer, in protocols whose
 * next answer repeats the call
 */
export function viewOfAnswers<S extends object>(
  partsOf: (snapshot: S, context: PartContext) => readonly Part[],
  metadataOf: (snapshot: S) => unknown = () => undefined,
  continued?: Continued,
): (tools: ReadonlySet<string>) => View<S> {
  return (tools) => {
    const known = new WeakMap<Exchange<S>, readonly Part[]>();
    let seen: readonly Exchange<S>[] = [];
    let groups: readonly Group[] = [];
    let shown: readonly Message[] = [];

    const partsOfExchange = (exchange: Exchange<S>): readonly Part[] => {
      let parts = known.get(exchange);
      if (parts === undefined) {
        parts =
          exchange.snapshot === undefined
            ? []
            : partsOf(exchange.snapshot, contextOf(exchange, tools));
        known.set(exchange, parts);
      }
      return parts;
    };
    const messagesOf = (group: readonly Exchange<S>[]): readonly Message[] => {
      const parts = joinedParts(group.map(partsOfExchange), continued);
      const [first, last] = [group[0]!, group.at(-1)!];
      const metadata = last.snapshot && metadataOf(last.snapshot);
      const { error } = last;
      const answer: Message = {
        id: first.id,
        role: "assistant",
        parts,
        status: answerStatus(last.status),
        ...(error && { error }),
        ...(metadata != null && { metadata }),
      };
      return [
        ...(first.user === undefined
          ? []
          : [
              userMessage(
                first === last ? first : { ...first, error: last.error },
                parts.length > 0,
              ),
            ]),
        ...(parts.length > 0 ? [answer] : []),
      ];
    };

    return (exchanges) => {
      // Only the groups behind the first difference are computed, and the group that it continues.
      const same = samePrefix(seen, exchanges);
      const isContinued = exchanges[same] !== undefined && exchanges[same]!.user === undefined;
      const whole = isContinued ? same - 1 : same;
      let keep = groups.length;
      while (keep > 0 && (groups[keep]?.at ?? seen.length) > whole) {
        keep--;
      }
      const kept = groups.slice(0, keep);
      const messages = shown.slice(0, groups[keep]?.shownAt ?? shown.length);
      const shownBefore = sharedWith(shown);
      for (let at = groups[keep]?.at ?? (keep === 0 ? 0 : seen.length); at < exchanges.length; ) {
        const group = groupAt(exchanges, at);
        kept.push({ at, shownAt: messages.length });
        for (const message of messagesOf(group)) {
          messages.push(shownBefore(message, messages.length));
        }
        at += group.length;
      }
      seen = exchanges;
      groups = kept;
      shown = isSameList(shown, messages) ? shown : messages;
      return shown;
    };
  };
}
