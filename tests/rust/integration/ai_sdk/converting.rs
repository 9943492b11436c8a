//! Streams written from the hub.

use agentwire::ProtocolKind::{AgUi, AiSdk};
use agentwire::ai_sdk::{self, Part};
use agentwire::builder::Counter;
use agentwire::convert::{ConversionSide, ConvertOptions, Converter};
use agentwire::json::Value;
use agentwire::{ProtocolKind, Reader};
use agentwire_cases::Kind;

fn converted(from: impl Into<ConversionSide>, stream: &[u8]) -> (String, Converter) {
    let options = ConvertOptions::new(agentwire::agent_api::builder::BuilderOptions::new(
        Counter::default(),
        || 0,
    ));
    let from: ConversionSide = from.into();
    let mut converter = Converter::new(from, AiSdk, options).expect("a conversion");
    let mut out = String::new();
    converter.push(stream, &mut out);
    converter.finish(&mut out);
    (out, converter)
}

fn chunks(stream: &str) -> Vec<String> {
    stream
        .split_terminator("\n\n")
        .filter_map(|event| event.strip_prefix("data: "))
        .map(str::to_owned)
        .collect()
}

fn written(steps: &[&str]) -> Vec<String> {
    chunks(&converted(ConversionSide::Steps, (steps.join("\n") + "\n").as_bytes()).0)
}

/// The steps of a conversion from AG-UI.
fn of_ag_ui(events: &[&str]) -> Vec<String> {
    let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    chunks(&converted(AgUi, stream.as_bytes()).0)
}

#[test]
fn a_text_and_a_call_are_written_in_one_step() {
    let said = of_ag_ui(&[
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hi"}"#,
        r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
        r#"{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"w"}"#,
        r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\"a\":1}"}"#,
        r#"{"type":"TOOL_CALL_END","toolCallId":"c"}"#,
        r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
    ]);
    assert_eq!(
        said,
        [
            r#"{"type":"start","messageId":"r","messageMetadata":{"sessionId":"t"}}"#,
            r#"{"type":"start-step"}"#,
            r#"{"type":"text-start","id":"text_1"}"#,
            r#"{"type":"text-delta","id":"text_1","delta":"Hi"}"#,
            r#"{"type":"text-end","id":"text_1"}"#,
            r#"{"type":"tool-input-start","toolCallId":"c","toolName":"w"}"#,
            r#"{"type":"tool-input-delta","toolCallId":"c","inputTextDelta":"{\"a\":1}"}"#,
            r#"{"type":"tool-input-available","toolCallId":"c","toolName":"w","input":{"a":1}}"#,
            r#"{"type":"finish-step"}"#,
            r#"{"type":"finish","finishReason":"tool-calls"}"#,
            "[DONE]",
        ]
    );
}

/// V4: a step that ends in a text ends after it.
#[test]
fn a_step_ends_after_its_open_parts() {
    let said = written(&[
        r#"{"type":"step-start"}"#,
        r#"{"type":"text","message":1,"part":0,"piece":"a"}"#,
        r#"{"type":"step-end"}"#,
        r#"{"type":"text","message":1,"part":0,"piece":"b"}"#,
        r#"{"type":"close","message":1,"status":"completed"}"#,
        r#"{"type":"text","message":2,"part":0,"piece":"c"}"#,
        r#"{"type":"end","status":"completed"}"#,
    ]);
    let types: Vec<&str> =
        said.iter().map(|chunk| chunk.split('"').nth(3).unwrap_or(chunk)).collect();
    assert_eq!(
        types,
        [
            "start",
            "start-step",
            "text-start",
            "text-delta",
            "text-delta",
            "text-end",
            "finish-step",
            "start-step",
            "text-start",
            "text-delta",
            "text-end",
            "finish-step",
            "finish",
            "[DONE]",
        ]
    );
}

