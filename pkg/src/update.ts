// The root object of an answer as users see it.

import type { AgKitTurn, Response, ToolCall } from "./agentwire.js";
import type { Protocol } from "./outcome.js";
import type { Draft } from "./schema.js";

/** What a published answer consists of; nothing as long as the protocol is not known. */
export interface Root {
  readonly protocol: Protocol | undefined;
  readonly snapshot: Response | AgKitTurn | undefined;
  readonly toolCalls: readonly unknown[];
}

/** The member of the root that is the snapshot, where it is not all of it. */
export const SNAPSHOTS: Readonly<Record<Protocol, string | undefined>> = { "agent-api": "response", "ag-kit": undefined };

/** The root object of a protocol. `before` is the root of the snapshot before. */
export function rootOf(protocol: Protocol, root: Draft, before: Root): Root {
  if (protocol === "agent-api") {
    const { response, toolCalls } = root as { response: Response; toolCalls: readonly ToolCall[] };
    return { protocol, snapshot: response, toolCalls };
  }
  const turn = root as unknown as AgKitTurn;
  const calls = turn.parts.filter((part) => part.type === "tool-call");
  const isSame = calls.length === before.toolCalls.length && calls.every((call, at) => call === before.toolCalls[at]);
  return { protocol, snapshot: turn, toolCalls: isSame ? before.toolCalls : calls };
}
