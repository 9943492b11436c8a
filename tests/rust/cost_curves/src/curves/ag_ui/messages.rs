//! Messages, calls and their results.

use super::{CALL, END, RUN, TEXT, TEXT_END};
use crate::curves::Curve;

const CALL_OF_MESSAGE: &str =
    r#"{"type":"TOOL_CALL_START","toolCallId":"c$i","toolCallName":"f","parentMessageId":"m$i"}"#;
const CALL_END: &str = r#"{"type":"TOOL_CALL_END","toolCallId":"c$i"}"#;
const RESULT: &str =
    r#"{"type":"TOOL_CALL_RESULT","messageId":"r$i","toolCallId":"c$i","content":"x"}"#;
const RESULT_BACK: &str =
    r#"{"type":"TOOL_CALL_RESULT","messageId":"r$i","toolCallId":"c$back","content":"x"}"#;

pub const CURVES: &[Curve] = &[
    ("many open texts, pieces in turn", |s, n| {
        let piece = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"s$mixed","delta":"a"}"#;
        s.event(RUN).each(n, [TEXT]).each(n, [piece]).each(n, [piece]);
    }),
    ("many open calls, pieces in turn", |s, n| {
        let piece = r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c$mixed","delta":"a"}"#;
        s.event(RUN).each(n, [CALL]).each(n, [piece]).each(n, [piece]);
    }),
    ("results of calls in their order", |s, n| {
        s.event(RUN).each(n, [CALL_OF_MESSAGE, CALL_END]).each(n, [RESULT]);
    }),
    ("results of calls from the last", |s, n| {
        s.event(RUN).each(n, [CALL_OF_MESSAGE, CALL_END]).each(n, [RESULT_BACK]);
    }),
    ("results of one id", |s, n| {
        let result =
            r#"{"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"c$i","content":"x"}"#;
        s.event(RUN).each(n, [CALL_OF_MESSAGE, CALL_END]).each(n, [result]);
    }),
    ("results of unknown calls", |s, n| {
        s.event(RUN).each(n, [RESULT]);
    }),
    ("results that are objects", |s, n| {
        s.event(RUN).each(
            n,
            [r#"{"type":"TOOL_CALL_RESULT","toolCallId":"c$i","toolCallName":"f","result":{"a":1}}"#],
        );
    }),
    ("encrypted values of messages", |s, n| {
        let value = r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"message","entityId":"s$mixed","encryptedValue":"x"}"#;
        s.event(RUN).each(n, [TEXT, TEXT_END]).each(n, [value]);
    }),
    ("encrypted values of calls", |s, n| {
        let call = r#"{"type":"TOOL_CALL_START","toolCallId":"c$i","toolCallName":"f","parentMessageId":"m"}"#;
        let value = r#"{"type":"REASONING_ENCRYPTED_VALUE","subtype":"tool-call","entityId":"c$mixed","encryptedValue":"x"}"#;
        s.event(RUN).each(n, [call, CALL_END]).each(n, [value]);
    }),
    ("the old events of reasoning", |s, n| {
        s.event(RUN).each(
            n,
            [
                r#"{"type":"THINKING_START"}"#,
                r#"{"type":"THINKING_TEXT_MESSAGE_START"}"#,
                r#"{"type":"THINKING_TEXT_MESSAGE_CONTENT","delta":"a"}"#,
                r#"{"type":"THINKING_TEXT_MESSAGE_END"}"#,
                r#"{"type":"THINKING_END"}"#,
            ],
        );
    }),
    ("pieces with new metadata", |s, n| {
        let piece =
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"s0","delta":"a","metadata":{"k$i":0}}"#;
        s.event(RUN).each(1, [TEXT]).each(n, [piece]);
    }),
    ("texts of one id", |s, n| {
        s.event(RUN).each(
            n,
            [
                r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
                r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"abc"}"#,
                r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
            ],
        );
    }),
    ("calls of one id", |s, n| {
        s.event(RUN).each(
            n,
            [
                r#"{"type":"TOOL_CALL_START","toolCallId":"m","toolCallName":"f"}"#,
                r#"{"type":"TOOL_CALL_ARGS","toolCallId":"m","delta":"abc"}"#,
                r#"{"type":"TOOL_CALL_END","toolCallId":"m"}"#,
            ],
        );
    }),
    ("calls of one id in many messages", |s, n| {
        s.event(RUN).each(
            n,
            [
                r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f","parentMessageId":"m$i"}"#,
                r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"abc"}"#,
                r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
            ],
        );
    }),
    ("ends refused for a long id", |s, n| {
        let id = "x".repeat(15 * n);
        s.event(RUN);
        s.event(&TEXT.replace("s$i", &id));
        s.event(&format!(r#"{{"type":"STEP_STARTED","stepName":"{id}"}}"#)).times(n, END);
    }),
    ("long ids with one prefix", |s, n| {
        let prefix = "p".repeat(1000);
        let piece = format!(
            r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"{prefix}$mixed","delta":"a"}}"#
        );
        s.event(RUN);
        s.each(n / 5, [&TEXT.replace("s$i", &[&prefix, "$i"].concat())]).each(n / 5, [&piece]);
    }),
];
