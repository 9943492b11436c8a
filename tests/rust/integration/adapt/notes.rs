//! The steps of a run in addition to messages: each survives where the target has room for it, and
//! is otherwise a loss with its event.

use std::collections::BTreeSet;

use agentwire::ProtocolKind;
use agentwire::agent_api::builder;
use agentwire::builder::Counter;
use agentwire::convert::{ConversionSide, ConvertOptions, Converter};
use agentwire::hub::steps::{FromSteps, NAMES, ToSteps};
use agentwire::hub::{Losses, Note, ToHub as _};
use agentwire::json::Value;

const AGENT_API: ConversionSide = ConversionSide::Protocol(ProtocolKind::AgentApi);
const AG_KIT: ConversionSide = ConversionSide::Protocol(ProtocolKind::AgKit);

/// A line for each note, with all its members.
const NOTES: &[&str] = &[
    r#"{"type":"status","status":"queued","detail":"compacting"}"#,
    r#"{"type":"usage","usage":{"total":3},"message":0}"#,
    r#"{"type":"error","code":"E","message":"it went on"}"#,
    r#"{"type":"messages","messages":[{"id":"u","role":"user","content":"hi"}]}"#,
    r#"{"type":"retract","message":0,"part":0}"#,
    r#"{"type":"metadata","value":{"a":1},"call":"c"}"#,
    r#"{"type":"replace","message":0,"part":0,"text":"other"}"#,
    r#"{"type":"annotation","message":0,"part":0,"annotation":{"url":"u"}}"#,
    r#"{"type":"opaque","format":"anthropic","scope":"0a1b2c3d","members":{"signature":"s=="},"message":0,"part":0}"#,
    r#"{"type":"progress","id":"c","status":"searching","data":{"n":1}}"#,
    r#"{"type":"output","id":"c","piece":"line\n","channel":"stdout"}"#,
    r#"{"type":"tool-error","id":"c","cause":"tool","message":"no such city"}"#,
    r#"{"type":"state","value":null}"#,
    r#"{"type":"state-patch","patch":[{"op":"add","path":"/a","value":12345678901234567890}]}"#,
    r#"{"type":"activity","id":"a","activityType":"PLAN","content":{"steps":[]},"keep":true}"#,
    r#"{"type":"activity-patch","id":"a","activityType":"PLAN","patch":[]}"#,
    r#"{"type":"step-start","id":"t","name":"look","kind":"reasoning"}"#,
    r#"{"type":"step-end","id":"t","name":"look","kind":"reasoning"}"#,
    r#"{"type":"lane-start","id":"s1","name":"helper","text":"it helps","parent":"s0","parentCall":"c","parentMessage":"m"}"#,
    r#"{"type":"lane-end","id":"s1","status":"failed","error":{"message":"x"},"result":{"r":1}}"#,
    r#"{"type":"alternative","alternative":1,"status":"incomplete","reason":"length"}"#,
    r#"{"type":"custom","name":"ping","value":[1]}"#,
    r#"{"type":"passthrough","protocol":"other","name":"new","data":"{\"type\": \"new\"}"}"#,
];

/// Returns a run with these steps: a message with a call before them, an end after them.
fn run<'l>(notes: &[&'l str]) -> Vec<&'l str> {
    let mut lines = vec![
        r#"{"type":"start","id":"r","sessionId":"s"}"#,
        r#"{"type":"open","message":0,"messageType":"message","role":"assistant","id":"m0"}"#,
        r#"{"type":"text","message":0,"part":0,"piece":"a"}"#,
        r#"{"type":"open","message":1,"messageType":"function_call","role":"assistant","id":"m1"}"#,
        r#"{"type":"call","message":1,"part":0,"id":"c","name":"f"}"#,
    ];
    lines.extend(notes);
    lines.extend([
        r#"{"type":"end-part","message":0,"part":0,"whole":true}"#,
        r#"{"type":"close","message":0,"status":"completed"}"#,
        r#"{"type":"end-part","message":1,"part":0,"whole":true}"#,
        r#"{"type":"close","message":1,"status":"completed"}"#,
        r#"{"type":"end","status":"completed"}"#,
    ]);
    lines
}

fn convert(from: ConversionSide, to: ConversionSide, stream: &str) -> (String, Losses) {
    let options = ConvertOptions::new(builder::BuilderOptions::new(Counter::default(), || 0));
    let mut converter = Converter::new(from, to, options).expect("both are there");
    let mut out = String::new();
    converter.push(stream.as_bytes(), &mut out);
    converter.finish(&mut out);
    (out, converter.losses().expect("a source").clone())
}

