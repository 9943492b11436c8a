// An object of the growing answer: where it is, and what has happened to it.

import type { Path } from "./outcome.js";
import type { Draft } from "./tables.js";

/** The place of what its list does not have any more. */
export const GONE = -2;

/** An object of the answer and its place. */
export interface Node {
  object: Draft;
  /** Null for the root. */
  readonly parent: Node | null;
  /** The parent's member that holds it. */
  readonly key: string;
  /** Its position if that member is a list; -1 if it is no list, and -2 if the list does not have it any more. */
  at: number;
  /** Its lists: nearly always one. */
  readonly lists: List[];
  /** The period in which `object` was made: what was made in the present one may be written to. */
  objectPeriod: number;
  /** What `Changes` has noted of it. */
  note: Note | undefined;
}

/** A list of an object. */
export interface List {
  readonly key: string;
  /** What it holds. */
  nodes: Node[];
  /** The period in which it was made. */
  period: number;
}

/** What happened to an object. One per object, used again in each update. */
export interface Note {
  /** Number of the update that it is for. */
  update: number;
  readonly node: Node;
  /** The object itself is new: what is in it needs no words of its own. */
  isNew: boolean;
  /** Its members that have changed, in the order of their first change. */
  members: Member[];
  /** The same by their names, where they are many. */
  byKey: Map<string, Member> | undefined;
}

/** What happened to a member. */
export interface Member {
  readonly key: string;
  /** How long it was before it grew, or `SET`. */
  from: number;
  /** Where inside its value, if not all of it. */
  inside: Place[] | undefined;
}

/** Somewhere inside the value of a member. */
export interface Place {
  readonly path: Path;
  from: number;
}
