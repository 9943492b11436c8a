// The answers of a client to pending calls and questions: their order, and whether an answer
// approves a question (the rules of `src/core/request/decision.rs`, for answers that the core does
// not receive).

import type { Json } from "../agentwire.js";
import { check } from "../core/arguments.js";
import { isObject } from "../core/json.js";
import { must } from "../core/errors.js";
import type { RawToolCall } from "../read/tool_call_view.js";

type ReplyMembers = { readonly [name: string]: Json | undefined };

const DECLINE =
  /^(?:reject(?:ed)?|decline(?:d)?|deny|denied|refuse(?:d)?|cancel|cancell?ed|abort(?:ed)?)$/i;
const YES = /^(?:approve(?:d)?|yes|accept(?:ed)?|allow(?:ed)?|confirm(?:ed)?|ok|true)$/i;
const NO = /^(?:no|false)$/i;

/**
 * Returns whether an object approves: `approve` or `approved` is true, and no other property
 * contradicts it.
 */
export function approves(answer: ReplyMembers): boolean {
  const decisions = [answer["approve"], answer["approved"]].filter((value) => value !== undefined);
  return (
    decisions.length > 0 &&
    decisions.every((value) => value === true) &&
    !Object.entries(answer).some(contradicts)
  );
}

/**
 * The properties that contradict an approval with these values. The first row with the name counts;
 * `word` is a text without spaces around it.
 */
const CONTRADICTIONS: readonly (readonly [
  name: RegExp,
  contradicts: (value: Json, word: string) => boolean,
])[] = [
  [/^approved?$/i, (value) => value !== true],
  [/^(?:accept(?:ed)?|allow(?:ed)?|confirm(?:ed)?|ok)$/i, (value) => value === false],
  [DECLINE, (value) => value !== false],
  [/^(?:decision|verdict)$/i, (value, word) => value !== true && !YES.test(word)],
  [
    /^(?:action|answer|choice|outcome|response|result|status|type)$/i,
    (value, word) => value === false || DECLINE.test(word) || NO.test(word),
  ],
  [/^decisions$/i, (value) => Array.isArray(value) && value.some(declines)],
  [
    /^payload$/,
    (value) =>
      isObject(value) &&
      (Object.entries(value).some(contradicts) ||
        [value["approve"], value["approved"]].some(
          (replies) => replies !== undefined && replies !== true,
        )),
  ],
];

/** Returns whether a property contradicts an approval. */
function contradicts([name, value]: [string, Json | undefined]): boolean {
  if (value == null || name === "approve" || name === "approved") {
    return false;
  }
  const [, contradiction] = CONTRADICTIONS.find(([names]) => names.test(name)) ?? [];
  return contradiction?.(value, typeof value === "string" ? value.trim() : "") ?? false;
}

/** Returns whether one of several answers does not approve. */
function declines(answer: Json): boolean {
  if (isObject(answer)) {
    return Object.entries(answer).some(contradicts);
  }
  return typeof answer === "string" ? !YES.test(answer.trim()) : answer !== true;
}

/** The results of tools by call id: text, or a JSON value, which is sent as text. */
export type ToolResults = Readonly<Record<string, Json>>;

/**
 * The decisions of the user by question id: `true` or `{ approved: true }` approves, other values
 * decline, unless the question has its own schema for the answer.
 */
export type Decisions = Readonly<Record<string, Json>>;

/** The other content of a request with tool results or decisions. `I` is the input of a request. */
export interface ReplyOptionsOf<I, D = Decisions> {
  /** The user's next message. */
  readonly input?: I | undefined;
  /** The results of the pending tool calls, for a run that also has pending questions. */
  readonly results?: ToolResults | undefined;
  /** The decisions on the pending questions, for a run that also has pending tool calls. */
  readonly decisions?: D | undefined;
}

/** A call or question of a snapshot. */
type AnswerableCall = Pick<RawToolCall, "id" | "kind" | "pending">;

/** A pending call or question, and its answer. */
export interface AnsweredCall<C extends AnswerableCall = RawToolCall> {
  readonly call: C & { readonly id: string };
  readonly answer: Json;
}

/**
 * Returns the answer to each pending call and question, in the order of their appearance.
 *
 * @throws AgentwireError `answer-missing` if one has no answer, `not-pending` for an answer to
 * another id
 */
export function answersInOrder<C extends AnswerableCall>(
  calls: readonly C[] | undefined,
  results: ToolResults,
  decisions: Decisions,
): AnsweredCall<C>[] {
  const pending = (calls ?? []).filter(
    ({ pending, id }) => pending && id !== null,
  ) as AnsweredCall<C>["call"][];
  for (const [kind, replies] of [
    ["call", results],
    ["approval", decisions],
  ] as const) {
    for (const id of Object.keys(replies)) {
      must(
        pending.some((call) => call.kind === kind && call.id === id),
        "not-pending",
        `the ${kind} \`${id}\` is not pending`,
      );
    }
  }
  return pending.map((call) => {
    const { id, kind } = call;
    const replies = kind === "call" ? results : decisions;
    const instead =
      "answer every call in one request; a tool that failed can return its error as the result";
    must(
      Object.hasOwn(replies, id),
      "answer-missing",
      `the ${kind} \`${id}\` has no answer: ${instead}`,
    );
    return { call, answer: replies[id]! };
  });
}

/** Checks the arguments of `submitToolResults` and `resume`. */
export function checkReplies(
  name: "submitToolResults" | "resume",
  previous: unknown,
  snapshot: unknown,
  answers: unknown,
): void {
  const last = name === "resume" ? "decisions" : "results";
  check(name, { previous: "object", snapshot: "object", [last]: "object" }, [
    previous,
    snapshot,
    answers,
  ]);
}
