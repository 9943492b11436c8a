// Parses the question to the demo agent and its options out of a request.

import type { Json } from "agentwire";
import type { Conversation } from "agentwire/server";

/** The kinds of runs. */
const VARIANTS = [
  "answer",
  "slow",
  "long",
  "failure",
  "cancel",
  "incomplete",
  "reject",
  "echo",
  "clock",
  "background",
  "approval",
  "parallel",
  "refuse",
  "recall",
  "user",
  "model",
] as const;
export type Variant = (typeof VARIANTS)[number];

/** One question. */
export interface Ask {
  readonly text: string;
  /** The user's id, if the request has it. */
  readonly user: string | undefined;
  /** The texts of the user's earlier messages in the request. */
  readonly earlier: readonly string[];
  readonly variant: Variant;
  /** Milliseconds before each token. */
  readonly delay: number;
  /** The number of tokens of a long answer, and of timestamps of the variant `clock`. */
  readonly tokens: number;
  /** Milliseconds of silence after which a heartbeat is sent. */
  readonly heartbeat: number;
  /** The results of the client's tools, if the request answers calls of the previous run. */
  readonly toolOutputs: readonly string[];
  /** Whether the user approved, if the request answers an interrupt of the previous run. */
  readonly approved: boolean | undefined;
  /** The client's tools, by name. */
  readonly tools: readonly string[];
  /** The state of the client. */
  readonly state: { readonly [key: string]: Json };
}

/**
 * Patterns in the user's message that select a variant without an option; the first match counts.
 */
const TRIGGERS: readonly (readonly [Variant, RegExp])[] = [
  ["echo", /^\s*(echo\b|重复)/i],
  ["model", /\bmodel\b|模型/i],
  ["background", /\bbackground\b|背景/i],
  ["approval", /\bdelete\b|删除/i],
  ["failure", /\bfail|失败|出错/i],
  ["cancel", /\bcancel|取消/i],
  ["refuse", /\brefuse|婉拒/i],
  ["recall", /\bwhat did I (just )?(say|ask)\b|我(刚才)?说了什么/i],
  ["user", /\bwho am I\b|我是谁/i],
  ["parallel", /\bat once\b|同时/i],
  ["reject", /\breject|拒绝/i],
  ["incomplete", /\b(incomplete|cut off)\b|截断/i],
  ["slow", /\bslow|慢/i],
  ["long", /\blong (answer|story|text)|长文/i],
];

/**
 * Parses a question out of a request: the text of the last user message, and `biz_params.demo`
 * (AG-UI: `forwardedProps.demo`, Responses and A2A: `metadata.demo`), a variant's name or an object
 * `{ variant, delay, tokens, heartbeat }`. Members that are missing or not valid have their
 * default.
 */
export function askOf(request: Conversation): Ask {
  const [text = "", ...earlier] = textsOf(request).reverse();
  const { biz_params, forwardedProps, metadata } = request.settings;
  const { demo } =
    [biz_params, forwardedProps, metadata].map(objectOf).find(({ demo }) => demo !== undefined) ??
    {};
  const options = typeof demo === "string" ? { variant: demo } : objectOf(demo);
  const variant =
    VARIANTS.find((name) => name === options.variant) ??
    TRIGGERS.find(([, pattern]) => pattern.test(text))?.[0] ??
    "answer";
  const slow = variant === "slow";
  return {
    text,
    user: request.user ?? request.toJSON().user_id ?? undefined,
    earlier: earlier.reverse(),
    variant,
    delay: within(options.delay, 0, 60_000, slow ? 120 : variant === "long" ? 2 : 16),
    tokens: within(options.tokens, 1, 20_000, 2000),
    heartbeat: within(options.heartbeat, 100, 60_000, slow ? 800 : 15_000),
    ...answersIn(request),
    tools: request.tools.map(({ name }) => name),
    state: objectOf(request.state) as Ask["state"],
  };
}

/** Returns the results that the previous run waited for, unless a message follows them. */
function answersIn({
  messages,
  answers: all,
}: Conversation): Pick<Ask, "toolOutputs" | "approved"> {
  const answers = messages.at(-1)?.role === "assistant" ? all : [];
  return {
    toolOutputs: answers.filter(({ kind }) => kind === "call").map(({ text }) => text),
    approved: answers.findLast((answer) => answer.kind === "approval")?.approved,
  };
}

/** Returns the texts of the user's messages. */
function textsOf({ messages }: Conversation): string[] {
  return messages
    .filter(({ role }) => role === "user")
    .map(({ parts }) =>
      parts
        .map((part) => (part.type === "text" ? part.text : ""))
        .join("\n")
        .trim(),
    );
}

function objectOf(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function within(value: unknown, least: number, most: number, otherwise: number): number {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number)
    ? Math.min(Math.max(number, least), most)
    : otherwise;
}
