// The growing snapshot as plain objects. Each published snapshot shares its unchanged objects with
// the one before.
//
// An object is copied at most once per published snapshot, with the first write after it, together
// with the objects that contain it. Objects that were not published are written in place, so
// reading to the end copies nothing.

import { isObject } from "../core/json.js";
import { copyParsers } from "./partial_json.js";
import { type Draft, type Schema, member, put } from "../core/tables.js";
import { REMOVED, type List, type Node } from "./changes.js";

const NO_LIST = -1;
/** A number that no period has. */
const NO_PERIOD = -1;

/** Creates and updates the objects of the snapshot. */
export class GrowingSnapshot {
  /** The nodes by their numbers, which the core assigns. */
  readonly nodes: Node[] = [];
  readonly #schema: Schema;
  /** The number of published snapshots. */
  #period = 0;
  /** The containers inside free JSON that were created in this period. */
  #fresh: WeakSet<object> | undefined;
  #published: Draft | undefined;

  constructor(schema: Schema) {
    this.#schema = schema;
    this.#add(0, null, "", REMOVED);
  }

  /** Returns the root object. It and all objects below it become immutable. */
  publish(): Draft {
    if (this.#published === undefined) {
      this.#published = this.nodes[0]!.object;
      this.#period++;
      this.#fresh = undefined;
    }
    return this.#published;
  }

  /**
   * Adds a new object at the end of a list, or as the value of the property if that is not a list.
   */
  open(kind: number, parent: Node, key: string): Node {
    if (!Array.isArray(parent.object[key])) {
      const node = this.#add(kind, parent, key, NO_LIST);
      const list = this.#listOf(parent, key);
      // Further changes of the replaced object are ignored.
      list.nodes.forEach((before) => (before.at = REMOVED));
      list.nodes = [node];
      this.draft(parent)[key] = node.object;
      return node;
    }
    const list = this.#list(parent, key);
    const node = this.#add(kind, parent, key, list.length);
    list.push(node.object);
    this.#listOf(parent, key).nodes.push(node);
    return node;
  }

  /** Moves the last object of a list to a position. */
  moveLast(parent: Node, key: string, at: number): void {
    const list = this.#list(parent, key);
    list.splice(at, 0, list.pop());
    const { nodes } = this.#listOf(parent, key);
    nodes.splice(at, 0, nodes.pop()!);
    renumber(nodes, at);
  }

  /** Removes an object from its list. */
  remove(parent: Node, key: string, node: Node): void {
    if (node.at < 0) {
      return;
    }
    this.#list(parent, key).splice(node.at, 1);
    const { nodes } = this.#listOf(parent, key);
    nodes.splice(node.at, 1);
    renumber(nodes, node.at);
    node.at = REMOVED;
  }

  /** Sets the objects of a list, in their order. */
  arrange(parent: Node, key: string, nodes: readonly Node[]): void {
    const list = this.#listOf(parent, key);
    for (const child of list.nodes) {
      child.at = REMOVED;
    }
    nodes.forEach((node, at) => (node.at = at));
    list.nodes = [...nodes];
    this.draft(parent)[key] = nodes.map((node) => node.object);
    list.period = this.#period;
  }

  /** Returns the writable object of a node. */
  draft(node: Node): Draft {
    if (node.objectPeriod !== this.#period) {
      this.#copy(node);
    }
    this.#published = undefined;
    return node.object;
  }

  /**
   * Returns the writable container of the last step of a path inside a property. Creates missing
   * objects on the path. Steps into an array are converted to numbers.
   */
  inside(node: Node, key: string, path: (string | number)[]): Draft {
    let container = this.draft(node);
    let step: string | number = key;
    path.forEach((next, at) => {
      container = this.#own(container, step as string);
      step = path[at] = Array.isArray(container) ? Number(next) : next;
    });
    return container;
  }

  #add(kind: number, parent: Node | null, key: string, at: number): Node {
    const node: Node = {
      object: this.#schema.templates[kind]!(),
      parent,
      key,
      at,
      lists: [],
      objectPeriod: this.#period,
      note: undefined,
    };
    this.nodes.push(node);
    return node;
  }

  #copy(node: Node): void {
    const before = node.object;
    node.object = { ...before };
    copyParsers(before, node.object);
    node.objectPeriod = this.#period;
    const { parent, key, at } = node;
    if (parent === null || at === REMOVED) {
      return;
    }
    if (at === NO_LIST) {
      this.draft(parent)[key] = node.object;
    } else {
      this.#list(parent, key)[at] = node.object;
    }
  }

  #list(parent: Node, key: string): unknown[] {
    const draft = this.draft(parent);
    const list = this.#listOf(parent, key);
    if (list.period !== this.#period) {
      draft[key] = [...(draft[key] as unknown[])];
      list.period = this.#period;
    }
    return draft[key] as unknown[];
  }

  #listOf(parent: Node, key: string): List {
    const known =
      parent.lists[0]?.key === key
        ? parent.lists[0]
        : parent.lists.find((list) => list.key === key);
    if (known !== undefined) {
      return known;
    }
    // The array was created with the object, which may have been published since.
    const list = { key, nodes: [], period: NO_PERIOD };
    parent.lists.push(list);
    return list;
  }

  /** Returns the writable object or array at a step. Any other value is replaced with an object. */
  #own(container: Draft, step: string): Draft {
    const value = member(container, step);
    if (Array.isArray(value)) {
      return this.#writable(container, step, value, () => [...value]) as unknown as Draft;
    }
    return isObject(value)
      ? this.#writable(container, step, value, () => ({ ...value }))
      : this.#writable(container, step, undefined, () => ({}));
  }

  #writable<T extends object>(
    container: Draft,
    step: string,
    present: T | undefined,
    copy: () => T,
  ): T {
    if (present !== undefined && this.#fresh?.has(present)) {
      return present;
    }
    const own = copy();
    if (present !== undefined) {
      copyParsers(present, own);
    }
    (this.#fresh ??= new WeakSet()).add(own);
    put(container, step, own);
    return own;
  }
}

function renumber(children: readonly Node[], from: number): void {
  for (let at = from; at < children.length; at++) {
    children[at]!.at = at;
  }
}