fn kinds(losses: &Losses) -> Vec<&'static str> {
    losses.iter().map(|loss| loss.kind).collect()
}

#[test]
fn every_note_is_tested_and_listed() {
    let tried: BTreeSet<&str> = NOTES.iter().map(|line| name(line)).chain(["reopened"]).collect();
    assert_eq!(tried, Note::NAMES.iter().copied().collect());
    let listed: BTreeSet<String> = crate::docs::hub::steps();
    assert_eq!(listed, Note::NAMES.iter().chain(&NAMES).map(|name| (*name).to_owned()).collect());
}

/// A custom protocol in TypeScript has the same steps.
#[test]
fn every_step_is_declared_in_typescript() {
    let types = std::fs::read_to_string(agentwire_cases::path("pkg/src/convert/steps.ts"))
        .expect("the types");
    let missing: Vec<_> = Note::NAMES
        .iter()
        .chain(&NAMES)
        .filter(|name| !types.contains(&format!("\"{name}\"")))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn name(line: &str) -> &str {
    line.split('"').nth(3).expect("a type")
}

#[test]
fn every_note_round_trips_through_json_lines() {
    let lines = run(NOTES);
    let (out, losses) = convert(ConversionSide::Steps, ConversionSide::Steps, &lines.join("\n"));
    assert_eq!(out.lines().collect::<Vec<_>>(), lines);
    assert!(losses.is_empty(), "{losses:?}");
}

#[test]
fn optional_members_round_trip() {
    let lines = [
        r#"{"type":"start","id":"r","parentId":"p","model":"m-1","createdAt":7}"#,
        r#"{"type":"open","message":0,"messageType":"message","role":"assistant","id":"m0","name":"n","parent":"q","alternative":1,"lane":"s1","metadata":{"k":1}}"#,
        r#"{"type":"reasoning","message":1,"part":0,"piece":"Hm","summary":true}"#,
        r#"{"type":"call","message":2,"part":0,"id":"c","name":"f","input":"text"}"#,
        r#"{"type":"end-part","message":2,"part":0,"whole":true}"#,
        r#"{"type":"result","message":3,"part":0,"id":"c","output":"1","preview":true}"#,
        r#"{"type":"result","message":3,"part":0,"id":"c","output":"2","content":[{"type":"text"}]}"#,
        r#"{"type":"interrupt","message":4,"part":0,"id":"i","payload":1,"call":"c","text":"Really?","expiresAt":"z","responseSchema":{}}"#,
        r#"{"type":"answer","message":5,"part":0,"id":"i","approved":false,"reason":"no","payload":null}"#,
        r#"{"type":"whole","message":6,"part":0,"content":{"type":"image","image_url":"a"},"preview":true}"#,
        r#"{"type":"whole","message":6,"part":0,"content":{"type":"image","image_url":"b"}}"#,
        r#"{"type":"media","message":7,"part":0,"piece":"AAAA","kind":"audio","mediaType":"wav"}"#,
        r#"{"type":"end","status":"completed","result":{"r":1},"pending":["d"]}"#,
    ];
    let (out, losses) = convert(ConversionSide::Steps, ConversionSide::Steps, &lines.join("\n"));
    let kept: Vec<&str> = out.lines().filter(|line| lines.contains(line)).collect();
    assert_eq!(kept, lines, "{out}");
    assert!(losses.is_empty(), "{losses:?}");
}

/// The message types of the Agent API are open, so nearly every note becomes a separate message,
/// and the same step again when it is read.
#[test]
fn notes_round_trip_through_agent_api() {
    let elsewhere = [
        "status",
        "usage",
        "error",
        "retract",
        "replace",
        "annotation",
        "opaque",
        "tool-error",
        "passthrough",
    ];
    let own: Vec<&str> =
        NOTES.iter().copied().filter(|line| !elsewhere.contains(&name(line))).collect();
    assert!(own.len() > 10);
    let (written, losses) = convert(ConversionSide::Steps, AGENT_API, &run(&own).join("\n"));
    assert!(losses.is_empty(), "{losses:?}");
    let outcome = super::facts::read_agent_api(written.as_bytes());
    assert_eq!(outcome.report.total(), 0, "{:?}", outcome.report);
    let (back, losses) = convert(AGENT_API, ConversionSide::Steps, &written);
    assert!(losses.is_empty(), "{losses:?}");
    let notes: Vec<&str> = back.lines().filter(|line| own.contains(line)).collect();
    assert_eq!(notes, own, "{back}");
}

#[test]
fn notes_of_a_message_become_its_metadata() {
    let lines = [
        r#"{"type":"open","message":0,"messageType":"message","role":"assistant","id":"m0","name":"n","lane":"s1","metadata":{"k":1}}"#,
        r#"{"type":"text","message":0,"part":0,"piece":"a"}"#,
        NOTES[7],
        NOTES[8],
        r#"{"type":"usage","usage":{"total":3},"message":0}"#,
        r#"{"type":"close","message":0,"status":"completed","metadata":{"own":true}}"#,
        r#"{"type":"end","status":"completed"}"#,
    ];
    let (written, losses) = convert(ConversionSide::Steps, AGENT_API, &lines.join("\n"));
    assert!(losses.is_empty(), "{losses:?}");
    let outcome = super::facts::read_agent_api(written.as_bytes());
    let message = &outcome.snapshot.response.output[0];
    let metadata = message.metadata.as_ref().expect("metadata").to_json();
    let sealed = r#"aw1.anthropic.0a1b2c3d.{\"members\":{\"signature\":\"s==\"}}"#;
    let wanted =
        r#"{"own":true,"name":"n","lane":"s1","k":1,"annotations":[{"url":"u"}],"opaque":"#;
    assert_eq!(metadata, [wanted, "\"", sealed, "\"}"].concat());
    assert_eq!(message.usage.as_ref().map(Value::to_json).as_deref(), Some(r#"{"total":3}"#));
}

/// The page has the loss of each step.
#[test]
fn ag_kit_losses_match_the_page() {
    let page = std::fs::read_to_string(agentwire_cases::path("docs/reference/hub/ag-kit.md"))
        .expect("the page");
    let written = page.split("## Written").nth(1).expect("the table");
    for line in NOTES {
        let named = format!("`{}`", name(line));
        let row = written
            .lines()
            .find(|row| row.split('|').nth(1).is_some_and(|steps| steps.contains(&named)));
        let row = row.unwrap_or_else(|| panic!("no row for {named}"));
        let (out, losses) = convert(ConversionSide::Steps, AG_KIT, &run(&[line]).join("\n"));
        let lost: Vec<_> = losses.iter().filter(|loss| loss.kind != "run-ids").collect();
        assert_eq!(lost.len(), 1, "{line}: {losses:?}");
        assert!(row.contains(&format!("lost: `{}`", lost[0].kind)), "{row}: {}", lost[0].kind);
        assert_eq!(lost[0].event, 5, "{line}: the number of its event");
        assert!(out.ends_with("data: [DONE]\n\n"), "{out}");
    }
}

#[test]
fn unknown_events_are_copied_byte_for_byte_within_a_protocol() {
    let unknown = "{ \"type\":\"new-thing\",  \"é\" : 1.0e3 ,\"x\":\"\\u00e9\"}";
    let two_lines = "{\"type\":\"new-thing\",\ndata: \"n\":1}";
    let stream = format!(
        "data: {{\"type\":\"text\",\"content\":\"a\"}}\n\ndata: {unknown}\n\ndata: {two_lines}\n\n\
         data: {{\"type\":\"text\",\"content\":\"b\"}}\n\ndata: [DONE]\n\n"
    );
    let (out, losses) = convert(AG_KIT, AG_KIT, &stream);
    assert_eq!(out, stream);
    assert!(losses.is_empty(), "{losses:?}");
    let (_, losses) = convert(AG_KIT, AGENT_API, &stream);
    let lost: Vec<_> =
        losses.iter().map(|loss| (loss.kind, loss.location.as_str(), loss.event)).collect();
    assert_eq!(lost, [("unknown-event", "new-thing", 1), ("unknown-event", "new-thing", 2)]);

    let unknown = r#"{"object":"tool_output_frame",  "status":"in_progress","n":1E2}"#;
    let stream = format!(
        "data: {unknown}\n\ndata: {{\"object\":\"response\",\"status\":\"created\",\"id\":\"r\"}}\n\n\
         data: {unknown}\n\ndata: {{\"object\":\"response\",\"status\":\"completed\",\"id\":\"r\"}}\n\n"
    );
    let (out, losses) = convert(AGENT_API, AGENT_API, &stream);
    assert_eq!(out.matches(&format!("data: {unknown}\n\n")).count(), 2, "{out}");
    assert!(losses.is_empty(), "{losses:?}");
    let outcome = super::facts::read_agent_api(out.as_bytes());
    assert_eq!(outcome.snapshot.response.id, "r", "the first events did not start the run");
    assert_eq!(outcome.report.counts, [("unknown-object", 2)]);
}

#[test]
fn a_reopened_run_is_written_where_the_target_supports_it() {
    let lines = [
        r#"{"type":"start","id":"r1"}"#,
        r#"{"type":"end","status":"completed"}"#,
        r#"{"type":"reopened","id":"r2"}"#,
        r#"{"type":"open","message":0,"messageType":"message","role":"assistant"}"#,
        r#"{"type":"text","message":0,"part":0,"piece":"again"}"#,
        r#"{"type":"end-part","message":0,"part":0,"whole":true}"#,
        r#"{"type":"close","message":0,"status":"completed"}"#,
        r#"{"type":"end","status":"completed"}"#,
    ];
    let (out, losses) = convert(ConversionSide::Steps, ConversionSide::Steps, &lines.join("\n"));
    assert_eq!((out.lines().collect::<Vec<_>>().as_slice(), losses.is_empty()), (&lines[..], true));
    let (out, losses) = convert(ConversionSide::Steps, AGENT_API, &lines.join("\n"));
    assert_eq!(kinds(&losses), ["after-end"; 6]);
    assert!(!out.contains("again"));
}

#[test]
fn a_result_after_a_tool_error_is_dropped() {
    let lines = [
        r#"{"type":"tool-error","id":"c","message":"no"}"#,
        r#"{"type":"result","message":1,"part":0,"id":"c","output":"late"}"#,
        r#"{"type":"progress","id":"d","status":"searching"}"#,
        r#"{"type":"end","status":"completed"}"#,
    ];
    for target in [AGENT_API, AG_KIT] {
        let (out, losses) = convert(ConversionSide::Steps, target, &lines.join("\n"));
        let kinds = kinds(&losses);
        assert_eq!(kinds.iter().filter(|kind| **kind == "call-missing").count(), 2, "{kinds:?}");
        assert!(kinds.contains(&"result-repeated"), "{kinds:?}");
        assert!(!out.contains("late"), "{out}");
    }
    let (written, _) = convert(ConversionSide::Steps, AGENT_API, &lines.join("\n"));
    let outcome = super::facts::read_agent_api(written.as_bytes());
    assert_eq!(outcome.report.total(), 0, "{:?}", outcome.report);
    let output = outcome
        .snapshot
        .response
        .output
        .iter()
        .find(|message| message.r#type.as_str() == "function_call_output");
    assert_eq!(output.map(|message| message.status.as_str()), Some("failed"));
    assert!(written.contains(r#""output":"no""#), "{written}");
}

#[test]
fn streamed_media_are_one_part_in_the_agent_api() {
    let lines = [
        r#"{"type":"media","message":0,"part":0,"kind":"audio","piece":"AA","mediaType":"wav"}"#,
        r#"{"type":"media","message":0,"part":0,"kind":"audio","piece":"BB"}"#,
        r#"{"type":"end-part","message":0,"part":0}"#,
        r#"{"type":"media","message":0,"part":1,"kind":"video","piece":"CC"}"#,
        r#"{"type":"end","status":"completed"}"#,
    ];
    let (written, losses) = convert(ConversionSide::Steps, AGENT_API, &lines.join("\n"));
    assert!(losses.is_empty(), "{losses:?}");
    assert!(written.contains(r#""data":"AABB","format":"wav""#), "{written}");
    assert!(written.contains("data:video/mp4;base64,CC"), "{written}");
    assert_eq!(kinds(&convert(ConversionSide::Steps, AG_KIT, &lines.join("\n")).1), ["audio"]);
}

#[test]
fn losses_name_the_source_event() {
    let stream = "data: {\"object\":\"response\",\"status\":\"created\",\"id\":\"r\"}\n\n: comment\n\n\
        data: {\"object\":\"message\",\"id\":\"m\",\"type\":\"reasoning\",\"status\":\"in_progress\"}\n\n\
        data: {\"object\":\"content\",\"msg_id\":\"m\",\"type\":\"text\",\"delta\":true,\"index\":0,\"text\":\"Hm.\"}\n\n";
    let (_, losses) = convert(AGENT_API, AG_KIT, stream);
    let lost: Vec<_> = losses.iter().map(|loss| (loss.kind, loss.event)).collect();
    assert_eq!(lost, [("run-ids", 0), ("reasoning", 2), ("message-status", 3), ("status", 3)]);
    assert!(losses.to_json().contains(r#""event":2"#));
    // A line can name its source event.
    let mut then = FromSteps.then(ToSteps);
    then.feed(r#"{"type":"result","message":0,"part":0,"id":"c","output":"","event":41}"#, |_| {});
    assert_eq!(
        then.losses().iter().next().map(|loss| (loss.kind, loss.event)),
        Some(("call-missing", 41))
    );
}
