// Reads patches: the ops that `src/core/patch` writes, with their texts.

import type { Json } from "./agentwire.js";
import { type Answer, member, put } from "./answer.js";
import type { Changes } from "./changes.js";
import { AgentwireError } from "./errors.js";
import {
  ADD_IN,
  APPEND,
  APPEND_IN,
  ARRANGE,
  DIGITS,
  EXTEND_IN,
  EXTRA,
  FALSE,
  FREE_JSON,
  INSERT_IN,
  INT,
  MOVE_IN,
  MOVE_LAST,
  NULL,
  OPEN,
  REMOVE,
  REMOVE_IN,
  SET_IN,
  SHARE,
  STR,
  TRUE,
  WORD,
} from "./generated.js";
import { parseJson, stringify, sum } from "./json.js";
import type { Node } from "./node.js";
import { type Patch, PatchWords } from "./patch_words.js";
import type { Schema } from "./readable.js";

/** Longer JSON is not compared with what is there: that would cost more than a changed identity does. */
const COMPARED = 4096;

/** Applies patches to an answer. */
export class Patcher extends PatchWords {
  readonly #schema: Schema;
  readonly #answer: Answer;
  readonly #exact: boolean;
  readonly #changes: Changes;

  /** With `exact`, integers that a number cannot hold become `bigint`. */
  constructor(schema: Schema, answer: Answer, changes: Changes, exact: boolean) {
    super();
    this.#schema = schema;
    this.#answer = answer;
    this.#changes = changes;
    this.#exact = exact;
  }

  /** Does what a patch says and notes what that changes. */
  apply(patch: Patch): void {
    this.begin(patch, patch.start, 0, 0);
    while (this.word < patch.end) {
      this.#op();
    }
    this.forget();
  }

