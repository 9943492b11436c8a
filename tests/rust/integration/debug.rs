//! `Debug` of what is read shows the members of the answer, and nothing that only the readers need.

use agentwire::ProtocolKind;
use agentwire::read::AnyOptions;

use crate::reading::{options, protocol_of, read};

#[test]
fn a_snapshot_shows_its_present_members_and_free_json_as_json() {
    let events = [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hi"}"#,
        r#"{"type":"STATE_SNAPSHOT","snapshot":{"phase":"done"}}"#,
    ];
    let stream: String = events.map(|event| format!("data: {event}\n\n")).concat();
    let outcome = read(ProtocolKind::AgUi, AnyOptions::default(), [stream.as_bytes()]);
    let shown = format!("{:?}", outcome.snapshot);
    assert!(
        shown.contains(
            r#"messages: [Message { id: "m", role: Assistant, content: "Hi" }], state: {"phase":"done"}"#
        ),
        "{shown}"
    );
    assert!(format!("{:?}", outcome.report).ends_with("last_event_id: None, retry: None, .. }"));
}

#[test]
fn names_of_members_are_those_in_programs() {
    let stream = "data: {\"object\":\"message\",\"type\":\"message\",\"id\":\"m\",\"role\":\"assistant\",\"status\":\"in_progress\"}\n\n";
    let outcome = read(ProtocolKind::AgentApi, AnyOptions::default(), [stream.as_bytes()]);
    let shown = format!("{:?}", outcome.snapshot);
    assert!(shown.contains(" type: Message,") && !shown.contains("r#"), "{shown}");
}

#[test]
fn no_snapshot_shows_positions_or_trees() {
    for case in agentwire_cases::reads() {
        let outcome = read(protocol_of(&case), options(&case), [&case.stream()[..]]);
        let shown = format!("{:?}", outcome.snapshot);
        for internal in ["Nodes {", "Tree {", "StringMap {", "Absent("] {
            assert!(!shown.contains(internal), "{case}: {internal}");
        }
    }
}