/// V2: clients stop at `__proto__`.
#[test]
fn prototype_keys_are_omitted() {
    let steps = concat!(
        r#"{"type":"call","message":1,"part":0,"id":"c","name":"w"}"#,
        "\n",
        r#"{"type":"arguments","message":1,"part":0,"piece":"{\"a\":{\"__proto__\":1,\"b\":2}}"}"#,
        "\n",
        r#"{"type":"end-part","message":1,"part":0,"whole":true}"#,
        "\n",
        r#"{"type":"end","status":"completed"}"#,
        "\n",
    );
    let (stream, converter) = converted(ConversionSide::Steps, steps.as_bytes());
    assert!(stream.contains(r#""input":{"a":{"b":2}}"#), "{stream}");
    assert_eq!(converter.losses().map(|losses| losses.count("forbidden-key")), Some(1));
}

#[test]
fn an_input_that_is_not_json_becomes_an_input_error() {
    let said = written(&[
        r#"{"type":"call","message":1,"part":0,"id":"c","name":"w"}"#,
        r#"{"type":"arguments","message":1,"part":0,"piece":"{\"a"}"#,
        r#"{"type":"end-part","message":1,"part":0,"whole":true}"#,
        r#"{"type":"end","status":"failed","error":{"code":"E","message":"no"}}"#,
    ]);
    assert!(said.iter().any(|chunk| chunk.contains(r#""type":"tool-input-error""#)), "{said:?}");
    assert!(said.contains(&r#"{"type":"error","errorText":"E: no"}"#.to_owned()), "{said:?}");
    assert!(said.contains(&r#"{"type":"finish","finishReason":"error"}"#.to_owned()), "{said:?}");
}

/// A conversion from the protocol to itself repairs a stream and keeps the message.
#[test]
fn conversion_to_itself_keeps_the_message() {
    // Steps without content, parts that only `ai` 7 supports, and violations.
    let others = [
        "approval_answered",
        "call_changed",
        "data_parts",
        "data_whole",
        // A text that was truncated by an error is complete afterwards.
        "error_only",
        "error_then_more",
        // The hub has outputs as texts: null is an empty one.
        "input_available_alone",
        "input_error_dynamic",
        "message_changed",
        "newer_chunks",
        "output_error_while_streaming",
        // A refusal is marked under the provider `agentwire`.
        "refusal_as_text",
        "reset_step",
        "same_call_in_another_step",
        "start_after_parts",
    ];
    let mut compared = 0;
    for case in agentwire_cases::select("ai-sdk", Kind::Read) {
        let violations = case.text("violations.json");
        if violations.contains("\"error\"")
            || violations.contains("\"warning\"")
            || others.contains(&&*case.name)
            || case.name == "json_lines"
        {
            continue;
        }
        let (stream, _) = converted(AiSdk, &case.stream());
        let held = |stream: &[u8]| {
            let mut reader = Reader::new(ai_sdk::AiSdk::default());
            reader.push(stream);
            let outcome = reader.finish();
            let parts: Vec<String> = outcome.snapshot.parts.iter().map(of).collect();
            (outcome.snapshot.id, parts)
        };
        let (id, parts) = held(&case.stream());
        let (written_id, written) = held(stream.as_bytes());
        assert!(id.is_empty() || id == written_id, "{case}");
        let content = |parts: &[String]| {
            parts.iter().filter(|part| !part.contains("step-start")).cloned().collect::<Vec<_>>()
        };
        assert_eq!(content(&written), content(&parts), "{case}");
        compared += 1;
    }
    assert!(compared >= 20, "{compared}");
}

/// A part without the members that a conversion changes: ids of reasoning and of sources.
fn of(part: &Part) -> String {
    let mut json = Value::parse(&serde_json::to_string(part).expect("JSON"), 128).expect("JSON");
    if let Value::Object(members) = &mut json {
        members.retain(|member| !["id", "sourceId", "title"].contains(&&*member.key));
        members.sort_by(|one, other| one.key.cmp(&other.key));
    }
    json.to_json()
}

/// Every stream of every protocol is converted without violations.
#[test]
fn every_stream_is_converted_without_violations() {
    let mut count = 0;
    for case in agentwire_cases::reads() {
        let Some(kind) = ProtocolKind::READABLE.iter().find(|kind| kind.as_str() == case.protocol)
        else {
            continue;
        };
        if case.is_binary() || case.protocol == "toy" {
            continue;
        }
        let (stream, _) = converted(*kind, &case.stream());
        let mut reader = Reader::new(ai_sdk::AiSdk::default());
        reader.push(stream.as_bytes());
        let report = reader.finish().report;
        let broken: Vec<&str> =
            report.violations.iter().map(|violation| violation.rule.id).collect();
        assert!(broken.is_empty(), "{case}: {broken:?}\n{stream}");
        count += 1;
    }
    assert!(count >= 500, "{count}");
}

#[test]
fn the_input_of_a_custom_tool_is_a_string() {
    let case = agentwire_cases::select("chat", Kind::Read)
        .into_iter()
        .find(|case| case.name == "custom_tool")
        .unwrap();
    let (out, converter) = converted(ProtocolKind::Chat, &case.stream());
    assert_eq!(converter.losses().unwrap().count("tool-error"), 0, "{out}");
    let available =
        chunks(&out).into_iter().find(|chunk| chunk.contains("tool-input-available")).unwrap();
    assert_eq!(Value::parse(&available, 9).unwrap().get("input"), Some(&Value::from("SELECT 1")));
}