  #op(): void {
    const head = this.number();
    const op = head & 0xff;
    const key = this.#schema.keys[(head >>> 8) & 0xff]!;
    const argument = head >>> 16;
    const node = this.#node();
    switch (op) {
      case OPEN:
        return this.#open(node, key, argument);
      case NULL:
        return argument === 0 ? this.#set(node, key, null) : this.#unset(node, argument === 1 ? key : this.string());
      case TRUE:
        return this.#set(node, key, true);
      case FALSE:
        return this.#set(node, key, false);
      case WORD:
        return this.#set(node, key, this.#schema.words[argument]);
      case INT:
        return this.#set(node, key, this.number() + (this.number() | 0) * 2 ** 32);
      case STR:
        return this.#set(node, key, this.string());
      case APPEND:
        return this.#append(node, key, this.string());
      case FREE_JSON:
        return this.#setJson(node, key, argument >= DIGITS);
      case EXTRA:
        return this.#setJson(node, this.string(), argument >= DIGITS);
      case SET_IN:
      case APPEND_IN:
      case EXTEND_IN:
      case ADD_IN:
        return this.#inside(node, key, op, argument % DIGITS, argument >= DIGITS);
      case INSERT_IN: {
        const path = this.#path(argument % DIGITS);
        return this.#insert(node, key, path, this.#parsed(this.string(), argument >= DIGITS));
      }
      case REMOVE_IN:
        this.#take(node, key, this.#path(argument));
        return;
      case MOVE_IN: {
        const from = this.number();
        const path = this.#path(argument);
        const to = path.splice(from);
        return this.#insert(node, key, to, this.#take(node, key, path));
      }
      case ARRANGE:
        return this.#arrange(node, key);
      case SHARE:
        return this.#set(node, key, this.#node().object[this.#schema.keys[argument]!]);
      case MOVE_LAST:
        this.word++;
        return this.#answer.moveLast(node, key, this.number());
      case REMOVE:
        this.#changes.set(node, key);
        return this.#answer.remove(node, key, this.#node());
      default:
        throw new AgentwireError("wrong-version", `op ${op}: the wasm and the JavaScript are of different versions of agentwire`);
    }
  }

  #open(parent: Node, key: string, kind: number): void {
    this.#changes.added(this.#answer.open(kind, parent, key));
  }

  /** Servers repeat themselves, above all in the last event; what is only repeated keeps its identity. */
  #set(node: Node, key: string, value: unknown): void {
    if (node.object[key] !== value) {
      this.#changes.set(node, key);
      this.#answer.draft(node)[key] = value;
    }
  }

  #unset(node: Node, key: string): void {
    if (key in node.object) {
      this.#changes.set(node, key);
      delete this.#answer.draft(node)[key];
    }
  }

  #append(node: Node, key: string, piece: string): void {
    const before = node.object[key];
    if (typeof before !== "string") {
      this.#set(node, key, piece);
    } else if (piece !== "") {
      this.#changes.grew(node, key, before.length);
      this.#answer.draft(node)[key] = before + piece;
    }
  }

  #setJson(node: Node, name: string, digits: boolean): void {
    const json = this.string();
    const before = member(node.object, name);
    // Usually it is what the object began with.
    const same = before === null ? json === "null" : before !== undefined && json.length <= COMPARED && stringify(before as Json) === json;
    if (!same) {
      this.#changes.set(node, name);
      put(this.#answer.draft(node), name, this.#parsed(json, digits));
    }
  }

  #inside(node: Node, key: string, op: number, steps: number, digits: boolean): void {
    const path = this.#path(steps);
    const container = this.#answer.inside(node, key, path);
    const last = (path.at(-1) ?? key) as string;
    const before = member(container, last);
    const grows = op === APPEND_IN ? typeof before === "string" : op === EXTEND_IN && Array.isArray(before);
    this.#changes.inside(node, key, path, grows ? (before as string | unknown[]).length : undefined);
    if (op === APPEND_IN) {
      put(container, last, (typeof before === "string" ? before : "") + this.string());
    } else if (op === SET_IN) {
      put(container, last, this.#parsed(this.string(), digits));
    } else if (op === ADD_IN) {
      const float = this.number() === 1;
      const summand = this.#parsed(this.string(), digits);
      put(container, last, sum(before, summand, float || !this.#exact));
    } else {
      const items = this.#parsed(this.string(), digits) as unknown[];
      const list = this.#answer.listIn(container, last);
      // One by one: a list can have more items than a call may have arguments.
      items.forEach((item) => list?.push(item));
    }
  }

  #path(steps: number): (string | number)[] {
    const path: string[] = [];
    for (let step = 0; step < steps; step++) {
      path.push(this.string());
    }
    return path;
  }

  /** A value comes into free JSON: before the element, where its place is in an array. */
  #insert(node: Node, key: string, path: (string | number)[], value: unknown): void {
    const container = this.#answer.inside(node, key, path);
    const last = path.at(-1)!;
    if (Array.isArray(container)) {
      container.splice(last as number, 0, value);
      this.#changes.reshaped(node, key, path.slice(0, -1));
    } else {
      put(container, last as string, value);
      this.#changes.inside(node, key, path);
    }
  }

  /** A value is gone from free JSON. */
  #take(node: Node, key: string, path: (string | number)[]): unknown {
    const container = this.#answer.inside(node, key, path);
    const last = path.at(-1)!;
    const value = container[last];
    if (Array.isArray(container)) {
      container.splice(last as number, 1);
    } else {
      delete container[last];
    }
    this.#changes.reshaped(node, key, path.slice(0, -1));
    return value;
  }

  #arrange(parent: Node, key: string): void {
    const nodes: Node[] = [];
    for (let count = this.number(); count > 0; count--) {
      nodes.push(this.#node());
    }
    this.#changes.set(parent, key);
    this.#answer.arrange(parent, key, nodes);
  }

  #node(): Node {
    return this.#answer.nodes[this.number()]!;
  }

  #parsed(json: string, digits: boolean): unknown {
    return digits && this.#exact ? parseJson(json) : JSON.parse(json);
  }
}
