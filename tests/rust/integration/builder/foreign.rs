//! Messages that were created elsewhere.

use super::json::nested;
use super::{builder, foreign, member, member_of, open, refused, started};
use agentwire::agent_api::{Content, ErrorInfo, Message, MessageType, Payload, Role, RunStatus};
use agentwire::json::Value;

#[test]
fn existing_messages_are_streamed() {
    let response = started();
    let mut message = foreign(RunStatus::Completed, &["a", "b"]);
    message.extra.push(member_of("surface", 1.into()));
    message.content[0].extra.push(member_of("cache", true.into()));
    let events = response.add_message(message).unwrap();
    let said: Vec<_> = events.iter().map(|e| (member(e, "object"), member(e, "status"))).collect();
    let said: Vec<_> =
        said.iter().map(|(o, s)| (o.trim_matches('"'), s.trim_matches('"'))).collect();
    assert_eq!(
        said,
        [
            ("message", "in_progress"),
            ("content", "completed"),
            ("content", "completed"),
            ("message", "completed")
        ]
    );
    assert!(
        events[0].json().contains(r#""content":null"#)
            && events[0].json().ends_with(r#""surface":1}"#)
    );
    assert!(
        events[1].json().ends_with(r#""msg_id":"msg_f","text":"a","cache":true}"#),
        "{}",
        events[1]
    );
    assert!(events[3].json().ends_with(r#""surface":1}"#));

    // Already known: an update, and it has ended.
    let again = refused(response.add_message(foreign(RunStatus::Completed, &["a", "b"])));
    assert_eq!(again.code, "message-after-end");
}

#[test]
fn update_message_continues_an_open_message() {
    let response = started();
    let unknown = refused(response.update_message(foreign(RunStatus::InProgress, &[])));
    assert_eq!(unknown.code, "message-unknown");
    let count = |message| response.update_message(message).map(|events| events.len());
    assert_eq!(response.add_message(foreign(RunStatus::Created, &["a"])).unwrap().len(), 2);
    // An update without new content is one event; an update without parts keeps the parts.
    assert_eq!(count(foreign(RunStatus::InProgress, &["a"])), Ok(1));
    assert_eq!(count(foreign(RunStatus::InProgress, &[])), Ok(1));
    assert_eq!(count(foreign(RunStatus::InProgress, &["a", "b"])), Ok(1));
    for parts in [&["x", "b"][..], &["a"], &["a", "c"]] {
        let misuse = refused(count(foreign(RunStatus::InProgress, parts)));
        assert_eq!(misuse.code, "content-after-end", "{parts:?}");
    }
    let mut changed = foreign(RunStatus::InProgress, &["a", "b"]);
    changed.role = Some(Role::Tool);
    assert_eq!(refused(count(changed.clone())).code, "message-changed");
    (changed.role, changed.r#type) = (Some(Role::Assistant), MessageType::Message);
    assert_eq!(refused(count(changed)).code, "message-changed");
    let mut end = foreign(RunStatus::Failed, &["a", "b", "c"]);
    end.error = Some(ErrorInfo::new("c", "m"));
    assert_eq!(count(end), Ok(2));

    // A message of a builder can be updated as well, between its contents.
    let built = open(&response);
    let text = built.create_content_builder("text").unwrap();
    drop(text.add_delta("x").unwrap());
    let mut update = built.get_message_data();
    assert_eq!(refused(count(update.clone())).code, "part-missing");
    drop(text.complete().unwrap());
    let more = Payload::Refusal { refusal: None };
    update = built.get_message_data();
    update.content.push(Content::new("", 1, more));
    update.status = RunStatus::Completed;
    assert_eq!(count(update), Ok(2));
    // The sequence numbers have no gap: refused calls emit nothing.
    assert_eq!(response.completed().unwrap().sequence_number(), Some(14));
}

#[test]
fn existing_messages_are_validated_before_anything_is_written() {
    let response = started();
    let edit = |change: fn(&mut Message)| {
        let mut message = foreign(RunStatus::Completed, &["a", "b"]);
        change(&mut message);
        message
    };
    let deep = |message: &mut Message| message.metadata = Some(nested(200));
    let table: [(&str, Message); 13] = [
        ("message-without-id", edit(|m| m.id = "".into())),
        ("unknown-role", edit(|m| m.role = Some("critic".into()))),
        ("status-unknown", edit(|m| m.status = RunStatus::Unknown)),
        ("status-unknown", edit(|m| m.status = "gone".into())),
        ("index-gap", edit(|m| m.content[1].index = 2)),
        ("index-gap", edit(|m| m.content.reverse())),
        (
            "unknown-content-type",
            edit(|m| m.content[1].payload = Payload::Other { r#type: "x".to_owned() }),
        ),
        ("not-an-object", edit(|m| m.usage = Some(Value::Null))),
        (
            "not-an-object",
            edit(|m| m.content[0].payload = Payload::Data { data: Some("x".into()) }),
        ),
        ("too-deep", edit(deep)),
        ("duplicate-key", edit(|m| m.extra.push(member_of("id", 1.into())))),
        ("duplicate-key", edit(|m| m.content[0].extra.push(member_of("delta", 1.into())))),
        (
            "duplicate-key",
            edit(|m| m.extra = vec![member_of("x", 1.into()), member_of("x", 1.into())]),
        ),
    ];
    for (code, message) in table {
        assert_eq!(refused(response.add_message(message)).code, code);
    }
    assert_eq!(response.in_progress().unwrap().sequence_number(), Some(2));
    assert!(response.get_response_data().output.is_empty());
    let early = refused(builder().add_message(foreign(RunStatus::Completed, &[])));
    assert_eq!(early.code, "response-not-created");
}
