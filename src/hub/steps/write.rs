//! Writes steps as lines.

use alloc::string::String;

use super::LISTED;
use crate::hub::kind::{EndError, MessageEnd, RunEnd};
use crate::hub::step::{InputFormat, Step, StepMeta};
use crate::hub::transducer::{EventOutput, FromHub};
use crate::json::{Member, ObjectWriter, Value};

/// Writes each step as a line, without the line end.
#[derive(Clone, Copy, Debug, Default)]
pub struct ToSteps;

impl FromHub for ToSteps {
    type Event = String;

    fn feed(&mut self, event: &Step<'_>, out: &mut EventOutput<'_, String>) {
        let line = line(event, out.meta());
        out.emit(line);
    }

    fn can_reopen(&self) -> bool {
        true
    }

    fn has_lists(&self) -> bool {
        true
    }

    fn takes_listed(&self) -> bool {
        true
    }
}

/// Returns a step as a line of JSON, without the line end.
pub(crate) fn line(event: &Step<'_>, context: StepMeta<'_>) -> String {
    let mut line = String::new();
    let mut object = ObjectWriter::open(&mut line, true);
    step(event, &mut object);
    object.string("lane", context.lane);
    // The metadata of `close` belongs to the end of the message.
    if !context.metadata.is_empty() && !matches!(event, Step::Close { .. }) {
        object.value("metadata", Some(&Value::Object(context.metadata.to_vec())));
    }
    flag(&mut object, LISTED, context.is_listed);
    object.close();
    line
}

/// Returns the members of such a line without `type`.
pub(crate) fn members(event: &Step<'_>, context: StepMeta<'_>) -> Value {
    let mut members = Value::parse(&line(event, context), u32::MAX).unwrap_or_default();
    if let Value::Object(members) = &mut members {
        members.retain(|member| member.key != "type");
    }
    members
}

/// Writes the members of a step, starting with its type.
fn step(event: &Step<'_>, object: &mut ObjectWriter<'_>) {
    match *event {
        Step::Start { id, session_id, parent_id, model, created_at } => {
            object.string("type", Some("start"));
            object.string("id", id);
            object.string("sessionId", session_id);
            object.string("parentId", parent_id);
            object.string("model", model);
            object.integer("createdAt", created_at);
        }
        Step::Open { message, kind, role, id, name, parent, alternative } => {
            object.string("type", Some("open"));
            object.integer("message", Some(message.into()));
            object.string("messageType", Some(kind.as_str()));
            object.string("role", Some(role.as_str()));
            object.string("id", id);
            object.string("name", name);
            object.string("parent", parent);
            object.integer("alternative", Some(alternative.into()).filter(|number| *number > 0));
        }
        Step::Text { message, part, piece } => grow(object, "text", message, part, piece),
        Step::Reasoning { message, part, piece, summary } => {
            grow(object, "reasoning", message, part, piece);
            flag(object, "summary", summary);
        }
        Step::Refusal { message, part, piece } => grow(object, "refusal", message, part, piece),
        Step::Arguments { message, part, piece } => grow(object, "arguments", message, part, piece),
        Step::Media { message, part, kind, piece, media_type } => {
            grow(object, "media", message, part, piece);
            object.string("kind", Some(kind.as_str()));
            object.string("mediaType", media_type);
        }
        Step::Call { message, part, id, name, input, more } => {
            place(object, "call", message, part);
            object.string("id", Some(id));
            object.string("name", Some(name));
            object.string("input", Some("text").filter(|_| input == InputFormat::Text));
            free(object, more);
        }
        Step::Result { message, part, id, name, output, content, preview, more } => {
            place(object, "result", message, part);
            object.string("id", Some(id));
            object.string("name", name);
            object.string("output", Some(output));
            object.value("content", content);
            flag(object, "preview", preview);
            free(object, more);
        }
        Step::Interrupt {
            message,
            part,
            id,
            reason,
            payload,
            call,
            text,
            expires_at,
            response_schema,
        } => {
            place(object, "interrupt", message, part);
            object.string("id", Some(id));
            object.string("reason", reason);
            object.value("payload", Some(payload));
            object.string("call", call);
            object.string("text", text);
            object.string("expiresAt", expires_at);
            object.value("responseSchema", response_schema);
        }
        Step::Answer { message, part, id, approved, reason, payload } => {
            place(object, "answer", message, part);
            object.string("id", Some(id));
            object.bool("approved", approved);
            object.string("reason", reason);
            object.value("payload", Some(payload));
        }
        Step::Whole { message, part, payload, preview } => {
            place(object, "whole", message, part);
            let mut content = ObjectWriter::open(object.member("content"), true);
            payload.write(&mut content);
            content.close();
            flag(object, "preview", preview);
        }
        Step::EndPart { message, part, whole } => {
            place(object, "end-part", message, part);
            object.bool("whole", Some(whole));
        }
        Step::Close { message, end } => {
            object.string("type", Some("close"));
            object.integer("message", Some(message.into()));
            message_end(object, end);
        }
        Step::Note(ref note) => {
            object.string("type", Some(note.name()));
            note.write(object);
        }
        Step::Heartbeat => object.string("type", Some("heartbeat")),
        Step::End(end) => {
            object.string("type", Some("end"));
            run_end(object, end);
        }
    }
}

fn flag(object: &mut ObjectWriter<'_>, name: &str, is: bool) {
    object.bool(name, Some(is).filter(|is| *is));
}

fn place(object: &mut ObjectWriter<'_>, name: &str, message: u32, part: u32) {
    object.string("type", Some(name));
    object.integer("message", Some(message.into()));
    object.integer("part", Some(part.into()));
}

fn grow(object: &mut ObjectWriter<'_>, name: &str, message: u32, part: u32, piece: &str) {
    place(object, name, message, part);
    object.string("piece", Some(piece));
}

fn free(object: &mut ObjectWriter<'_>, more: &[Member]) {
    if !more.is_empty() {
        object.value("more", Some(&Value::Object(more.to_vec())));
    }
}

fn message_end(object: &mut ObjectWriter<'_>, end: &MessageEnd) {
    object.string("status", Some(end.status.as_str()));
    failure(object, end.error.as_ref());
    object.string("code", end.code.as_deref());
    object.string("text", end.message.as_deref());
    object.value("usage", end.usage.as_ref());
    object.value("metadata", end.metadata.as_ref());
}

fn run_end(object: &mut ObjectWriter<'_>, end: &RunEnd) {
    object.string("status", Some(end.status.as_str()));
    failure(object, end.error.as_ref());
    object.string("reason", end.reason.as_deref());
    object.value("result", end.result.as_ref());
    if let Some(pending) = end.pending_list() {
        object.value("pending", Some(&pending));
    }
    object.value("usage", end.usage.as_ref());
}

fn failure(object: &mut ObjectWriter<'_>, failure: Option<&EndError>) {
    let Some(failure) = failure else { return };
    let mut error = ObjectWriter::open(object.member("error"), true);
    error.string("code", failure.code.as_deref());
    error.string("message", Some(&failure.message));
    error.close();
}
