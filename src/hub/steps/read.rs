//! Reads lines of steps.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::core::limits::Limits;
use crate::hub::kind::{EndError, EndStatus, MediaKind, MessageEnd, MessageKind, Role, RunEnd};
use crate::hub::note::Note;
use crate::hub::payload::Payload;
use crate::hub::step::{InputFormat, Step, StepMeta};
use crate::hub::transducer::{Hub, ToHub};
use crate::json::Value;

use super::LISTED;

/// Reads lines. A line that is not a step, or lacks a required member, is noted as a loss.
#[derive(Clone, Copy, Debug, Default)]
pub struct FromSteps;

impl ToHub for FromSteps {
    type Event<'e> = &'e str;

    fn feed(&mut self, line: &str, hub: &mut Hub<'_>) {
        let step = Value::parse(line, Limits::default().json_depth).ok();
        if step.is_none_or(|step| emit(&step, hub).is_none()) {
            hub.lose(
                "unknown-step",
                line,
                "it is not a step of the hub, or lacks a required property",
            );
        }
    }

    fn finish(&mut self, _: bool, _: &mut Hub<'_>) {}
}

/// Emits the step of a line. Returns `None` if the line is not a step.
fn emit(step: &Value, hub: &mut Hub<'_>) -> Option<()> {
    let text = |name: &str| step.text(name);
    let flag = |name: &str| step.get(name) == Some(&Value::Bool(true));
    let number = |name: &str| step.get(name)?.integer::<u32>();
    let kind = text("type")?;
    let context = context(step, kind, hub);
    let mut emit = |step: &Step<'_>| hub.emit_in(context, step);
    match kind {
        "start" => emit(&Step::Start {
            id: text("id"),
            session_id: text("sessionId"),
            parent_id: text("parentId"),
            model: text("model"),
            created_at: step.get("createdAt").and_then(Value::integer),
        }),
        "heartbeat" => emit(&Step::Heartbeat),
        "end" => emit(&Step::End(&run_end(step)?)),
        "open" => emit(&Step::Open {
            message: number("message")?,
            kind: MessageKind::from(text("messageType").unwrap_or("message")),
            role: Role::from(text("role").unwrap_or("assistant")),
            id: text("id"),
            name: text("name"),
            parent: text("parent"),
            alternative: number("alternative").unwrap_or(0),
        }),
        "close" => emit(&Step::Close { message: number("message")?, end: &message_end(step) }),
        _ => {
            if let Some(note) = Note::read(kind, step) {
                emit(&Step::Note(note));
                return Some(());
            }
            let (message, part) = (number("message")?, number("part")?);
            let more = step.get("more").map(Value::members).unwrap_or_default();
            let payload = step.get("payload").unwrap_or(&Value::Null);
            let step = match kind {
                "text" => Step::Text { message, part, piece: text("piece")? },
                "reasoning" => Step::Reasoning {
                    message,
                    part,
                    piece: text("piece")?,
                    summary: flag("summary"),
                },
                "refusal" => Step::Refusal { message, part, piece: text("piece")? },
                "arguments" => Step::Arguments { message, part, piece: text("piece")? },
                "media" => Step::Media {
                    message,
                    part,
                    kind: text("kind")
                        .and_then(MediaKind::named)
                        .filter(|kind| *kind != MediaKind::Image)?,
                    piece: text("piece")?,
                    media_type: text("mediaType"),
                },
                "call" => {
                    let input = if text("input") == Some("text") {
                        InputFormat::Text
                    } else {
                        InputFormat::Json
                    };
                    Step::Call { message, part, id: text("id")?, name: text("name")?, input, more }
                }
                "result" => Step::Result {
                    message,
                    part,
                    id: text("id")?,
                    name: text("name"),
                    output: text("output")?,
                    content: step
                        .get("content")
                        .filter(|content| matches!(content, Value::Array(_))),
                    preview: flag("preview"),
                    more,
                },
                "interrupt" if text("id").is_some() => Step::question(message, part, step, payload),
                "answer" => Step::Answer {
                    message,
                    part,
                    id: text("id")?,
                    approved: step.get("approved").map(|approved| *approved == Value::Bool(true)),
                    reason: text("reason"),
                    payload,
                },
                "whole" => match Payload::read(step.get("content")?) {
                    Some(payload) => {
                        Step::Whole { message, part, payload, preview: flag("preview") }
                    }
                    // A text that is sent whole is one piece.
                    None => {
                        let content = step.get("content")?;
                        let piece = |name: &str| content.text(name).unwrap_or("");
                        emit(&match piece("type") {
                            "text" => Step::Text { message, part, piece: piece("text") },
                            "refusal" => Step::Refusal { message, part, piece: piece("refusal") },
                            _ => return None,
                        });
                        Step::EndPart { message, part, whole: true }
                    }
                },
                "end-part" => Step::EndPart {
                    message,
                    part,
                    whole: step.get("whole") != Some(&Value::Bool(false)),
                },
                _ => return None,
            };
            emit(&step);
        }
    }
    Some(())
}

/// Emits the note with a name and the members of an object. Returns false if it is not a note.
pub(crate) fn emit_note(name: &str, members: &Value, hub: &mut Hub<'_>) -> bool {
    let Some(note) = Note::read(name, members) else { return false };
    let context = context(members, name, hub);
    hub.emit_in(context, &Step::Note(note));
    true
}

/// Returns the context of a line. The metadata of `close` belongs to the end of the message.
fn context<'v>(step: &'v Value, kind: &str, hub: &Hub<'_>) -> StepMeta<'v> {
    let event = step.get("event").and_then(Value::integer);
    let metadata = step.get("metadata").filter(|_| kind != "close");
    let context = StepMeta::of(event.unwrap_or(hub.meta().event))
        .in_lane(step.text("lane"))
        .with_metadata(metadata.map(Value::members).unwrap_or_default());
    if step.get(LISTED) == Some(&Value::Bool(true)) { context.listed() } else { context }
}

fn owned(value: &Value, name: &str) -> Option<String> {
    value.text(name).map(ToOwned::to_owned)
}

pub(crate) fn message_end(step: &Value) -> MessageEnd {
    let mut end =
        MessageEnd::new(EndStatus::from(owned(step, "status").as_deref().unwrap_or("completed")));
    end.error = step.get("error").and_then(failure);
    end.code = owned(step, "code");
    end.message = owned(step, "text");
    end.usage = step.get("usage").cloned();
    // Metadata must be an object.
    end.metadata =
        step.get("metadata").filter(|metadata| matches!(metadata, Value::Object(_))).cloned();
    end
}

fn run_end(step: &Value) -> Option<RunEnd> {
    let mut end = RunEnd::new(EndStatus::from(owned(step, "status")?.as_str()));
    end.error = step.get("error").and_then(failure);
    end.reason = owned(step, "reason");
    end.result = step.get("result").cloned();
    end.pending = step.get("pending").map(Value::to_texts).unwrap_or_default();
    end.usage = step.get("usage").cloned();
    Some(end)
}

fn failure(error: &Value) -> Option<EndError> {
    Some(EndError { code: owned(error, "code"), message: owned(error, "message")? })
}
