// What the numbers in a patch stand for, in the form in which patches are applied.

import type { Draft, Tables } from "./readable.js";

/** The names, words and kinds of objects of a protocol. */
export interface Schema extends Pick<Tables, "keys" | "words"> {
  readonly templates: readonly Template[];
}

/** A kind of object. */
export interface Template {
  readonly members: Readonly<Draft>;
  /** The members that are lists: each object needs arrays of its own. */
  readonly lists: readonly string[];
}

const schemas = /* @__PURE__ */ new Map<Tables, Schema>();

/** The schema of a protocol. */
export function schemaOf(tables: Tables): Schema {
  let schema = schemas.get(tables);
  if (schema === undefined) {
    schema = { ...tables, templates: tables.templates.map(template) };
    schemas.set(tables, schema);
  }
  return schema;
}

/** A fresh object of a kind. */
export function create({ members, lists }: Template): Draft {
  const object = { ...members };
  for (const list of lists) {
    object[list] = [];
  }
  return object;
}

function template(members: Readonly<Draft>): Template {
  return { members, lists: Object.keys(members).filter((key) => Array.isArray(members[key])) };
}
