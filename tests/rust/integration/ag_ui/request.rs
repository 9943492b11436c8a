//! Requests: read leniently, written strictly, and built from the snapshot of a stream.

use agentwire::Reader;
use agentwire::ag_ui::request::{InputMessage, ResumeEntry, RunAgentInput};
use agentwire::ag_ui::{AgUi, Snapshot};
use agentwire::builder::Counter;
use agentwire::json::Value;

/// Returns the snapshot of a run with these events, and the members of its end.
fn read(events: &[&str], end: &str) -> Snapshot {
    let mut reader = Reader::new(AgUi::default());
    let ids = r#""threadId":"t","runId":"r1""#;
    let start = format!(r#"{{"type":"RUN_STARTED",{ids}}}"#);
    let end = format!(r#"{{"type":"RUN_FINISHED",{ids}{end}}}"#);
    for event in [&*start].iter().chain(events).chain(&[&*end]) {
        reader.push(format!("data: {event}\n\n").as_bytes());
    }
    assert_eq!(reader.report().total(), 0);
    reader.finish().snapshot
}

fn asking() -> RunAgentInput {
    RunAgentInput::new("t", "r1", vec![InputMessage::user("m1", "hi")])
}

#[test]
fn requests_of_the_official_client_round_trip() {
    // As `HttpAgent` of @ag-ui/client 1.0.0 writes it.
    let sent = concat!(
        r#"{"threadId":"t","runId":"r","protocolVersion":"1.0","state":{"n":1.0},"messages":["#,
        r#"{"role":"user","id":"m1","content":[{"type":"text","text":"what is this?"},"#,
        r#"{"type":"image","source":{"type":"url","value":"https://example.com/cat.png"}}]},"#,
        r#"{"role":"assistant","id":"m2","toolCalls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}]},"#,
        r#"{"role":"tool","id":"m3","content":"a cat","toolCallId":"c1"},"#,
        r#"{"role":"reasoning","id":"m4","content":"hm","encryptedValue":"x"}],"#,
        r#""tools":[{"name":"look","description":"","parameters":{"type":"object"}}],"context":[{"description":"a","value":"b"}],"#,
        r#""forwardedProps":{},"resume":[{"interruptId":"i1","status":"resolved","payload":null}]}"#,
    );
    let input = RunAgentInput::parse(sent).unwrap();
    assert_eq!(input.validate(), []);
    // A payload of null counts as absent.
    assert_eq!(input.to_json().unwrap(), sent.replace(",\"payload\":null", ""));
}

#[test]
fn other_spellings_and_older_versions_are_parsed() {
    let input = RunAgentInput::parse(
        r#"{"thread_id":"t","run_id":"r","parent_run_id":null,"state":null,"tools":null,"context":null,"forwardedProps":null,
            "messages":[{"role":"user","id":"m","name":null,"content":[
                {"type":"binary","mimeType":"image/png","data":"AA==","filename":"cat.png"}]},
            {"role":"activity","id":"a","activityType":"PLAN","content":{}}]}"#,
    )
    .unwrap();
    assert_eq!(
        input.to_json().unwrap(),
        concat!(
            r#"{"threadId":"t","runId":"r","protocolVersion":"1.0","state":null,"messages":[{"role":"user","id":"m","content":"#,
            r#"[{"type":"image","source":{"type":"data","value":"AA==","mimeType":"image/png"},"metadata":{"filename":"cat.png"}}]}],"#,
            r#""tools":[],"context":[],"forwardedProps":{}}"#,
        )
    );
    let bare = RunAgentInput::parse(r#"{"threadId":"","runId":"","messages":[]}"#).unwrap();
    assert_eq!(bare.state.to_json(), "{}");
}

#[test]
fn every_problem_is_reported() {
    let refused = RunAgentInput::parse(
        r#"{"runId":7,"messages":[{"role":"wizard","id":"m"},{"role":"user","id":"m","content":[{"type":"smell"}]},
            {"role":"tool","id":"m","content":"x"}],"resume":[{"interruptId":"i","status":"maybe"}]}"#,
    )
    .unwrap_err();
    let said: Vec<String> = refused
        .problems()
        .iter()
        .map(|problem| format!("{} {}", problem.path(), problem.code()))
        .collect();
    assert_eq!(
        said,
        [
            "body.threadId missing",
            "body.runId string_type",
            "body.messages.0 union_tag_invalid",
            "body.messages.1.user.content.str string_type",
            "body.messages.1.user.content.list[ContentPart].0 union_tag_invalid",
            "body.messages.2.tool.toolCallId missing",
            "body.resume.0.status literal_error",
        ]
    );
    assert_eq!(refused.status(), 422);
}

