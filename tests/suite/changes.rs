//! What a push has changed, applied to the answer before it, is the answer after it.

use agentwire::core::changes::{Path, PathStep};
use agentwire::json::Value as Free;
use agentwire::read::any::AnyOptions;
use agentwire::{AnyReader, Change, Reader, ag_kit};
use agentwire_cases::cut;
use serde_json::Value;

use crate::reading::{options, protocol_of};

fn whole(reader: &AnyReader) -> Value {
    let snapshot = serde_json::to_value(reader.snapshot().unwrap().to_owned()).unwrap();
    snapshot["snapshot"].clone()
}

/// Cheaper than the whole as a value, where nothing else is asked than whether it is the same.
fn text(reader: &AnyReader) -> String {
    reader.snapshot().unwrap().to_owned().to_json()
}

fn at<'v>(value: &'v mut Value, path: &Path) -> &'v mut Value {
    path.0.iter().fold(value, |value, step| match step {
        PathStep::Member(name) => &mut value[&**name],
        PathStep::Place(place) => &mut value[*place],
    })
}

fn found<'v>(value: &'v Value, path: &Path) -> Option<&'v Value> {
    path.0.iter().try_fold(value, |value, step| match step {
        PathStep::Member(name) => value.get(&**name),
        PathStep::Place(place) => value.get(*place),
    })
}

fn apply(before: &mut Value, after: &Value, change: &Change) {
    match change {
        Change::Set { path } => match found(after, path) {
            Some(value) => *at(before, path) = value.clone(),
            // A member that is not there any more.
            None => {
                let mut object = path.clone();
                let Some(PathStep::Member(name)) = object.0.pop() else { panic!("{path}") };
                at(before, &object).as_object_mut().unwrap().remove(&*name);
            }
        },
        Change::Add { path } => {
            let mut list = path.clone();
            let Some(PathStep::Place(place)) = list.0.pop() else { panic!("{path}") };
            let new = found(after, path).unwrap().clone();
            at(before, &list).as_array_mut().unwrap().insert(place, new);
        }
        Change::Append { path, from, piece } => {
            let held = at(before, path);
            let text = held.as_str().unwrap_or_default();
            assert_eq!(text.len(), *from, "{path}");
            *held = format!("{text}{piece}").into();
        }
        other => panic!("{other:?}"),
    }
}

/// Of streams with more bytes, one in ten of the chunks that change nothing is looked at: each look takes as long as the answer.
const LONG: usize = 50_000;

#[test]
fn changes_lead_from_each_answer_to_the_next() {
    let (mut sets, mut adds, mut appends) = (0, 0, 0);
    for case in agentwire_cases::reads() {
        let stream = case.stream();
        for chunks in [cut::random(&stream, 1), stream.chunks(400).collect()] {
            let mut reader = AnyReader::new(Some(protocol_of(&case)), options(&case));
            let (mut before, mut said) = (whole(&reader), text(&reader));
            for (at, chunk) in chunks.into_iter().enumerate() {
                let changes = reader.push(chunk).to_vec();
                if changes.is_empty() && stream.len() > LONG && at % 10 > 0 {
                    continue;
                }
                let saying = text(&reader);
                if changes.is_empty() {
                    assert_eq!(said, saying, "{case}");
                    continue;
                }
                let after = whole(&reader);
                for change in &changes {
                    apply(&mut before, &after, change);
                    match change {
                        Change::Set { .. } => sets += 1,
                        Change::Add { .. } => adds += 1,
                        _ => appends += 1,
                    }
                }
                assert_eq!(before, after, "{case}: {changes:?}");
                (before, said) = (after, saying);
            }
        }
    }
    assert!(sets > 1_000 && adds > 500 && appends > 100, "{sets} {adds} {appends}");
}

#[test]
fn pieces_of_one_text_are_one_change() {
    let text = |piece: &str| format!("data: {{\"type\":\"text\",\"content\":\"{piece}\"}}\n\n");
    let mut reader = Reader::new(ag_kit::AgKit::default());
    let added = reader.push(text("Hi").as_bytes()).to_vec();
    assert_eq!(added.iter().map(|change| change.path().to_string()).collect::<Vec<_>>(), ["parts.0"]);
    assert!(matches!(added[..], [Change::Add { .. }]));
    let grown: Vec<_> =
        reader.push([text(" t"), text("here"), text("!")].concat().as_bytes()).into_iter().collect();
    let [Change::Append { path, from: 2, piece }] = &grown[..] else { panic!("{grown:?}") };
    assert_eq!((path.to_string().as_str(), piece.as_str()), ("parts.0.text", " there!"));
    assert_eq!(reader.changes().to_vec(), grown);
    assert!(reader.push(b": ping\n\n").is_empty());
}

#[test]
fn nothing_changes_before_the_protocol_is_known() {
    let mut reader = AnyReader::new(None, AnyOptions::default());
    assert!(reader.push(b"data: {\"type\":\"te").is_empty());
    assert!(reader.protocol().is_none() && reader.snapshot().is_none() && reader.report().is_none());
    let changes = reader.push(b"xt\",\"content\":\"Hi\"}\n\n").to_vec();
    assert_eq!(changes[0].path().to_string(), "parts.0");
    assert_eq!(reader.protocol().map(|protocol| protocol.as_str()), Some("ag-kit"));
    assert!(!reader.has_ended() && reader.last_event_id().is_empty());
    reader.push(b"data: [DONE]\n\n");
    assert!(reader.has_ended());
    assert_eq!(
        Free::parse(&reader.snapshot().unwrap().to_owned().to_json(), 9).unwrap().get("status"),
        Some(&"completed".into())
    );
}
