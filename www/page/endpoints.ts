// What the worker can be asked on which path, and how.

import { type Json, type Protocol, stringifyJson } from "agentwire";
import type { InputMessage } from "agentwire/agent-api";
import type { RequestInput as SendMessageInput } from "agentwire/ag-kit";
import { CLIENT_TOOLS } from "./client_tools.js";

/** Where the worker speaks each protocol. */
export const PATHS: Readonly<Record<Protocol, string>> = {
  "agent-api": "/process",
  "ag-kit": "/send-message",
  "ag-ui": "/ag-ui",
  responses: "/v1/responses",
  a2a: "/a2a",
};

/** What a request says besides its body. */
export function headersOf(protocol: Protocol): Record<string, string> {
  return { "content-type": "application/json", ...(protocol === "a2a" && { "a2a-version": "1.0" }) };
}

/** How a run can be asked to go; the worker's demo agent knows these names. */
interface Variant {
  readonly name: string;
  readonly text: string;
  /** The protocols that have such an ending, where not all have it. */
  readonly only?: readonly Protocol[];
}

const VARIANTS: readonly Variant[] = [
  { name: "", text: "Normal run" },
  { name: "slow", text: "Slow, with heartbeats" },
  { name: "long", text: "Long: 2,000 tokens" },
  { name: "failure", text: "Fails halfway" },
  { name: "cancel", text: "Canceled", only: ["agent-api", "ag-ui", "responses", "a2a"] },
  { name: "incomplete", text: "Incomplete", only: ["agent-api", "responses"] },
  { name: "reject", text: "Rejected", only: ["agent-api", "responses", "a2a"] },
  { name: "echo", text: "Echo" },
];

/** The variants that a protocol has. */
export function variantsOf(protocol: Protocol): readonly Variant[] {
  return VARIANTS.filter(({ only }) => only === undefined || only.includes(protocol));
}

/** A request of the Agent API. */
export function agentRequestBody(input: InputMessage[], session: string, variant: string): string {
  return JSON.stringify({
    input,
    stream: true,
    session_id: session,
    user_id: "playground",
    tools: FUNCTIONS.map((tool) => ({ type: "function", function: tool })),
    ...(variant === "" ? {} : { biz_params: { demo: variant } }),
  });
}

/** A request of OpenAI Responses: everything that was said so far. */
export function responsesRequestBody(input: readonly Json[], variant: string): string {
  return stringifyJson({
    model: "demo",
    input,
    stream: true,
    tools: FUNCTIONS.map((tool) => ({ type: "function", ...tool })),
    ...(variant === "" ? {} : { metadata: { demo: variant } }),
  } as Json);
}

/** A request of A2A 1.0: a message that begins a task, or goes on with the one that it names. */
export function a2aRequestBody(parts: readonly Json[], task: object, variant: string): string {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts, ...task };
  const params = { message, ...(variant === "" ? {} : { metadata: { demo: variant } }) };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params });
}

/** A request of AG-Kit. The protocol has no place for the variant: it stands beside its members. */
export function agKitRequestBody(input: SendMessageInput, variant: string): string {
  const tools = input.tools?.map((tool) => ({ ...tool, parameters: stringifyJson(tool.parameters) }));
  return stringifyJson({ ...input, ...(tools && { tools }), ...(variant === "" ? {} : { demo: variant }) } as Json);
}

/** The page's tools as OpenAI describes functions. */
const FUNCTIONS = CLIENT_TOOLS.map(({ name, description, parameters }) => ({ name, description, parameters }));