#[test]
fn results_of_client_calls_are_added_to_the_next_request() {
    let turn = read(
        &[
            r#"{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"ask"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c1"}"#,
            r#"{"type":"TOOL_CALL_START","toolCallId":"c2","toolCallName":"ask"}"#,
            r#"{"type":"TOOL_CALL_END","toolCallId":"c2"}"#,
            r#"{"type":"STATE_SNAPSHOT","snapshot":{"n":2}}"#,
            r#"{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"PLAN","content":{"n":2}}"#,
        ],
        "",
    );
    let mut ids = Counter::default();
    for (answers, code) in [
        (vec![("c1", "a")], "answer-missing"),
        (vec![("c1", "a"), ("c1", "b"), ("c2", "c")], "answered-twice"),
        (vec![("c3", "a")], "not-pending"),
    ] {
        assert_eq!(asking().tool_answers("r2", &turn, answers, &mut ids).unwrap_err().code, code);
    }
    let next =
        asking().tool_answers("r2", &turn, [("c2", "two"), ("c1", "one")], &mut ids).unwrap();
    assert_eq!((&*next.run_id, next.state.to_json()), ("r2", "{\"n\":2}".to_owned()));
    assert_eq!(
        next.messages[3..],
        [InputMessage::tool("msg_1", "c1", "one"), InputMessage::tool("msg_2", "c2", "two")]
    );
    assert!(!next.to_json().unwrap().contains("PLAN"), "activities are not sent to agents");
}

#[test]
fn all_interrupts_must_be_answered_before_they_expire() {
    let outcome = concat!(
        r#","outcome":{"type":"interrupt","interrupts":[{"id":"i1","reason":"question"},"#,
        r#"{"id":"i2","reason":"confirmation","expiresAt":"2026-01-01T00:00:00Z"}]}"#
    );
    let turn = read(&[], outcome);
    let midnight = 1_767_225_600_000;
    let resolved = |id: &str| ResumeEntry::resolved(id, true.into());
    let resuming = |entries: Vec<ResumeEntry>, now| asking().resuming("r2", &turn, entries, now);
    let missing = resuming(vec![resolved("i2")], 0).unwrap_err();
    assert_eq!(missing.problem, "Thread has 1 pending interrupt(s) not addressed by resume: i1");
    let unknown = resuming(vec![resolved("i1"), resolved("i2"), resolved("i3")], 0).unwrap_err();
    assert_eq!(unknown.problem, "responses reference unknown interrupt ids: i3");
    let both = || vec![resolved("i1"), resolved("i2")];
    assert!(resuming(both(), midnight - 1).is_ok());
    let late = resuming(both(), midnight).unwrap_err();
    assert_eq!(
        late.problem,
        "Interrupt i2 expired at 2026-01-01T00:00:00Z and can no longer be answered."
    );
    let next = resuming(vec![resolved("i1"), ResumeEntry::cancelled("i2")], midnight).unwrap();
    let json = next.to_json().unwrap();
    assert!(json.ends_with(
        r#""resume":[{"interruptId":"i1","status":"resolved","payload":true},{"interruptId":"i2","status":"cancelled"}]}"#
    ));
}

#[test]
fn expiry_times_are_parsed_as_iso_8601() {
    for (text, expected) in [
        ("1970-01-01T00:00:00Z", Some(0)),
        ("1970-01-01", Some(0)),
        ("2000-02-29T12:00:00.5Z", Some(951_825_600_500)),
        ("2026-01-31T23:59:59.999+01:00", Some(1_769_900_399_999)),
        ("2026-01-31T23:59:59.9999999-01:30", Some(1_769_909_399_999)),
        ("2026-01-31T23:59", Some(1_769_903_940_000)),
        ("1969-12-31T23:59:59Z", Some(-1_000)),
        ("2026-13-01T00:00:00Z", None),
        ("2026-1-1", None),
        ("tomorrow", None),
        ("2026-01-01T", None),
        ("2026-01-01T00:00:00Zulu", None),
        ("", None),
    ] {
        let interrupt = Value::from([("id", "i".into()), ("expiresAt", text.into())]);
        let mut turn = Snapshot::default();
        turn.pending_interrupts = Value::Array(vec![interrupt]);
        let is_late = |now: i64| {
            let entries = vec![ResumeEntry::resolved("i", true.into())];
            asking()
                .resuming("r2", &turn, entries, now)
                .is_err_and(|error| error.code == "interrupt-expired")
        };
        match expected {
            Some(time) => assert_eq!([time - 1, time].map(is_late), [false, true], "{text}"),
            // A time that cannot be read does not expire.
            None => assert!(!is_late(i64::MAX), "{text}"),
        }
    }
}
