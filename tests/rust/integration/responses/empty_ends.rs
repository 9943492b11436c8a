//! Final events without content: what was streamed stays, and the difference is reported.

use agentwire::Reader;
use agentwire::responses::Responses;

const CREATED: &str = r#"{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress","output":[]}}"#;

/// A message, a call, reasoning with a summary, and a code interpreter, as they are streamed.
const STREAMED: [&str; 17] = [
    r#"{"type":"response.output_item.added","output_index":0,"item":{"id":"m","type":"message","status":"in_progress","role":"assistant","content":[]}}"#,
    r#"{"type":"response.content_part.added","item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}"#,
    r#"{"type":"response.output_text.delta","item_id":"m","output_index":0,"content_index":0,"delta":"Hello"}"#,
    r#"{"type":"response.output_text.annotation.added","item_id":"m","output_index":0,"content_index":0,"annotation_index":0,"annotation":{"type":"x"}}"#,
    r#"{"type":"response.content_part.added","item_id":"m","output_index":0,"content_index":1,"part":{"type":"refusal","refusal":""}}"#,
    r#"{"type":"response.refusal.delta","item_id":"m","output_index":0,"content_index":1,"delta":"Never"}"#,
    r#"{"type":"response.output_item.added","output_index":1,"item":{"id":"c","type":"function_call","status":"in_progress","call_id":"call","name":"f","arguments":""}}"#,
    r#"{"type":"response.function_call_arguments.delta","item_id":"c","output_index":1,"delta":"{\"a\":1}"}"#,
    r#"{"type":"response.output_item.added","output_index":2,"item":{"id":"t","type":"reasoning","summary":[]}}"#,
    r#"{"type":"response.reasoning_summary_part.added","item_id":"t","output_index":2,"summary_index":0,"part":{"type":"summary_text","text":""}}"#,
    r#"{"type":"response.reasoning_summary_text.delta","item_id":"t","output_index":2,"summary_index":0,"delta":"I think"}"#,
    r#"{"type":"response.content_part.added","item_id":"t","output_index":2,"content_index":0,"part":{"type":"reasoning_text","text":""}}"#,
    r#"{"type":"response.reasoning_text.delta","item_id":"t","output_index":2,"content_index":0,"delta":"so I am"}"#,
    r#"{"type":"response.output_item.added","output_index":3,"item":{"id":"p","type":"code_interpreter_call","status":"in_progress","container_id":"k","code":"","outputs":null}}"#,
    r#"{"type":"response.code_interpreter_call_code.delta","item_id":"p","output_index":3,"delta":"print()"}"#,
    r#"{"type":"response.output_item.added","output_index":4,"item":{"id":"u","type":"custom_tool_call","status":"in_progress","call_id":"custom","name":"g","input":""}}"#,
    r#"{"type":"response.custom_tool_call_input.delta","item_id":"u","output_index":4,"delta":"words"}"#,
];

