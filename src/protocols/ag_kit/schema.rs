//! The shape of the growing answer, as tables: what the numbers mean that a fold gives its sink.
//!
//! The root is the turn itself; every other object is one of its parts.

use alloc::string::String;

use crate::core::fold::schema::{self, table};
use crate::core::fold::{Key, Kind, Node, SinkValue};
use crate::json;

/// The turn.
pub(crate) const TURN: Node = 0;

table! {
    /// Names of members.
    KEYS: Key {
        PARTS = "parts",
        STATUS = "status",
        ERROR = "error",
        PENDING = "pendingToolCallIds",
        TEXT = "text",
        TOOL_CALL_ID = "toolCallId",
        TOOL_CALL_NAME = "toolCallName",
        STATE = "state",
        ARGUMENTS = "arguments",
        PARSED_ARGUMENTS = "parsedArguments",
        ARGUMENTS_ERROR = "argumentsError",
        RESULT = "result",
        ID = "id",
        REASON = "reason",
        PAYLOAD = "payload",
        MESSAGE = "message",
        DETAILS = "details",
    }
}

table! {
    /// Kinds of objects, each with the members it starts with.
    TEMPLATES: Kind {
        _KIND_TURN = r#"{"status":"streaming","parts":[],"error":null,"pendingToolCallIds":[]}"#,
        KIND_TEXT = r#"{"type":"text","text":""}"#,
        KIND_TOOL_CALL = r#"{"type":"tool-call","toolCallId":"","toolCallName":"","state":"input-streaming","arguments":"","parsedArguments":null,"argumentsError":null,"result":null}"#,
        KIND_INTERRUPT = r#"{"type":"interrupt","id":"","reason":null,"payload":null}"#,
        KIND_ERROR = r#"{"type":"error","message":"","details":null}"#,
    }
}

/// The protocol's own words, which cross to JavaScript as numbers.
pub(crate) static WORDS: &[&str] = &[
    "streaming",
    "completed",
    "awaiting-tool-results",
    "interrupted",
    "failed",
    "truncated",
    "input-streaming",
    "input-available",
    "output-available",
];

/// A word as a value.
pub(crate) fn word(text: &str) -> SinkValue<'_> {
    schema::word(WORDS, text).map_or(SinkValue::Str(text), SinkValue::Word)
}

/// The characters of a value.
pub(crate) fn text(value: SinkValue<'_>) -> &str {
    match value {
        SinkValue::Str(text) => text,
        SinkValue::Word(word) => WORDS.get(word as usize).copied().unwrap_or(""),
        SinkValue::Null
        | SinkValue::Bool(_)
        | SinkValue::Int(_)
        | SinkValue::Json(_)
        | SinkValue::Free(_) => "",
    }
}

/// The fold gives free JSON as JSON.
pub(crate) fn free(value: SinkValue<'_>) -> Option<json::Value> {
    match value {
        SinkValue::Json(raw) => Some(json::Value::from_raw(raw)),
        SinkValue::Free(value) => Some(json::Value::of(value)),
        _ => None,
    }
}

/// The tables as one JSON text: `{"keys": [...], "words": [...], "templates": [...]}`, the templates as objects.
///
/// What a reader of [`PatchBuffer`](crate::core::patch::PatchBuffer)'s ops needs to know.
pub fn patch_schema() -> String {
    schema::tables(KEYS, WORDS, TEMPLATES)
}
