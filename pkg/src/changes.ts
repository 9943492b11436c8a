// The changes since the last update, as paths.

import { GONE, type Member, type Node, type Note, type Place } from "./node.js";
import type { Change, Path } from "./outcome.js";

const SET = -1;

/** The number of properties up to which a linear search is used. */
const FEW = 16;

/**
 * The number of changed places inside one value after which the whole value counts as changed: searching all places
 * would take quadratic time.
 */
const PLACES = 16;

/** Records changes, and converts them to the public form on demand. */
export class Changes {
  #update = 0;
  #notes: Note[] = [];

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
   * Records a change inside the value of a property: a new value, or a string that has grown from the length `from`.
   */
  inside(node: Node, key: string, path: Path, from = SET): void {
    const member = this.#member(node, key, undefined);
    let places = member?.inside;
    if (member === undefined || places === undefined || places.some((place) => says(place, path, from))) {
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
   * Returns the recorded changes in the public form, and clears them. `root` is the property of the root object that
   * holds the snapshot; undefined if the root is the snapshot.
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

  #note(node: Node): Note {
    let { note } = node;
    if (note === undefined) {
      note = node.note = { update: this.#update, node, isNew: false, members: [], byKey: undefined };
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
   * Returns the record of a property; undefined inside a new object. `from` is undefined for a change inside its value.
   */
  #member(node: Node, key: string, from: number | undefined): Member | undefined {
    const note = this.#note(node);
    if (note.isNew) {
      return undefined;
    }
    const { members, byKey } = note;
    const known = byKey === undefined ? members.find((member) => member.key === key) : byKey.get(key);
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
function says(place: Place, path: Path, from: number): boolean {
  return isWithin(path, place.path) && (place.from === SET || (from !== SET && place.path.length === path.length));
}

function isWithin(path: Path, around: Path): boolean {
  return around.length <= path.length && around.every((step, at) => step === path[at]);
}

function describe({ node, isNew, members, update }: Note, root: string | undefined, changes: Change[]): void {
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
      changes.push(changed([...path, key], from));
    } else {
      inside.forEach((place) => changes.push(changed([...path, key, ...place.path], place.from)));
    }
  }
}

function changed(path: readonly (string | number)[], from: number): Change {
  return from === SET ? { kind: "set", path } : { kind: "append", path, from };
}

/** Returns the path of an object in the snapshot; undefined if the snapshot does not contain it. */
function pathOf(node: Node, root: string | undefined): (string | number)[] | undefined {
  const path: (string | number)[] = [];
  for (let { parent, key, at } = node; ; { parent, key, at } = parent) {
    if (parent === null) {
      return root === undefined || path.pop() === root ? path.reverse() : undefined;
    }
    if (at === GONE) {
      return undefined;
    }
    if (at >= 0) {
      path.push(at);
    }
    path.push(key);
  }
}
