//! The JSON Schemas that the declarations print (`tests/data/schemas`): every snapshot of the
//! corpora is valid, and every event that is not valid is reported.

use agentwire::ProtocolKind;
use agentwire::read::ReadOptions;
use agentwire::read::{EventReader, StreamEntry};
use agentwire_cases::reads;
use jsonschema::Validator;

use crate::reading::{options, protocol_of, read};
use crate::spoken;

/// The number of moments of a stream at which its snapshot is validated.
const MOMENTS: usize = 16;

/// The expectation in the faults of AG-UI's own checks for some members.
const WORDS: &str = "one of the protocol's words";

/// The schema of the snapshots or events of a protocol, from the committed file.
fn schema(kind: ProtocolKind, of: &str) -> serde_json::Value {
    let path = agentwire_cases::path(&format!("tests/data/schemas/{}.{of}.json", kind.as_str()));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

fn validator(kind: ProtocolKind, of: &str) -> Validator {
    jsonschema::draft202012::new(&schema(kind, of)).unwrap()
}

fn parse(json: &str) -> serde_json::Value {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

/// Returns short descriptions of the errors in a value.
fn wrong(validator: &Validator, value: &serde_json::Value) -> Vec<String> {
    validator
        .iter_errors(value)
        .map(|error| format!("{}: {error:.300}", error.instance_path()))
        .collect()
}

#[test]
fn every_snapshot_of_the_corpus_is_valid_at_any_time() {
    for kind in spoken() {
        let schema = validator(kind, "answer");
        let cases: Vec<_> = reads().into_iter().filter(|case| protocol_of(case) == kind).collect();
        assert!(cases.len() > 20, "{kind:?} has {} cases", cases.len());
        for case in cases {
            assert_eq!(
                wrong(&schema, &parse(&case.text("snapshot.json"))),
                [] as [String; 0],
                "{case}"
            );
            let bytes = case.stream();
            for part in 1..=MOMENTS {
                let chunk = &bytes[..bytes.len() * part / MOMENTS];
                let snapshot = read(kind, options(&case), [chunk]).snapshot.to_json();
                assert_eq!(
                    wrong(&schema, &parse(&snapshot)),
                    [] as [String; 0],
                    "{case}, {} bytes",
                    chunk.len()
                );
            }
        }
    }
}

#[test]
fn every_event_of_the_corpus_is_valid_or_reported() {
    let (mut right, mut faulty) = (0, 0);
    for case in reads() {
        let kind = protocol_of(&case);
        let schema = validator(kind, "event");
        let mut reader = EventReader::new(Some(kind), &ReadOptions::default());
        let entries = reader.push(&case.stream()).into_iter().chain(reader.finish());
        for entry in entries {
            let StreamEntry::Event(event) = entry else { continue };
            let Ok(value) = serde_json::from_str(&event.data) else { continue };
            let wrong = wrong(&schema, &value);
            match event.fault {
                None if wrong.is_empty() => right += 1,
                // A part of the event that its reader drops.
                None => {
                    let report = read(kind, options(&case), [&case.stream()[..]]).report;
                    let is_reported = report.violations.iter().any(|violation| {
                        violation.at.event == event.number && violation.rule.id == "malformed-event"
                    });
                    assert!(is_reported, "{case}: {wrong:?}: {}", event.data);
                }
                // The schema rejects every event that a table rejects; other code checks the tag
                // and the enumeration values of
                // AG-UI.
                Some(fault) if ["missing-member", "wrong-type"].contains(&fault.code) => {
                    let is_of_table = fault.path != kind.events().tag && fault.expected != WORDS;
                    assert!(!wrong.is_empty() || !is_of_table, "{case}: {fault:?}: {}", event.data);
                    faulty += usize::from(!wrong.is_empty());
                }
                Some(_) => {}
            }
        }
    }
    assert!(right > 1_500 && faulty >= 10, "{right} events, {faulty} that both refuse");
}

/// A snapshot of the corpus that contains this text.
fn answer_with(kind: ProtocolKind, text: &str) -> serde_json::Value {
    let cases = reads().into_iter().filter(|case| protocol_of(case) == kind);
    let texts = cases.map(|case| case.text("snapshot.json"));
    parse(&texts.into_iter().find(|snapshot| snapshot.contains(text)).expect("an answer"))
}

#[test]
fn invalid_snapshots_are_detected() {
    for kind in spoken() {
        let schema = validator(kind, "answer");
        let answer = answer_with(kind, "{");
        let members: Vec<String> = answer.as_object().unwrap().keys().cloned().collect();
        for member in &members {
            let mut without = answer.clone();
            without.as_object_mut().unwrap().remove(member);
            let is_optional = schema.is_valid(&without);
            let declared = kind.model().objects.iter().flat_map(|object| object.members);
            let is_absent = |shape| {
                matches!(shape, agentwire::internals::declare::model::shape::ValueShape::Absent(_))
            };
            let may_be = declared.filter(|row| row.name == member).any(|row| is_absent(row.shape));
            assert!(!is_optional || may_be, "{kind:?} without {member}");
        }
        assert!(!schema.is_valid(&serde_json::json!([answer])), "{kind:?}: a list");
    }
    let agent_api = validator(ProtocolKind::AgentApi, "answer");
    let answer = answer_with(ProtocolKind::AgentApi, r#""type": "text""#);
    let changed = |path: &str, value: serde_json::Value| {
        let mut answer = answer.clone();
        *answer.pointer_mut(path).expect(path) = value;
        agent_api.is_valid(&answer)
    };
    assert!(agent_api.is_valid(&answer));
    assert!(changed("/output/0/content/0/type", "hologram".into()), "types are open");
    assert!(!changed("/output/0/content/0/type", "video".into()), "a video has no text");
    assert!(!changed("/output/0/content/0/text", 5.into()));
    assert!(!changed("/output/0/content/0/index", "0".into()));
    assert!(!changed("/output/0/content/0/delta", true.into()), "what is kept is no piece");
    assert!(changed("/status", "paused".into()), "statuses are open");
    assert!(!changed("/status", serde_json::Value::Null));
    let ag_kit = validator(ProtocolKind::AgKit, "answer");
    let mut turn = answer_with(ProtocolKind::AgKit, "status");
    turn["status"] = "paused".into();
    assert!(!ag_kit.is_valid(&turn), "these are the fold's own words");
    turn["status"] = "completed".into();
    turn["more"] = 1.into();
    assert!(!ag_kit.is_valid(&turn), "a turn has no other members");
}

#[test]
fn invalid_events_are_detected() {
    let events: [(ProtocolKind, &[&str], &[&str]); 4] = [
        (
            ProtocolKind::AgKit,
            &[
                r#"{"type":"text","content":"","more":1}"#,
                r#"{"type":"hologram"}"#,
                "{}",
                r#"{"error":null}"#,
            ],
            &[
                r#"{"type":"text"}"#,
                r#"{"type":"text","content":null}"#,
                r#"{"type":"interrupt","id":5}"#,
                "5",
            ],
        ),
        (
            ProtocolKind::AgentApi,
            &[
                r#"{"object":"content","type":"text","index":"7","text":null}"#,
                r#"{"object":"content","type":"hologram","text":5}"#,
                r#"{"object":"message","content":[{"type":"data","data":{}}]}"#,
            ],
            &[
                r#"{"object":"content","type":"text","text":5}"#,
                r#"{"object":"content","index":"seven"}"#,
                r#"{"object":"response","output":[{"content":[{"type":"data","data":"x"}]}]}"#,
            ],
        ),
        (
            ProtocolKind::AgUi,
            &[r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","parentRunId":null}"#],
            &[
                r#"{"type":"RUN_STARTED","threadId":"t"}"#,
                r#"{"type":"TEXT_MESSAGE_END","messageId":null}"#,
            ],
        ),
        (
            ProtocolKind::A2a,
            &[
                r#"{"jsonrpc":"2.0","id":"x","result":{"task":{}}}"#,
                r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#,
                r#"{"task":{"id":"t"}}"#,
            ],
            &[
                r#"{"jsonrpc":"2.0","id":1,"result":"x"}"#,
                r#"{"jsonrpc":"2.0","id":1,"error":[]}"#,
                "5",
            ],
        ),
    ];
    for (kind, right, wrong) in events {
        let schema = validator(kind, "event");
        right.iter().for_each(|event| assert!(schema.is_valid(&parse(event)), "{kind:?}: {event}"));
        wrong
            .iter()
            .for_each(|event| assert!(!schema.is_valid(&parse(event)), "{kind:?}: {event}"));
    }
}
