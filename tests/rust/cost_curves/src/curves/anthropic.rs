//! Anthropic.

use crate::curves::Curve;
use crate::curves::stream::Stream;

const START: &str = r#"{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}"#;
const END: [&str; 2] = [
    r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}"#,
    r#"{"type":"message_stop"}"#,
];
const TEXT: &str = r#"{"type":"text","text":""}"#;
const PIECE: &str = r#"{"type":"text_delta","text":"x"}"#;
const CALL: &str = r#"{"type":"tool_use","id":"t$i","name":"f","input":{}}"#;
const SEARCH: &str = r#"{"type":"server_tool_use","id":"t$i","name":"web_search","input":{}}"#;
const CITATION: &str = r#"{"type":"citations_delta","citation":{"type":"char_location","cited_text":"x","document_index":$i,"start_char_index":$i,"end_char_index":$i}}"#;

pub const CURVES: &[Curve] = &[
    ("text", |s, n| {
        message(s, |s| {
            s.event(&start("0", TEXT))
                .each(n, [&delta("0", r#"{"type":"text_delta","text":"w$i"}"#)]);
        });
    }),
    ("blocks", |s, n| {
        message(s, |s| _ = s.each(n, [&start("$i", TEXT), &delta("$i", PIECE), &stop("$i")]));
    }),
    ("texts that are open at once", |s, n| {
        message(s, |s| _ = s.each(n, [&start("$i", TEXT)]).each(n, [&delta("$back", PIECE)]));
    }),
    ("texts that are open at once, and end in another order", |s, n| {
        message(s, |s| {
            s.each(n, [&start("$i", TEXT)]).each(n, [&delta("$mixed", PIECE), &stop("$mixed")]);
        });
    }),
    ("texts between calls, all open at once, which end in another order", |s, n| {
        message(s, |s| {
            s.each(n, [&start("$i", TEXT), &delta("$i", PIECE), &start("9999$i", CALL)]);
            s.each(n, [&stop("$mixed")]);
        });
    }),
    ("thoughts that are open at once", |s, n| {
        message(s, |s| {
            s.each(n, [&start("$i", r#"{"type":"thinking","thinking":""}"#)]);
            s.each(n, [&delta("$mixed", r#"{"type":"thinking_delta","thinking":"x"}"#)]);
        });
    }),
    ("blocks of one number", |s, n| {
        message(s, |s| {
            _ = s.each(n, [&start("0", r#"{"type":"text","text":"a"}"#), &delta("0", PIECE)])
        });
    }),
    ("blocks of high numbers", |s, n| message(s, |s| _ = s.each(n, [&start("$high", TEXT)]))),
    ("a call with long arguments", |s, n| {
        message(s, |s| {
            let piece = r#"{"type":"input_json_delta","partial_json":"x"}"#;
            s.event(&start("0", &CALL.replace("$i", "")));
            s.event(&delta("0", &piece.replace(r#""x""#, r#""{\"a\":\"""#)))
                .times(4 * n, &delta("0", piece));
            s.event(&delta("0", &piece.replace(r#""x""#, r#""\"}""#))).event(&stop("0"));
        });
    }),
    ("calls", |s, n| {
        message(s, |s| {
            let piece = delta("$i", r#"{"type":"input_json_delta","partial_json":"{\"a\":1}"}"#);
            s.each(n, [&start("$i", CALL), &piece, &stop("$i")]);
        });
    }),
    ("calls that are open at once", |s, n| {
        message(s, |s| {
            s.each(n, [&start("$i", CALL)]);
            s.each(n, [&delta("$mixed", r#"{"type":"input_json_delta","partial_json":"1"}"#)]);
        });
    }),
    ("calls with a whole input", |s, n| {
        message(s, |s| {
            let call = CALL.replace("{}", &format!(r#"{{"v":"{}"}}"#, "x".repeat(500)));
            s.each(n / 4, [&start("$i", &call)]);
        });
    }),
    ("citations", |s, n| {
        message(s, |s| {
            _ = s.event(&start("0", TEXT)).each(n, [&delta("0", CITATION)]).event(&stop("0"))
        });
    }),
    ("citations of many texts", |s, n| {
        message(s, |s| _ = s.each(97, [&start("$i", TEXT)]).each(n, [&delta("$few", CITATION)]));
    }),
    ("citations of as many texts", |s, n| {
        message(s, |s| _ = s.each(n, [&start("$i", TEXT)]).each(n, [&delta("$mixed", CITATION)]));
    }),
    ("citations and text in turn", |s, n| {
        message(s, |s| {
            let citation = r#"{"type":"citations_delta","citation":{"cited_text":"x"}}"#;
            s.event(&start("0", TEXT)).each(n, [&delta("0", citation), &delta("0", PIECE)]);
        });
    }),
    ("thoughts", |s, n| {
        message(s, |s| {
            s.event(&start("0", r#"{"type":"thinking","thinking":""}"#));
            s.each(n, [&delta("0", r#"{"type":"thinking_delta","thinking":"w$i"}"#)]);
        });
    }),
    ("signatures", |s, n| {
        message(s, |s| {
            s.event(&start("0", r#"{"type":"thinking","thinking":""}"#));
            s.each(n, [&delta("0", r#"{"type":"signature_delta","signature":"s$i"}"#)]);
        });
    }),
    ("long signatures", |s, n| {
        message(s, |s| {
            let signature =
                format!(r#"{{"type":"signature_delta","signature":"{}$i"}}"#, "s".repeat(2000));
            s.event(&start("0", r#"{"type":"thinking","thinking":""}"#));
            s.each(n / 20, [&delta("0", &signature)]);
        });
    }),
    ("many keys of usage, of which one changes", |s, n| {
        message(s, |s| {
            s.list([r#"{"type":"message_delta","delta":{},"usage":{"#, "}}"], n, r#""k$i":$i"#);
            s.each(n, [r#"{"type":"message_delta","delta":{},"usage":{"k$mixed":$i}}"#]);
        });
    }),
    ("usage with new keys", |s, n| {
        message(s, |s| {
            _ = s.each(n, [r#"{"type":"message_delta","delta":{},"usage":{"k$i":$i}}"#])
        });
    }),
    ("usage with new keys of one object", |s, n| {
        message(s, |s| {
            _ = s.each(n, [r#"{"type":"message_delta","delta":{},"usage":{"a":{"k$i":$i}}}"#])
        });
    }),
    ("usage with new keys, of message starts", |s, n| {
        s.each(n, [&START.replace(r#""output_tokens":1"#, r#""k$i":$i"#)]).each(1, END);
    }),
    ("undeclared members of the message", |s, n| {
        message(s, |s| _ = s.each(n, [r#"{"type":"message_delta","delta":{"x$i":$i},"y$i":1}"#]));
    }),
    ("an undeclared member that changes", |s, n| {
        message(s, |s| _ = s.each(n, [r#"{"type":"message_delta","delta":{"x":{"k$i":$i}}}"#]));
    }),
    ("reasons", |s, n| {
        message(s, |s| {
            s.each(
                n,
                [r#"{"type":"message_delta","delta":{"stop_reason":"r$i","stop_sequence":"s$i"}}"#],
            );
        });
    }),
    ("searches", |s, n| {
        message(s, |s| {
            let result = r#"{"type":"web_search_tool_result","tool_use_id":"t$i","content":[{"type":"web_search_result","url":"u","title":"t"}]}"#;
            s.each(n, [&start("$i", SEARCH), &stop("$i")]);
            s.each(n, [&start("7777$i", result)]);
        });
    }),
    ("results of one search", |s, n| {
        message(s, |s| {
            let result = r#"{"type":"web_search_tool_result","tool_use_id":"t","content":[{"type":"web_search_result","url":"u$i","title":"t"}]}"#;
            s.event(&start("0", &SEARCH.replace("$i", ""))).each(n, [&start("7777$i", result)]);
        });
    }),
    ("a result of many items", |s, n| {
        message(s, |s| {
            s.event(&start("0", &SEARCH.replace("$i", "")));
            let result = r#"{"type":"content_block_start","index":1,"content_block":{"type":"web_search_tool_result","tool_use_id":"t","content":["#;
            s.list(
                [result, "]}}"],
                4 * n,
                r#"{"type":"web_search_result","url":"u$i","title":"t"}"#,
            );
        });
    }),
    ("unknown blocks", |s, n| {
        message(s, |s| _ = s.each(n, [&start("$i", r#"{"type":"u$i","a":1}"#), &stop("$i")]));
    }),
    ("unknown deltas", |s, n| {
        message(s, |s| _ = s.event(&start("0", TEXT)).each(n, [&delta("0", r#"{"type":"u$i"}"#)]));
    }),
    ("stops of one block", |s, n| {
        message(s, |s| _ = s.event(&start("0", TEXT)).times(n, &stop("0")))
    }),
    ("content of the start", |s, n| {
        content(s, n, r#"{"type":"text","text":"x"}"#);
    }),
    ("calls of the start", |s, n| content(s, n, CALL)),
    ("content of the start, each with citations", |s, n| {
        content(
            s,
            n,
            r#"{"type":"text","text":"x","citations":[{"type":"char_location","cited_text":"x"}]}"#,
        );
    }),
];

fn start(index: &str, block: &str) -> String {
    format!(r#"{{"type":"content_block_start","index":{index},"content_block":{block}}}"#)
}

fn delta(index: &str, delta: &str) -> String {
    format!(r#"{{"type":"content_block_delta","index":{index},"delta":{delta}}}"#)
}

fn stop(index: &str) -> String {
    format!(r#"{{"type":"content_block_stop","index":{index}}}"#)
}

/// Writes a message.
fn message(s: &mut Stream, body: impl FnOnce(&mut Stream)) {
    s.event(START);
    body(s);
    s.each(1, END);
}

/// Writes a message whose content is in its start.
fn content(s: &mut Stream, n: usize, block: &str) {
    let start = START
        .split_once("[]")
        .map(|(before, after)| [before.to_owned() + "[", "]".to_owned() + after]);
    let [before, after] = start.expect("the start has an empty content");
    s.list([&before, &after], 4 * n, block).each(1, END);
}
