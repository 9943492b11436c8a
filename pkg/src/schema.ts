// What the numbers in a patch stand for, per protocol. Declared in Rust; asked for once.

import { core } from "./wasm.js";

/** An object of the growing answer, while it may still be written to. */
export type Draft = Record<string, unknown>;

/** The tables of a protocol. */
export interface Schema {
  /** Names of members. */
  readonly keys: readonly string[];
  /** The protocol's own words. */
  readonly words: readonly string[];
  /** What an object of each kind starts with. */
  readonly templates: readonly Template[];
}

/** A kind of object. */
export interface Template {
  readonly members: Readonly<Draft>;
  /** The members that are lists: each object needs arrays of its own. */
  readonly lists: readonly string[];
}

const schemas: Schema[] = [];

/** The tables of a protocol, by its number. */
export function schemaOf(protocol: number): Schema {
  return (schemas[protocol] ??= read(core().call("schema", protocol)));
}

/** A fresh object of a kind. */
export function create({ members, lists }: Template): Draft {
  const object = { ...members };
  for (const list of lists) {
    object[list] = [];
  }
  return object;
}

function read(json: string): Schema {
  const { keys, words, templates } = JSON.parse(json) as { keys: string[]; words: string[]; templates: Draft[] };
  return { keys, words, templates: templates.map(template) };
}

function template(members: Draft): Template {
  return { members, lists: Object.keys(members).filter((key) => Array.isArray(members[key])) };
}
