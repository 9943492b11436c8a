//! Every case of `tests/corpus/ag_kit`, at every kind of cut.

use std::path::{Path, PathBuf};

use agentwire::ag_kit::{AgKit, ErrorInfo, Event, Part, Snapshot, Status, rules};
use agentwire::json::Value;
use agentwire::read::detect::{ProtocolKind, detect};
use agentwire::sse::{Decoder, Ending, Item};
use agentwire::{Limits, Outcome, Reader};

use crate::cut;

fn cases() -> Vec<PathBuf> {
    let mut cases: Vec<PathBuf> = std::fs::read_dir("tests/corpus/ag_kit")
        .expect("the corpus")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    assert!(cases.len() >= 55, "{} cases", cases.len());
    cases
}

fn is_ag_ui(case: &Path) -> bool {
    // a01 to a11; the names of hand-written cases have no number there.
    let name = case.file_name().and_then(|name| name.to_str()).expect("a name");
    name.starts_with('a') && name.as_bytes()[1].is_ascii_digit()
}

fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Value::parse(&text, 128).unwrap_or_else(|e| panic!("{}: {e:?}", path.display()))
}

fn protocol(case: &Path) -> AgKit {
    let mut protocol = AgKit::default();
    let path = case.join("options.json");
    if path.exists() {
        let options = json(&path);
        protocol.done_is_optional = options.get("doneIsOptional") == Some(&Value::Bool(true));
        if let Some(Value::Array(names)) = options.get("clientTools") {
            let names = names.iter().map(|name| name.as_str().expect("a name").to_owned());
            protocol.client_tools = Some(names.collect());
        }
    }
    protocol
}

fn read<'a>(protocol: AgKit, chunks: impl IntoIterator<Item = &'a [u8]>) -> Outcome<Snapshot> {
    let mut reader = Reader::new(protocol);
    chunks.into_iter().for_each(|chunk| reader.push(chunk));
    reader.finish()
}

/// The answer in the form of `final`, without what the events themselves are.
fn answer(outcome: &Outcome<Snapshot>) -> Value {
    let snapshot = &outcome.snapshot;
    let null = |text: &Option<String>| text.as_deref().map_or(Value::Null, Value::from);
    let parts = snapshot.parts.iter().filter_map(|part| match part {
        Part::Text { text } => Some(Value::from([("type", "text".into()), ("text", text.as_str().into())])),
        Part::ToolCall(call) => {
            let mut members = Value::from([
                ("type", "tool-call".into()),
                ("toolCallId", call.tool_call_id.as_str().into()),
                ("toolCallName", call.tool_call_name.as_str().into()),
                ("arguments", call.arguments.as_str().into()),
                ("state", call.state.as_str().into()),
            ]);
            if let Some(value) = &call.parsed_arguments {
                members.insert("parsedArguments", value.clone());
            }
            for (name, text) in [("argumentsError", &call.arguments_error), ("result", &call.result)] {
                if let Some(text) = text {
                    members.insert(name, text.as_str().into());
                }
            }
            Some(members)
        }
        _ => None,
    });
    let error = snapshot.error.as_ref().map_or(Value::Null, |ErrorInfo { message, details, .. }| {
        let mut error = Value::from([("message", message.as_str().into())]);
        if let Some(details) = details {
            error.insert("details", details.as_str().into());
        }
        error
    });
    let interrupt = snapshot.interrupts().last().map_or(Value::Null, |interrupt| {
        Value::from([
            ("id", interrupt.id.as_str().into()),
            ("reason", null(&interrupt.reason)),
            ("payload", interrupt.payload.clone()),
        ])
    });
    let pending = snapshot.pending().map(|call| call.tool_call_id.as_str().into());
    Value::from([
        ("parts", Value::Array(parts.collect())),
        ("done", (outcome.report.ended.as_str() == "terminal").into()),
        ("error", error),
        ("interrupt", interrupt),
        ("text", snapshot.text().into()),
        ("pendingToolCallIds", Value::Array(pending.collect())),
        ("status", snapshot.status.as_str().into()),
    ])
}

fn violations(outcome: &Outcome<Snapshot>) -> Value {
    let list = outcome.report.violations.iter().map(|v| {
        Value::from([
            ("rule", v.rule.id.into()),
            ("event", (v.at.event as i64).into()),
            ("messageId", v.at.message_id.as_deref().map_or(Value::Null, Value::from)),
            ("index", Value::Null),
        ])
    });
    Value::Array(list.collect())
}

/// Reads a case in every way a network may bring it.
fn every_way(case: &Path, check: impl Fn(&str, &Outcome<Snapshot>)) {
    let stream = std::fs::read(case.join("stream.sse")).expect("a stream");
    let read = |chunks: &mut dyn Iterator<Item = &[u8]>| read(protocol(case), chunks);
    check("whole", &read(&mut [stream.as_slice()].into_iter()));
    check("byte by byte", &read(&mut stream.chunks(1)));
    for seed in 0..4 {
        check(&format!("random cuts, seed {seed}"), &read(&mut cut::random(&stream, seed).into_iter()));
    }
    if !stream.contains(&b'\r') {
        let crlf = cut::crlf(&stream);
        check("CRLF", &read(&mut [crlf.as_slice()].into_iter()));
        check("CRLF byte by byte", &read(&mut crlf.chunks(1)));
    }
}

