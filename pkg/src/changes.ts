// Which objects the patches of one chunk have touched, and from where on their texts are new.

import type { Node } from "./answer.js";
import type { Change } from "./outcome.js";

/** That a node was touched. Said once per chunk. */
export interface Note {
  /** Number of the chunk. */
  readonly chunk: number;
  readonly node: Node;
  /** See `Change.from`. */
  from: number | null;
  /** The next one of the same chunk. An array would be larger than all else that a small chunk makes. */
  next: Note | undefined;
}

/**
 * Collects notes while a chunk is applied; what users see is made of them only when somebody asks.
 *
 * Only a part of a `ChunkUpdate`: of objects of two classes the one that is rare is seldom alive, and then V8 throws away
 * the code it has compiled for both.
 */
export abstract class Changes {
  readonly #chunk: number;
  #first: Note | undefined;
  #last: Note | undefined;
  #list: readonly Change[] | undefined;

  constructor(chunk: number) {
    this.#chunk = chunk;
  }

  /** As users see them. */
  get changes(): readonly Change[] {
    if (this.#list === undefined) {
      const list: Change[] = [];
      for (let note = this.#first; note !== undefined; note = note.next) {
        list.push(...described(note));
      }
      this.#list = list;
    }
    return this.#list;
  }

  /** A node was opened: all of it is new. */
  opened(node: Node): void {
    this.#note(node, 0);
  }

  /** A member of a node is about to change; with `appends`, by getting longer. */
  touched(node: Node, key: string, appends: boolean): void {
    if (node.note?.chunk !== this.#chunk) {
      const text = node.text === undefined ? undefined : node.object[node.text];
      // What is appended later in this chunk comes after the end that the text has now.
      this.#note(node, typeof text === "string" ? text.length : 0);
    }
    if (!appends && key === node.text) {
      node.note!.from = 0;
    }
  }

  #note(node: Node, from: number): void {
    const note: Note = { chunk: this.#chunk, node, from: node.text === undefined ? null : from, next: undefined };
    node.note = note;
    if (this.#last === undefined) {
      this.#first = note;
    } else {
      this.#last.next = note;
    }
    this.#last = note;
  }
}

function described({ node, from }: Note): Change[] {
  const { object, id, msg_id, index, parts } = node.object as {
    object?: string;
    id: string;
    msg_id: string;
    index: number;
    parts?: unknown;
  };
  switch (object) {
    case "response":
      return [{ messageId: null, index: null, from }];
    case "message":
      return [{ messageId: id, index: null, from }];
    case "content":
      return [{ messageId: msg_id, index, from }];
  }
  if (parts !== undefined || node.key === "parts") {
    return [{ messageId: null, index: parts === undefined ? node.at : null, from }];
  }
  // The root and tool calls: what changed in them has a new identity, and that says it.
  return [];
}
