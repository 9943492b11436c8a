//! A2A.

use crate::curves::Curve;
use crate::curves::stream::Stream;

const TASK: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}"#;
const ARTIFACT: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a$i","parts":[{"text":"x"}]}}}}"#;
const STATUS: &str = r#"{"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"},"metadata":{"k$i":0}}}}"#;

pub const CURVES: &[Curve] = &[
    ("artifacts that come anew", |s, n| {
        s.event(TASK)
            .each(n, [ARTIFACT])
            .each(n, [&ARTIFACT.replace("$i", "$mixed").replace(r#""x""#, r#""y""#)]);
    }),
    ("artifacts that grow in turn", |s, n| {
        s.event(TASK)
            .each(n, [ARTIFACT])
            .each(n, [&appended(r#""a$mixed","parts":[{"text":"y"}]"#)]);
    }),
    ("artifacts that grow by halves of characters", |s, n| {
        s.event(TASK)
            .each(n, [ARTIFACT])
            .each(n, [&appended(r#""a$mixed","parts":[{"text":"\ud83d"}]"#)]);
    }),
    ("an artifact of many parts, which grows", |s, n| {
        let [before, after] =
            ARTIFACT.split_once(r#"{"text":"x"}"#).map(|(a, b)| [a, b]).expect("a part");
        s.event(TASK).list([&before.replace("a$i", "a0"), after], n, r#"{"text":"x"}"#);
        s.times(n, &appended(r#""a0","parts":[{"data":{}}]"#));
    }),
    ("many artifacts, then tasks without", |s, n| {
        s.event(TASK).each(n, [ARTIFACT]).times(n, TASK);
    }),
    ("many artifacts, then tasks with one", |s, n| {
        let one = r#""artifacts":[{"artifactId":"a$odd","parts":[{"text":"x"}]}],"status""#;
        s.event(TASK).each(n, [ARTIFACT]).each(n, [&TASK.replace(r#""status""#, one)]);
    }),
    ("messages of statuses", |s, n| {
        messages(s, r#"{"messageId":"m$i","role":"ROLE_AGENT","parts":[{"text":"x"}]}"#, n);
    }),
    ("messages of statuses that are calls", |s, n| {
        messages(
            s,
            r#"{"messageId":"m$i","role":"ROLE_AGENT","parts":[{"data":{"call_id":"c$i","name":"f","arguments":"{}"}}],"metadata":{"type":"function_call"}}"#,
            n,
        );
    }),
    ("a history, then tasks without", |s, n| {
        let (before, after) = TASK.split_at(TASK.len() - 3);
        let message = r#"{"messageId":"m$i","role":"ROLE_AGENT","parts":[{"text":"x"}]}"#;
        s.list([&[before, r#","history":["#].concat(), &["]", after].concat()], n, message);
        s.times(n, &[before, r#","history":[]"#, after].concat());
    }),
    ("metadata of statuses", |s, n| {
        s.event(TASK).each(n, [STATUS]);
    }),
    ("metadata of an artifact that grows", |s, n| {
        s.event(TASK).each(1, [ARTIFACT]);
        s.each(n, [&appended(r#""a0","parts":[],"metadata":{"k$i":0}"#)]);
    }),
    ("many metadata, of which one changes", |s, n| {
        let [before, after] =
            STATUS.split_once(r#""k$i":0"#).map(|(a, b)| [a, b]).expect("metadata");
        s.event(TASK).list([before, after], n, r#""k$i":0"#);
        s.each(n, [&STATUS.replace(r#""k$i":0"#, r#""k$mixed":$i"#)]);
    }),
    ("states in turn", |s, n| {
        s.event(TASK);
        let states = ["WORKING", "INPUT_REQUIRED", "COMPLETED"];
        (0..n).for_each(|at| {
            s.event(&STATUS.replace("WORKING", states[at % 3]).replace("$i", "0"));
        });
    }),
    ("statuses of other tasks", |s, n| {
        s.event(TASK).each(n, [&STATUS.replace(r#""t""#, r#""t$i""#)]);
    }),
    ("an artifact with many extensions, then with one", |s, n| {
        let extended = r#"{"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[],"extensions":["#;
        s.event(TASK)
            .list([extended, "]}}}}"], n, r#""u""#)
            .times(n, &[extended, r#""u"]}}}}"#].concat());
    }),
    ("a message of many parts", |s, n| {
        let message = r#"{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":["#;
        s.list([message, "]}}}"], 4 * n, r#"{"text":"x"}"#);
    }),
];

/// An event that appends to an artifact, whose first member is the id.
fn appended(artifact: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"artifactUpdate":{{"taskId":"t","contextId":"c","append":true,"artifact":{{"artifactId":{artifact}}}}}}}}}"#
    )
}

/// Statuses with a message each.
fn messages(s: &mut Stream, message: &str, n: usize) {
    let status = format!(r#""state":"TASK_STATE_WORKING","message":{message}"#);
    s.event(TASK).each(
        n,
        [&STATUS
            .replace(r#""state":"TASK_STATE_WORKING""#, &status)
            .replace(r#","metadata":{"k$i":0}"#, "")],
    );
}
