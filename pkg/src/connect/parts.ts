// From the values of a protocol to parts: what the views of all protocols share.

import type { Reply } from "./exchange.js";
import type { Message, Metadata, Part, Question, ToolPart, ToolState } from "./message.js";

/** The values that parts depend on besides their object in the snapshot. */
export interface PartContext {
  /** Whether the answer is arriving. */
  readonly isLive: boolean;
  /** The names of the client's tools. */
  readonly tools: ReadonlySet<string>;
  /** The replies by their kinds and ids: see {@link replyKey}. */
  readonly replies: ReadonlyMap<string, Reply>;
}

/** Returns the key of a reply. A call and a question about it can have the same id. */
export function replyKey(kind: Reply["kind"], id: string): string {
  return `${kind} ${id}`;
}

/**
 * Returns a function that computes its value once for the same object and the same further
 * arguments.
 */
export function memo<O extends object, F extends readonly unknown[], R>(
  make: (object: O, ...further: F) => R,
): (object: O, ...further: F) => R {
  const known = new WeakMap<O, { readonly further: F; readonly value: R }>();
  return (object, ...further) => {
    const before = known.get(object);
    if (before !== undefined && isSameList(before.further, further)) {
      return before.value;
    }
    const value = make(object, ...further);
    known.set(object, { further, value });
    return value;
  };
}

/** Returns whether two values of plain data are equal. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) {
    return true;
  }
  if (
    typeof one !== "object" ||
    typeof other !== "object" ||
    one === null ||
    other === null ||
    Array.isArray(one) !== Array.isArray(other)
  ) {
    return false;
  }
  const names = Object.keys(one);
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  );
}

/** Returns a value of plain data, with the objects of another one in place of equal ones. */
export function withObjectsOf(before: unknown, now: unknown): unknown {
  if (
    typeof before !== "object" ||
    typeof now !== "object" ||
    before === null ||
    now === null ||
    isEqual(before, now)
  ) {
    return isEqual(before, now) ? before : now;
  }
  if (Array.isArray(now)) {
    return Array.isArray(before) ? now.map((each, at) => withObjectsOf(before[at], each)) : now;
  }
  return Object.fromEntries(
    Object.entries(now).map(([name, value]) => [
      name,
      withObjectsOf((before as Record<string, unknown>)[name], value),
    ]),
  );
}

/** Returns whether two lists have the same elements. */
export function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, at) => each === other[at]);
}

/** Returns the number of leading elements that two lists share. */
export function samePrefix(one: readonly unknown[], other: readonly unknown[]): number {
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) {
    same++;
  }
  return same;
}

/**
 * Returns a function that returns the message with this id in a list, if nothing differs. `at` is
 * the index where it probably is.
 */
export function sharedWith(shown: readonly Message[]): (message: Message, at: number) => Message {
  let byId: Map<string, Message> | undefined;
  return (message, at) => {
    if (shown[at]?.id === message.id) {
      return shared(shown[at], message);
    }
    byId ??= new Map(shown.map((each) => [each.id, each]));
    return shared(byId.get(message.id), message);
  };
}

/**
 * Returns the message before if nothing differs. Otherwise equal parts are those of the message
 * before.
 */
function shared(before: Message | undefined, now: Message): Message {
  if (before === undefined) {
    return now;
  }
  const parts = now.parts.map((part, at) =>
    isEqual(before.parts[at], part) ? before.parts[at]! : part,
  );
  const metadata = isEqual(before.metadata, now.metadata) ? before.metadata : now.metadata;
  const isSame =
    before.role === now.role &&
    before.status === now.status &&
    before.error === now.error &&
    before.metadata === metadata &&
    isSameList(before.parts, parts);
  return isSame ? before : { ...now, parts, ...(metadata !== undefined && { metadata }) };
}

