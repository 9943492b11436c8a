//! The growing answer as TypeScript sees it: the templates of [`schema`](super::schema), as types.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPESCRIPT: &'static str = r#"
/** Any JSON. Integers beyond ±2^53 are `bigint`. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * A name that this version does not know, in the place of those it does. It is the name itself, a string; declared in this way
 * so that `switch` tells it from the others.
 */
export declare enum OtherName {
  Other = "any other name",
}

/** Why something failed. */
export interface ErrorInfo {
  readonly code: string;
  readonly message: string;
}

/** The growing answer of a run. Plain data; what did not change keeps its identity from one update to the next. */
export interface Response {
  readonly sequence_number: number | null;
  readonly object: "response";
  readonly status: RunStatus;
  readonly error: ErrorInfo | null;
  /** Empty until the stream has named it. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created_at: number | null;
  readonly completed_at: number | null;
  /** In order of appearance; once the response has ended, in the order it lists them, unlisted ones after them. */
  readonly output: readonly Message[];
  readonly usage: Json;
  readonly session_id: string | null;
}

/** One message of a response. */
export interface Message {
  readonly sequence_number: number | null;
  readonly object: "message";
  /** Not terminal at the end of a stream: the message was cut off. */
  readonly status: RunStatus;
  readonly error: ErrorInfo | null;
  readonly id: string;
  readonly type: MessageType;
  readonly role: Role | null;
  /** Sorted by `index`. */
  readonly content: readonly Content[];
  readonly code: string | null;
  readonly message: string | null;
  readonly usage: Json;
  readonly metadata: Json;
}

interface ContentHead {
  readonly sequence_number: number | null;
  readonly object: "content";
  readonly status: RunStatus;
  readonly error: ErrorInfo | null;
  readonly index: number;
  readonly delta: false;
  readonly msg_id: string;
}

export interface TextContent extends ContentHead {
  readonly type: "text";
  /** The text so far. */
  readonly text: string | null;
}

export interface DataContent extends ContentHead {
  readonly type: "data";
  readonly data: { readonly [key: string]: Json } | null;
}

export interface ImageContent extends ContentHead {
  readonly type: "image";
  readonly image_url: string | null;
}

export interface AudioContent extends ContentHead {
  readonly type: "audio";
  readonly data: string | null;
  readonly format: string | null;
}

export interface FileContent extends ContentHead {
  readonly type: "file";
  readonly file_url: string | null;
  readonly file_id: string | null;
  readonly filename: string | null;
  readonly file_data: string | null;
}

export interface RefusalContent extends ContentHead {
  readonly type: "refusal";
  readonly refusal: string | null;
}

export interface VideoContent extends ContentHead {
  readonly type: "video";
  readonly video_url: string | null;
}

/** A content of a type that this version does not know, with the members that the server gave it. */
export interface OtherContent extends ContentHead {
  readonly type: OtherName;
  readonly [member: string]: unknown;
}

/** One part of a message; `switch (content.type)` narrows it. Leave a `default`: servers may send types that are not listed here. */
export type Content =
  | TextContent
  | DataContent
  | ImageContent
  | AudioContent
  | FileContent
  | RefusalContent
  | VideoContent
  | OtherContent;

/** A tool call and what answers it, paired by call id. */
export interface ToolCall {
  readonly callId: string | null;
  readonly name: string | null;
  /** Type of the message that opened it. */
  readonly type: MessageType;
  /** `streaming`: arguments are coming. `called`: they are complete. `answered`: the output is complete. */
  readonly state: "streaming" | "called" | "answered";
  /** Where the call stands: its message and the index of its content. */
  readonly messageId: string | null;
  readonly index: number | null;
  /** Where the output stands. */
  readonly outputMessageId: string | null;
  readonly outputIndex: number | null;
}
"#;

#[cfg(test)]
mod tests {
    use crate::core::fold::schema;
    use crate::protocols::agent_api::schema::TEMPLATES;

    /// Every member that an object starts with is declared, and nothing else is.
    #[test]
    fn the_types_are_the_templates() {
        let mut present = schema::present(TEMPLATES);
        present.extend(["code".to_owned(), "message".to_owned()]);
        present.remove("response");
        present.remove("toolCalls");
        assert_eq!(present, schema::declared(include_str!("typescript.rs")));
    }
}
