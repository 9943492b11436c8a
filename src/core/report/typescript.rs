//! The report in TypeScript.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &'static str = r#"
/**
 * One breach of one rule of the protocol. A value, never thrown. What the rule says, and what the reader did about the breach,
 * is in a module of its own: `explain(violation)` of `agentwire/rules`.
 */
export interface Violation {
  /** Stable kebab-case id of the rule; each has a paragraph in `docs/reference/rules.md`. */
  readonly rule: string;
  /** `note`: legal or harmless. `warning`: against the protocol, the answer is right. `error`: something was lost or cut off. */
  readonly severity: "note" | "warning" | "error";
  /** Number of the event, from 0. */
  readonly event: number;
  /** Byte offset of the event in the stream. */
  readonly offset: number;
  readonly messageId: string | null;
  readonly index: number | null;
  /** What came instead; free text, for people. */
  readonly got: string;
}

/** Everything about a stream that is not the answer itself. */
export interface Report {
  /** How the stream ended. */
  readonly ended: "open" | "terminal" | "error-frame" | "eof" | "aborted" | "refused";
  /** Events with data, the unreadable ones included. */
  readonly events: number;
  /** Comments: what servers send as heartbeats. */
  readonly comments: number;
  readonly bytes: number;
  /** The first violations; `counts` is complete. */
  readonly violations: readonly Violation[];
  /** How often each rule was broken. */
  readonly counts: { readonly [rule: string]: number };
  /** Events of kinds that the protocol does not have, by name. */
  readonly unknown: { readonly [name: string]: number };
  /** Ids of the messages that never ended. */
  readonly unfinished: readonly string[];
  /** The last event id, for reconnecting. */
  readonly lastEventId: string | null;
  /** The reconnection time the server asked for, in milliseconds. */
  readonly retry: number | null;
  /** What the answer does not show, where the stream was read `as` another protocol. */
  readonly losses?: readonly {
    readonly what: string;
    readonly where: string;
    readonly why: string;
    readonly event: number;
  }[];
}
"#;
