// The tables of a protocol in JavaScript, and access to properties of free JSON by names from the
// network.

import type { Protocol } from "./outcome.js";

/** An object of the growing snapshot while it is writable. */
export type Draft = Record<string, unknown>;

/** An option that the core receives as a number, as a list of strings, or as JSON. */
export interface OptionRow {
  readonly name: string;
  /** The index among all settings. */
  readonly at: number;
  /**
   * The allowed words, which are sent as their index; `flag`: a boolean; `names`: a list of
   * strings; `json`: any value.
   */
  readonly values: readonly string[] | "flag" | "names" | "json";
}

/** The tables of a protocol, which are generated from its declaration in Rust. */
export interface Tables {
  readonly name: Protocol;
  /** The number of the protocol in the core. */
  readonly number: number;
  /** The property names. */
  readonly keys: readonly string[];
  /** The enum words of the protocol. */
  readonly words: readonly string[];
  /**
   * The functions that create an object of each kind in its initial state. Each is an object
   * literal, which engines create many times as fast as copies.
   */
  readonly templates: readonly (() => Draft)[];
  /**
   * The property of the root object that holds the snapshot; if undefined, the root is the
   * snapshot.
   */
  readonly snapshot: string | undefined;
  /** The property of the root object that lists the tool calls; empty for none. */
  readonly toolCalls: string;
  /** The property that holds the calls, if the elements of that list only contain them. */
  readonly callsInside: string | undefined;
  /** The `type` of a tool call, if that list contains other objects. */
  readonly toolCallType: string | undefined;
  /** The content type of the protocol's binary streams, if it has any. */
  readonly binary: string | undefined;
  /** The options of this protocol only. */
  readonly options: readonly OptionRow[];
}

/** The meaning of the numbers in a patch: property names, words and kinds of objects. */
export type Schema = Pick<Tables, "keys" | "words" | "templates">;

/**
 * Returns an own property, so that names such as `constructor` or `__proto__` do not reach the
 * prototype.
 */
export function member(object: Draft, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sets an own property with any name. */
export function put(object: Draft, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    object[name] = value;
  }
}
