//! The refusals of the builder and their messages.

use super::{builder, member, open, options, refused, started};
use agentwire::UsageError;
use agentwire::agent_api::builder::{BuilderOptions, ContentBuilder, FileFields, ResponseBuilder};
use agentwire::agent_api::{ErrorInfo, Message, MessageType, Payload, RunStatus};
use agentwire::builder::IdSource;
use agentwire::builder::WireEvent;
use agentwire::json::Value;

#[test]
fn every_call_in_a_wrong_order_names_the_correct_call() {
    let fresh = builder();
    let created = builder();
    drop(created.created().unwrap());
    let running = started();
    let unopened = running.create_message_builder("assistant", "message").unwrap();
    let ended_message = open(&running);
    drop(ended_message.complete().unwrap());
    let message = open(&running);
    let done = message.create_content_builder("text").unwrap();
    drop(done.complete().unwrap());
    let text = message.create_content_builder("text").unwrap();
    drop(text.add_delta("a").unwrap());
    let ended = started();
    let in_ended = open(&ended);
    drop(ended.finish_with(RunStatus::Completed, None));
    let early = fresh.create_message_builder("assistant", "message").unwrap();

    let table = [
        (
            refused(fresh.in_progress()),
            "in_progress() violates R10: expected a response event with status created or queued as the first event; call `created()` or `queued()` of the response first",
        ),
        (
            refused(fresh.completed()),
            "completed() violates R10: expected a response event with status created or queued as the first event; call `created()` or `queued()` of the response first",
        ),
        (
            refused(early.in_progress()),
            "MessageBuilder::in_progress() violates R10: expected a response event with status created or queued as the first event; call `created()` or `queued()` of the response first",
        ),
        (
            refused(created.failed(ErrorInfo::new("c", "m"))),
            "failed() violates R10: expected a response event with status in_progress as the second event; call `in_progress()` of the response first",
        ),
        (
            refused(running.created()),
            "created() violates R10: expected no status created or queued after in_progress; leave it out: the response is in progress already",
        ),
        (
            refused(running.completed()),
            "completed() violates R19: expected a terminal status for every message; end the open messages first, or call `finish_with()`, which does",
        ),
        (
            refused(running.canceled()),
            "canceled() violates R19: expected a terminal status for every message; end the open messages first, or call `finish_with()`, which does",
        ),
        (
            refused(ended.queued()),
            "queued() violates R33: expected no event after the terminal response event; the response has ended: make a new one, or `reset()` it for a new stream",
        ),
        (
            refused(ended.completed()),
            "completed() violates R33: expected no event after the terminal response event; the response has ended: make a new one, or `reset()` it for a new stream",
        ),
        (
            refused(ended.create_message_builder("user", "message")),
            "create_message_builder() violates R33: expected no event after the terminal response event; the response has ended: make a new one, or `reset()` it for a new stream",
        ),
        (
            refused(ended.set_usage(Value::from([("n", 1.into())]))),
            "set_usage() violates R33: expected no event after the terminal response event; the response has ended: make a new one, or `reset()` it for a new stream",
        ),
        (
            refused(in_ended.in_progress()),
            "MessageBuilder::in_progress() violates R33: expected no event after the terminal response event; the response has ended: make a new one, or `reset()` it for a new stream",
        ),
        (
            refused(unopened.complete()),
            "MessageBuilder::complete() violates R17: expected a message event with status in_progress first; call `in_progress()` of the message first",
        ),
        (
            refused(unopened.add_content(Payload::Text { text: None })),
            "add_content() violates R17: expected a message event before its contents; call `in_progress()` of the message first",
        ),
        (
            refused(unopened.create_content_builder("text").unwrap().add_text_delta("x")),
            "add_text_delta() violates R17: expected a message event before its contents; call `in_progress()` of the message first",
        ),
        (
            refused(ended_message.in_progress()),
            "MessageBuilder::in_progress() violates R19: expected no event after the terminal status of a message; the message has ended: make a new one with `create_message_builder()`",
        ),
        (
            refused(ended_message.complete()),
            "MessageBuilder::complete() violates R19: expected one terminal status per message; leave it out: the message has ended already",
        ),
        (
            refused(ended_message.set_metadata(Value::from([("n", 1.into())]))),
            "set_metadata() violates R19: expected no event after the terminal status of a message; the message has ended: make a new one with `create_message_builder()`",
        ),
        (
            refused(ended_message.create_content_builder("text")),
            "create_content_builder() violates R19: expected no content after the terminal status of its message; the message has ended: make a new one with `create_message_builder()`",
        ),
        (
            refused(message.complete()),
            "MessageBuilder::complete() violates R20: expected every streamed part in the ended message; `complete()` the open contents first, or call `finish_with()`, which does",
        ),
        (
            refused(done.complete()),
            "ContentBuilder::complete() violates R28: expected no event after a completed content; the content is complete: make a new one with `create_content_builder()`",
        ),
        (
            refused(done.add_delta("x")),
            "add_text_delta() violates R28: expected no event after a completed content; the content is complete: make a new one with `create_content_builder()`",
        ),
        (
            refused(done.set_text("x")),
            "set_text() violates R28: expected no event after a completed content; the content is complete: make a new one with `create_content_builder()`",
        ),
        (
            refused(text.set_text("b")),
            "set_text() would replace what readers have joined from the deltas; set the value before the first delta, or only add deltas",
        ),
        (
            refused(text.add_data_delta(Value::Object(vec![]))),
            "add_data_delta() is for contents of type data, and this one is of type text; create a content builder of that type",
        ),
        (
            refused(running.reset()),
            "reset() would put a second response into the stream; end this one first, with `finish_with()` if nothing else",
        ),
    ];
    for (misuse, text) in table {
        assert_eq!(misuse.to_string(), format!("{}: {text}", misuse.code));
    }
    // Rejected calls have not changed anything.
    let end = running.finish_with(RunStatus::Completed, None);
    assert_eq!(end.len(), 3);
    assert_eq!(member(&end[0], "text"), r#""a""#);
}

#[test]
fn setters_are_rejected_for_other_content_types() {
    let response = started();
    let message = open(&response);
    type Call = fn(&ContentBuilder) -> Result<WireEvent, UsageError>;
    let calls: [(&str, Call); 11] = [
        ("text", |c| c.add_text_delta("")),
        ("text", |c| c.set_text("")),
        ("refusal", |c| c.add_refusal_delta("")),
        ("refusal", |c| c.set_refusal("")),
        ("data", |c| c.add_data_delta(Value::Object(vec![]))),
        ("data", |c| c.set_data(Value::Object(vec![]))),
        ("data", |c| c.update_data("k", Value::Null)),
        ("image", |c| c.set_image_url("")),
        ("video", |c| c.set_video_url("")),
        ("audio", |c| c.set_audio("", None)),
        ("file", |c| c.set_file(FileFields::default())),
    ];
    for kind in ["text", "refusal", "data", "image", "video", "audio", "file"] {
        for (own, call) in calls {
            let content = message.create_content_builder(kind).unwrap();
            let result = call(&content);
            assert_eq!(result.is_ok(), kind == own, "{kind}: {result:?}");
            match result {
                Ok(_) => drop(content.complete().unwrap()),
                Err(misuse) => assert_eq!(misuse.code, "wrong-content-type"),
            }
        }
    }
    let misuse = refused(message.create_content_builder("hologram"));
    assert_eq!(misuse.code, "unknown-content-type");
    let other = Payload::Other { r#type: "hologram".to_owned() };
    assert_eq!(refused(message.add_content(other)).code, "unknown-content-type");
    let misuse = refused(response.create_message_builder("critic", "message"));
    assert_eq!(misuse.code, "unknown-role");
}

#[test]
fn reset_starts_a_new_stream() {
    let response = ResponseBuilder::new(options().session_id("s").response_id("mine"));
    let other = response.clone();
    let message = response.create_message_builder("assistant", "message").unwrap();
    let content = message.create_content_builder("text").unwrap();
    response.reset().unwrap();
    assert_eq!(other.id(), "response_2");
    for misuse in [
        refused(message.in_progress()),
        refused(content.add_delta("x")),
        refused(message.create_content_builder("text").map(drop)),
        refused(message.set_usage(Value::Object(vec![]))),
    ] {
        assert_eq!(misuse.code, "stale-builder");
    }
    assert!(message.finish_with(RunStatus::Failed, None).is_empty());
    // The data of the message and of the content is still available.
    assert_eq!(message.get_message_data().id, message.id());
    assert_eq!(content.get_content_data().msg_id, message.id());
    let end = other.finish_with(RunStatus::Completed, None);
    assert_eq!(end.len(), 3);
    assert_eq!(member(&end[2], "session_id"), r#""s""#);
    response.reset().unwrap();
    assert!(!other.is_ended());
    assert_eq!(other.created().unwrap().sequence_number(), Some(0));
    assert_eq!(response.id(), "response_3");
}

/// A source that returns the same id every time.
struct Parrot(&'static str);

impl IdSource for Parrot {
    fn next_id(&mut self, _: &str) -> String {
        self.0.to_owned()
    }
}

#[test]
fn duplicate_ids_are_rejected_or_replaced() {
    for id in ["", "same"] {
        let response = ResponseBuilder::new(BuilderOptions::new(Parrot(id), || 0));
        let first = response.create_message_builder("assistant", "message");
        assert_eq!(first.is_ok(), !id.is_empty());
        let misuse = refused(response.create_message_builder("assistant", "message"));
        assert_eq!(misuse.code, "id-taken");
    }
    // Eight tries find a way around ids that foreign messages have.
    let response = started();
    for taken in 2..9 {
        let message = Message::new(format!("msg_{taken}"), MessageType::Message, None);
        drop(response.add_message(message).unwrap());
    }
    assert_eq!(open(&response).id(), "msg_9");
    for taken in 10..18 {
        let message = Message::new(format!("msg_{taken}"), MessageType::Message, None);
        drop(response.add_message(message).unwrap());
    }
    let misuse = refused(response.create_message_builder("assistant", "message"));
    assert_eq!(misuse.code, "id-taken");
}
