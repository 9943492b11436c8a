// The paths of the worker, and the variants of the demo agent.

import type { ConnectableProtocol } from "agentwire";

/** The worker's path of each protocol. */
export const PATHS: Readonly<Record<ConnectableProtocol, string>> = {
  "agent-api": "/process",
  agentscope: "/chat/",
  "ag-kit": "/send-message",
  "ag-ui": "/ag-ui",
  responses: "/v1/responses",
  a2a: "/a2a",
  "ai-sdk": "/api/chat",
};

/** The protocols with a chat. */
export const CONNECTABLE = Object.keys(PATHS) as readonly ConnectableProtocol[];

/** A variant of the run; the worker's demo agent has the same names. */
interface Variant {
  readonly name: string;
  readonly text: string;
  /** The protocols that have such an ending, if not all have it. */
  readonly only?: readonly ConnectableProtocol[];
}

const VARIANTS: readonly Variant[] = [
  { name: "", text: "Normal run" },
  { name: "slow", text: "Slow, with heartbeats" },
  { name: "long", text: "Long: 2,000 tokens" },
  { name: "failure", text: "Fails halfway" },
  {
    name: "cancel",
    text: "Canceled",
    only: ["agent-api", "agentscope", "ag-ui", "responses", "a2a", "ai-sdk"],
  },
  { name: "incomplete", text: "Incomplete", only: ["agent-api", "responses", "ai-sdk"] },
  { name: "reject", text: "Rejected", only: ["agent-api", "responses", "a2a"] },
  { name: "echo", text: "Echo" },
  { name: "model", text: "By a fake model" },
];

/** Returns the variants of a protocol. */
export function variantsOf(protocol: ConnectableProtocol): readonly Variant[] {
  return VARIANTS.filter(({ only }) => only === undefined || only.includes(protocol));
}
