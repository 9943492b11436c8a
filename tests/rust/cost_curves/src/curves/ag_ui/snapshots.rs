//! Snapshots of messages.

use super::{RUN, TEXT, TEXT_END};
use crate::curves::Curve;
use crate::curves::stream::Stream;

const ACTIVITY: &str =
    r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"s$i","activityType":"a","content":{}}"#;
const ONE: &str =
    r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m$odd","role":"user","content":"a"}]}"#;
const CALLS: [&str; 2] = [
    r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","content":"","toolCalls":["#,
    "]}]}",
];
const CALL: &str = r#"{"id":"c$i","type":"function","function":{"name":"f","arguments":"{}"}}"#;

pub const CURVES: &[Curve] = &[
    ("many messages, then snapshots of one", |s, n| {
        let one = r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"s0","role":"assistant","content":"a"}]}"#;
        s.event(RUN).each(n, [TEXT, TEXT_END]).times(n, one);
    }),
    ("many activities, then empty snapshots", |s, n| {
        s.event(RUN).each(n, [ACTIVITY]).times(n, r#"{"type":"MESSAGES_SNAPSHOT","messages":[]}"#);
    }),
    ("many activities, then two snapshots in turn", |s, n| {
        s.event(RUN).each(n, [ACTIVITY]).each(n, [ONE]);
    }),
    ("snapshots of another message each", |s, n| {
        s.event(RUN).each(
            n,
            [r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m$i","role":"user","content":"a"}]}"#],
        );
    }),
    ("a message of many calls, then snapshots with one", |s, n| {
        s.event(RUN).list(CALLS, n, CALL);
        (0..n / 2).for_each(|_| {
            s.list(CALLS, 1, CALL);
        });
    }),
    ("a message of many calls, then results from the last", |s, n| {
        s.event(RUN).list(CALLS, n, CALL).each(
            n,
            [r#"{"type":"TOOL_CALL_RESULT","messageId":"r$i","toolCallId":"c$back","content":"x"}"#],
        );
    }),
    ("snapshots that grow", |s, n| {
        s.event(RUN);
        for length in 0..n.isqrt() * 3 {
            s.list(
                [r#"{"type":"MESSAGES_SNAPSHOT","messages":["#, "]}"],
                length,
                r#"{"id":"m$i","role":"assistant","content":"abc"}"#,
            );
        }
    }),
    ("many open texts, then snapshots of one each", open_then_snapshots),
];

fn open_then_snapshots(s: &mut Stream, n: usize) {
    let piece = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"s$i","delta":"a"}"#;
    let one = r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"s$i","role":"assistant","content":"a"}]}"#;
    s.event(RUN).each(n, [TEXT, piece]).each(n, [one]);
}
