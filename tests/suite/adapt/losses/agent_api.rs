//! What the Agent API can say, and what AG-Kit makes of it.

use super::Row;

pub const MESSAGES: &[Row] = &[
    ("message", "text", &[], r#"{"type":"text","text":"x"}"#),
    ("function_call", "tool call", &[], CALL),
    ("function_call_output", "tool result", &["call-missing"], OUTPUT),
    ("plugin_call", "tool call", &["tool-family"], CALL),
    ("plugin_call_output", "tool result", &["tool-family", "call-missing"], OUTPUT),
    ("component_call", "tool call", &["tool-family"], CALL),
    ("component_call_output", "tool result", &["tool-family", "call-missing"], OUTPUT),
    (
        "mcp_list_tools",
        "lost",
        &["data"],
        r#"{"type":"data","data":{"id":"l","server_label":"s","tools":[]}}"#,
    ),
    (
        "mcp_approval_request",
        "interrupt at the end of the run",
        &[],
        r#"{"type":"data","data":{"id":"a","name":"f","arguments":"{}"}}"#,
    ),
    (
        "mcp_call",
        "tool call, without its server",
        &["tool-family", "call-members"],
        r#"{"type":"data","data":{"call_id":"c","name":"f","arguments":"{}","server_label":"s"}}"#,
    ),
    (
        "mcp_approval_response",
        "lost; what it answers is left out",
        &["approval-without-request"],
        r#"{"type":"data","data":{"approval_request_id":"a","approve":true}}"#,
    ),
    ("mcp_call_output", "tool result", &["tool-family", "call-missing"], OUTPUT),
    ("reasoning", "lost", &["reasoning"], r#"{"type":"text","text":"x"}"#),
    ("heartbeat", "comment", &[], r#"{"type":"text","text":"x"}"#),
    ("error", "its text", &["error-message"], r#"{"type":"text","text":"x"}"#),
    ("a2ui_response", "lost", &["data"], r#"{"type":"data","data":{"a2ui":1}}"#),
    ("a2ui_action", "lost", &["data"], r#"{"type":"data","data":{"a2ui":1}}"#),
];

pub const CALL: &str = r#"{"type":"data","data":{"call_id":"c","name":"f","arguments":"{}"}}"#;
pub const OUTPUT: &str = r#"{"type":"data","data":{"call_id":"c","name":"f","output":"o"}}"#;

pub const CONTENTS: &[Row] = &[
    ("text", "text", &[], r#"{"type":"text","text":"x"}"#),
    ("data", "lost, unless its message is of a tool", &["data"], r#"{"type":"data","data":{"a":1}}"#),
    ("image", "lost", &["image"], r#"{"type":"image","image_url":"https://e.com/a.png"}"#),
    ("audio", "lost", &["audio"], r#"{"type":"audio","data":"AA==","format":"wav"}"#),
    ("file", "lost", &["file"], r#"{"type":"file","file_url":"https://e.com/a"}"#),
    ("refusal", "text", &["refusal"], r#"{"type":"refusal","refusal":"x"}"#),
    ("video", "lost", &["video"], r#"{"type":"video","video_url":"https://e.com/a"}"#),
    ("any other", "lost", &["content-type", "undeclared-member"], r#"{"type":"hologram","beam":1}"#),
];

pub const ROLES: &[Row] = &[
    ("assistant", "text", &[], ""),
    ("user", "text", &["role"], ""),
    ("system", "text", &["role"], ""),
    ("tool", "text", &["role"], ""),
];

pub const STATUSES: &[Row] = &[
    ("created", "not said", &["status"], ""),
    ("in_progress", "not said", &["status"], ""),
    ("completed", "`[DONE]`", &[], ""),
    ("canceled", "an error that says so", &["status"], ""),
    ("failed", "an error", &["error-code"], r#","error":{"code":"C","message":"m"}"#),
    ("rejected", "an error that says so", &["status"], ""),
    ("unknown", "not said", &["status"], ""),
    ("queued", "not said", &["status"], ""),
    ("incomplete", "`[DONE]` after interrupts, else an error that says so", &["status"], ""),
];

pub const RESPONSE_MEMBERS: &[Row] = &[
    ("sequence_number", "not said: the order is the same", &[], r#""sequence_number":2"#),
    ("object", "not said", &[], r#""object":"response""#),
    ("status", "see statuses", &[], r#""status":"completed""#),
    ("error", "message of an error, without its code", &[], r#""error":null"#),
    ("id", "lost", &["run-ids"], r#""id":"r""#),
    ("response_id", "lost", &["run-ids"], r#""response_id":"r""#),
    ("created_at", "not said: a stream is of now", &[], r#""created_at":1"#),
    ("completed_at", "not said: a stream is of now", &[], r#""completed_at":1"#),
    ("output", "what of it was not said before", &[], r#""output":[]"#),
    ("usage", "lost", &["usage"], r#""usage":{"input_tokens":1}"#),
    ("session_id", "lost", &["run-ids"], r#""session_id":"s""#),
    ("any other", "lost", &["undeclared-member"], r#""more":1"#),
];

pub const MESSAGE_MEMBERS: &[Row] = &[
    ("sequence_number", "not said", &[], r#""sequence_number":2"#),
    ("object", "not said", &[], r#""object":"message""#),
    ("status", "lost, unless completed", &["message-status"], r#""status":"failed""#),
    (
        "error",
        "lost with the status",
        &["message-status"],
        r#""status":"failed","error":{"code":"C","message":"m"}"#,
    ),
    ("id", "not said: there are no messages", &[], r#""id":"m""#),
    ("type", "see types of messages", &[], r#""type":"message""#),
    ("role", "see roles", &[], r#""role":"assistant""#),
    ("content", "see types of contents", &[], r#""content":[]"#),
    ("code", "lost", &["error-message"], r#""code":"C""#),
    ("message", "lost", &["error-message"], r#""message":"m""#),
    ("usage", "lost", &["usage"], r#""usage":{"input_tokens":1}"#),
    ("metadata", "lost", &["metadata"], r#""metadata":{"a":1}"#),
    ("any other", "lost", &["undeclared-member"], r#""more":1"#),
];

pub const CONTENT_MEMBERS: &[Row] = &[
    ("sequence_number", "not said", &[], r#""sequence_number":2"#),
    ("object", "not said", &[], r#""object":"content""#),
    ("status", "not said; a call that is not completed does not end", &[], r#""status":"completed""#),
    ("error", "lost", &["content-error"], r#""error":{"code":"C","message":"m"}"#),
    ("type", "see types of contents", &[], r#""type":"text""#),
    ("index", "not said: parts come as they came", &[], r#""index":0"#),
    ("delta", "not said", &[], r#""delta":false"#),
    ("msg_id", "not said", &[], r#""msg_id":"m""#),
    ("text", "text", &[], r#""text":"x""#),
    ("refusal", "text", &["refusal"], r#""type":"refusal","refusal":"x""#),
    ("image_url", "lost", &["image"], r#""type":"image","image_url":"u""#),
    ("video_url", "lost", &["video"], r#""type":"video","video_url":"u""#),
    ("data", "calls, results and interrupts, else lost", &["data"], r#""type":"data","data":{"a":1}"#),
    ("format", "lost", &["audio"], r#""type":"audio","data":"AA==","format":"wav""#),
    ("file_url", "lost", &["file"], r#""type":"file","file_url":"u""#),
    ("file_id", "lost", &["file"], r#""type":"file","file_id":"u""#),
    ("filename", "lost", &["file"], r#""type":"file","filename":"u""#),
    ("file_data", "lost", &["file"], r#""type":"file","file_data":"u""#),
    ("any other", "lost", &["undeclared-member"], r#""more":1"#),
];
