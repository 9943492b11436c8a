//! Gemini Interactions.

use crate::curves::Curve;
use crate::curves::stream::Stream;

const START: &str = r#"{"interaction":{"id":"i","status":"in_progress","model":"m"},"event_type":"interaction.created"}"#;
const END: &str = r#"{"interaction":{"id":"i","status":"completed","usage":{"total_tokens":1}},"event_type":"interaction.completed"}"#;
const OUTPUT: &str = r#"{"type":"model_output"}"#;
const THOUGHT: &str = r#"{"type":"thought"}"#;
const PIECE: &str = r#"{"text":"x","type":"text"}"#;
const CALL: &str = r#"{"type":"function_call","id":"c$i","name":"f","arguments":{}}"#;

pub const CURVES: &[Curve] = &[
    ("text", |s, n| {
        interaction(s, |s| {
            s.event(&start("0", OUTPUT)).each(n, [&delta("0", r#"{"text":"w$i","type":"text"}"#)]);
        });
    }),
    ("text with ids of events", |s, n| {
        interaction(s, |s| {
            let piece = delta("0", PIECE).replace("}}", r#"},"event_id":"e$i"}"#);
            s.event(&start("0", OUTPUT)).each(n, [&piece]);
        });
    }),
    ("steps", |s, n| {
        interaction(s, |s| {
            s.each(n, [&start("$i", OUTPUT), &delta("$i", PIECE), &stop("$i")]);
        });
    }),
    ("steps that are open at once", |s, n| {
        interaction(s, |s| {
            s.each(n, [&start("$i", OUTPUT)]).each(n, [&delta("$back", PIECE)]);
        });
    }),
    ("steps that are open at once, and end in another order", |s, n| {
        interaction(s, |s| {
            s.each(n, [&start("$i", OUTPUT)]).each(n, [&delta("$mixed", PIECE), &stop("$mixed")]);
        });
    }),
    ("steps of one number", |s, n| {
        interaction(s, |s| _ = s.each(n, [&start("0", OUTPUT), &delta("0", PIECE)]));
    }),
    ("steps of high numbers", |s, n| {
        interaction(s, |s| _ = s.each(n, [&start("$high", OUTPUT)]));
    }),
    ("images between texts", |s, n| {
        interaction(s, |s| {
            let image = r#"{"type":"image","mime_type":"image/png","data":"AAAA"}"#;
            s.event(&start("0", OUTPUT)).each(n, [&delta("0", PIECE), &delta("0", image)]);
        });
    }),
    ("contents of a start", |s, n| {
        interaction(s, |s| {
            let [before, after] = [
                r#"{"index":0,"step":{"type":"model_output","content":["#,
                r#"]},"event_type":"step.start"}"#,
            ];
            s.list([before, after], n, r#"{"type":"text","text":"a$i"}"#);
        });
    }),
    ("annotations", |s, n| {
        interaction(s, |s| {
            let annotations =
                r#"{"type":"text_annotation_delta","annotations":[{"url":"u$i","end_index":$i}]}"#;
            s.event(&start("0", OUTPUT)).each(n, [&delta("0", annotations)]);
        });
    }),
    ("thoughts", |s, n| {
        interaction(s, |s| {
            let summary = r#"{"type":"thought_summary","content":{"type":"text","text":"w$i"}}"#;
            s.event(&start("0", THOUGHT)).each(n, [&delta("0", summary)]);
        });
    }),
    ("signatures", |s, n| {
        interaction(s, |s| {
            let signature = r#"{"type":"thought_signature","signature":"s$i"}"#;
            s.event(&start("0", THOUGHT)).each(n, [&delta("0", signature)]);
        });
    }),
    ("a call with long arguments", |s, n| {
        interaction(s, |s| {
            let piece = |text: &str| {
                delta("0", &format!(r#"{{"arguments":"{text}","type":"arguments_delta"}}"#))
            };
            s.event(&start("0", &CALL.replace("$i", "")));
            s.event(&piece(r#"{\"a\":\""#)).times(4 * n, &piece("x")).event(&piece(r#"\"}"#));
            s.event(&stop("0"));
        });
    }),
    ("calls", |s, n| {
        interaction(s, |s| {
            let piece = delta("$i", r#"{"arguments":"{\"a\":1}","type":"arguments_delta"}"#);
            s.each(n, [&start("$i", CALL), &piece, &stop("$i")]);
        });
    }),
    ("calls without ids", |s, n| {
        interaction(s, |s| {
            s.each(n, [&start("$i", &CALL.replace("c$i", "")), &stop("$i")]);
        });
    }),
    ("searches and results", |s, n| {
        interaction(s, |s| {
            let call = r#"{"type":"google_search_call","id":"c$i","signature":""}"#;
            let asked = r#"{"type":"google_search_call","arguments":{"queries":["q$i"]}}"#;
            let result =
                r#"{"type":"google_search_result","call_id":"c$i","result":[{"url":"u$i"}]}"#;
            s.each(n, [&start("$i", call), &delta("$i", asked), &stop("$i")]);
            s.each(n, [&start("9999$i", result), &stop("9999$i")]);
        });
    }),
    ("results that are replaced", |s, n| {
        interaction(s, |s| {
            let result = r#"{"type":"google_search_result","result":[{"url":"u$i"}]}"#;
            s.event(&start("0", r#"{"type":"google_search_result","call_id":"c"}"#));
            s.each(n, [&delta("0", result)]);
        });
    }),
    ("unknown steps", |s, n| {
        interaction(s, |s| _ = s.each(n, [&start("$i", r#"{"type":"x$i","a":{"b":$i}}"#)]));
    }),
    ("undeclared members of a step", |s, n| {
        interaction(s, |s| {
            let more = r#"{"type":"google_search_call","x$i":$i}"#;
            s.event(&start("0", r#"{"type":"google_search_call","id":"c"}"#));
            s.each(n, [&delta("0", more)]);
        });
    }),
    ("usage", |s, n| {
        interaction(s, |s| {
            s.each(n, [r#"{"interaction_id":"i","status":"in_progress","usage":{"total_tokens":$i,"k$i":1},"event_type":"interaction.status_update"}"#]);
        });
    }),
    ("undeclared members", |s, n| {
        s.each(n, [&START.replace(r#""model":"m""#, r#""k$i":$i"#)]).event(END);
    }),
    ("steps of the end", |s, n| {
        s.event(START);
        let before = r#"{"interaction":{"id":"i","status":"completed","steps":["#;
        let output = r#"{"type":"model_output","content":[{"type":"text","text":"a$i"}]}"#;
        s.list([before, r#"]},"event_type":"interaction.completed"}"#], n, output);
    }),
    ("unknown events", |s, n| {
        interaction(s, |s| _ = s.each(n, [r#"{"event_type":"x$i","a":$i}"#]));
    }),
];

/// Writes an interaction.
fn interaction(s: &mut Stream, events: impl FnOnce(&mut Stream)) {
    s.event(START);
    events(s);
    s.event(END);
}

fn start(index: &str, step: &str) -> String {
    format!(r#"{{"index":{index},"step":{step},"event_type":"step.start"}}"#)
}

fn delta(index: &str, delta: &str) -> String {
    format!(r#"{{"event_type":"step.delta","index":{index},"delta":{delta}}}"#)
}

fn stop(index: &str) -> String {
    format!(r#"{{"index":{index},"event_type":"step.stop"}}"#)
}
