// What has changed since the last update, by path.

import { GONE, type Member, type Node, type Note, type Place } from "./node.js";
import type { Change, Path } from "./outcome.js";

const SET = -1;

/** Fewer members are looked through. */
const FEW = 16;

/** When so many places of one value have changed, the value has: looking for each of them would be quadratic. */
const PLACES = 16;

/** Collects notes; what users see is made of them when somebody asks. */
export class Changes {
  #update = 0;
  #notes: Note[] = [];

  /** Whether there are any. */
  get any(): boolean {
    return this.#notes.length > 0;
  }

  /** An object was made. */
  added(node: Node): void {
    this.#note(node).isNew = true;
  }

  /** A member has another value. */
  set(node: Node, key: string): void {
    const member = this.#member(node, key, SET);
    if (member !== undefined) {
      member.from = SET;
      member.inside = undefined;
    }
  }

  /** A text got longer, which had this length before. */
  grew(node: Node, key: string, from: number): void {
    this.#member(node, key, from);
  }

  /** The same of something inside a member's value; without a length it has another value. */
  inside(node: Node, key: string, path: Path, from = SET): void {
    const member = this.#member(node, key, undefined);
    let places = member?.inside;
    if (member === undefined || places === undefined || places.some((place) => says(place, path, from))) {
      return;
    }
    if (from === SET) {
      // What is in a value that is another one now needs no words of its own.
      places = member.inside = places.filter((place) => !isWithin(place.path, path));
    }
    if (places.length < PLACES) {
      places.push({ path, from });
    } else {
      member.inside = undefined;
    }
  }

  /** What has changed, as users see it; from now on it counts as seen. `root` is the member of the root that they see, if not all. */
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

  /** Undefined if it is in a new object. With `from` undefined the change is inside its value. */
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

/** Whether a noted place includes that one. */
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
    // What is in a new object is said by that one, if users see it.
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

/** Where an object stands in what users see; undefined if it does not. */
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
