// The messages of a chat in AG-UI, whose snapshot is the whole thread: what is between two messages
// of the user is one message.

import type { AgUiInterrupt, AgUiToolCall } from "../agentwire.js";
import type { View } from "../connect/dialect.js";
import { type Exchange, type Reply, groupAt, lastIndex } from "../connect/exchange.js";
import type { Message, Part, Question } from "../connect/message.js";
import {
  dataPart,
  displayable,
  filePart,
  ownMetadata,
  partialInput,
  questionOf,
  textPart,
} from "../connect/native_parts.js";
import {
  type PartContext,
  STEP,
  isEqual,
  isSameList,
  memo,
  plainJson,
  replyKey,
  samePrefix,
  sharedWith,
  toolPart,
} from "../connect/parts.js";
import { answerStatus, userMessage } from "../connect/view.js";
import { threadMessages } from "./history.js";
import {
  type ThreadSnapshot,
  arranged,
  countOf,
  renamedMessages,
  serverMessageOf,
  withDropped,
  withOwnMessage,
} from "./thread.js";
import type { Message as ThreadMessage } from "../generated/ag_ui/types.js";

/**
 * A range of the thread that is one message. An answer without a message of the thread is empty:
 * `start` equals `end`.
 */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the view of a chat whose own tools have these names. The messages of `history` in the
 * thread are shown elsewhere.
 */
