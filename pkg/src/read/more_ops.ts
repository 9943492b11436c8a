// Patch operations inside free JSON, in the sets that protocols use: appending to lists and adding
// to numbers (`GROWTH`), inserting values (`INSERTS`), and inserting, removing and moving them
// (`MOVES`).

import { sum } from "../core/json.js";
import { member, put } from "../core/tables.js";
import { ADD_IN, DIGITS, EXTEND_IN, INSERT_IN, MOVE_IN, REMOVE_IN } from "../generated/contract.js";
import type { Changes, Node } from "./changes.js";
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
  put(
    container,
    last,
    sum(member(container, last), patcher.parsed(patcher.string(), argument), float),
  );
}

export const INSERTS: MoreOps = { [INSERT_IN]: insert };

/** The steps from a property to a place inside its value. */
export type Steps = (string | number)[];

export function insert(patcher: Patcher, node: Node, key: string, argument: number): void {
  const path = patcher.path(argument % DIGITS);
  place(patcher, node, key, path, patcher.parsed(patcher.string(), argument));
}

/** Inserts a value: in an array before the element at its position. */
export function place(
  { answer, changes }: Patcher,
  node: Node,
  key: string,
  path: Steps,
  value: unknown,
): void {
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
