//! The ends that the writing of AG-UI adds: a run ends after all that is in it, and a call that was
//! cut off does not end.

use agentwire::ag_ui::events::Event;
use agentwire::ag_ui::{AgUi, Snapshot, Status};
use agentwire::agent_api::builder::BuilderOptions;
use agentwire::builder::Counter;
use agentwire::emit::Writer;
use agentwire::hub::{Note, Step};
use agentwire::json::Value;
use agentwire::{ProtocolKind, Reader};

fn writer() -> Writer {
    let options = BuilderOptions::new(Counter::default(), || 0);
    Writer::new(ProtocolKind::AgUi, options).expect("it is written")
}

/// Returns the types of the events of a text.
fn types(text: &str) -> Vec<String> {
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    let name = |data| Event::decode(data, 128).expect("an event").name().map(str::to_owned);
    data.filter_map(name).collect()
}

fn kinds(out: &Writer) -> Vec<&str> {
    out.losses().iter().map(|loss| loss.kind).collect()
}

/// Returns the snapshot of a stream; asserts that a reader finds no violation.
fn read(text: &str) -> Snapshot {
    let mut reader = Reader::new(AgUi::default());
    reader.push(text.as_bytes());
    let outcome = reader.finish();
    assert_eq!(outcome.report.total(), 0, "{:?} in\n{text}", outcome.report.violations);
    assert_eq!(outcome.report.end_reason.as_str(), "terminal", "{text}");
    outcome.snapshot
}

#[test]
fn a_run_ends_its_texts_steps_and_subagents() {
    let mut out = writer();
    let step = |name| Note::StepStart { id: None, name: Some(name), kind: None };
    out.note(step("plan"));
    out.note(Note::LaneStart {
        id: "s1",
        name: "researcher",
        text: None,
        parent: None,
        parent_call: None,
        parent_message: None,
    });
    out.note(step("search"));
    out.note(Note::StepStart { id: Some("span"), name: None, kind: Some("reasoning") });
    out.reasoning("Hm");
    let begun = out.take();
    out.complete();
    let ends = out.take();
    let expected = [
        "REASONING_MESSAGE_END",
        "REASONING_END",
        "STEP_FINISHED",
        "STEP_FINISHED",
        "SUBAGENT_FINISHED",
        "RUN_FINISHED",
    ];
    assert_eq!(types(&ends), expected);
    assert_eq!(read(&(begun + &ends)).status, Status::Finished);
    assert_eq!(kinds(&out), ["step", "step", "step", "lane"]);
}

#[test]
fn a_run_inside_a_call_ends_with_an_error_and_the_call_does_not_end() {
    let mut out = writer();
    let call = out.call("delete_all");
    out.arguments(&call, "{\"path\":\"/");
    out.complete();
    let text = out.take();
    assert_eq!(types(&text), ["RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_ARGS", "RUN_ERROR"]);
    let snapshot = read(&text);
    assert_eq!(snapshot.status, Status::Failed);
    assert!(snapshot.pending_tool_call_ids.is_empty());
}

/// Metadata that nest deeper than readers read.
fn deep() -> Value {
    Value::parse(&format!("{{\"a\":{}1{}}}", "[".repeat(200), "]".repeat(200)), 512).expect("JSON")
}

#[test]
fn a_run_with_an_end_that_readers_would_refuse_ends_all_the_same() {
    // The end of a call is refused: the run fails, because the call is open for clients.
    let mut out = writer();
    let call = out.call("look");
    let id = Some(call.as_str());
    out.note(Note::Metadata { value: &deep(), message: None, call: id });
    out.end_call(&call);
    out.complete();
    let text = out.take();
    assert_eq!(types(&text), ["RUN_STARTED", "TOOL_CALL_START", "RUN_ERROR"]);
    read(&text);
    // The end of the call, the outcome of the run, and its usual end.
    assert_eq!(kinds(&out), ["refused"; 3]);

    // The start of the run is refused: its id is too long.
    let options = BuilderOptions::new(Counter::default(), || 0).session_id("t".repeat(1 << 17));
    let mut out = Writer::new(ProtocolKind::AgUi, options).expect("it is written");
    out.text("lost");
    out.complete();
    let text = out.take();
    assert_eq!(types(&text), ["RUN_STARTED", "RUN_FINISHED"]);
    read(&text);
}

#[test]
fn a_patch_that_clients_could_not_apply_is_a_loss() {
    let mut out = writer();
    let json = |text| Value::parse(text, 128).expect("JSON");
    let (state, fails) = (json(r#"{"n":1}"#), json(r#"[{"op":"remove","path":"/no"}]"#));
    out.note(Note::State { value: &state });
    out.note(Note::StatePatch { patch: &fails });
    out.note(Note::Activity { id: "a", activity_type: "PLAN", content: &state, keep: false });
    out.note(Note::ActivityPatch { id: "a", activity_type: "PLAN", patch: &fails });
    out.step(&Step::Note(Note::StatePatch { patch: &json(r#"[{"op":"merge","path":"/n"}]"#) }));
    out.complete();
    let text = out.take();
    let expected = ["RUN_STARTED", "STATE_SNAPSHOT", "ACTIVITY_SNAPSHOT", "RUN_FINISHED"];
    assert_eq!(types(&text), expected);
    assert_eq!(read(&text).state.to_json(), state.to_json());
    assert_eq!(kinds(&out), ["refused"; 3]);
}
