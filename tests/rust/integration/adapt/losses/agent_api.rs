//! The events of the Agent API, and their counterparts in AG-Kit.

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
        "omitted",
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
        "omitted, because its request is missing",
        &["approval-without-request"],
        r#"{"type":"data","data":{"approval_request_id":"a","approve":true}}"#,
    ),
    ("mcp_call_output", "tool result", &["tool-family", "call-missing"], OUTPUT),
    ("reasoning", "omitted", &["reasoning"], r#"{"type":"text","text":"x"}"#),
    ("heartbeat", "comment", &[], r#"{"type":"text","text":"x"}"#),
    ("error", "its text", &["error-message"], r#"{"type":"text","text":"x"}"#),
    ("a2ui_response", "omitted", &["data"], r#"{"type":"data","data":{"a2ui":1}}"#),
    ("a2ui_action", "omitted", &["data"], r#"{"type":"data","data":{"a2ui":1}}"#),
];

pub const CALL: &str = r#"{"type":"data","data":{"call_id":"c","name":"f","arguments":"{}"}}"#;
pub const OUTPUT: &str = r#"{"type":"data","data":{"call_id":"c","name":"f","output":"o"}}"#;

pub const CONTENTS: &[Row] = &[
    ("text", "text", &[], r#"{"type":"text","text":"x"}"#),
    (
        "data",
        "omitted, unless it belongs to a tool message",
        &["data"],
        r#"{"type":"data","data":{"a":1}}"#,
    ),
    ("image", "omitted", &["image"], r#"{"type":"image","image_url":"https://e.com/a.png"}"#),
    ("audio", "omitted", &["audio"], r#"{"type":"audio","data":"AA==","format":"wav"}"#),
    ("file", "omitted", &["file"], r#"{"type":"file","file_url":"https://e.com/a"}"#),
    ("refusal", "text", &["refusal"], r#"{"type":"refusal","refusal":"x"}"#),
    ("video", "omitted", &["video"], r#"{"type":"video","video_url":"https://e.com/a"}"#),
    (
        "any other",
        "omitted",
        &["content-type", "undeclared-member"],
        r#"{"type":"hologram","beam":1}"#,
    ),
];

pub const ROLES: &[Row] = &[
    ("assistant", "text", &[], ""),
    ("user", "text", &["role"], ""),
    ("system", "text", &["role"], ""),
    ("tool", "text", &["role"], ""),
];

pub const STATUSES: &[Row] = &[
    ("created", "omitted", &["status"], ""),
    ("in_progress", "omitted", &["status"], ""),
    ("completed", "`[DONE]`", &[], ""),
    ("canceled", "an error that names the status", &["status"], ""),
    ("failed", "an error", &["error-code"], r#","error":{"code":"C","message":"m"}"#),
    ("rejected", "an error that names the status", &["status"], ""),
    ("unknown", "omitted", &["status"], ""),
    ("queued", "omitted", &["status"], ""),
    (
        "incomplete",
        "`[DONE]` after interrupts, otherwise an error that names the status",
        &["status"],
        "",
    ),
];

pub const RESPONSE_MEMBERS: &[Row] = &[
    ("sequence_number", "omitted, the order is the same", &[], r#""sequence_number":2"#),
    ("object", "omitted", &[], r#""object":"response""#),
    ("status", "see statuses", &[], r#""status":"completed""#),
    ("error", "message of an error, without its code", &[], r#""error":null"#),
    ("id", "omitted", &["run-ids"], r#""id":"r""#),
    ("response_id", "omitted", &["run-ids"], r#""response_id":"r""#),
    ("created_at", "omitted", &[], r#""created_at":1"#),
    ("completed_at", "omitted", &[], r#""completed_at":1"#),
    ("output", "messages and parts that were not streamed", &[], r#""output":[]"#),
    ("usage", "omitted", &["usage"], r#""usage":{"input_tokens":1}"#),
    ("session_id", "omitted", &["run-ids"], r#""session_id":"s""#),
    ("any other", "omitted", &["undeclared-member"], r#""more":1"#),
];

pub const MESSAGE_MEMBERS: &[Row] = &[
    ("sequence_number", "omitted", &[], r#""sequence_number":2"#),
    ("object", "omitted", &[], r#""object":"message""#),
    ("status", "omitted, unless completed", &["message-status"], r#""status":"failed""#),
    (
        "error",
        "omitted with the status",
        &["message-status"],
        r#""status":"failed","error":{"code":"C","message":"m"}"#,
    ),
    ("id", "omitted, AG-Kit has no messages", &[], r#""id":"m""#),
    ("type", "see message types", &[], r#""type":"message""#),
    ("role", "see roles", &[], r#""role":"assistant""#),
    ("content", "see content types", &[], r#""content":[]"#),
    ("code", "omitted", &["error-message"], r#""code":"C""#),
    ("message", "omitted", &["error-message"], r#""message":"m""#),
    ("usage", "omitted", &["usage"], r#""usage":{"input_tokens":1}"#),
    ("metadata", "omitted", &["metadata"], r#""metadata":{"a":1}"#),
    ("any other", "omitted", &["undeclared-member"], r#""more":1"#),
];

pub const CONTENT_MEMBERS: &[Row] = &[
    ("sequence_number", "omitted", &[], r#""sequence_number":2"#),
    ("object", "omitted", &[], r#""object":"content""#),
    (
        "status",
        "omitted; a call that is not completed does not end",
        &[],
        r#""status":"completed""#,
    ),
    ("error", "omitted", &["content-error"], r#""error":{"code":"C","message":"m"}"#),
    ("type", "see content types", &[], r#""type":"text""#),
    ("index", "omitted, parts are written in order of arrival", &[], r#""index":0"#),
    ("delta", "omitted", &[], r#""delta":false"#),
    ("msg_id", "omitted", &[], r#""msg_id":"m""#),
    ("text", "text", &[], r#""text":"x""#),
    ("refusal", "text", &["refusal"], r#""type":"refusal","refusal":"x""#),
    ("image_url", "omitted", &["image"], r#""type":"image","image_url":"u""#),
    ("video_url", "omitted", &["video"], r#""type":"video","video_url":"u""#),
    (
        "data",
        "calls, results and interrupts, otherwise omitted",
        &["data"],
        r#""type":"data","data":{"a":1}"#,
    ),
    ("format", "omitted", &["audio"], r#""type":"audio","data":"AA==","format":"wav""#),
    ("file_url", "omitted", &["file"], r#""type":"file","file_url":"u""#),
    ("file_id", "omitted", &["file"], r#""type":"file","file_id":"u""#),
    ("filename", "omitted", &["file"], r#""type":"file","filename":"u""#),
    ("file_data", "omitted", &["file"], r#""type":"file","file_data":"u""#),
    ("any other", "omitted", &["undeclared-member"], r#""more":1"#),
];
