// The public form of a snapshot's root object.

import type { Protocol } from "./outcome.js";
import type { Draft, Tables } from "./tables.js";

/** The properties of a published snapshot; empty while the protocol is unknown. */
export interface Root {
  readonly protocol: Protocol | undefined;
  readonly snapshot: unknown;
  readonly toolCalls: readonly unknown[];
}

/** Returns the public form of a root object. `before` is that of the snapshot before. */
export function rootOf(tables: Tables, root: Draft, before: Root): Root {
  const { name, snapshot, toolCalls, toolCallType, callsInside } = tables;
  let calls = (root[toolCalls] ?? []) as readonly Draft[];
  if (toolCallType !== undefined || callsInside !== undefined) {
    const last = before.toolCalls;
    calls =
      callsInside === undefined
        ? calls.filter(({ type }) => type === toolCallType)
        : calls.flatMap((holder) => (holder[callsInside] ?? []) as readonly Draft[]);
    // An unchanged list is the same object as before.
    calls = calls.length === last.length && calls.every((call, at) => call === last[at]) ? (last as Draft[]) : calls;
  }
  return { protocol: name, snapshot: snapshot === undefined ? root : root[snapshot], toolCalls: calls };
}
