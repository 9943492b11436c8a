// An object of the growing snapshot: its place, and the recorded changes.

import type { Path } from "./outcome.js";
import type { Draft } from "./tables.js";

/** The position of an object that was removed from its list. */
export const GONE = -2;

/** An object of the snapshot and its place. */
export interface Node {
  object: Draft;
  /** The parent; null for the root. */
  readonly parent: Node | null;
  /** The property of the parent that holds the object. */
  readonly key: string;
  /** The position in the list that the property holds; -1 if it is not a list, -2 if the object was removed. */
  at: number;
  /** The lists of the object: nearly always one. */
  readonly lists: List[];
  /** The period in which `object` was created; it is writable in the same period. */
  objectPeriod: number;
  /** The changes that `Changes` has recorded. */
  note: Note | undefined;
}

/** A list of an object. */
export interface List {
  readonly key: string;
  /** The nodes of its elements. */
  nodes: Node[];
  /** The period in which the array was created. */
  period: number;
}

/** The recorded changes of an object. There is one record per object, which each update reuses. */
export interface Note {
  /** The number of the update that it belongs to. */
  update: number;
  readonly node: Node;
  /** Whether the object itself is new; changes inside it are not recorded. */
  isNew: boolean;
  /** The changed properties, in the order of their first change. */
  members: Member[];
  /** The changed properties by name, if there are many. */
  byKey: Map<string, Member> | undefined;
}

/** The recorded change of a property. */
export interface Member {
  readonly key: string;
  /** The length before the string grew, or `SET`. */
  from: number;
  /** The changed places inside the value; undefined if the whole value has changed. */
  inside: Place[] | undefined;
}

/** A place inside the value of a property. */
export interface Place {
  readonly path: Path;
  from: number;
}
