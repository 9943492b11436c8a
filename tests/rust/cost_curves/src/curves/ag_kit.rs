//! AG-Kit.

use crate::curves::Curve;

const CALL: &str = r#"{"type":"tool-call-start","toolCallId":"c$i","toolCallName":"f"}"#;

pub const CURVES: &[Curve] = &[
    ("calls, arguments and results in turn", |s, n| {
        s.each(n, [CALL])
            .each(n, [r#"{"type":"tool-call-args","toolCallId":"c$mixed","delta":"1"}"#]);
        s.each(n, [r#"{"type":"tool-call-end","toolCallId":"c$mixed"}"#]);
        s.each(n, [r#"{"type":"tool-result","toolCallId":"c$other","result":{"a":[1]}}"#]);
    }),
    ("a call that starts again", |s, n| {
        let call = CALL.replace("$i", "");
        s.each(n, [&call, r#"{"type":"tool-call-args","toolCallId":"c","delta":"1"}"#]);
    }),
    ("interrupts", |s, n| {
        s.each(n, [r#"{"type":"interrupt","id":"i$i","reason":"x","payload":{"a":1}}"#]);
    }),
    ("results of calls that never started", |s, n| {
        s.each(n, [r#"{"type":"tool-result","toolCallId":"c$i","result":"x"}"#]);
    }),
];
