//! Chat Completions.

use crate::curves::Curve;
use crate::curves::stream::Stream;

const END: [&str; 2] =
    [r#"{"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#, "[DONE]"];

pub const CURVES: &[Curve] = &[
    ("text", |s, n| delta(s, n, r#""content":"w$i""#)),
    ("choices", |s, n| choices(s, n, r#"{"index":$i,"delta":{"content":"x"}}"#)),
    ("choices, the last one first", |s, n| {
        choices(s, n, r#"{"index":$back,"delta":{"content":"x"}}"#)
    }),
    ("choices of high numbers", |s, n| choices(s, n, r#"{"index":$high,"delta":{"content":"x"}}"#)),
    ("choices in turn", |s, n| choices(s, n, r#"{"index":$few,"delta":{"content":"w$i"}}"#)),
    ("many choices, which grow", |s, n| {
        s.each(n, [&chunk(r#"{"index":$i,"delta":{"content":"x"}}"#)]);
        choices(s, n, r#"{"index":$mixed,"delta":{"content":"y"}}"#);
    }),
    ("choices of one chunk", |s, n| {
        list(
            s,
            [r#"{"id":"c","choices":["#, "]}"],
            4 * n,
            r#"{"index":$i,"delta":{"content":"x"}}"#,
        );
    }),
    ("calls", |s, n| {
        calls(s, n, r#"{"index":$i,"id":"c$i","function":{"name":"f","arguments":"{}"}}"#)
    }),
    ("calls, the last one first", |s, n| {
        calls(s, n, r#"{"index":$back,"id":"c$i","function":{"name":"f","arguments":"{}"}}"#);
    }),
    ("calls of high numbers", |s, n| {
        calls(s, n, r#"{"index":$high,"id":"c$i","function":{"name":"f","arguments":"{"}}"#);
    }),
    ("calls of one id", |s, n| {
        calls(s, n, r#"{"index":$i,"id":"c","function":{"name":"f","arguments":"{}"}}"#);
    }),
    ("calls of one number", |s, n| {
        calls(s, n, r#"{"index":0,"id":"c$i","function":{"name":"f","arguments":"{}"}}"#);
    }),
    ("calls without an id", |s, n| {
        calls(s, n, r#"{"index":$i,"function":{"name":"f","arguments":"{}"}}"#);
    }),
    ("calls without a number", |s, n| {
        calls(s, n, r#"{"id":"c$i","function":{"name":"f","arguments":"{}"}}"#);
    }),
    ("calls of one chunk", |s, n| {
        let call = r#"{"index":$i,"id":"c$i","function":{"name":"f","arguments":"{}"}}"#;
        list(
            s,
            [r#"{"id":"c","choices":[{"index":0,"delta":{"tool_calls":["#, "]}}]}"],
            2 * n,
            call,
        );
    }),
    ("calls that are open at once", |s, n| {
        let call = r#"{"index":$i,"id":"c$i","function":{"name":"f","arguments":"1"}}"#;
        s.each(n, [&chunk(&in_delta(&tool_calls(call)))]);
        calls(s, n, r#"{"index":$mixed,"function":{"arguments":"1"}}"#);
    }),
    ("a call with long arguments", |s, n| {
        let call = r#"{"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\":\""}}"#;
        s.event(&chunk(&in_delta(&tool_calls(call))));
        calls(s, 4 * n, r#"{"index":0,"function":{"arguments":"x"}}"#);
    }),
    ("a call whose name changes", |s, n| {
        calls(s, n, r#"{"index":0,"id":"c$i","function":{"name":"f$i"}}"#)
    }),
    ("undeclared members of a call", |s, n| {
        s.event(&chunk(&in_delta(&tool_calls(
            r#"{"index":0,"id":"c","function":{"name":"f","arguments":"1"}}"#,
        ))));
        calls(s, n, r#"{"index":0,"k$i":$i,"foo":"bar$i"}"#);
    }),
    ("a custom call", |s, n| {
        let call = r#"{"index":0,"id":"c","type":"custom","custom":{"name":"f","input":""}}"#;
        s.event(&chunk(&in_delta(&tool_calls(call))));
        calls(s, 2 * n, r#"{"index":0,"custom":{"input":"x"}}"#);
    }),
    ("a function call", |s, n| delta(s, n, r#""function_call":{"name":"f","arguments":"x"}"#)),
    ("probabilities", |s, n| {
        choices(
            s,
            n,
            r#"{"index":0,"delta":{"content":"x"},"logprobs":{"content":[{"token":"x","logprob":-1,"top_logprobs":[{"token":"y","logprob":-2}]}],"refusal":null}}"#,
        );
    }),
    ("probabilities of many choices", |s, n| {
        choices(
            s,
            n,
            r#"{"index":$few,"delta":{"content":"x"},"logprobs":{"content":[{"token":"x","logprob":-1}]}}"#,
        );
    }),
    ("annotations", |s, n| {
        delta(
            s,
            n,
            r#""content":"x","annotations":[{"type":"url_citation","url_citation":{"url":"u$i","title":"t","start_index":$i,"end_index":$i}}]"#,
        );
    }),
    ("annotations without a text", |s, n| {
        delta(s, n, r#""annotations":[{"type":"url_citation","url_citation":{"url":"u$i"}}]"#);
    }),
    ("details of reasoning", |s, n| {
        delta(s, n, r#""reasoning_details":[{"type":"reasoning.text","text":"x","index":$i}]"#);
    }),
    ("details of reasoning at one place", |s, n| {
        delta(s, n, r#""reasoning_details":[{"type":"reasoning.text","text":"x","index":0}]"#);
    }),
    ("details of reasoning with signatures", |s, n| {
        delta(
            s,
            n,
            r#""reasoning_details":[{"type":"reasoning.encrypted","data":"x$i","id":"r$i","index":$i}]"#,
        );
    }),
    ("texts of each kind", |s, n| {
        delta(s, n, r#""reasoning":"x","reasoning_content":"x","content":"y","refusal":"z""#);
    }),
    ("text and reasoning in turn", |s, n| {
        let [text, thought] = [r#""content":"a$i""#, r#""reasoning_content":"b$i""#];
        s.each(n, [&chunk(&in_delta(text)), &chunk(&in_delta(thought))]).each(1, END);
    }),
    ("content in parts", |s, n| {
        delta(
            s,
            n,
            r#""content":[{"type":"thinking","thinking":[{"type":"text","text":"x"}]},{"type":"text","text":"y"}]"#,
        );
    }),
    ("content of many parts", |s, n| {
        let part = r#"{"type":"text","text":"y$i"},{"type":"image_url","image_url":"u"}"#;
        list(s, [r#"{"id":"c","choices":[{"index":0,"delta":{"content":["#, "]}}]}"], 2 * n, part);
    }),
    ("undeclared members", |s, n| delta(s, n, r#""x$i":$i"#)),
    ("undeclared objects of the root", |s, n| {
        s.each(n, [r#"{"id":"c","choices":[],"x$i":{"a":$i}}"#]).each(1, END);
    }),
    ("an undeclared text that grows", |s, n| delta(s, n, r#""foo":"bar$i""#)),
    ("an undeclared object that grows", |s, n| delta(s, n, r#""foo":{"k$i":"bar$i"}"#)),
    ("an undeclared list that grows", |s, n| delta(s, n, r#""foo":[{"k$i":"bar$i"}]"#)),
    ("undeclared objects of many choices", |s, n| {
        choices(s, n, r#"{"index":$few,"delta":{"foo":{"k":"v$i"}},"bar":[$i]}"#);
    }),
    ("usage", |s, n| {
        s.each(n, [r#"{"id":"c","choices":[],"usage":{"prompt_tokens":$i,"total_tokens":$i,"d":{"a":$i}}}"#]);
        s.each(1, END);
    }),
    ("usage with new keys", |s, n| {
        s.each(n, [r#"{"id":"c","choices":[],"usage":{"k$i":$i}}"#]).each(1, END);
    }),
    ("ids and models", |s, n| {
        s.each(
            n,
            [r#"{"id":"c$i","model":"m$i","created":$i,"choices":[{"index":0,"delta":{"content":"x"}}]}"#],
        );
        s.each(1, END);
    }),
    ("sound", |s, n| delta(s, n, r#""audio":{"id":"a","data":"AAAA","transcript":"x"}"#)),
    ("ends of a choice", |s, n| {
        choices(s, n, r#"{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}"#);
    }),
    ("ends of many choices", |s, n| {
        choices(s, n, r#"{"index":$i,"delta":{"content":"x"},"finish_reason":"length"}"#);
    }),
    ("repeated members", |s, n| {
        let twice = r#"{"id":"c","choices":[{"index":0,"delta":{"content":"a","content":"b"}}],"choices":[{"index":1,"delta":{"content":"q"}}]}"#;
        s.times(n, twice).each(1, END);
    }),
];

/// A chunk with a choice.
fn chunk(choice: &str) -> String {
    format!(
        r#"{{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{choice}]}}"#
    )
}

/// The first choice, with members of its delta.
fn in_delta(members: &str) -> String {
    format!(r#"{{"index":0,"delta":{{{members}}}}}"#)
}

fn tool_calls(call: &str) -> String {
    format!(r#""tool_calls":[{call}]"#)
}

/// Writes chunks with a choice each.
fn choices(s: &mut Stream, n: usize, choice: &str) {
    s.each(n, [&chunk(choice)]).each(1, END);
}

/// Writes chunks with members of a delta of the first choice.
fn delta(s: &mut Stream, n: usize, members: &str) {
    choices(s, n, &in_delta(members));
}

/// Writes chunks with a call of the first choice.
fn calls(s: &mut Stream, n: usize, call: &str) {
    delta(s, n, &tool_calls(call));
}

/// Writes one chunk with a list.
fn list(s: &mut Stream, around: [&str; 2], n: usize, item: &str) {
    s.list(around, n, item).each(1, END);
}