/// What they contain.
const CONTENTS: [&str; 8] =
    ["Hello", r#"{"type":"x"}"#, "Never", r#"{\"a\":1}"#, "I think", "so I am", "print()", "words"];

/// Final events that repeat the content, without it; and the rule that each of them violates.
const ENDS: [(&str, &str); 27] = [
    (
        "done-differs",
        r#"{"type":"response.output_text.done","item_id":"m","output_index":0,"content_index":0,"text":""}"#,
    ),
    (
        "malformed-event",
        r#"{"type":"response.output_text.done","item_id":"m","output_index":0,"content_index":0}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.refusal.done","item_id":"m","output_index":0,"content_index":1,"refusal":""}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.content_part.done","item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text","text":"","annotations":[]}}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.content_part.done","item_id":"m","output_index":0,"content_index":0,"part":{"type":"output_text"}}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.output_item.done","output_index":0,"item":{"id":"m","type":"message","status":"completed","role":"assistant","content":[]}}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.output_item.done","output_index":0,"item":{"id":"m","type":"message","status":"completed","role":"assistant"}}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.output_item.done","output_index":0,"item":{"id":"m","type":"message","status":"completed","role":"assistant","content":null}}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.function_call_arguments.done","item_id":"c","output_index":1,"arguments":""}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.output_item.done","output_index":1,"item":{"id":"c","type":"function_call","status":"completed","call_id":"call","name":"f","arguments":""}}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.output_item.done","output_index":1,"item":{"id":"c","type":"function_call","status":"completed","call_id":"call","name":"f"}}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.reasoning_summary_text.done","item_id":"t","output_index":2,"summary_index":0,"text":""}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.reasoning_summary_part.done","item_id":"t","output_index":2,"summary_index":0,"part":{"type":"summary_text","text":""}}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.reasoning_text.done","item_id":"t","output_index":2,"content_index":0,"text":""}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.output_item.done","output_index":2,"item":{"id":"t","type":"reasoning","summary":[]}}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.output_item.done","output_index":2,"item":{"id":"t","type":"reasoning","summary":[],"content":[]}}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.code_interpreter_call_code.done","item_id":"p","output_index":3,"code":""}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.output_item.done","output_index":3,"item":{"id":"p","type":"code_interpreter_call","status":"completed","container_id":"k","code":null,"outputs":[]}}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.custom_tool_call_input.done","item_id":"u","output_index":4,"input":""}"#,
    ),
    (
        "done-differs",
        r#"{"type":"response.output_item.done","output_index":4,"item":{"id":"u","type":"custom_tool_call","status":"completed","call_id":"custom","name":"g","input":""}}"#,
    ),
    (
        "output-lost",
        r#"{"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}"#,
    ),
    (
        "output-missing",
        r#"{"type":"response.completed","response":{"id":"r","status":"completed","output":null}}"#,
    ),
    (
        "output-missing",
        r#"{"type":"response.completed","response":{"id":"r","status":"completed"}}"#,
    ),
    ("unfinished", r#"{"type":"response.completed","response":{"id":"r","status":"completed"}}"#),
    (
        "output-lost",
        r#"{"type":"response.failed","response":{"id":"r","status":"failed","output":[]}}"#,
    ),
    (
        "output-lost",
        r#"{"type":"response.incomplete","response":{"id":"r","status":"incomplete","output":[]}}"#,
    ),
    (
        "output-missing",
        r#"{"type":"response.incomplete","response":{"id":"r","status":"incomplete"}}"#,
    ),
];

fn read(events: &[&str]) -> (String, Vec<&'static str>) {
    let mut reader = Reader::new(Responses::default());
    for event in events {
        reader.push(format!("data: {event}\n\n").as_bytes());
    }
    let outcome = reader.finish();
    (outcome.snapshot.to_json(), outcome.report.counts.iter().map(|(rule, _)| *rule).collect())
}

#[test]
fn an_empty_final_value_takes_nothing_away() {
    for (rule, end) in ENDS {
        let (json, rules) = read(&[&[CREATED], &STREAMED[..], &[end]].concat());
        for content in CONTENTS {
            assert!(json.contains(content), "{end}: no {content} in {json}");
        }
        assert!(rules.contains(&rule), "{end}: {rules:?}");
    }
}

#[test]
fn all_empty_final_values_together_take_nothing_away() {
    let ends = ENDS.map(|(_, end)| end);
    for last in [20, 21, 22] {
        let (json, _) = read(&[&[CREATED], &STREAMED[..], &ends[..20], &[ends[last]]].concat());
        assert!(CONTENTS.iter().all(|content| json.contains(content)), "{json}");
    }
}

#[test]
fn a_final_value_with_content_replaces_what_was_streamed() {
    let done = r#"{"type":"response.output_text.done","item_id":"m","output_index":0,"content_index":0,"text":"Bye"}"#;
    let (json, rules) = read(&[&[CREATED], &STREAMED[..], &[done]].concat());
    assert!(
        json.contains("Bye") && !json.contains("Hello") && rules.contains(&"done-differs"),
        "{json}"
    );
    let other = r#"{"type":"response.completed","response":{"id":"r","status":"completed","output":[{"id":"n","type":"message","role":"assistant","status":"completed","content":[]}]}}"#;
    let (json, rules) = read(&[&[CREATED], &STREAMED[..], &[other]].concat());
    assert!(!json.contains("Hello") && rules.contains(&"unfinished"), "{json}");
}
