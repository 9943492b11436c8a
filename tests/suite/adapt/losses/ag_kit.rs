//! What AG-Kit can say, and what the Agent API makes of it.

use super::Row;

pub const AG_KIT: &[Row] = &[
    ("text", "pieces of a text in a message", &[], r#"{"type":"text","content":"x"}"#),
    (
        "tool-call-start",
        "message of type `function_call`",
        &["call-cut-off"],
        r#"{"type":"tool-call-start","toolCallId":"c","toolCallName":"f"}"#,
    ),
    ("tool-call-args", "pieces of `arguments`", &[], CALL_AND_RESULT),
    ("tool-call-end", "the call's message completed", &[], CALL_AND_RESULT),
    ("tool-result", "message of type `function_call_output`", &[], CALL_AND_RESULT),
    (
        "interrupt",
        "message of type `mcp_approval_request`, `reason` and `payload` in its data; the response incomplete",
        &[],
        r#"{"type":"interrupt","id":"i","payload":1}"#,
    ),
    (
        "error",
        "response failed, with the code `unknown_error`; `details` after the message",
        &[],
        r#"{"type":"error","error":"m"}"#,
    ),
    ("an error without a type", "the same", &[], r#"{"error":"m","details":"d"}"#),
    ("`[DONE]`", "response completed; calls that wait for the client stay without an output", &[], "[DONE]"),
    ("any other", "lost", &["unknown-event"], r#"{"type":"other"}"#),
];

pub const CALL_AND_RESULT: &str = r#"{"type":"tool-call-start","toolCallId":"c","toolCallName":"f"}

data: {"type":"tool-call-args","toolCallId":"c","delta":"{}"}

data: {"type":"tool-call-end","toolCallId":"c"}

data: {"type":"tool-result","toolCallId":"c","result":"o"}"#;
