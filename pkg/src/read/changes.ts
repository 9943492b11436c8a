// The objects of the growing snapshot with their places, and the changes since the last update, as
// paths.

import type { Change, Path } from "../core/outcome.js";
import type { Draft } from "../core/tables.js";

/** The position of an object that was removed from its list. */
export const REMOVED = -2;

/** An object of the snapshot and its place. */
export interface Node {
  object: Draft;
  /** The parent; null for the root. */
  readonly parent: Node | null;
  /** The property of the parent that holds the object. */
  readonly key: string;
  /**
   * The position in the list that the property holds; -1 if it is not a list, -2 if the object was
   * removed.
   */
  at: number;
  /** The lists of the object: nearly always one. */
  readonly lists: List[];
  /** The period in which `object` was created; it is writable in the same period. */
  objectPeriod: number;
  /** The changes that `Changes` has recorded. */
  note: ChangeRecord | undefined;
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
export interface ChangeRecord {
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
  inside: JsonPosition[] | undefined;
}

/** A place inside the value of a property. */
export interface JsonPosition {
  readonly path: Path;
  from: number;
}

const SET = -1;

/** The number of properties up to which a linear search is used. */
const FEW = 16;

/**
 * The number of changed places inside one value after which the whole value counts as changed:
 * searching all places would take quadratic time.
 */
const PLACES = 16;

/** Records changes, and converts them to the public form on demand. */
export class Changes {
  #update = 0;
  #notes: ChangeRecord[] = [];

  /** Whether changes were recorded. */
  get any(): boolean {
    return this.#notes.length > 0;
  }

  /** Records a new object. */
  added(node: Node): void {
    this.#note(node).isNew = true;
  }

  /** Records a new value of a property. */
  set(node: Node, key: string): void {
    const member = this.#member(node, key, SET);
    if (member !== undefined) {
      member.from = SET;
      member.inside = undefined;
    }
  }

  /** Records that a string has grown from the length `from`. */
  grew(node: Node, key: string, from: number): void {
    this.#member(node, key, from);
  }

  /**
   * Records a change inside the value of a property: a new value, or a string that has grown from
   * the length `from`.
   */
  inside(node: Node, key: string, path: Path, from = SET): void {
    const member = this.#member(node, key, undefined);
    let places = member?.inside;
    if (
      member === undefined ||
      places === undefined ||
      places.some((place) => covers(place, path, from))
    ) {
      return;
    }
    if (from === SET) {
      // The new value includes the changes inside it.
      places = member.inside = places.filter((place) => !isWithin(place.path, path));
    }
    if (places.length < PLACES) {
      places.push({ path, from });
    } else {
      member.inside = undefined;
    }
  }

  /**
   * Returns the recorded changes in the public form, and clears them. `root` is the property of the
   * root object that holds the snapshot; undefined if the root is the snapshot.
   */
  take(root: string | undefined): Change[] {
    const changes: Change[] = [];
    for (const note of this.#notes) {
      describe(note, root, changes);
    }
    this.#notes = [];
    this.#update++;
    return changes;
  }

  #note(node: Node): ChangeRecord {
    let { note } = node;
    if (note === undefined) {
      note = node.note = {
        update: this.#update,
        node,
        isNew: false,
        members: [],
        byKey: undefined,
      };
    } else if (note.update !== this.#update) {
      note.update = this.#update;
      note.isNew = false;
      note.members = [];
      note.byKey = undefined;
    } else {
      return note;
    }
    this.#notes.push(note);
    return note;
  }

  /**
   * Returns the record of a property; undefined inside a new object. `from` is undefined for a
   * change inside its value.
   */
  #member(node: Node, key: string, from: number | undefined): Member | undefined {
    const note = this.#note(node);
    if (note.isNew) {
      return undefined;
    }
    const { members, byKey } = note;
    const known =
      byKey === undefined ? members.find((member) => member.key === key) : byKey.get(key);
    if (known !== undefined) {
      return known;
    }
    const member: Member = { key, from: from ?? SET, inside: from === undefined ? [] : undefined };
    members.push(member);
    if (byKey !== undefined) {
      byKey.set(key, member);
    } else if (members.length > FEW) {
      note.byKey = new Map(members.map((member) => [member.key, member]));
    }
    return member;
  }
}

/** Returns whether a recorded place includes another change. */
function covers(place: JsonPosition, path: Path, from: number): boolean {
  return (
    isWithin(path, place.path) &&
    (place.from === SET || (from !== SET && place.path.length === path.length))
  );
}

function isWithin(path: Path, around: Path): boolean {
  return around.length <= path.length && around.every((step, at) => step === path[at]);
}

function describe(
  { node, isNew, members, update }: ChangeRecord,
  root: string | undefined,
  changes: Change[],
): void {
  const path = pathOf(node, root);
  if (path === undefined) {
    return;
  }
  if (isNew) {
    const { parent, at } = node;
    const around = parent?.note;
    // A new object inside another new object of the snapshot is not listed.
    if (!(around?.isNew && around.update === update && pathOf(parent!, root) !== undefined)) {
      changes.push({ kind: at < 0 ? "set" : "add", path });
    }
    return;
  }
  for (const { key, from, inside } of members) {
    if (inside === undefined) {
      changes.push(changeOf([...path, key], from));
    } else {
      inside.forEach((place) => changes.push(changeOf([...path, key, ...place.path], place.from)));
    }
  }
}

function changeOf(path: readonly (string | number)[], from: number): Change {
  return from === SET ? { kind: "set", path } : { kind: "append", path, from };
}

/** Returns the path of an object in the snapshot; undefined if the snapshot does not contain it. */
function pathOf(node: Node, root: string | undefined): (string | number)[] | undefined {
  const path: (string | number)[] = [];
  for (let { parent, key, at } = node; ; { parent, key, at } = parent) {
    if (parent === null) {
      return root === undefined || path.pop() === root ? path.reverse() : undefined;
    }
    if (at === REMOVED) {
      return undefined;
    }
    if (at >= 0) {
      path.push(at);
    }
    path.push(key);
  }
}
