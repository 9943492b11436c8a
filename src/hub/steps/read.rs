//! From lines to the hub.

use alloc::borrow::ToOwned;
use alloc::string::String;

use crate::core::limits::Limits;
use crate::hub::step::{MessageEnd, RunEnd, RunError, Step};
use crate::hub::transducer::{Hub, ToHub};
use crate::json::{Member, Value};
use crate::protocols::agent_api::{ErrorInfo, MessageType, Payload, Role, RunStatus};

/// Reads lines. What is no step, or lacks what its step needs, is noted as a loss.
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
                "it is no step of the hub, or something that belongs to it is missing",
            );
        }
    }

    fn finish(&mut self, _: bool, _: &mut Hub<'_>) {}
}

/// `None` when it is no step.
fn emit(step: &Value, hub: &mut Hub<'_>) -> Option<()> {
    let text = |name: &str| step.get(name).and_then(Value::as_str);
    let number = |name: &str| match step.get(name) {
        Some(Value::Number(digits)) => digits.parse::<u32>().ok(),
        _ => None,
    };
    let kind = text("type")?;
    match kind {
        "start" => hub.emit(&Step::Start { id: text("id"), session_id: text("sessionId") }),
        "heartbeat" => hub.emit(&Step::Heartbeat),
        "end" => hub.emit(&Step::End(&run_end(step)?)),
        "open" => hub.emit(&Step::Open {
            message: number("message")?,
            r#type: &MessageType::from(text("messageType").unwrap_or("message")),
            role: &Role::from(text("role").unwrap_or("assistant")),
            id: text("id"),
        }),
        "close" => hub.emit(&Step::Close { message: number("message")?, end: &message_end(step) }),
        _ => {
            let (message, part) = (number("message")?, number("part")?);
            let more = match step.get("more") {
                Some(Value::Object(members)) => members.as_slice(),
                _ => &[] as &[Member],
            };
            let null = Value::Null;
            hub.emit(&match kind {
                "text" => Step::Text { message, part, piece: text("piece")? },
                "reasoning" => Step::Reasoning { message, part, piece: text("piece")? },
                "refusal" => Step::Refusal { message, part, piece: text("piece")? },
                "arguments" => Step::Arguments { message, part, piece: text("piece")? },
                "call" => Step::Call { message, part, id: text("id")?, name: text("name")?, more },
                "result" => Step::Result {
                    message,
                    part,
                    id: text("id")?,
                    name: text("name"),
                    output: text("output")?,
                    more,
                },
                "interrupt" => Step::Interrupt {
                    message,
                    part,
                    id: text("id")?,
                    reason: text("reason"),
                    payload: step.get("payload").unwrap_or(&null),
                },
                "whole" => {
                    let payload = payload(step.get("content")?)?;
                    hub.emit(&Step::Whole { message, part, payload: &payload });
                    return Some(());
                }
                "end-part" => {
                    Step::EndPart { message, part, whole: step.get("whole") != Some(&Value::Bool(false)) }
                }
                _ => return None,
            });
        }
    }
    Some(())
}

fn owned(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(ToOwned::to_owned)
}

/// An object; nothing else has a place where this is asked for.
fn object(value: &Value, name: &str) -> Option<Value> {
    value.get(name).filter(|value| matches!(value, Value::Object(_))).cloned()
}

fn message_end(step: &Value) -> MessageEnd {
    let mut end = MessageEnd::new(RunStatus::from(owned(step, "status").as_deref().unwrap_or("completed")));
    end.error = step
        .get("error")
        .and_then(failure)
        .map(|error| ErrorInfo::new(error.code.unwrap_or_default(), error.message));
    end.code = owned(step, "code");
    end.message = owned(step, "text");
    end.usage = object(step, "usage");
    end.metadata = object(step, "metadata");
    end
}

fn run_end(step: &Value) -> Option<RunEnd> {
    let mut end = RunEnd::new(RunStatus::from(owned(step, "status")?.as_str()));
    end.error = step.get("error").and_then(failure);
    end.reason = owned(step, "reason");
    end.usage = object(step, "usage");
    Some(end)
}

fn failure(error: &Value) -> Option<RunError> {
    Some(RunError { code: owned(error, "code"), message: owned(error, "message")? })
}

fn payload(content: &Value) -> Option<Payload> {
    let text = |name: &str| owned(content, name);
    Some(match content.get("type")?.as_str()? {
        "text" => Payload::Text { text: text("text") },
        "refusal" => Payload::Refusal { refusal: text("refusal") },
        "image" => Payload::Image { image_url: text("image_url") },
        "video" => Payload::Video { video_url: text("video_url") },
        "audio" => Payload::Audio { data: text("data"), format: text("format") },
        "file" => Payload::File {
            file_url: text("file_url"),
            file_id: text("file_id"),
            filename: text("filename"),
            file_data: text("file_data"),
        },
        "data" => Payload::Data { data: object(content, "data") },
        _ => return None,
    })
}
