// A protocol that can be read. Types only.

import type { MoreOps } from "./patch.js";
import type { Tables } from "./tables.js";

/** A protocol that can be read. */
export interface Readable {
  readonly tables: Tables;
  readonly more: MoreOps;
  /** A short answer, with what answers usually have: texts, not only of ASCII, and a tool call. */
  sample(): string;
}

/** The protocols of a module. The first is what is read where nothing is said. */
export type Readables = readonly [Readable, ...Readable[]];