/** A call or a question of an answer. */
export interface AnswerCall {
  /** The id for replies to a call; for a question without a call, that of the question. */
  readonly id: string;
  readonly name: string;
  /** The arguments as text. */
  readonly text: string;
  readonly isComplete: boolean;
  /** The result in the answer. */
  readonly output?: unknown;
  /** The error in the answer. */
  readonly errorText?: string | undefined;
  readonly isServers?: boolean;
  readonly metadata?: Metadata | undefined;
  /** The question about the call, or instead of one. */
  readonly question?: Question | undefined;
  /** Returns the value of incomplete arguments. */
  readonly partial?: (() => unknown) | undefined;
}

/** Returns the part of a call, or of a question, with the reply of the client. */
export function toolPart(
  call: AnswerCall,
  reply: Reply | undefined,
  tools: ReadonlySet<string>,
): ToolPart {
  const { id, name, text, isComplete, output, errorText, isServers, metadata, question } = call;
  const tool = tools.has(name)
    ? { type: `tool-${name}` as const }
    : { type: "dynamic-tool" as const, toolName: name };
  const part = {
    ...tool,
    toolCallId: id,
    ...(isServers && { providerExecuted: true }),
    ...(metadata && { callProviderMetadata: metadata }),
  };
  if (!isComplete && output === undefined) {
    const input = call.partial?.();
    return {
      ...part,
      state: "input-streaming",
      ...(input !== undefined && { input }),
      rawInput: text,
    };
  }
  const input = plainJson(text);
  if (errorText !== undefined) {
    return { ...part, state: "output-error", input, errorText };
  }
  if (output !== undefined) {
    return { ...part, state: "output-available", input, output };
  }
  if (question !== undefined) {
    return { ...part, ...decided(question, input, reply) };
  }
  if (reply === undefined) {
    return { ...part, state: "input-available", input };
  }
  return reply.isError || reply.isDropped
    ? { ...part, state: "output-error", input, errorText: String(reply.value) }
    : { ...part, state: "output-available", input, output: plain(reply.value) };
}

/** Returns the state of a question. */
function decided(
  { id, descriptor, requestReason }: Question,
  input: unknown,
  reply: Reply | undefined,
): QuestionState {
  const asked = {
    id,
    ...(descriptor !== undefined && { descriptor }),
    ...(requestReason !== undefined && { requestReason }),
  };
  if (reply === undefined || reply.kind !== "approval") {
    return { state: "approval-requested", input, approval: asked };
  }
  const { approved = false, value, isDropped } = reply;
  const decision = { ...asked, ...(typeof value === "string" && { reason: value }) };
  return isDropped
    ? { state: "output-denied", input, approval: { ...decision, approved: false } }
    : { state: "approval-responded", input, approval: { ...decision, approved } };
}

type QuestionState = Extract<
  ToolState,
  { readonly state: "approval-requested" | "approval-responded" | "output-denied" }
>;

/**
 * Returns the value of a JSON text, with rounded integers; an object for an empty text, and the
 * text itself if it is not JSON.
 */
export function plainJson(text: string): unknown {
  if (text.trim() === "") {
    return {};
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns a JSON value for display: with rounded integers in place of `bigint`. */
export function plain(value: unknown): unknown {
  return value !== null && typeof value === "object"
    ? JSON.parse(
        JSON.stringify(value, (_, each: unknown) =>
          typeof each === "bigint" ? Number(each) : each,
        ),
      )
    : typeof value === "bigint"
      ? Number(value)
      : value;
}

/** Returns the address of a file: its URL, or a data URL with its base64 content. */
export function fileUrl(
  mediaType: string,
  { url, base64 }: { readonly url?: string | undefined; readonly base64?: string | undefined },
): string {
  return url ?? `data:${mediaType};base64,${base64 ?? ""}`;
}

/** Returns the base64 content of a data URL; undefined for another address. */
export function base64Of(url: string): string | undefined {
  const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? [];
  return base64;
}

/** The beginning of a request in an answer. */
export const STEP: Part = { type: "step-start" };