#[test]
fn every_native_case_however_it_is_cut() {
    for case in cases().into_iter().filter(|case| !is_ag_ui(case)) {
        let name = case.display();
        let expected = json(&case.join("expected.json"));
        let expected = expected.get("final").expect("final");
        let broken = json(&case.join("violations.json"));
        every_way(&case, |how, outcome| {
            let Value::Object(members) = answer(outcome) else { panic!("an object") };
            for member in members {
                let recorded = expected.get(&member.key).map(Value::to_json);
                assert_eq!(Some(member.value.to_json()), recorded, "{name}, {how}: {}", member.key);
            }
            assert_eq!(violations(outcome).to_json(), broken.to_json(), "{name}, {how}: the violations");
        });
    }
}

#[test]
fn ag_ui_is_recognised_and_not_read() {
    let mut seen = 0;
    for case in cases().into_iter().filter(|case| is_ag_ui(case)) {
        seen += 1;
        let name = case.display();
        let broken = json(&case.join("violations.json"));
        every_way(&case, |how, outcome| {
            assert_eq!(outcome.snapshot.parts, [], "{name}, {how}");
            assert_eq!(outcome.snapshot.status, Status::Truncated, "{name}, {how}: no more of it is read");
            assert_eq!(outcome.report.ended.as_str(), "refused", "{name}, {how}");
            assert_eq!(violations(outcome).to_json(), broken.to_json(), "{name}, {how}");
            assert!(outcome.report.violations[0].rule.recovery.contains("AG-UI"), "{name}, {how}");
        });
    }
    assert!(seen >= 7, "{seen}");
}

/// The events of a stream as `eventTypes` names them, as far as `[DONE]`, and the data of each.
fn events(stream: &[u8]) -> (Vec<String>, Vec<String>) {
    let (mut names, mut data) = (Vec::new(), Vec::new());
    let mut ended = false;
    let mut on = |item: Item<'_>| {
        let Item::Event(event) = item else { return };
        data.push(event.data.to_owned());
        if ended {
            return;
        }
        let decoded = Event::decode(event.data, 128);
        ended = decoded == Ok(Event::Done);
        names.push(match &decoded {
            Ok(Event::Done) => "[DONE]".to_owned(),
            Ok(Event::Error { typed: false, .. }) => "(untyped error)".to_owned(),
            Ok(event) => event.name().unwrap_or_default().to_owned(),
            Err(_) => "(malformed)".to_owned(),
        });
    };
    let mut decoder = Decoder::new(Limits::default());
    decoder.push(stream, &mut on);
    decoder.finish(Ending::Lenient, &mut on);
    (names, data)
}

#[test]
fn events_have_their_types_and_the_ignored_ones_are_reported() {
    for case in cases().into_iter().filter(|case| !is_ag_ui(case)) {
        let stream = std::fs::read(case.join("stream.sse")).expect("a stream");
        let expected = json(&case.join("expected.json"));
        let recorded = |name: &str| match expected.get("final").and_then(|end| end.get(name)) {
            Some(Value::Array(items)) => {
                items.iter().map(|item| item.as_str().expect("a string").to_owned()).collect::<Vec<_>>()
            }
            _ => panic!("{}: {name}", case.display()),
        };
        let (names, data) = events(&stream);
        assert_eq!(names, recorded("eventTypes"), "{}", case.display());
        const IGNORING: [&str; 8] = [
            "malformed-event",
            "unknown-type",
            "after-done",
            "after-error",
            "call-not-started",
            "call-started-twice",
            "args-after-end",
            "call-ended-twice",
        ];
        let outcome = read(protocol(&case), [stream.as_slice()]);
        let ignored: Vec<String> = outcome
            .report
            .violations
            .iter()
            .filter(|v| IGNORING.contains(&v.rule.id))
            .map(|v| data[v.at.event as usize].clone())
            .collect();
        assert_eq!(ignored, recorded("ignored"), "{}", case.display());
    }
}

#[test]
fn offsets_do_not_depend_on_the_cut() {
    for case in cases() {
        let stream = std::fs::read(case.join("stream.sse")).expect("a stream");
        let whole = read(protocol(&case), [stream.as_slice()]);
        let cut = read(protocol(&case), cut::random(&stream, 7));
        assert_eq!(whole.report.to_json(), cut.report.to_json(), "{}", case.display());
    }
}

#[test]
fn what_is_read_is_written_as_the_server_wrote_it() {
    let mut same = 0;
    for case in cases().into_iter().filter(|case| !is_ag_ui(case)) {
        let stream = std::fs::read(case.join("stream.sse")).expect("a stream");
        for data in events(&stream).1 {
            let Ok(event) = Event::decode(&data, 128) else { continue };
            let written = event.to_data();
            let again = Event::decode(&written, 128).expect("our own event");
            assert_eq!(again, event.clone().into_owned(), "{}: {data}", case.display());
            same += usize::from(written == data);
        }
    }
    // The others have spaces, escapes of surrogates, null members or a repeated one.
    assert!(same > 150, "{same}");
}

#[test]
fn a_stream_is_recognised_by_its_first_event() {
    for case in cases() {
        let name = case.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let stream = std::fs::read(case.join("stream.sse")).expect("a stream");
        let expected = match name.as_str() {
            "objects_without_type" => None,
            _ if is_ag_ui(&case) => Some(ProtocolKind::AgUi),
            _ => Some(ProtocolKind::AgKit),
        };
        let Some(first) = events(&stream).1.into_iter().next() else {
            assert_eq!(name, "json_lines", "a stream without events");
            continue;
        };
        assert_eq!(detect(&first), expected, "{name}: {first}");
    }
}

#[test]
fn every_rule_has_a_case() {
    crate::coverage::of(rules::ALL, &cases());
}
