//! The events of AG-Kit, and their counterparts in the Agent API.

use super::Row;

pub const AG_KIT: &[Row] = &[
    ("text", "text deltas of a message", &[], r#"{"type":"text","content":"x"}"#),
    (
        "tool-call-start",
        "message of type `function_call`",
        &["call-cut-off"],
        r#"{"type":"tool-call-start","toolCallId":"c","toolCallName":"f"}"#,
    ),
    ("tool-call-args", "deltas of `arguments`", &[], CALL_AND_RESULT),
    ("tool-call-end", "completed message of the call", &[], CALL_AND_RESULT),
    ("tool-result", "message of type `function_call_output`", &[], CALL_AND_RESULT),
    (
        "interrupt",
        "message of type `mcp_approval_request` with `reason` and `payload` in its data; incomplete response",
        &[],
        r#"{"type":"interrupt","id":"i","payload":1}"#,
    ),
    (
        "error",
        "failed response with code `unknown_error`; `details` appended to the message",
        &[],
        r#"{"type":"error","error":"m"}"#,
    ),
    ("an error without a type", "the same", &[], r#"{"error":"m","details":"d"}"#),
    ("`[DONE]`", "completed response; calls of client tools have no output", &[], "[DONE]"),
    ("any other", "omitted", &["unknown-event"], r#"{"type":"other"}"#),
];

pub const CALL_AND_RESULT: &str = r#"{"type":"tool-call-start","toolCallId":"c","toolCallName":"f"}

data: {"type":"tool-call-args","toolCallId":"c","delta":"{}"}

data: {"type":"tool-call-end","toolCallId":"c"}

data: {"type":"tool-result","toolCallId":"c","result":"o"}"#;
