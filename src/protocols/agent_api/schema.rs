//! The shape of the growing answer, as tables: what the numbers mean that a fold gives its sink.
//!
//! The package's JavaScript gets these tables as one JSON text at start-up, so nothing is declared twice.

use alloc::string::String;

use crate::core::fold::schema::{self, table};
use crate::core::fold::{Key, Kind, Node};

/// The object that holds the response and the list of tool calls.
pub(crate) const ROOT: Node = 0;
/// The response: the first object that is opened.
pub(crate) const RESPONSE: Node = 1;

table! {
    /// Names of members.
    KEYS: Key {
        OUTPUT = "output",
        CONTENT = "content",
        TOOL_CALLS = "toolCalls",
        RESPONSE_KEY = "response",
        SEQUENCE_NUMBER = "sequence_number",
        STATUS = "status",
        ERROR = "error",
        ID = "id",
        CREATED_AT = "created_at",
        COMPLETED_AT = "completed_at",
        USAGE = "usage",
        SESSION_ID = "session_id",
        TYPE = "type",
        ROLE = "role",
        CODE = "code",
        MESSAGE = "message",
        METADATA = "metadata",
        INDEX = "index",
        MSG_ID = "msg_id",
        TEXT = "text",
        REFUSAL = "refusal",
        IMAGE_URL = "image_url",
        VIDEO_URL = "video_url",
        DATA = "data",
        FORMAT = "format",
        FILE_URL = "file_url",
        FILE_ID = "file_id",
        FILENAME = "filename",
        FILE_DATA = "file_data",
        CALL_ID = "callId",
        NAME = "name",
        STATE = "state",
        MESSAGE_ID = "messageId",
        OUTPUT_MESSAGE_ID = "outputMessageId",
        OUTPUT_INDEX = "outputIndex",
    }
}

table! {
    /// Kinds of objects, each with the members it starts with.
    TEMPLATES: Kind {
        _KIND_ROOT = r#"{"response":null,"toolCalls":[]}"#,
        KIND_RESPONSE = r#"{"sequence_number":null,"object":"response","status":"created","error":null,"id":"","created_at":null,"completed_at":null,"output":[],"usage":null,"session_id":null}"#,
        KIND_MESSAGE = r#"{"sequence_number":null,"object":"message","status":"in_progress","error":null,"id":"","type":"message","role":null,"content":[],"code":null,"message":null,"usage":null,"metadata":null}"#,
        KIND_TOOL_CALL = r#"{"callId":null,"name":null,"type":"function_call","state":"streaming","messageId":null,"index":null,"outputMessageId":null,"outputIndex":null}"#,
        KIND_TEXT = r#"{"sequence_number":null,"object":"content","status":"in_progress","error":null,"type":"text","index":0,"delta":false,"msg_id":"","text":null}"#,
        KIND_DATA = r#"{"sequence_number":null,"object":"content","status":"in_progress","error":null,"type":"data","index":0,"delta":false,"msg_id":"","data":null}"#,
        KIND_IMAGE = r#"{"sequence_number":null,"object":"content","status":"in_progress","error":null,"type":"image","index":0,"delta":false,"msg_id":"","image_url":null}"#,
        KIND_AUDIO = r#"{"sequence_number":null,"object":"content","status":"in_progress","error":null,"type":"audio","index":0,"delta":false,"msg_id":"","data":null,"format":null}"#,
        KIND_FILE = r#"{"sequence_number":null,"object":"content","status":"in_progress","error":null,"type":"file","index":0,"delta":false,"msg_id":"","file_url":null,"file_id":null,"filename":null,"file_data":null}"#,
        KIND_REFUSAL = r#"{"sequence_number":null,"object":"content","status":"in_progress","error":null,"type":"refusal","index":0,"delta":false,"msg_id":"","refusal":null}"#,
        KIND_VIDEO = r#"{"sequence_number":null,"object":"content","status":"in_progress","error":null,"type":"video","index":0,"delta":false,"msg_id":"","video_url":null}"#,
        KIND_OTHER = r#"{"sequence_number":null,"object":"content","status":"in_progress","error":null,"type":"","index":0,"delta":false,"msg_id":""}"#,
    }
}

/// The protocol's own words, which cross to JavaScript as numbers.
pub(crate) static WORDS: &[&str] = &[
    "created",
    "in_progress",
    "completed",
    "canceled",
    "failed",
    "rejected",
    "unknown",
    "queued",
    "incomplete",
    "assistant",
    "user",
    "system",
    "tool",
    "message",
    "function_call",
    "function_call_output",
    "plugin_call",
    "plugin_call_output",
    "component_call",
    "component_call_output",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_call",
    "mcp_approval_response",
    "mcp_call_output",
    "reasoning",
    "heartbeat",
    "error",
    "a2ui_response",
    "a2ui_action",
    "streaming",
    "called",
    "answered",
];

/// The number of a word, if it is one of the protocol's own.
pub(crate) fn word(text: &str) -> Option<u8> {
    schema::word(WORDS, text)
}

/// The tables as one JSON text: `{"keys": [...], "words": [...], "templates": [...]}`, the templates as objects.
///
/// What a reader of [`PatchBuffer`](crate::core::patch::PatchBuffer)'s ops needs to know.
pub fn patch_schema() -> String {
    schema::tables(KEYS, WORDS, TEMPLATES)
}
