// What the worker can be asked on which path, and how.

import { type Protocol, type SendMessageInput, sendMessageBody } from "agentwire";
import type { Served } from "./protocols.js";

/** Where each protocol is spoken. */
export const PATHS: Readonly<Record<Served, string>> = { "agent-api": "/process", "ag-kit": "/send-message" };

/** How a run can be asked to go; the worker's demo agent knows these names. */
interface Variant {
  readonly name: string;
  readonly text: string;
  /** An ending that only this protocol has. */
  readonly only?: Protocol;
}

const VARIANTS: readonly Variant[] = [
  { name: "", text: "As it should" },
  { name: "slow", text: "Slow, with heartbeats" },
  { name: "long", text: "Long: 2,000 tokens" },
  { name: "failure", text: "Fails in the middle" },
  { name: "cancel", text: "Is canceled", only: "agent-api" },
  { name: "incomplete", text: "Stops at a limit", only: "agent-api" },
  { name: "reject", text: "Is rejected", only: "agent-api" },
  { name: "echo", text: "Echoes you" },
];

/** The variants that a protocol has. */
export function variantsOf(protocol: Protocol): readonly Variant[] {
  return VARIANTS.filter(({ only }) => only === undefined || only === protocol);
}

/** A question as the Agent API wants it. */
export function agentRequestBody(question: string, session: string, variant: string): string {
  return JSON.stringify({
    input: [{ type: "message", role: "user", content: [{ type: "text", text: question }] }],
    stream: true,
    session_id: session,
    user_id: "playground",
    ...(variant === "" ? {} : { biz_params: { demo: variant } }),
  });
}

/** A request of AG-Kit. The protocol has no place for the variant: it stands beside its members. */
export function agKitRequestBody(input: SendMessageInput, variant: string): string {
  const body = sendMessageBody(input);
  return variant === "" ? body : JSON.stringify({ ...(JSON.parse(body) as object), demo: variant });
}
