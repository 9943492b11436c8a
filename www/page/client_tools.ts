// The tools that this page offers to an agent, which asks for them by name; the page runs them and answers.

import type { Json } from "agentwire";
import type { Snapshot as AgKitTurn, Tool as AgKitTool, ToolCallPart as AgKitToolCallPart } from "agentwire/ag-kit";
import type { Conversation } from "./conversation.js";

/** As the agent hears of them. */
export const CLIENT_TOOLS: AgKitTool[] = [
  {
    name: "change-background-color",
    description: "Changes the background colour of the answer that the user sees.",
    parameters: {
      type: "object",
      properties: { color: { type: "string", description: "a CSS colour: a name or a notation" } },
      required: ["color"],
    },
  },
];

/** Runs the calls of a turn that wait for this page; gives the answers by the id of the call. */
export function runPending({ parts, pendingToolCallIds }: AgKitTurn, conversation: Conversation): Record<string, string> {
  const calls = parts.filter((part) => part.type === "tool-call" && pendingToolCallIds.includes(part.toolCallId));
  return Object.fromEntries((calls as AgKitToolCallPart[]).map((call) => [call.toolCallId, run(call, conversation)]));
}

function run({ toolCallName, parsedArguments, argumentsError }: AgKitToolCallPart, conversation: Conversation): string {
  return argumentsError === null
    ? runCall(toolCallName, parsedArguments, conversation)
    : `Error: the arguments are no JSON: ${argumentsError}`;
}

/** Runs a call, and says what it came to. */
export function runCall(name: string | null, args: Json | undefined, conversation: Conversation): string {
  if (name !== "change-background-color") {
    return `Error: this page has no tool ${JSON.stringify(name)}.`;
  }
  const { color } = (args ?? {}) as { readonly color?: unknown };
  if (typeof color !== "string" || !isColor(color)) {
    return `Error: ${JSON.stringify(color ?? null)} is no colour.`;
  }
  conversation.tint = color;
  return `The background is ${color} now.`;
}

/** What is legal for every property (`inherit`, `var(--x)`) is legal for colours, and is none. */
function isColor(text: string): boolean {
  return CSS.supports("color", text) && !CSS.supports("display", text);
}
