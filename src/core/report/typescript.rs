//! The report in TypeScript.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &'static str = r#"
/**
 * A violation of a rule of the protocol. Violations are values and are never thrown. `explain(violation)` of `agentwire/rules`
 * returns the expected value of the rule and the recovery of the reader.
 */
export interface Violation {
  /** The id of the rule, in kebab case. Ids are stable and listed in `docs/reference/rules.md`. */
  readonly rule: string;
  /** `note`: valid or harmless. `warning`: against the protocol, but the snapshot is correct. `error`: data was lost or truncated. */
  readonly severity: "note" | "warning" | "error";
  /** The number of the event, from 0. */
  readonly event: number;
  /** The byte offset of the event in the stream. */
  readonly offset: number;
  readonly messageId: string | null;
  readonly index: number | null;
  /** A description of the actual value, for people. */
  readonly got: string;
}

/** The facts about a stream in addition to its snapshot. */
export interface Report {
  /** The reason why the stream ended. */
  readonly ended: "open" | "terminal" | "error-frame" | "eof" | "aborted" | "refused";
  /** The number of events with data, including unreadable ones. */
  readonly events: number;
  /** The number of comments, which servers send as heartbeats. */
  readonly comments: number;
  readonly bytes: number;
  /** The first violations. `counts` counts all of them. */
  readonly violations: readonly Violation[];
  /** The number of violations of each rule. */
  readonly counts: { readonly [rule: string]: number };
  /** The number of events of unknown types, by name. */
  readonly unknown: { readonly [name: string]: number };
  /** The ids of the messages that did not end. */
  readonly unfinished: readonly string[];
  /** The last event id, with which a client reconnects. */
  readonly lastEventId: string | null;
  /** The reconnection time that the server requested, in milliseconds. */
  readonly retry: number | null;
  /** The losses of the conversion, if the stream was read `as` another protocol. */
  readonly losses?: readonly {
    readonly what: string;
    readonly where: string;
    readonly why: string;
    readonly event: number;
  }[];
}
"#;
