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
  /** The member that holds the text of a content, or what stands for it. */
  readonly text: string | undefined;
}

/** Where the text of a content is not called `text`. Data has none. */
const TEXTS: Readonly<Record<string, string | undefined>> = {
  refusal: "refusal",
  image: "image_url",
  audio: "data",
  video: "video_url",
  file: "file_data",
  data: undefined,
};

/** The texts of what has a type and is no content. */
const PART_TEXTS: Readonly<Record<string, string | undefined>> = { text: "text", "tool-call": "arguments" };

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
  const { object, type } = members as { object?: string; type: string };
  return {
    members,
    lists: Object.keys(members).filter((key) => Array.isArray(members[key])),
    text: object === undefined ? PART_TEXTS[type] : object !== "content" ? undefined : type in TEXTS ? TEXTS[type] : "text",
  };
}
