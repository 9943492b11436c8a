//! The changes of a push, applied to the snapshot before it, yield the snapshot after it.

use agentwire::json::Value as Free;
use agentwire::read::AnyOptions;
use agentwire::snapshot::{Path, PathStep, TextDelta, TextKind};
use agentwire::{AnyReader, Change, Reader, ag_kit};
use agentwire_cases::cut;
use serde_json::Value;

use crate::reading::{options, protocol_of};

fn snapshot_of(reader: &AnyReader) -> Value {
    let snapshot = serde_json::to_value(reader.snapshot().unwrap().to_owned()).unwrap();
    snapshot["snapshot"].clone()
}

/// Returns the whole snapshot as text, which is cheaper than a value where only equality is tested.
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
            // A removed member.
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

/// The size in bytes above which only one in ten of the chunks without changes is checked, because
/// each check takes time proportional to the snapshot.
const LONG: usize = 50_000;

#[test]
fn changes_applied_to_a_snapshot_yield_the_next_one() {
    let (mut sets, mut adds, mut appends) = (0, 0, 0);
    for case in agentwire_cases::reads() {
        let stream = case.stream();
        for chunks in [cut::random(&stream, 1), stream.chunks(400).collect()] {
            let mut reader = AnyReader::with_options(protocol_of(&case), options(&case));
            let (mut before, mut said) = (snapshot_of(&reader), text(&reader));
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
                let after = snapshot_of(&reader);
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
fn deltas_of_one_text_are_one_change() {
    let text = |piece: &str| format!("data: {{\"type\":\"text\",\"content\":\"{piece}\"}}\n\n");
    let mut reader = Reader::new(ag_kit::AgKit::default());
    let added = reader.push(text("Hi").as_bytes()).to_vec();
    assert_eq!(
        added.iter().map(|change| change.path().to_string()).collect::<Vec<_>>(),
        ["parts.0"]
    );
    assert!(matches!(added[..], [Change::Add { .. }]));
    let grown: Vec<_> = reader
        .push([text(" t"), text("here"), text("!")].concat().as_bytes())
        .into_iter()
        .collect();
    let [Change::Append { path, from: 2, piece }] = &grown[..] else { panic!("{grown:?}") };
    assert_eq!((path.to_string().as_str(), piece.as_str()), ("parts.0.text", " there!"));
    assert_eq!(reader.changes().to_vec(), grown);
    assert!(reader.push(b": ping\n\n").is_empty());
}

#[test]
fn no_changes_are_reported_before_the_protocol_is_detected() {
    let mut reader = AnyReader::new();
    assert!(reader.push(b"data: {\"type\":\"te").is_empty());
    assert!(
        reader.protocol().is_none() && reader.snapshot().is_none() && reader.report().is_none()
    );
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

/// The texts of the agent in a snapshot by their kind, found without the table of the library.
fn texts(protocol: &str, answer: &Value) -> Vec<(TextKind, String)> {
    let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let text = |part: &Value| {
        part["text"].as_str().or(part["refusal"].as_str()).unwrap_or_default().to_owned()
    };
    let mut found = Vec::new();
    match protocol {
        "agent-api" => {
            for message in list(&answer["response"], "output") {
                let kind = match message["type"].as_str() {
                    Some("message")
                        if matches!(message["role"].as_str(), None | Some("assistant")) =>
                    {
                        TextKind::Answer
                    }
                    Some("reasoning") => TextKind::Reasoning,
                    _ => continue,
                };
                found.extend(list(&message, "content").iter().map(|content| (kind, text(content))));
            }
        }
        "anthropic" => {
            for block in list(answer, "content") {
                for (name, kind) in [("text", TextKind::Answer), ("thinking", TextKind::Reasoning)]
                {
                    if block["type"] == name {
                        found.extend(block[name].as_str().map(|text| (kind, text.to_owned())));
                    }
                }
            }
        }
        "chat" => {
            for choice in list(answer, "choices") {
                let message = &choice["message"];
                for (name, kind) in [
                    ("content", TextKind::Answer),
                    ("refusal", TextKind::Answer),
                    ("reasoning_content", TextKind::Reasoning),
                ] {
                    found.extend(message[name].as_str().map(|text| (kind, text.to_owned())));
                }
            }
        }
        "gemini" => {
            for candidate in list(answer, "candidates") {
                for part in list(&candidate["content"], "parts") {
                    let kind = if part["thought"] == true {
                        TextKind::Reasoning
                    } else {
                        TextKind::Answer
                    };
                    found.extend(part["text"].as_str().map(|text| (kind, text.to_owned())));
                }
            }
        }
        "agentscope" => {
            for block in list(answer, "content") {
                match block["type"].as_str() {
                    Some("text") => found.push((TextKind::Answer, text(&block))),
                    Some("thinking") => {
                        let thinking = block["thinking"].as_str().unwrap_or_default();
                        found.push((TextKind::Reasoning, thinking.to_owned()));
                    }
                    _ => {}
                }
            }
        }
        "interactions" => {
            for step in list(answer, "steps") {
                let (name, kind) = match step["type"].as_str() {
                    Some("model_output") => ("content", TextKind::Answer),
                    Some("thought") => ("summary", TextKind::Reasoning),
                    _ => continue,
                };
                let texts = list(&step, name).into_iter().filter(|part| part["type"] == "text");
                found.extend(texts.map(|part| (kind, text(&part))));
            }
        }
        "ag-kit" => {
            let parts = list(answer, "parts").into_iter().filter(|part| part["type"] == "text");
            found.extend(parts.map(|part| (TextKind::Answer, text(&part))));
        }
        "ag-ui" => {
            for message in list(answer, "messages") {
                let kind = match message["role"].as_str() {
                    Some("assistant") => TextKind::Answer,
                    Some("reasoning") => TextKind::Reasoning,
                    _ => continue,
                };
                found.push((kind, message["content"].as_str().unwrap_or_default().to_owned()));
            }
        }
        "ai-sdk" => {
            for part in list(answer, "parts") {
                match part["type"].as_str() {
                    Some("text") => found.push((TextKind::Answer, text(&part))),
                    Some("reasoning") => found.push((TextKind::Reasoning, text(&part))),
                    _ => {}
                }
            }
        }
        "responses" => {
            for item in list(answer, "output") {
                for part in list(&item, "content").into_iter().chain(list(&item, "summary")) {
                    let kind = match part["type"].as_str() {
                        Some("output_text" | "refusal") => TextKind::Answer,
                        Some("reasoning_text" | "summary_text") => TextKind::Reasoning,
                        _ => continue,
                    };
                    found.push((kind, text(&part)));
                }
            }
        }
        "a2a" => {
            let task = &answer["task"];
            let mut messages = list(task, "history");
            messages.extend(answer.get("message").cloned().filter(Value::is_object));
            messages.retain(|message| message["role"] != "ROLE_USER");
            for holder in list(task, "artifacts").into_iter().chain(messages) {
                found.extend(
                    list(&holder, "parts").iter().map(|part| (TextKind::Answer, text(part))),
                );
            }
        }
        other => panic!("{other}"),
    }
    found
}

/// The characters of the texts of a kind, in an order that does not depend on which text they
/// belong to.
fn characters(texts: impl Iterator<Item = String>) -> Vec<char> {
    let mut characters: Vec<char> =
        texts.flat_map(|text| text.chars().collect::<Vec<_>>()).collect();
    characters.sort_unstable();
    characters
}

/// The cases in which a text is replaced by one that does not begin with it.
const REPLACED: [&str; 10] = [
    "tests/data/corpus/a2a/append_renames",
    "tests/data/corpus/a2a/artifact_replace",
    "tests/data/corpus/a2a/split_characters",
    // Interleaved deltas of two texts, then each of them complete.
    "tests/data/corpus/a2a/texts_by_turns",
    "tests/data/corpus/ag-ui/binary_all_kinds",
    "tests/data/corpus/ag-ui/messages_snapshot_merge",
    "tests/data/corpus/agent-api/51_set_text_mixed_with_deltas",
    "tests/data/corpus/agent-api/text_mismatch",
    "tests/data/corpus/responses/duplicate_item_id",
    "tests/data/corpus/responses/text_done_differs_from_deltas",
];

/// The cases in which a text is removed, or belongs to a message whose type changes.
const REMOVED: [&str; 10] = [
    "tests/data/corpus/a2a/message_and_task",
    "tests/data/corpus/agent-api/content_type_changes",
    "tests/data/corpus/agent-api/message_changes",
    "tests/data/corpus/agent-api/message_drops_a_part",
    // The text of the end is shorter.
    "tests/data/corpus/agentscope/replaced_text",
    "tests/data/corpus/ai-sdk/message_changed",
    "tests/data/corpus/ai-sdk/reset_step",
    "tests/data/corpus/ai-sdk/start_after_parts",
    "tests/data/corpus/responses/invalid_utf8_in_a_text",
    "tests/data/corpus/responses/item_of_another_type",
];

#[test]
fn text_deltas_add_up_to_the_text_at_any_chunk_boundary() {
    let (mut streams, mut replaced, mut removed, mut counts) = (0, Vec::new(), Vec::new(), [0; 2]);
    for case in agentwire_cases::reads().into_iter().filter(|case| case.protocol != "toy") {
        let stream = case.stream();
        for chunks in [vec![&stream[..]], stream.chunks(400).collect(), cut::random(&stream, 1)] {
            let mut reader = AnyReader::with_options(protocol_of(&case), options(&case));
            let before = texts(&case.protocol, &snapshot_of(&reader));
            let mut deltas: Vec<TextDelta> = Vec::new();
            for chunk in chunks {
                let new = reader.push(chunk).text_deltas();
                if !new.is_empty() && (stream.len() < LONG || deltas.len().is_multiple_of(10)) {
                    let after = snapshot_of(&reader);
                    for TextDelta { path, from, text, .. } in &new {
                        let held = found(&after, path)
                            .and_then(Value::as_str)
                            .unwrap_or_else(|| panic!("{case}: {path}"));
                        assert_eq!(&held[*from..], text, "{case}: {path}");
                    }
                }
                deltas.extend(new);
            }
            streams += 1;
            if deltas.iter().any(|delta| delta.replaces) {
                replaced.push(case.to_string());
                continue;
            }
            let after = texts(&case.protocol, &snapshot_of(&reader));
            for (at, kind) in [TextKind::Answer, TextKind::Reasoning].into_iter().enumerate() {
                let of = |texts: &[(TextKind, String)]| {
                    let texts: Vec<_> = texts
                        .iter()
                        .filter(|text| text.0 == kind)
                        .map(|text| text.1.clone())
                        .collect();
                    texts.into_iter()
                };
                let told = deltas
                    .iter()
                    .filter(|delta| delta.kind == kind)
                    .map(|delta| delta.text.clone());
                let told = characters(of(&before).chain(told));
                counts[at] += told.len();
                let held = characters(of(&after));
                if told != held {
                    removed.push(case.to_string());
                }
            }
        }
    }
    assert!(streams > 500 && counts[0] > 20_000 && counts[1] > 100, "{streams} {counts:?}");
    replaced.dedup();
    removed.dedup();
    assert_eq!(replaced, REPLACED);
    assert_eq!(removed, REMOVED);
}

/// The deltas of each event: their texts, joined by `|`, with `!` before one that replaces.
fn deltas_of(protocol: &str, events: &[&str]) -> Vec<String> {
    let protocol = agentwire::ProtocolKind::READABLE.iter().find(|kind| kind.as_str() == protocol);
    let mut reader = AnyReader::with_options(protocol.copied(), AnyOptions::default());
    let deltas = events.iter().map(|event| {
        let new = reader.push(format!("data: {event}\n\n").as_bytes()).text_deltas();
        let shown = new.iter().map(|delta| {
            if delta.replaces { format!("!{}", delta.text) } else { delta.text.clone() }
        });
        shown.collect::<Vec<_>>().join("|")
    });
    deltas.collect()
}

#[test]
fn repeated_text_is_not_a_text_delta() {
    let snapshot = [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"}"#,
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"u","role":"user","content":"Hi"},{"id":"m","role":"assistant","content":"Hello"}]}"#,
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","content":"Hello"},{"id":"n","role":"assistant","content":"New"}]}"#,
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","content":"Help"}]}"#,
    ];
    assert_eq!(deltas_of("ag-ui", &snapshot), ["", "", "Hel", "lo", "New", "!p"]);

    let artifact = |append: bool, text: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"result":{{"artifactUpdate":{{"taskId":"t","append":{append},"artifact":{{"artifactId":"a","parts":[{{"text":"{text}"}}]}}}}}}}}"#
        )
    };
    let task = r#"{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","status":{"state":"TASK_STATE_WORKING"}}}}"#;
    let (one, two, all) =
        (artifact(false, "one "), artifact(true, "two"), artifact(false, "one two three"));
    assert_eq!(
        deltas_of("a2a", &[task, &one, &two, &all, &all]),
        ["", "one ", "two", " three", ""]
    );

    let item = |text: &str| {
        format!(
            r#"{{"type":"response.completed","response":{{"id":"r","status":"completed","output":[{{"id":"m","type":"message","role":"assistant","content":[{{"type":"output_text","text":"{text}"}}]}}]}}}}"#
        )
    };
    assert_eq!(deltas_of("responses", &[&item("whole")]), ["whole"]);

    let content = |delta: bool, text: &str| {
        format!(
            r#"{{"object":"content","type":"text","index":0,"msg_id":"m","delta":{delta},"status":"in_progress","text":"{text}"}}"#
        )
    };
    let events = [
        r#"{"object":"response","id":"r","status":"created"}"#.to_owned(),
        r#"{"object":"message","id":"m","type":"message","role":"assistant","status":"in_progress"}"#
            .to_owned(),
        content(true, "Hel"),
        content(false, "Hello"),
        content(true, "!"),
    ];
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    assert_eq!(deltas_of("agent-api", &events), ["", "", "Hel", "lo", "!"]);
}

#[test]
fn text_added_and_repeated_in_one_push_is_one_text_delta() {
    let mut reader = AnyReader::new();
    let events = [
        r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
        r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"}"#,
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"He"}"#,
    ];
    let frame = |event: &str| format!("data: {event}\n\n");
    reader.push(events.map(frame).concat().as_bytes());
    // A delta, and a snapshot of the thread with it, in one chunk.
    let more = [
        r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"llo"}"#,
        r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","content":"Hello!"}]}"#,
    ];
    let deltas = reader.push(more.map(frame).concat().as_bytes()).text_deltas();
    assert_eq!(
        deltas.iter().map(|delta| (delta.from, &*delta.text)).collect::<Vec<_>>(),
        [(2, "llo!")]
    );
}
