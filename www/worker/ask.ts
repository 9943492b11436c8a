// What a request asks of the demo agent: what the user said, and how the run shall go.

import type { Json } from "agentwire";
import { type AgentRequest, submittedResults } from "agentwire/server";

/** How a run can go. */
export type Variant =
  | "answer"
  | "slow"
  | "long"
  | "failure"
  | "cancel"
  | "incomplete"
  | "reject"
  | "echo"
  | "clock"
  | "background"
  | "approval"
  | "parallel"
  | "refuse"
  | "recall"
  | "user";

/** One question. */
export interface Ask {
  readonly text: string;
  /** The user's id, where it is known. */
  readonly user: string | undefined;
  /** What the user said before, as far as the request has it. */
  readonly earlier: readonly string[];
  readonly variant: Variant;
  /** Milliseconds before each token. */
  readonly delay: number;
  /** How many tokens a long answer has, and how many times one that says the time. */
  readonly tokens: number;
  /** Milliseconds of silence after which a heartbeat is sent. */
  readonly heartbeat: number;
  /** What the client's tools came to, where the request answers calls of the run before. */
  readonly toolOutputs: readonly string[];
  /** Whether the user agreed, where the request answers a question of the run before. */
  readonly approved: boolean | undefined;
  /** The client's tools, by name. */
  readonly tools: readonly string[];
  /** The state that the client shares. */
  readonly state: { readonly [key: string]: Json };
}

/** What the user may say to get a variant without an option; the first that is found counts. */
const TRIGGERS: readonly (readonly [Variant, RegExp])[] = [
  ["echo", /^\s*(echo\b|重复)/i],
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

const VARIANTS: readonly Variant[] = [
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
];

/**
 * Reads a question out of a request: the text of the last user message, and `biz_params.demo` (of AG-UI
 * `forwardedProps.demo`, of Responses and A2A `metadata.demo`), which is a variant's name or an object `{ variant, delay, tokens, heartbeat }`. What is left out or
 * makes no sense has its default.
 */
export function askOf(request: AgentRequest): Ask {
  const [text = "", ...earlier] = textsOf(request.input).reverse();
  const { demo } = [request.biz_params, request.forwardedProps, request.metadata].map(objectOf).find(({ demo }) => demo !== undefined) ?? {};
  const options = typeof demo === "string" ? { variant: demo } : objectOf(demo);
  const variant =
    VARIANTS.find((name) => name === options.variant) ??
    TRIGGERS.find(([, pattern]) => pattern.test(text))?.[0] ??
    "answer";
  const slow = variant === "slow";
  return {
    text,
    user: request.user_id ?? undefined,
    earlier: earlier.reverse(),
    variant,
    delay: within(options.delay, 0, 60_000, slow ? 120 : variant === "long" ? 2 : 16),
    tokens: within(options.tokens, 1, 20_000, 2000),
    heartbeat: within(options.heartbeat, 100, 60_000, slow ? 800 : 15_000),
    ...answersIn(request),
    tools: namesOf(request.tools),
    state: objectOf(request.state) as Ask["state"],
  };
}

/** The answers that the run before waited for, unless the user has said something since. */
function answersIn(request: AgentRequest): Pick<Ask, "toolOutputs" | "approved"> {
  const last = request.input[request.input.length - 1]?.type ?? "message";
  const answers = last === "message" ? [] : submittedResults(request);
  return {
    toolOutputs: answers.filter(({ kind }) => kind === "call").map(({ text }) => text),
    approved: answers.findLast((answer) => answer.kind === "approval")?.approved,
  };
}

function namesOf(tools: unknown): string[] {
  const functions = Array.isArray(tools) ? tools.map((tool) => objectOf(objectOf(tool).function)) : [];
  return functions.flatMap(({ name }) => (typeof name === "string" ? [name] : []));
}

/** What the user said, message by message. */
function textsOf(input: unknown): string[] {
  const messages = Array.isArray(input) ? input.map(objectOf) : [];
  const said = messages.filter(({ role }) => role === "user" || role === undefined || role === null);
  return said.map(({ content }) => {
    const parts = Array.isArray(content) ? content.map(objectOf) : [];
    return parts.map(({ text }) => (typeof text === "string" ? text : "")).join("\n").trim();
  });
}

function objectOf(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function within(value: unknown, least: number, most: number, otherwise: number): number {
  const number = typeof value === "string" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? Math.min(Math.max(number, least), most) : otherwise;
}
