//! The parts of items: texts, annotations, commands.

use super::{CREATED, ITEM};
use crate::curves::Curve;
use crate::curves::stream::Stream;

const PART: &str = r#"{"type":"response.content_part.added","item_id":"m0","output_index":0,"content_index":$i,"part":{"type":"output_text","text":"","annotations":[]}}"#;
const PIECE: &str = r#"{"type":"response.output_text.delta","item_id":"m0","output_index":0,"content_index":0,"delta":"abcdef"}"#;
const ANNOTATION: &str = r#"{"type":"response.output_text.annotation.added","item_id":"m0","output_index":0,"content_index":0,"annotation_index":$i,"annotation":{"type":"x"}}"#;
const LIKELY: &str = r#"{"token":"a","logprob":-0.1,"bytes":[97],"top_logprobs":[]}"#;

pub const CURVES: &[Curve] = &[
    ("many parts, then ends of the item with one", |s, n| {
        text(s).each(1000, [PART]);
        s.times(n, &done(r#"{"type":"output_text","text":"","annotations":[]}"#));
    }),
    ("parts from the last", |s, n| {
        s.event(CREATED).each(n / 100, [ITEM]);
        for at in 0..n / 100 {
            let part = PART.replace("m0", &format!("m{at}"));
            let part = part.replace(r#""output_index":0"#, &format!(r#""output_index":{at}"#));
            s.each(100, [&part.replace(r#""content_index":$i"#, r#""content_index":$back"#)]);
        }
    }),
    ("ends of an item with many parts and none in turn", |s, n| {
        let many = done(&[r#"{"type":"output_text","text":""}"#; 100].join(","));
        text(s);
        (0..n / 50).for_each(|_| {
            s.event(&many).event(&done(""));
        });
    }),
    ("annotations that are replaced", |s, n| {
        text(s).each(n, [ANNOTATION]);
        s.each(
            n,
            [&ANNOTATION.replace(r#""annotation_index":$i"#, r#""annotation_index":$mixed"#)],
        );
    }),
    ("annotations of a number below zero", |s, n| {
        text(s)
            .each(n, [&ANNOTATION.replace(r#""annotation_index":$i"#, r#""annotation_index":-1"#)]);
    }),
    ("annotations that are citations", |s, n| {
        let citation =
            r#"{"type":"url_citation","url":"http://x","title":"t","start_index":0,"end_index":1}"#;
        text(s).each(n, [&ANNOTATION.replace(r#"{"type":"x"}"#, citation)]);
    }),
    ("pieces with probabilities", |s, n| {
        text(s).times(n, &PIECE.replace("}", &format!(r#","logprobs":[{LIKELY}]}}"#)));
    }),
    ("one piece with many probabilities, then ends without", |s, n| {
        let before = PIECE.replace('}', r#","logprobs":["#);
        text(s)
            .list([&before, "]}"], n, LIKELY)
            .times(n, &ends("abcdef").replace('}', r#","logprobs":[]}"#));
    }),
    ("shell calls, whose outputs come in pieces", |s, n| {
        s.event(CREATED);
        for at in 0..n {
            s.event(&shell(
                2 * at,
                &format!("s{at}"),
                r#"shell_call","action":{"commands":["a"]}"#,
                at,
            ));
            s.event(&shell(2 * at + 1, &format!("o{at}"), r#"shell_call_output","output":[]"#, at));
        }
        (0..n).for_each(|at| {
            s.event(&output(2 * at + 1, &format!("o{at}"), 0));
        });
    }),
    ("outputs of the last of many commands", |s, n| {
        let commands = vec![r#""a""#; n].join(",");
        s.event(CREATED);
        s.event(&shell(0, "s", &format!(r#"shell_call","action":{{"commands":[{commands}]}}"#), 0));
        for at in 1..n / 100 {
            s.event(&shell(at, &format!("o{at}"), r#"shell_call_output","output":[]"#, 0));
            s.event(&output(at, &format!("o{at}"), n - 1));
        }
    }),
    ("pieces of commands that have no call", |s, n| {
        s.event(CREATED).each(n, [r#"{"type":"response.shell_call_command.delta","item_id":"o$i","output_index":$i,"command_index":0,"delta":"x"}"#]);
    }),
    ("a long text, then ends without it", |s, n| {
        text(s).event(&PIECE.replace("abcdef", &"a".repeat(50 * n))).times(n, &ends(""));
    }),
    ("pieces and ends that differ in turn", |s, n| {
        text(s);
        (0..n).for_each(|_| {
            s.event(PIECE).event(&ends("abc"));
        });
    }),
    ("items, pieces without a number", |s, n| {
        let part = r#"{"type":"response.content_part.added","item_id":"m$i","content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}"#;
        let piece = PIECE.replace(r#""item_id":"m0","output_index":0"#, r#""item_id":"m$mixed""#);
        s.event(CREATED).each(n, [ITEM, part]).each(n, [&piece]);
    }),
    ("items, pieces with wrong numbers", |s, n| {
        let piece = PIECE.replace(
            r#""item_id":"m0","output_index":0"#,
            r#""item_id":"m$mixed","output_index":$other"#,
        );
        s.event(CREATED).each(n, [ITEM]).each(n, [&piece]);
    }),
];

/// A response with one text, which has not begun.
fn text(s: &mut Stream) -> &mut Stream {
    s.event(CREATED).each(1, [ITEM, PART])
}

/// The end of a text.
fn ends(text: &str) -> String {
    format!(
        r#"{{"type":"response.output_text.done","item_id":"m0","output_index":0,"content_index":0,"text":"{text}"}}"#
    )
}

/// The end of an item with these parts.
fn done(parts: &str) -> String {
    format!(
        r#"{{"type":"response.output_item.done","output_index":0,"item":{{"id":"m0","type":"message","status":"in_progress","role":"assistant","content":[{parts}]}}}}"#
    )
}

/// A shell's call, or its output: `is` begins within the quotes of the type.
fn shell(number: usize, id: &str, is: &str, call: usize) -> String {
    format!(
        r#"{{"type":"response.output_item.added","output_index":{number},"item":{{"id":"{id}","call_id":"c{call}","status":"in_progress","type":"{is}}}}}"#
    )
}

fn output(number: usize, id: &str, command: usize) -> String {
    format!(
        r#"{{"type":"response.shell_call_output_content.delta","item_id":"{id}","output_index":{number},"command_index":{command},"delta":{{"stdout":"x"}}}}"#
    )
}