export function threadView(
  tools: ReadonlySet<string>,
  history: readonly Message[] = [],
): View<ThreadSnapshot> {
  const known = equalMessages();
  const old = new Set(history.flatMap(threadMessages).map(({ id }) => id));
  const parts = partsIn(tools);
  const withAll = withDropped();
  let exchanges: readonly Exchange<ThreadSnapshot>[] = [];
  let ids = new Map<string, number>();
  /**
   * The messages of the last snapshot, and those with which the chat goes on: equal ones are the
   * objects before, in the order of the chat.
   */
  let native: readonly ThreadMessage[] = [];
  let thread: readonly ThreadMessage[] = [];
  let isArranged = false;
  /** The number of messages in front of `thread`. */
  let oldCount = 0;
  let current: readonly ThreadMessage[] | undefined;
  let ranges: readonly Range[] = [];
  let shown: readonly Message[] = [];

  /** Returns the number of messages of `thread` at the end of an exchange. */
  const countIn = (snapshot: ThreadSnapshot): number =>
    snapshot.messages === current ? thread.length : countOf(snapshot) - oldCount;

  /** Returns the exchange of a message of the user, and its tool rounds. */
  const groupOf = (id: string | undefined): readonly Exchange<ThreadSnapshot>[] => {
    const at = id === undefined ? undefined : ids.get(id);
    return at === undefined ? [] : groupAt(exchanges, at);
  };

  const isAnswer = ({ start, end }: Range): boolean => start === end || isOfAgent(thread[start]!);
  const answerOf = ({ start, end }: Range): Message => {
    const group = groupOf(thread[start - 1]?.id);
    const { status, error } = group.at(-1) ?? { status: "done" as const, error: undefined };
    const isLive = end === thread.length && status === "streaming";
    const id = group[0]?.id ?? thread[start]!.id;
    return {
      id,
      role: "assistant",
      parts: parts(thread, { start, end }, group, isLive, countIn),
      status: answerStatus(status),
      ...(error && { error }),
    };
  };
  /** Returns a message that is not of the agent. */
  const otherOf = (first: ThreadMessage, isAnswered: boolean): Message => {
    const group = groupOf(first.id);
    const [asked, last] = [group[0], group.at(-1)];
    if (asked === undefined) {
      return {
        id: first.id,
        role: first.role === "user" ? "user" : "system",
        parts: parts.content(first),
        status: "done",
      };
    }
    return userMessage({ ...last!, user: asked.user }, isAnswered);
  };

  return (latest) => {
    const isSame =
      samePrefix(exchanges, latest) >= exchanges.length - 1 && latest.length === exchanges.length;
    // The server can have given an id to the message.
    const isSameUser = exchanges.at(-1)?.user === latest.at(-1)?.user;
    exchanges = latest;
    if (!isSame || !isSameUser) {
      ids = idsOf(exchanges);
    }
    const at = lastIndex(exchanges, ({ snapshot }) => snapshot !== undefined);
    const last = exchanges[at];
    const askedAt = lastIndex(exchanges.slice(0, at + 1), ({ user }) => user !== undefined);
    // Messages without an answer follow the thread.
    const waiting = exchanges
      .slice(at + 1)
      .flatMap((exchange) => (exchange.user === undefined ? [] : userMessage(exchange, false)));
    const before = thread;
    const whole = last?.snapshot?.messages ?? [];
    current = whole;
    const complete = withAll(exchanges.slice(0, Math.max(at, 0)), whole);
    const messages = old.size === 0 ? complete : complete.filter(({ id }) => !old.has(id));
    oldCount = complete.length - messages.length;
    const equal = samePrefix(native, messages);
    thread = [
      ...(isArranged ? native.slice(0, equal).map(known) : before.slice(0, equal)),
      ...messages.slice(equal).map(known),
    ];
    native = messages;
    isArranged = false;
    if (last !== undefined && askedAt >= 0 && indexInThread(exchanges[askedAt]!, thread) < 0) {
      const server = serverMessageOf(exchanges, askedAt, thread);
      thread =
        server === undefined
          ? withOwnMessage(exchanges, askedAt, thread).map(known)
          : arranged(thread, server);
      isArranged = true;
      if (server !== undefined) {
        ids.set(server.id, askedAt);
      }
      renamedMessages(exchanges, askedAt, thread).forEach((id, index) => ids.set(id, index));
    }
    // The messages before the first difference are not computed again, up to the last message of
    // the user among them and that of the present request.
    const asked = askedAt < 0 ? 0 : indexInThread(exchanges[askedAt]!, thread);
    const same = isSame ? Math.min(samePrefix(before, thread), asked < 0 ? 0 : asked + 1) : 0;
    let keep = ranges.length;
    while (
      keep > 0 &&
      !(
        ranges[keep] !== undefined &&
        ranges[keep]!.start < ranges[keep]!.end &&
        ranges[keep]!.start < same &&
        thread[ranges[keep]!.start]!.role === "user"
      )
    ) {
      keep--;
    }
    const kept = ranges.slice(0, keep);
    // A message without a part is not shown, except one that was sent.
    const fresh = rangesFrom(thread, ranges[keep]?.start ?? 0, (id) =>
      groupOf(id).some(({ snapshot }) => hasQuestions(snapshot)),
    )
      .map((range) => ({ range, answer: isAnswer(range) ? answerOf(range) : undefined }))
      .filter(({ range, answer }) =>
        answer === undefined
          ? ids.has(thread[range.start]!.id) || parts.content(thread[range.start]!).length > 0
          : answer.parts.length > 0,
      );
    ranges = [...kept, ...fresh.map(({ range }) => range)];
    const made = fresh.map(
      ({ range, answer }, index) =>
        answer ?? otherOf(thread[range.start]!, fresh[index + 1]?.answer !== undefined),
    );
    const shownBefore = sharedWith(shown);
    const result = [...made, ...waiting].map((message, index) =>
      shownBefore(message, keep + index),
    );
    const next = [...shown.slice(0, keep), ...result];
    shown = isSameList(shown, next) ? shown : next;
    return shown;
  };
}

/**
 * Returns the index of the exchange by the id of its message: that of the client, and that of the
 * server.
 */
function idsOf(exchanges: readonly Exchange<ThreadSnapshot>[]): Map<string, number> {
  const ids = new Map<string, number>();
  for (const [at, { user }] of exchanges.entries()) {
    if (user !== undefined) {
      ids.set(user.id, at);
      if (user.serverId !== undefined) {
        ids.set(user.serverId, at);
      }
    }
  }
  return ids;
}

function indexInThread(
  { user }: Exchange<ThreadSnapshot>,
  thread: readonly ThreadMessage[],
): number {
  return lastIndex(thread, ({ id }) => id === user!.id || id === user!.serverId);
}

function isOfAgent({ role }: ThreadMessage): boolean {
  return role !== "user" && role !== "system" && role !== "developer";
}

function hasQuestions(snapshot: ThreadSnapshot | undefined): boolean {
  return questionsOf(snapshot).length > 0;
}

