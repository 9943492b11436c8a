//! The growing answer as TypeScript sees it: the templates of [`schema`](super::schema), as types.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &'static str = r#"
/** The growing answer to one AG-Kit request. Plain data; what did not change keeps its identity from one update to the next. */
export interface AgKitTurn {
  /**
   * `streaming` until the stream has ended; then what is left to do. `truncated`: it stopped inside a tool call, its
   * reader has stopped it, or it could not be read at all.
   */
  readonly status: "streaming" | "completed" | "awaiting-tool-results" | "interrupted" | "failed" | "truncated";
  /** In order of appearance. */
  readonly parts: readonly AgKitPart[];
  /** Why the run failed. */
  readonly error: AgKitError | null;
  /** Calls whose arguments are final and that nothing has answered when the stream ends: the client's to answer. */
  readonly pendingToolCallIds: readonly string[];
}

/** Why a run failed. */
export interface AgKitError {
  readonly message: string;
  readonly details: string | null;
}

export interface AgKitTextPart {
  readonly type: "text";
  /** The text so far. */
  readonly text: string;
}

export interface AgKitToolCallPart {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolCallName: string;
  /** `input-streaming`: arguments are coming. `input-available`: they are final. `output-available`: the result is there. */
  readonly state: "input-streaming" | "input-available" | "output-available";
  /** The arguments' JSON text so far. Half of it is for display only. */
  readonly arguments: string;
  /** The arguments, once they are final and if they are JSON. */
  readonly parsedArguments: Json;
  /** Why final arguments are no JSON. */
  readonly argumentsError: string | null;
  /** What the tool came to, if the server has called it itself. */
  readonly result: string | null;
}

export interface AgKitInterruptPart {
  readonly type: "interrupt";
  /** What to name when resuming. */
  readonly id: string;
  readonly reason: string | null;
  readonly payload: Json;
}

export interface AgKitErrorPart extends AgKitError {
  readonly type: "error";
}

/** One part of a turn; `switch (part.type)` narrows it. */
export type AgKitPart = AgKitTextPart | AgKitToolCallPart | AgKitInterruptPart | AgKitErrorPart;
"#;

#[cfg(test)]
mod tests {
    use crate::core::fold::schema;
    use crate::protocols::ag_kit::schema::TEMPLATES;

    /// Every member that an object starts with is declared, and nothing else is.
    #[test]
    fn the_types_are_the_templates() {
        assert_eq!(schema::present(TEMPLATES), schema::declared(include_str!("typescript.rs")));
    }
}
