//! A2A to A2A: everything that this crate writes into a task is the same after a conversion.

use agentwire::ProtocolKind::{A2a as A2A, AgentApi, Responses};
use agentwire::Reader;
use agentwire::a2a::A2a;
use agentwire::convert::Converter;
use agentwire::json::{Member, Value};
use agentwire_cases::{Case, reads};

use super::facts::{convert, options};

fn case(name: &str) -> Case {
    let found = reads().into_iter().find(|case| case.protocol == "a2a" && case.name == name);
    found.expect("a case of that name")
}

/// Returns the snapshot with its members sorted by name, and without the ids that a conversion
/// generates.
fn answer(bytes: &[u8]) -> Value {
    let mut reader = Reader::new(A2a::default());
    reader.push(bytes);
    sorted(Value::parse(&reader.finish().snapshot.to_json(), 128).expect("an answer is JSON"))
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.into_iter().filter(|member| member.key != "messageId");
            let mut members: Vec<_> =
                kept.map(|Member { key, value }| Member { key, value: sorted(value) }).collect();
            members.sort_by(|one, other| one.key.cmp(&other.key));
            Value::Object(members)
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

#[test]
fn subagents_questions_ends_progress_and_interleaved_texts_are_kept() {
    for name in
        ["lanes", "question_metadata", "message_ends", "progress_before_call", "texts_by_turns"]
    {
        let stream = case(name).stream();
        let expected = answer(&stream);
        for chunk in [stream.len(), 7, 1] {
            let mut converter = Converter::new(A2A, A2A, options()).expect("A2A is converted");
            let mut out = String::new();
            stream.chunks(chunk).for_each(|chunk| converter.push(chunk, &mut out));
            converter.finish(&mut out);
            assert_eq!(answer(out.as_bytes()), expected, "{name} in pieces of {chunk}: {out}");
            assert!(
                converter.losses().expect("the run has begun").is_empty(),
                "{name}: {:?}",
                converter.losses()
            );
        }
    }
}

#[test]
fn null_arguments_and_wildcard_audio_formats_are_omitted() {
    let stream = case("null_arguments").stream();
    let (out, _) = convert(A2A, AgentApi, [&stream[..]], false);
    assert!(!out.contains(r#""arguments":"null""#) && !out.contains(r#""output":"null""#), "{out}");
    assert!(!out.contains(r#""format":"*""#) && out.contains("https://example.com/a"), "{out}");
}

#[test]
fn a_call_whose_id_changes_keeps_the_first_and_reports_a_loss() {
    let item = |call: &str, status: &str, arguments: &str| {
        format!(
            r#"{{"type":"function_call","id":"fc_1","call_id":"{call}","name":"f","arguments":"{arguments}","status":"{status}"}}"#
        )
    };
    let response = r#""id":"resp_1","object":"response","created_at":1,"model":"m""#;
    let events = [
        format!(
            r#"{{"type":"response.created","sequence_number":0,"response":{{{response},"status":"in_progress","output":[]}}}}"#
        ),
        format!(
            r#"{{"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{}}}"#,
            item("first", "in_progress", "")
        ),
        format!(
            r#"{{"type":"response.output_item.done","sequence_number":2,"output_index":0,"item":{}}}"#,
            item("second", "completed", "{}")
        ),
        format!(
            r#"{{"type":"response.completed","sequence_number":3,"response":{{{response},"status":"completed","output":[{}]}}}}"#,
            item("second", "completed", "{}")
        ),
    ];
    let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let (out, losses) = convert(Responses, AgentApi, [stream.as_bytes()], false);
    assert!(out.contains(r#""call_id":"first""#) && !out.contains("second"), "{out}");
    let lost: Vec<_> = losses.iter().map(|loss| (loss.kind, loss.location.as_str())).collect();
    assert_eq!(lost, [("call-id", "first")]);
}
