//! The AI SDK.

use crate::curves::Curve;
use crate::curves::stream::Stream;

const START: [&str; 2] = [r#"{"type":"start","messageId":"m"}"#, r#"{"type":"start-step"}"#];
const END: [&str; 2] = [r#"{"type":"finish-step"}"#, r#"{"type":"finish"}"#];

const TEXT: [&str; 3] = [
    r#"{"type":"text-start","id":"t$i"}"#,
    r#"{"type":"text-delta","id":"t$i","delta":"x"}"#,
    r#"{"type":"text-end","id":"t$i"}"#,
];
const CALL: &str =
    r#"{"type":"tool-input-available","toolCallId":"c$i","toolName":"f","input":{"a":$i}}"#;
const BEGUN_CALL: &str = r#"{"type":"tool-input-start","toolCallId":"c$i","toolName":"f"}"#;
const DATA: &str = r#"{"type":"data-x","id":"d$i","data":{"v":$i}}"#;

/// Metadata with this JSON.
fn metadata(json: &str) -> String {
    format!(r#"{{"type":"message-metadata","messageMetadata":{json}}}"#)
}

/// A call whose id does not change.
fn one(text: &str) -> String {
    text.replacen("$i", "", 1)
}

pub const CURVES: &[Curve] = &[
    ("texts", |s, n| message(s, |s| _ = s.each(n, TEXT))),
    ("texts that are open at once", |s, n| {
        message(s, |s| _ = s.each(n, [TEXT[0]]).each(n, [&TEXT[1].replace("$i", "$mixed")]));
    }),
    ("texts of one id", |s, n| {
        message(s, |s| _ = s.each(n, [&one(TEXT[0]), &one(TEXT[1])]));
    }),
    ("two texts in turn", |s, n| {
        message(s, |s| {
            s.each(2, [TEXT[0]]).each(n, [r#"{"type":"text-delta","id":"t$odd","delta":"w$i"}"#]);
        });
    }),
    ("metadata of the provider, of one text", |s, n| {
        message(s, |s| {
            s.each(1, [TEXT[0]]);
            let piece = r#"{"type":"text-delta","id":"t0","delta":"x","providerMetadata":{"p":{"k$i":$i}}}"#;
            s.each(n, [piece]);
        });
    }),
    ("reasonings with signatures", |s, n| {
        message(s, |s| {
            let [start, delta, end] = TEXT.map(|event| event.replace("text", "reasoning"));
            let signed = end.replace('}', r#","providerMetadata":{"a":{"signature":"s$i"}}}"#);
            s.each(n, [&start, &delta, &signed]);
        });
    }),
    ("a long id, once for many texts", |s, n| {
        message(s, |s| {
            s.event(&TEXT[0].replace("$i", &"x".repeat(60_000))).each(n, [TEXT[0]]);
        });
    }),
    ("steps", |s, n| {
        message(s, |s| _ = s.times(n, r#"{"type":"finish-step"}"#).each(n, [END[0], START[1]]));
    }),
    ("steps with a text each", |s, n| {
        message(s, |s| _ = s.each(n, [TEXT[0], TEXT[1], TEXT[2], END[0], START[1]]));
    }),
    ("steps that are reset", |s, n| {
        message(s, |s| _ = s.each(n, [&one(TEXT[0]), &one(TEXT[1]), r#"{"type":"reset-step"}"#]));
    }),
    ("a step of many texts, which is reset, again and again", |s, n| {
        message(s, |s| {
            let reset = r#"{"type":"reset-step"}"#;
            (0..n / 25).for_each(|_| _ = s.each(25, [TEXT[0]]).times(25, reset));
        });
    }),
    ("many texts, then steps that are reset", |s, n| {
        message(s, |s| {
            s.each(n, TEXT).each(1, [END[0], START[1]]);
            s.each(n, [r#"{"type":"text-start","id":"z"}"#, r#"{"type":"reset-step"}"#]);
        });
    }),
    ("many calls, then steps that are reset", |s, n| {
        message(s, |s| {
            s.each(n, [CALL]).each(1, [END[0], START[1]]);
            s.each(n, [&one(&BEGUN_CALL.replace("c$i", "z$i")), r#"{"type":"reset-step"}"#]);
        });
    }),
    ("starts of messages", |s, n| {
        message(s, |s| _ = s.each(n, [r#"{"type":"start","messageId":"m$i"}"#, TEXT[0]]));
    }),
    ("starts with metadata", |s, n| {
        message(s, |s| {
            s.each(n, [r#"{"type":"start","messageId":"m","messageMetadata":{"k$i":{"v":$i}}}"#]);
        });
    }),
    ("metadata with new keys", |s, n| {
        message(s, |s| _ = s.each(n, [&metadata(r#"{"k$i":{"v":$i}}"#)]))
    }),
    ("metadata with new keys and texts in turn", |s, n| {
        message(s, |s| {
            _ = s.each(n, [&metadata(r#"{"k$i":{"v":$i}}"#), TEXT[0], TEXT[1], TEXT[2]])
        });
    }),
    ("metadata with new keys of one object", |s, n| {
        message(s, |s| _ = s.each(n, [&metadata(r#"{"a":{"b":{"k$i":1}}}"#)]));
    }),
    ("metadata with new keys of many objects", |s, n| {
        message(s, |s| {
            let [before, after] = metadata("{}")
                .split_once("{}")
                .map(|(a, b)| [a, b].map(str::to_owned))
                .expect("braces");
            s.list([&(before + "{"), &("}".to_owned() + &after)], 50, r#""o$i":{"a":0}"#);
            s.each(n, [&metadata(r#"{"o$few":{"k$i":{"v":1}}}"#)]);
        });
    }),
    ("many metadata, of which one changes", |s, n| {
        message(s, |s| {
            s.list([r#"{"type":"message-metadata","messageMetadata":{"#, "}}"], n, r#""k$i":$i"#);
            s.each(n, [&metadata(r#"{"k$mixed":-$i}"#)]);
        });
    }),
    ("many metadata inside of one, of which one changes", |s, n| {
        message(s, |s| {
            s.list(
                [r#"{"type":"message-metadata","messageMetadata":{"a":{"#, "}}}"],
                n,
                r#""k$i":{"v":$i}"#,
            );
            s.each(n, [&metadata(r#"{"a":{"k$mixed":{"v":-$i}}}"#)]);
        });
    }),
    ("metadata of the run", |s, n| {
        message(s, |s| {
            _ = s.each(n, [&metadata(r#"{"usage":{"k$i":$i},"runResult":{"k$i":$i}}"#)])
        });
    }),
    ("metadata that are replaced", |s, n| {
        message(s, |s| {
            _ = s.each(n, [&metadata(r#"{"k":[$i]}"#), &metadata(r#"{"k":{"a$i":0}}"#)])
        });
    }),
    ("data", |s, n| message(s, |s| _ = s.each(n, [DATA]))),
    ("data of one id", |s, n| message(s, |s| _ = s.each(n, [&one(DATA)]))),
    ("data of many names", |s, n| {
        message(s, |s| _ = s.each(n, [r#"{"type":"data-n$i","data":$i}"#]))
    }),
    ("data that change", |s, n| {
        message(s, |s| _ = s.each(n, [DATA]).each(n, [&DATA.replace("d$i", "d$mixed")]));
    }),
    ("data that are not kept", |s, n| {
        message(s, |s| _ = s.each(n, [&DATA.replace(r#"}}"#, r#"},"transient":true}"#)]));
    }),
    ("data of many members", |s, n| {
        message(s, |s| {
            _ = s.list([r#"{"type":"data-x","id":"d","data":{"#, "}}"], 8 * n, r#""k$i":$i"#)
        });
    }),
    ("data of many members, again and again", |s, n| {
        message(s, |s| {
            for _ in 0..n / 50 {
                s.list([r#"{"type":"data-x","id":"d","data":{"#, "}}"], 50, r#""k$i":$i"#);
            }
        });
    }),
    ("data of many objects", |s, n| {
        message(s, |s| _ = s.list([r#"{"type":"data-x","id":"d","data":["#, "]}"], 16 * n, "{}"));
    }),
    ("data of many numbers", |s, n| {
        message(s, |s| _ = s.list([r#"{"type":"data-x","id":"d","data":["#, "]}"], 16 * n, "0"));
    }),
    ("deep data", |s, n| {
        message(s, |s| {
            let deep = ["[".repeat(100), "]".repeat(100)].concat();
            s.times(n / 20, &format!(r#"{{"type":"data-x","id":"d","data":{deep}}}"#));
        });
    }),
    ("sources", |s, n| {
        message(s, |s| {
            s.each(
                n,
                [r#"{"type":"source-url","sourceId":"s$i","url":"http://a/$i","title":"t"}"#],
            );
        });
    }),
    ("sources of one text", |s, n| {
        message(s, |s| {
            s.each(1, TEXT)
                .each(n, [r#"{"type":"source-url","sourceId":"s","url":"http://a/","title":"t"}"#]);
        });
    }),
    ("documents", |s, n| {
        message(s, |s| {
            let source = r#"{"type":"source-document","sourceId":"s$i","mediaType":"a/b","title":"t","filename":"f"}"#;
            s.each(n, [source]);
        });
    }),
    ("files", |s, n| {
        message(s, |s| {
            s.each(
                n,
                [r#"{"type":"file","url":"data:image/png;base64,AAAA$i","mediaType":"image/png"}"#],
            );
        });
    }),
    ("custom parts", |s, n| {
        message(s, |s| {
            _ = s.each(n, [r#"{"type":"custom","kind":"a.b$i","providerMetadata":{"p":$i}}"#])
        });
    }),
    ("steering messages", |s, n| {
        message(s, |s| {
            s.each(
                n,
                [r#"{"type":"steering-message","id":"s$i","parts":[{"type":"text","text":"x"}]}"#],
            );
        });
    }),
    ("errors", |s, n| message(s, |s| _ = s.each(n, [r#"{"type":"error","errorText":"e$i"}"#]))),
    ("errors between texts", |s, n| {
        message(s, |s| {
            s.each(n, [r#"{"type":"error","errorText":"e$i"}"#, TEXT[0], TEXT[1], TEXT[2]]);
        });
    }),
    ("unknown chunks", |s, n| message(s, |s| _ = s.each(n, [r#"{"type":"unk$i","a":1}"#]))),
    ("calls", |s, n| {
        message(s, |s| {
            s.each(n, [BEGUN_CALL, CALL]);
            s.each(n, [r#"{"type":"tool-output-available","toolCallId":"c$mixed","output":$i}"#]);
        });
    }),
    ("calls that are open at once", |s, n| {
        message(s, |s| {
            s.each(n, [BEGUN_CALL]);
            s.each(n, [r#"{"type":"tool-input-delta","toolCallId":"c$mixed","inputTextDelta":"{\"a\":1"}"#]);
        });
    }),
    ("a call with long arguments", |s, n| {
        message(s, |s| {
            let piece = r#"{"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"x"}"#;
            s.event(&one(BEGUN_CALL))
                .event(&piece.replace(r#""x""#, r#""{\"a\":\"""#))
                .times(4 * n, piece);
        });
    }),
    ("a call with deep arguments", |s, n| {
        message(s, |s| {
            s.event(&one(BEGUN_CALL));
            s.times(4 * n, r#"{"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"["}"#);
        });
    }),
    ("a call whose input comes again", |s, n| message(s, |s| _ = s.each(n, [&one(CALL)]))),
    ("an input of many arrays", |s, n| {
        message(s, |s| {
            let call =
                r#"{"type":"tool-input-available","toolCallId":"c","toolName":"f","input":["#;
            s.list([call, "]}"], 16 * n, "[]");
        });
    }),
    ("previews of an output", |s, n| {
        message(s, |s| {
            let output = r#"{"type":"tool-output-available","toolCallId":"c","output":{"a":$i},"preliminary":true}"#;
            s.event(&one(CALL).replace("$i", "0")).each(n, [output]);
        });
    }),
    ("questions", |s, n| {
        message(s, |s| {
            s.each(
                n,
                [CALL, r#"{"type":"tool-approval-request","approvalId":"a$i","toolCallId":"c$i"}"#],
            );
        });
    }),
    ("questions about one call", |s, n| {
        message(s, |s| {
            s.event(&one(CALL).replace("$i", "0"));
            s.each(n, [r#"{"type":"tool-approval-request","approvalId":"a$i","toolCallId":"c"}"#]);
        });
    }),
    ("answers without a question", |s, n| {
        message(s, |s| {
            s.event(&one(CALL).replace("$i", "0"));
            s.each(n, [r#"{"type":"tool-approval-response","approvalId":"a$i","approved":true}"#]);
        });
    }),
    ("many questions, then their answers", |s, n| {
        message(s, |s| {
            s.each(
                n,
                [CALL, r#"{"type":"tool-approval-request","approvalId":"a$i","toolCallId":"c$i"}"#],
            );
            s.each(
                n,
                [r#"{"type":"tool-approval-response","approvalId":"a$mixed","approved":true}"#],
            );
        });
    }),
];

/// Writes a message of one step.
fn message(s: &mut Stream, body: impl FnOnce(&mut Stream)) {
    s.each(1, START);
    body(s);
    s.each(1, END).event("[DONE]");
}
