// The root object of an answer as users see it.

import type { Protocol } from "./outcome.js";
import type { Draft, Tables } from "./tables.js";

/** What a published answer consists of; nothing as long as the protocol is not known. */
export interface Root {
  readonly protocol: Protocol | undefined;
  readonly snapshot: unknown;
  readonly toolCalls: readonly unknown[];
}

/** The root object of a protocol. `before` is the root of the snapshot before. */
export function rootOf(tables: Tables, root: Draft, before: Root): Root {
  const { name, snapshot, toolCalls, toolCallType, callsInside } = tables;
  let calls = (root[toolCalls] ?? []) as readonly Draft[];
  if (toolCallType !== undefined || callsInside !== undefined) {
    const last = before.toolCalls;
    calls =
      callsInside === undefined
        ? calls.filter(({ type }) => type === toolCallType)
        : calls.flatMap((holder) => (holder[callsInside] ?? []) as readonly Draft[]);
    // What did not change keeps its identity: also the list.
    calls = calls.length === last.length && calls.every((call, at) => call === last[at]) ? (last as Draft[]) : calls;
  }
  return { protocol: name, snapshot: snapshot === undefined ? root : root[snapshot], toolCalls: calls };
}
