// A protocol that can be read. Types only.

import type { MoreOps } from "./patch.js";
import type { Tables } from "./tables.js";

/** A protocol that can be read. */
export interface Readable {
  readonly tables: Tables;
  readonly more: MoreOps;
  /** Returns a short stream with typical content: strings, also beyond ASCII, and a tool call. */
  sample(): string;
}

/** The protocols of a module. The first one is the default. */
export type Readables = readonly [Readable, ...Readable[]];