function questionsOf(snapshot: ThreadSnapshot | undefined): readonly AgUiInterrupt[] {
  const interrupts = snapshot?.pendingInterrupts;
  return Array.isArray(interrupts) ? (interrupts as unknown as readonly AgUiInterrupt[]) : [];
}

/**
 * Returns the ranges of the thread from an index on. An answer that only asks questions has an
 * empty range behind its message.
 */
function rangesFrom(
  thread: readonly ThreadMessage[],
  from: number,
  asks: (id: string) => boolean,
): readonly Range[] {
  const ranges: Range[] = [];
  for (let at = from; at < thread.length; ) {
    let end = at + 1;
    while (isOfAgent(thread[at]!) && end < thread.length && isOfAgent(thread[end]!)) {
      end++;
    }
    ranges.push({ start: at, end });
    const isUnanswered =
      !isOfAgent(thread[end - 1]!) && (end === thread.length || !isOfAgent(thread[end]!));
    if (isUnanswered && asks(thread[end - 1]!.id)) {
      ranges.push({ start: end, end });
    }
    at = end;
  }
  return ranges;
}

/**
 * Returns a function that returns the message before if an equal one is given: the objects of each
 * stream are new, also those that were sent.
 */
function equalMessages(): (message: ThreadMessage) => ThreadMessage {
  const known = new WeakMap<ThreadMessage, ThreadMessage>();
  const byId = new Map<string, ThreadMessage>();
  return (message) => {
    let found = known.get(message);
    if (found === undefined) {
      const before = byId.get(message.id);
      found = before !== undefined && isEqual(before, message) ? before : message;
      byId.set(message.id, found);
      known.set(message, found);
    }
    return found;
  };
}

/**
 * Returns a function that returns the parts of an answer whose snapshot has its own messages only.
 */
export function answerParts(
  tools: ReadonlySet<string>,
): (
  messages: readonly ThreadMessage[],
  context: PartContext,
  snapshot: ThreadSnapshot,
) => readonly Part[] {
  const parts = partsIn(tools);
  return (messages, { isLive, replies }, snapshot) => {
    const own = messages.filter(isOfAgent);
    const exchange: Exchange<ThreadSnapshot> = {
      id: "",
      status: isLive ? "streaming" : "done",
      snapshot: { ...snapshot, messages: own },
      replies: [...replies.values()],
    };
    // The view begins each answer with a step.
    return parts(own, { start: 0, end: own.length }, [exchange], isLive).slice(1);
  };
}

