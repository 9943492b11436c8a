// The patch operation that inserts values into free JSON.

import type { Changes } from "./changes.js";
import { DIGITS, INSERT_IN } from "./generated.js";
import { put } from "./members.js";
import type { Node } from "./node.js";
import type { MoreOps, Patcher } from "./patch.js";

export const INSERTS: MoreOps = { [INSERT_IN]: insert };

/** The steps from a property to a place inside its value. */
export type Steps = (string | number)[];

export function insert(patcher: Patcher, node: Node, key: string, argument: number): void {
  const path = patcher.path(argument % DIGITS);
  place(patcher, node, key, path, patcher.parsed(patcher.string(), argument));
}

/** Inserts a value: in an array before the element at its position. */
export function place({ answer, changes }: Patcher, node: Node, key: string, path: Steps, value: unknown): void {
  const container = answer.inside(node, key, path);
  const last = path.at(-1)!;
  if (Array.isArray(container)) {
    container.splice(last as number, 0, value);
    reshaped(changes, node, key, path.slice(0, -1));
  } else {
    put(container, last as string, value);
    changes.inside(node, key, path);
  }
}

/** Records that properties or elements inside a value were added, removed or moved. */
export function reshaped(changes: Changes, node: Node, key: string, path: Steps): void {
  if (path.length > 0) {
    changes.inside(node, key, path);
  } else {
    changes.set(node, key);
  }
}
