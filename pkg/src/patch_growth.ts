// Patch operations that append to lists and add to numbers inside free JSON.

import { ADD_IN, DIGITS, EXTEND_IN } from "./generated.js";
import { sum } from "./json.js";
import { member, put } from "./members.js";
import type { Node } from "./node.js";
import { type MoreOps, type Patcher, lastOf } from "./patch.js";

export const GROWTH: MoreOps = { [EXTEND_IN]: extend, [ADD_IN]: add };

function extend(patcher: Patcher, node: Node, key: string, argument: number): void {
  const { answer, changes } = patcher;
  const path = patcher.path(argument % DIGITS);
  const before = member(answer.inside(node, key, path), lastOf(path, key));
  changes.inside(node, key, path, Array.isArray(before) ? before.length : undefined);
  const items = patcher.parsed(patcher.string(), argument) as unknown[];
  if (Array.isArray(before)) {
    // The container of a further step is the list itself.
    const list = answer.inside(node, key, [...path, 0]) as unknown as unknown[];
    // Pushes one by one: a list can have more items than a call allows arguments.
    items.forEach((item) => list.push(item));
  }
}

function add(patcher: Patcher, node: Node, key: string, argument: number): void {
  const path = patcher.path(argument % DIGITS);
  const container = patcher.answer.inside(node, key, path);
  const last = lastOf(path, key);
  patcher.changes.inside(node, key, path);
  const float = patcher.number() === 1 || !patcher.exact;
  put(container, last, sum(member(container, last), patcher.parsed(patcher.string(), argument), float));
}
