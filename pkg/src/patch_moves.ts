// Patch operations that insert, remove and move values inside free JSON.

import { INSERT_IN, MOVE_IN, REMOVE_IN } from "./generated.js";
import type { Node } from "./node.js";
import type { MoreOps, Patcher } from "./patch.js";
import { type Steps, insert, place, reshaped } from "./patch_inserts.js";

/** The operations of JSON Patch. */
export const MOVES: MoreOps = { [INSERT_IN]: insert, [REMOVE_IN]: remove, [MOVE_IN]: move };

function remove(patcher: Patcher, node: Node, key: string, argument: number): void {
  take(patcher, node, key, patcher.path(argument));
}

function move(patcher: Patcher, node: Node, key: string, argument: number): void {
  const from = patcher.number();
  const path = patcher.path(argument);
  const to = path.splice(from);
  place(patcher, node, key, to, take(patcher, node, key, path));
}

/** Removes a value from free JSON and returns it. */
function take({ answer, changes }: Patcher, node: Node, key: string, path: Steps): unknown {
  const container = answer.inside(node, key, path);
  const last = path.at(-1)!;
  const value = container[last];
  if (Array.isArray(container)) {
    container.splice(last as number, 1);
  } else {
    delete container[last];
  }
  reshaped(changes, node, key, path.slice(0, -1));
  return value;
}
