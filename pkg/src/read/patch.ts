// Applying patches: the operations that `src/core/patch` writes. Operations of some protocols only
// are separate modules.

import type { Json } from "../agentwire.js";
import { AgentwireError } from "../core/errors.js";
import { parseJson, stringifyJson } from "../core/json.js";
import { type Schema, type Tables, member, put } from "../core/tables.js";
import { type Patch, PatchWords } from "../core/words.js";
import {
  APPEND,
  APPEND_IN,
  ARRANGE,
  DIGITS,
  EXTRA,
  FALSE,
  FREE_JSON,
  INT,
  MOVE_LAST,
  NULL,
  OPEN,
  REMOVE,
  SET_IN,
  SHARE,
  STR,
  TRUE,
  WORD,
} from "../generated/contract.js";
import type { GrowingSnapshot } from "./growing_snapshot.js";
import type { Changes, Node } from "./changes.js";
import { parseDelta } from "./partial_json.js";

/**
 * The length up to which JSON is compared with the current value: beyond it, the comparison costs
 * more than a changed identity.
 */
const COMPARED = 4096;

/** The operations that only some protocols use, by number. */
export type MoreOps = Readonly<
  Record<number, (patcher: Patcher, node: Node, key: string, argument: number) => void>
>;

/** Applies patches to a snapshot. */
export class Patcher extends PatchWords {
  readonly answer: GrowingSnapshot;
  readonly changes: Changes;
  /** Whether integers that a number cannot hold become `bigint`. */
  readonly exact: boolean;
  readonly #schema: Schema;
  readonly #more: MoreOps;

  constructor(
    schema: Schema,
    answer: GrowingSnapshot,
    changes: Changes,
    exact: boolean,
    more: MoreOps,
  ) {
    super();
    this.#schema = schema;
    this.#more = more;
    this.answer = answer;
    this.changes = changes;
    this.exact = exact;
  }

  /** Applies a patch and records its changes. */
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
        return argument === 0
          ? this.#set(node, key, null)
          : this.#unset(node, argument === 1 ? key : this.string());
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
        return this.#setJson(node, key, argument);
      case EXTRA:
        return this.#setJson(node, this.string(), argument);
      case SET_IN:
      case APPEND_IN:
        return this.#inside(node, key, op, argument);
      case ARRANGE:
        return this.#arrange(node, key);
      case SHARE:
        return this.#set(node, key, this.#node().object[this.#schema.keys[argument]!]);
      case MOVE_LAST:
        this.word++;
        return this.answer.moveLast(node, key, this.number());
      case REMOVE:
        this.changes.set(node, key);
        return this.answer.remove(node, key, this.#node());
      default: {
        const more = this.#more[op];
        if (more === undefined) {
          throw new AgentwireError(
            "wrong-version",
            `op ${op}: the wasm and the JavaScript are of different versions of agentwire`,
          );
        }
        return more(this, node, key, argument);
      }
    }
  }

  #open(parent: Node, key: string, kind: number): void {
    this.changes.added(this.answer.open(kind, parent, key));
  }

  /**
   * Sets a property. Servers repeat values, especially in the last event; a repeated value is not a
   * change.
   */
  #set(node: Node, key: string, value: unknown): void {
    if (node.object[key] !== value) {
      this.changes.set(node, key);
      this.answer.draft(node)[key] = value;
    }
  }

  #unset(node: Node, key: string): void {
    if (key in node.object) {
      this.changes.set(node, key);
      delete this.answer.draft(node)[key];
    }
  }

  #append(node: Node, key: string, piece: string): void {
    const before = node.object[key];
    if (typeof before !== "string") {
      this.#set(node, key, piece);
    } else if (piece !== "") {
      this.changes.grew(node, key, before.length);
      const holder = this.answer.draft(node);
      const text = (holder[key] = before + piece);
      parseDelta(holder, before, piece, text);
    }
  }

  #setJson(node: Node, name: string, argument: number): void {
    const json = this.string();
    const before = member(node.object, name);
    // In most cases, the value equals the initial one.
    const same =
      before === null
        ? json === "null"
        : before !== undefined && json.length <= COMPARED && stringifyJson(before as Json) === json;
    if (!same) {
      this.changes.set(node, name);
      put(this.answer.draft(node), name, this.parsed(json, argument));
    }
  }

  #inside(node: Node, key: string, op: number, argument: number): void {
    const path = this.path(argument % DIGITS);
    const container = this.answer.inside(node, key, path);
    const last = lastOf(path, key);
    const before = member(container, last);
    const text = op === APPEND_IN && typeof before === "string" ? before : undefined;
    this.changes.inside(node, key, path, text?.length);
    if (text === undefined) {
      return put(
        container,
        last,
        op === SET_IN ? this.parsed(this.string(), argument) : this.string(),
      );
    }
    const piece = this.string();
    const grown = text + piece;
    put(container, last, grown);
    parseDelta(container, text, piece, grown);
  }

  /** Reads the steps of a path. */
  path(steps: number): (string | number)[] {
    const path: string[] = [];
    for (let step = 0; step < steps; step++) {
      path.push(this.string());
    }
    return path;
  }

  /** Parses free JSON of an operation with this argument. */
  parsed(json: string, argument: number): unknown {
    return argument >= DIGITS && this.exact ? parseJson(json) : JSON.parse(json);
  }

  #arrange(parent: Node, key: string): void {
    const nodes: Node[] = [];
    for (let count = this.number(); count > 0; count--) {
      nodes.push(this.#node());
    }
    this.changes.set(parent, key);
    this.answer.arrange(parent, key, nodes);
  }

  #node(): Node {
    return this.answer.nodes[this.number()]!;
  }
}

/** Returns the last step of a path inside a property. */
export function lastOf(path: readonly (string | number)[], key: string): string {
  return (path.at(-1) ?? key) as string;
}

/** A protocol that can be read. */
export interface Readable {
  readonly tables: Tables;
  readonly more: MoreOps;
  /** Returns a short stream with typical content: strings, also beyond ASCII, and a tool call. */
  sample(): string;
}

/** Returns the stream of these data. */
export function streamOfData(data: readonly string[]): string {
  return data.map((one) => `data: ${one}\n\n`).join("");
}

/** The protocols of a module. The first one is the default. */
export type Readables = readonly [Readable, ...Readable[]];