/** Returns a function that returns the parts of an answer in the thread. */
function partsIn(tools: ReadonlySet<string>) {
  const content = memo((message: ThreadMessage, isLive: boolean): readonly Part[] =>
    contentOf(message, isLive),
  );
  const callOf = memo(
    (
      call: AgUiToolCall,
      result: ThreadMessage | undefined,
      isComplete: boolean,
      reply: Reply | undefined,
      interrupt: AgUiInterrupt | undefined,
    ): Part => {
      const { id, function: holder } = call;
      const output =
        result === undefined
          ? undefined
          : typeof result.content === "string"
            ? jsonOrText(result.content)
            : (displayable(result.content) ?? null);
      const partial = (): unknown => partialInput(holder.arguments, holder);
      return toolPart(
        {
          id,
          name: holder.name,
          text: holder.arguments,
          isComplete,
          output,
          errorText: result?.error,
          question: interrupt && askedBy(interrupt),
          partial,
        },
        reply,
        tools,
      );
    },
  );
  const interruptPart = memo((interrupt: AgUiInterrupt, reply: Reply | undefined): Part => {
    const { id, reason, message: _, toolCallId: __, ...rest } = interrupt;
    return toolPart(
      {
        id,
        name: reason,
        text: JSON.stringify(displayable(rest)),
        isComplete: true,
        question: askedBy(interrupt),
      },
      reply,
      tools,
    );
  });

  const parts = (
    thread: readonly ThreadMessage[],
    { start, end }: Range,
    group: readonly Exchange<ThreadSnapshot>[],
    isLive: boolean,
    countIn = countOf,
  ): Part[] => {
    const own = thread.slice(start, end);
    const results = new Map(
      own.filter(({ role }) => role === "tool").map((message) => [message.toolCallId!, message]),
    );
    const called = new Set(own.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)));
    const replies = new Map(
      group.flatMap(({ replies }) =>
        replies.map((reply) => [replyKey(reply.kind, reply.id), reply] as const),
      ),
    );
    // Questions that were answered are no longer in the thread: they stay where they were asked.
    const questions = group.flatMap(({ snapshot }) =>
      questionsOf(snapshot).map((interrupt) => ({
        interrupt,
        at: Math.max(start, Math.min(countIn(snapshot!), end)),
      })),
    );
    const rounds = new Set(
      group.flatMap(({ snapshot }) => (snapshot === undefined ? [] : countIn(snapshot))),
    );
    const list: Part[] = [];
    // A step is what the agent sends in one round, and between two results.
    let isStep = true;
    const push = (...parts: readonly Part[]): void => {
      if (isStep && parts.length > 0) {
        list.push(STEP);
        isStep = false;
      }
      list.push(...parts);
    };
    for (let at = start; at <= end; at++) {
      for (const { interrupt } of questions.filter(
        (each) => each.at === at && !called.has(each.interrupt.toolCallId ?? ""),
      )) {
        push(interruptPart(interrupt, replies.get(replyKey("approval", interrupt.id))));
      }
      isStep ||= rounds.has(at) || thread[at - 1]?.role === "tool";
      const message = thread[at];
      if (at === end || message === undefined || message.role === "tool") {
        continue;
      }
      const grows = isLive && at === end - 1;
      const { toolCalls = [] } = message;
      push(...content(message, grows && toolCalls.length === 0));
      for (const [index, call] of toolCalls.entries()) {
        const result = results.get(call.id);
        const interrupt =
          result === undefined
            ? questions.find(({ interrupt }) => interrupt.toolCallId === call.id)?.interrupt
            : undefined;
        const isComplete = !(grows && index === toolCalls.length - 1);
        push(
          callOf(
            call,
            result,
            isComplete,
            replies.get(
              interrupt === undefined
                ? replyKey("call", call.id)
                : replyKey("approval", interrupt.id),
            ),
            interrupt,
          ),
        );
      }
    }
    return list;
  };
  parts.content = (message: ThreadMessage): Part[] => [...content(message, false)];
  return parts;
}

/**
 * Returns the question of an interrupt. The interrupts of this package's servers have their payload
 * as metadata.
 */
function askedBy(interrupt: AgUiInterrupt): Question {
  return questionOf(interrupt.id, interrupt, interrupt, Object(interrupt.metadata).payload);
}

/** Returns the parts of a message without its calls. */
function contentOf(
  { id, role, content, activityType = "activity", subagentRunId }: ThreadMessage,
  isLive: boolean,
): readonly Part[] {
  if (role === "activity") {
    // The servers of this package send pictures as activities, because AG-UI has no content for
    // them.
    const { image_url: url } = Object(content);
    return [
      activityType === "image" && typeof url === "string"
        ? filePart({ mediaType: "image/*", url }, content)
        : dataPart(activityType, content, id),
    ];
  }
  if (typeof content === "string" && content !== "") {
    const part = textPart(content, isLive, ownMetadata({ subagentRunId }));
    return [role === "reasoning" ? { ...part, type: "reasoning" } : part];
  }
  return Array.isArray(content) ? content.map(userPart) : [];
}

/** Returns the part for one of the parts of a user's message. */
function userPart(part: unknown): Part {
  const { type, text, source, metadata } = Object(part) as { readonly [name: string]: unknown };
  if (type === "text" && typeof text === "string") {
    return textPart(text, false);
  }
  const { type: kind, value, mimeType } = Object(source) as { readonly [name: string]: unknown };
  if (typeof value !== "string") {
    return dataPart(typeof type === "string" ? type : "content", part);
  }
  const mediaType =
    typeof mimeType === "string"
      ? mimeType
      : (MEDIA_TYPES[String(type)] ?? "application/octet-stream");
  const { filename } = Object(metadata) as { readonly filename?: unknown };
  const name = typeof filename === "string" ? { filename } : {};
  return filePart(
    { mediaType, ...(kind === "data" ? { base64: value } : { url: value }), ...name },
    part,
  );
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  image: "image/*",
  audio: "audio/*",
  video: "video/*",
};

/** Returns the value of a result: parsed if it is an object or a list, otherwise the text. */
function jsonOrText(text: string): unknown {
  return /^\s*[[{]/.test(text) ? plainJson(text) : text;
}
