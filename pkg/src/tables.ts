// The tables of a protocol, as JavaScript has them. Types only.

import type { Protocol } from "./read_options.js";

/** An object of the growing answer, while it may still be written to. */
export type Draft = Record<string, unknown>;

/** An option that the core is told as a number, as a list of strings, or as JSON. */
export interface OptionRow {
  readonly name: string;
  /** Its place among all settings. */
  readonly at: number;
  /** The words that it can be, whose numbers are their places; `flag`: true or false; `names`: a list of strings; `json`: anything. */
  readonly values: readonly string[] | "flag" | "names" | "json";
}

/** The tables of a protocol, made from its declaration in Rust. */
export interface Tables {
  readonly name: Protocol;
  /** What the core calls it by. */
  readonly number: number;
  /** Names of members. */
  readonly keys: readonly string[];
  /** The protocol's own words. */
  readonly words: readonly string[];
  /** Makes an object of each kind, as it starts. A literal for each: an engine makes those many times as fast as copies. */
  readonly templates: readonly (() => Draft)[];
  /** The member of the root object that is the answer; if undefined, the root is. */
  readonly snapshot: string | undefined;
  /** The member of the root object that lists the tool calls; empty if there is none. */
  readonly toolCalls: string;
  /** The member that holds the calls, where what is in that list only has them. */
  readonly callsInside: string | undefined;
  /** What the `type` of a tool call says, where other objects are in that list. */
  readonly toolCallType: string | undefined;
  /** The content type of its binary streams, if there are such. */
  readonly binary: string | undefined;
  /** The options of this protocol alone. */
  readonly options: readonly OptionRow[];
}

/** What the numbers in a patch stand for: names, words and kinds of objects. */
export type Schema = Pick<Tables, "keys" | "words" | "templates">;
