//! The builder: its output, its refusals, and a comparison with the real one for the same calls.

mod accumulate;
mod finish;
mod foreign;
mod json;
mod merge;
mod output;
mod player;
mod programs;
mod refusals;
mod replay;
mod streams;
mod threads;

use agentwire::agent_api::builder::{BuilderOptions, MessageBuilder, ResponseBuilder};
use agentwire::agent_api::{
    AgentApi, Content, Message, MessageType, Payload, Role, RunStatus, Snapshot,
};
use agentwire::builder::Counter;
use agentwire::builder::WireEvent;
use agentwire::json::{Member, Value};
use agentwire::{Reader, UsageError};

/// Numbered ids, and a constant clock.
pub fn builder() -> ResponseBuilder {
    ResponseBuilder::new(options())
}

pub fn options() -> BuilderOptions {
    BuilderOptions::new(Counter::default(), || 1_700_000_000)
}

/// A response in progress.
pub fn started() -> ResponseBuilder {
    let response = builder();
    drop([response.created().unwrap(), response.in_progress().unwrap()]);
    response
}

/// A message that was opened.
pub fn open(response: &ResponseBuilder) -> MessageBuilder {
    let message = response.create_message_builder("assistant", "message").unwrap();
    drop(message.in_progress().unwrap());
    message
}

/// Returns the error of a refused call.
pub fn refused<T: core::fmt::Debug>(result: Result<T, UsageError>) -> UsageError {
    result.expect_err("refused")
}

/// Member of an event.
pub fn member(event: &WireEvent, name: &str) -> String {
    let value = Value::parse(event.json(), 128).unwrap();
    value.get(name).map_or("absent".to_owned(), Value::to_json)
}

pub fn member_of(key: &str, value: Value) -> Member {
    Member { key: key.to_owned(), value }
}

/// A message that was created elsewhere.
pub fn foreign(status: RunStatus, parts: &[&str]) -> Message {
    let mut message = Message::new("msg_f", MessageType::Reasoning, Some(Role::Assistant));
    message.status = status;
    for (text, index) in parts.iter().zip(0..) {
        let payload = Payload::Text { text: Some((*text).to_owned()) };
        message.content.push(Content::new("elsewhere", index, payload));
    }
    message
}

pub const STATUSES: &[&str] = &[
    "completed",
    "failed",
    "canceled",
    "rejected",
    "incomplete",
    "created",
    "in_progress",
    "queued",
    "unknown",
    "no_such_status",
];

/// Returns the snapshot of a reader; asserts that the reader has found nothing but legal snapshots.
pub fn read(case: &str, events: &[WireEvent]) -> Snapshot {
    let bytes: String = events.iter().map(WireEvent::to_sse).collect();
    let mut reader = Reader::new(AgentApi::default());
    reader.push(bytes.as_bytes());
    let outcome = reader.finish();
    let wrong: Vec<_> =
        outcome.report.counts.iter().map(|(id, _)| *id).filter(|id| *id != "snapshot").collect();
    assert!(wrong.is_empty(), "{case}: {wrong:?} in\n{bytes}");
    assert_eq!(outcome.report.end_reason.as_str(), "terminal", "{case}: {bytes}");
    assert_eq!(outcome.report.events as usize, events.len());
    outcome.snapshot
}
