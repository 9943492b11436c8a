//! Gemini.

use crate::curves::Curve;
use crate::curves::stream::Stream;

const END: &str = r#"{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":1},"responseId":"r"}"#;
const BEGUN_CALL: &str = r#"{"functionCall":{"name":"f","willContinue":true}}"#;

pub const CURVES: &[Curve] = &[
    ("text", |s, n| parts(s, n, r#"{"text":"w$i"}"#)),
    ("texts and thoughts in turn", |s, n| {
        parts(s, n, r#"{"text":"a$i"},{"text":"b","thought":true}"#)
    }),
    ("texts and thoughts of one event", |s, n| {
        one(s, 4 * n, r#"{"text":"x"},{"text":"y","thought":true}"#)
    }),
    ("empty parts of one event", |s, n| one(s, 16 * n, "{}")),
    ("files", |s, n| parts(s, n, r#"{"fileData":{"mimeType":"a/b","fileUri":"u$i"}}"#)),
    ("media", |s, n| parts(s, n, r#"{"inlineData":{"mimeType":"image/png","data":"AAAA$i"}}"#)),
    ("candidates", |s, n| {
        root(s, n, r#""candidates":[{"index":$i,"content":{"parts":[{"text":"x"}]}}]"#)
    }),
    ("candidates, the last one first", |s, n| {
        root(s, n, r#""candidates":[{"index":$back,"content":{"parts":[{"text":"x"}]}}]"#);
    }),
    ("candidates of high numbers", |s, n| {
        root(s, n, r#""candidates":[{"index":$high,"content":{"parts":[{"text":"x"}]}}]"#);
    }),
    ("candidates in turn", |s, n| {
        root(
            s,
            n,
            r#""candidates":[{"index":$few,"content":{"parts":[{"text":"x$i"},{"functionCall":{"name":"f"}}]}}]"#,
        );
    }),
    ("candidates of one event", |s, n| {
        s.list(
            [r#"{"candidates":["#, "]}"],
            4 * n,
            r#"{"index":$i,"content":{"parts":[{"text":"x"}]}}"#,
        );
        s.event(END);
    }),
    ("candidates with an open call each", |s, n| {
        root(
            s,
            n,
            &format!(r#""candidates":[{{"index":$i,"content":{{"parts":[{BEGUN_CALL}]}}}}]"#),
        );
    }),
    ("calls", |s, n| parts(s, n, r#"{"functionCall":{"name":"f","args":{"a":$i}}}"#)),
    ("calls with ids", |s, n| {
        parts(s, n, r#"{"functionCall":{"id":"c$i","name":"f","args":{"a":$i}}}"#)
    }),
    ("calls of one id", |s, n| {
        parts(s, n, r#"{"functionCall":{"id":"c","name":"f","args":{"a":$i}}}"#)
    }),
    ("calls with signatures", |s, n| {
        parts(s, n, r#"{"functionCall":{"name":"f","args":{}},"thoughtSignature":"s$i"}"#);
    }),
    ("signatures of a text", |s, n| parts(s, n, r#"{"text":"x","thoughtSignature":"s$i"}"#)),
    ("calls and their results", |s, n| {
        parts(
            s,
            n,
            r#"{"functionCall":{"id":"c$i","name":"f","args":{}}},{"functionResponse":{"id":"c$i","name":"f","response":{"a":1}}}"#,
        );
    }),
    ("results without ids", |s, n| {
        s.each(n, [&event(r#"{"functionCall":{"name":"f","args":{}}}"#)]);
        parts(s, n, r#"{"functionResponse":{"name":"f","response":{"a":1}}}"#);
    }),
    ("tool calls and their responses", |s, n| {
        parts(
            s,
            n,
            r#"{"toolCall":{"id":"c$i","name":"g","args":{}}},{"toolResponse":{"id":"c$i","response":{}}}"#,
        );
    }),
    ("code", |s, n| {
        parts(
            s,
            n,
            r#"{"executableCode":{"language":"PYTHON","code":"x$i"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"y"}}"#,
        );
    }),
    ("arguments: a text that grows", |s, n| {
        partial(s, n, r#"{"jsonPath":"$.a","stringValue":"x","willContinue":true}"#);
    }),
    ("arguments: new keys", |s, n| partial(s, n, r#"{"jsonPath":"$.k$i","numberValue":$i}"#)),
    ("arguments: keys in turn", |s, n| {
        partial(s, n, r#"{"jsonPath":"$.k$few","stringValue":"x","willContinue":true}"#);
    }),
    ("arguments: an array", |s, n| partial(s, n, r#"{"jsonPath":"$.a[$i]","numberValue":$i}"#)),
    ("arguments: an array with holes", |s, n| {
        partial(s, n, r#"{"jsonPath":"$.a[$i0]","numberValue":$i}"#)
    }),
    ("arguments: an array with a wide hole", |s, n| {
        partial(s, n, r#"{"jsonPath":"$.a[9999$i]","numberValue":$i}"#);
    }),
    ("arguments: deep keys", |s, n| {
        let path = ".a".repeat(100);
        partial(s, n / 10, &format!(r#"{{"jsonPath":"${path}.k$i","numberValue":$i}}"#));
    }),
    ("arguments: too deep keys", |s, n| {
        let path = ".a".repeat(1000);
        partial(s, n / 50, &format!(r#"{{"jsonPath":"${path}.k$i","numberValue":$i}}"#));
    }),
    ("arguments: values that are replaced", |s, n| {
        partial(
            s,
            n,
            r#"{"jsonPath":"$.a","numberValue":$i},{"jsonPath":"$.a","stringValue":"x"}"#,
        );
    }),
    ("arguments: an array of one event", |s, n| {
        s.event(&event(BEGUN_CALL));
        let [before, after] = [
            r#"{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":["#,
            r#"],"willContinue":true}}]}}]}"#,
        ];
        s.list([before, after], 4 * n, r#"{"jsonPath":"$.a[$i]","numberValue":$i}"#).event(END);
    }),
    ("grounding", |s, n| {
        candidate(
            s,
            n,
            r#""groundingMetadata":{"groundingChunks":[{"web":{"uri":"u$i","title":"t"}}],"groundingSupports":[{"segment":{"startIndex":0,"endIndex":$i,"text":"x"},"groundingChunkIndices":[0]}],"webSearchQueries":["q$i"]}"#,
        );
    }),
    ("grounding of one event", |s, n| {
        let [before, middle, after] = [
            r#"{"candidates":[{"index":0,"content":{"parts":[{"text":"x"}]},"groundingMetadata":{"groundingChunks":["#,
            r#"],"groundingSupports":["#,
            "]}}]}",
        ];
        grounding(s, [before, middle, after], n, "[$i]");
    }),
    ("grounding of one event, with many chunks for each support", |s, n| {
        let [before, middle, after] = [
            r#"{"candidates":[{"index":0,"content":{"parts":[{"text":"x"}]},"groundingMetadata":{"groundingChunks":["#,
            r#"],"groundingSupports":["#,
            "]}}]}",
        ];
        let many: Vec<String> = (0..40).map(|number| number.to_string()).collect();
        grounding(s, [before, middle, after], n / 4, &format!("[{}]", many.join(",")));
    }),
    ("grounding of one event, whose one chunk is long", |s, n| {
        let uri = "u".repeat(10 * n);
        let before = format!(
            r#"{{"candidates":[{{"index":0,"content":{{"parts":[{{"text":"x"}}]}},"groundingMetadata":{{"groundingChunks":[{{"web":{{"uri":"{uri}"}}}}],"groundingSupports":["#
        );
        let support = r#"{"segment":{"startIndex":$i,"endIndex":$i,"text":"x"},"groundingChunkIndices":[0,0,0,0]}"#;
        s.list([&before, "]}}]}"], n, support).event(END);
    }),
    ("citations", |s, n| {
        candidate(
            s,
            n,
            r#""citationMetadata":{"citationSources":[{"startIndex":$i,"endIndex":$i,"uri":"u$i"}]}"#,
        );
    }),
    ("probabilities", |s, n| {
        candidate(
            s,
            n,
            r#""logprobsResult":{"topCandidates":[{"candidates":[{"token":"x","logProbability":-1}]}],"chosenCandidates":[{"token":"x","logProbability":-1}]},"avgLogprobs":-1"#,
        );
    }),
    ("undeclared members of a candidate", |s, n| candidate(s, n, r#""y$i":1"#)),
    ("an undeclared member of a candidate that changes", |s, n| {
        candidate(s, n, r#""y":{"k$i":1}"#)
    }),
    ("unknown parts", |s, n| parts(s, n, r#"{"x$i":1}"#)),
    ("usage", |s, n| {
        root(
            s,
            n,
            r#""usageMetadata":{"promptTokenCount":$i,"details":[{"modality":"TEXT","tokenCount":$i}]}"#,
        );
    }),
    ("usage with new keys", |s, n| root(s, n, r#""usageMetadata":{"k$i":$i}"#)),
    ("ids and models", |s, n| {
        root(s, n, r#""responseId":"r$i","modelVersion":"m$i","createTime":"t$i""#)
    }),
    ("undeclared members", |s, n| {
        root(s, n, r#""x$i":{"a":1},"candidates":[{"index":0,"y$i":1}]"#)
    }),
];

/// An event with parts of a candidate.
fn event(parts: &str) -> String {
    format!(
        r#"{{"candidates":[{{"content":{{"parts":[{parts}],"role":"model"}},"index":0}}],"modelVersion":"g","responseId":"r"}}"#
    )
}

/// Writes events with members.
fn root(s: &mut Stream, n: usize, members: &str) {
    s.each(n, [&format!("{{{members}}}")]).event(END);
}

/// Writes events with members of a candidate that has a text.
fn candidate(s: &mut Stream, n: usize, members: &str) {
    root(
        s,
        n,
        &format!(
            r#""candidates":[{{"index":0,"content":{{"parts":[{{"text":"x"}}]}},{members}}}]"#
        ),
    );
}

/// Writes events with parts.
fn parts(s: &mut Stream, n: usize, parts: &str) {
    s.each(n, [&event(parts)]).event(END);
}

/// Writes one event with parts.
fn one(s: &mut Stream, n: usize, part: &str) {
    s.list(
        [r#"{"candidates":[{"content":{"parts":["#, r#"],"role":"model"},"index":0}]}"#],
        n,
        part,
    )
    .event(END);
}

/// Writes events with pieces of the arguments of one call.
fn partial(s: &mut Stream, n: usize, arguments: &str) {
    s.event(&event(BEGUN_CALL));
    parts(
        s,
        n,
        &format!(r#"{{"functionCall":{{"partialArgs":[{arguments}],"willContinue":true}}}}"#),
    );
}

/// Writes one event with as many chunks as supports.
fn grounding(s: &mut Stream, [before, middle, after]: [&str; 3], n: usize, indices: &str) {
    let chunks: Vec<String> =
        (0..n).map(|at| format!(r#"{{"web":{{"uri":"u{at}","title":"t"}}}}"#)).collect();
    let before = [before, &chunks.join(","), middle].concat();
    let support = format!(
        r#"{{"segment":{{"startIndex":$i,"endIndex":$i,"text":"x"}},"groundingChunkIndices":{indices}}}"#
    );
    s.list([&before, after], n, &support).event(END);
}
