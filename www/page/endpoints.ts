// What the worker can be asked on which path, and how.

import { PROTOCOLS, type Protocol, type SendMessageInput, sendMessageBody } from "agentwire";

/** Where each protocol is spoken. */
const PATHS: Readonly<Partial<Record<Protocol, string>>> = { "agent-api": "/process", "ag-kit": "/send-message", "ag-ui": "/ag-ui" };

/** The protocols that the worker speaks, in the order in which they are offered. */
export const SERVED: readonly Protocol[] = PROTOCOLS.filter((protocol) => protocol in PATHS);

/** Where the worker speaks one of them. */
export function pathOf(protocol: Protocol): string {
  return PATHS[protocol]!;
}

/** How a run can be asked to go; the worker's demo agent knows these names. */
interface Variant {
  readonly name: string;
  readonly text: string;
  /** The protocols that have such an ending, where not all have it. */
  readonly only?: readonly Protocol[];
}

const VARIANTS: readonly Variant[] = [
  { name: "", text: "As it should" },
  { name: "slow", text: "Slow, with heartbeats" },
  { name: "long", text: "Long: 2,000 tokens" },
  { name: "failure", text: "Fails in the middle" },
  { name: "cancel", text: "Is canceled", only: ["agent-api", "ag-ui"] },
  { name: "incomplete", text: "Stops at a limit", only: ["agent-api"] },
  { name: "reject", text: "Is rejected", only: ["agent-api"] },
  { name: "echo", text: "Echoes you" },
];

/** The variants that a protocol has. */
export function variantsOf(protocol: Protocol): readonly Variant[] {
  return VARIANTS.filter(({ only }) => only === undefined || only.includes(protocol));
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
