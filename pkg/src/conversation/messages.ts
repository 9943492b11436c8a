// The messages in a request of the Agent API, as a chat shows them.

import type { AgentRequest, InputMessage, Response } from "../agentwire.js";
import { type Message, type Part, isToolPart } from "../connect/message.js";
import type { PartContext } from "../connect/parts.js";
import { CALLS, OUTPUTS } from "../agent_api/protocol.js";
import { partsOf } from "../agent_api/view.js";
import { inputOf } from "./answers.js";

const NO_CONTEXT: PartContext = { isLive: false, tools: new Set(), replies: new Map() };

/** The messages of one author that follow each other; results of tools belong to the agent. */
interface Group {
  readonly role: Message["role"];
  readonly id: string;
  readonly messages: InputMessage[];
}

/**
 * Returns the messages of a request. All that the agent has written up to the next message of
 * another author is one message, with the results of its calls.
 */
export function messagesIn(request: AgentRequest): readonly Message[] {
  const groups: Group[] = [];
  for (const message of inputOf(request)) {
    const role = roleOf(message);
    const last = groups.at(-1);
    if (role === "assistant" && last?.role === "assistant") {
      last.messages.push(message);
    } else {
      groups.push({ role, id: message.id || `message_${groups.length + 1}`, messages: [message] });
    }
  }
  return groups.map(({ id, role, messages }) => ({
    id,
    role,
    parts: partsIn(messages),
    status: "done",
  }));
}

function roleOf({ type, role }: InputMessage): Message["role"] {
  if (CALLS.includes(type ?? "") || OUTPUTS.includes(type ?? "") || role === "tool") {
    return "assistant";
  }
  switch (role ?? "user") {
    case "system":
    case "developer":
      return "system";
    case "assistant":
      return "assistant";
    default:
      return "user";
  }
}

/** Returns the parts of messages, which are complete. */
function partsIn(messages: readonly InputMessage[]): Part[] {
  const output = messages.map(({ content, type, ...message }) => ({
    ...message,
    type: type ?? "message",
    // Here the messages of the user are not repetitions in an answer.
    role: "assistant",
    status: "completed",
    content: (content ?? []).map((part) => ({ ...part, status: "completed" })),
  }));
  return partsOf({ output } as unknown as Response, NO_CONTEXT).map(asAsked);
}

/** Returns a call without the mark of calls that a server has run: a request may have any results. */
function asAsked(part: Part): Part {
  if (!isToolPart(part)) {
    return part;
  }
  const { providerExecuted: _, ...call } = part;
  return call;
}
