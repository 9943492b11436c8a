//! The Agent API.

use crate::curves::Curve;
use crate::curves::stream::Stream;

const CREATED: [&str; 2] = [
    r#"{"object":"response","status":"created","id":"r"}"#,
    r#"{"object":"response","status":"in_progress","id":"r"}"#,
];

pub const CURVES: &[Curve] = &[
    ("many open messages, pieces without an id", |s, n| {
        s.each(1, CREATED).each(n, [&message("m$i", "message")]);
        s.times(
            n,
            r#"{"object":"content","type":"text","index":0,"delta":true,"text":"a","status":"in_progress"}"#,
        );
    }),
    ("many open parts of a message, pieces in turn", |s, n| {
        let piece = r#"{"object":"content","type":"text","msg_id":"m","index":$i,"delta":true,"text":"a","status":"in_progress"}"#;
        s.each(1, CREATED).event(&message("m", "message")).each(n, [piece]);
        s.each(n, [&piece.replace("$i", "$mixed")]);
    }),
    ("parts of a message that end from the last", |s, n| {
        let part = r#"{"object":"content","type":"text","msg_id":"m","index":$i,"delta":true,"text":"a","status":"in_progress"}"#;
        let end = r#"{"object":"content","type":"text","msg_id":"m","index":$back,"delta":false,"text":"a","status":"completed"}"#;
        s.each(1, CREATED).event(&message("m", "message")).each(n / 4, [part]).each(n / 4, [end]);
    }),
    ("many messages, then responses that list two", |s, n| {
        let whole = r#"{"object":"message","status":"completed","id":"m$i","type":"message","role":"assistant","content":[{"type":"text","text":"a","status":"completed","object":"content","index":0}]}"#;
        let two = r#"{"object":"response","status":"in_progress","id":"r","output":[{"object":"message","id":"m$mixed"},{"object":"message","id":"m$other"}]}"#;
        s.each(1, CREATED).each(n, [whole]).each(n, [two]);
    }),
    ("calls of one id", |s, n| {
        calls(s, n, "function_call", r#"{"call_id":"c","name":"f","arguments":"x"}"#);
    }),
    ("outputs of one call", |s, n| {
        calls(s, n, "function_call_output", r#"{"call_id":"c","name":"f","output":"x"}"#);
    }),
    ("a call that changes its id", |s, n| {
        let data = data("m", r#"{"call_id":"c$i","name":"f","arguments":"x"}"#);
        s.each(1, CREATED).event(&message("m", "function_call"));
        s.each(n, [&data.replace(r#""delta":true"#, r#""delta":false"#)]);
    }),
    ("approvals", |s, n| {
        calls(
            s,
            n,
            "mcp_approval_request",
            r#"{"id":"a$i","name":"f","arguments":"{}","server_label":"x"}"#,
        );
        let answer = data("q$i", r#"{"approval_request_id":"a$i","approve":true}"#);
        s.each(n, [&message("q$i", "mcp_approval_response"), &answer]);
    }),
    ("metadata of the response", |s, n| {
        s.each(1, CREATED).each(
            n,
            [r#"{"object":"response","status":"in_progress","id":"r","metadata":{"k$i":1}}"#],
        );
    }),
    ("metadata of a message", |s, n| {
        s.each(1, CREATED).each(
            n,
            [r#"{"object":"message","status":"in_progress","id":"m","type":"message","metadata":{"k$i":1}}"#],
        );
    }),
    ("usage of the response", |s, n| {
        s.each(1, CREATED).each(
            n,
            [r#"{"object":"response","status":"in_progress","id":"r","usage":{"k$i":1}}"#],
        );
    }),
    ("usage of messages", |s, n| {
        s.each(1, CREATED).each(
            n,
            [
                &message("m$i", "message"),
                r#"{"object":"message","status":"in_progress","id":"m$i","usage":{"a":$i}}"#,
            ],
        );
    }),
];

fn message(id: &str, kind: &str) -> String {
    format!(
        r#"{{"object":"message","status":"in_progress","id":"{id}","type":"{kind}","role":"assistant"}}"#
    )
}

fn data(id: &str, data: &str) -> String {
    format!(
        r#"{{"object":"content","status":"in_progress","msg_id":"{id}","type":"data","index":0,"delta":true,"data":{data}}}"#
    )
}

/// Messages of a type, each with this data.
fn calls(s: &mut Stream, n: usize, kind: &str, piece: &str) {
    s.each(1, CREATED).each(n, [&message("m$i", kind), &data("m$i", piece)]);
}
