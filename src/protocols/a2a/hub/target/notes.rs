//! Steps that are not part of a message, and the end of the run.
//!
//! A step with data that the task keeps is an artifact of data, named after the step. A step during
//! the run is metadata of a status, which stores merge into that of the task (A8).

use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};

use super::writer::{are_readable, is_readable};
use super::{
    ToA2a, UNREADABLE, WireOutput, allowed, data_part, error, result_part, send, step_members,
};
use crate::core::Limits;
use crate::hub::{
    EndStatus, Note, OPAQUE, ProtocolName as _, RunEnd, SealedPlace, Step, present_members,
};
use crate::json::{Member, Value};
use crate::protocols::a2a::hub::AUTH_REQUIRED;
use crate::protocols::a2a::request::Part;
use crate::protocols::a2a::{A2a, TaskState};

/// The prefix of the names of artifacts and metadata that are a step.
const STEP: &str = "agentwire.";

impl ToA2a {
    pub(super) fn note(&mut self, note: &Note<'_>, step: &Step<'_>, out: &mut WireOutput<'_>) {
        match *note {
            Note::Status { status, detail } => {
                detail.into_iter().for_each(|detail| self.metadata.set("detail", detail.into()));
                self.works = status != "queued";
                let state = if self.works { TaskState::Working } else { TaskState::Submitted };
                self.status(state, Vec::new(), out);
            }
            Note::Usage { usage, message: Some(message) }
                if self.keep_metadata(message, "usage", usage.clone()) => {}
            Note::Usage { usage, .. } => self.metadata.set("usage", usage.clone()),
            Note::Error { code, text } => {
                self.status(TaskState::Working, error_parts(code, text), out)
            }
            Note::Reopened { .. } | Note::Messages { .. } => {}
            Note::Retract { message, part } => self.change(message, out, |item| item.retract(part)),
            Note::Replace { message, part, text, .. } => self.rewrite((message, part), text, out),
            Note::Metadata { value: Value::Object(all), message, call } => {
                let message = message.or_else(|| call.and_then(|call| self.message_of(call)));
                for Member { key, value } in all {
                    if !message
                        .is_some_and(|message| self.keep_metadata(message, key, value.clone()))
                    {
                        self.metadata.set(key, value.clone());
                    }
                }
            }
            Note::Annotation { message, annotation, .. }
                if self.items.get(message.into()).is_some() =>
            {
                self.pending.add(message, "annotations", annotation.clone());
            }
            // Of a result that has failed, there is no message before the result.
            Note::Opaque { message: None, call: Some(call), result: true, .. } => {
                let id = self.call_ids.of(call, out).to_owned();
                let sealed = out.sealed(note, SealedPlace::Message);
                self.early_results.get_or_insert_default(&id).push(sealed);
            }
            Note::Opaque { message, call, .. } => {
                let message = message.or_else(|| call.and_then(|call| self.message_of(call)));
                match message.filter(|message| self.items.get((*message).into()).is_some()) {
                    Some(message) => {
                        self.pending.seal(message, out.sealed(note, SealedPlace::Message))
                    }
                    None => out.lose("opaque", call.unwrap_or(""), "what it belongs to has ended"),
                }
            }
            Note::ToolError { id, cause, text } => {
                out.lose("tool-error", id, "it became the result, with the error beside its text");
                let id = self.call_ids.of(id, out).to_owned();
                self.cut_off(&id, out);
                let failed = error(cause, text);
                let more = [Member::new("error", failed)];
                let mut part = result_part((&id, None), text, None, false, &more);
                part.metadata = Some([("index", Value::from(0))].into());
                let sealed = self.early_result(&id).into_iter().map(Value::from).collect();
                let opaque = Member::new(OPAQUE, Value::Array(sealed));
                let opaque = Some(opaque).filter(|opaque| !opaque.value.items().is_empty());
                self.send_message("function_call_output", vec![part], opaque, out);
            }
            Note::State { .. }
            | Note::StatePatch { .. }
            | Note::Activity { .. }
            | Note::ActivityPatch { .. }
            | Note::Alternative { .. }
            | Note::Custom { .. }
            | Note::Annotation { .. } => {
                let data = step_members(step, out);
                self.send_message(&[STEP, note.name()].concat(), vec![data_part(data)], None, out);
            }
            Note::Passthrough { protocol: A2a::NAME, name, data } => self.pass(name, data, out),
            Note::Passthrough { name, .. } => {
                out.lose("unknown-event", name, "A2A's clients have no event for it");
            }
            _ => {
                self.metadata.set(&[STEP, note.name()].concat(), step_members(step, out));
                self.status(TaskState::Working, Vec::new(), out);
            }
        }
    }

    /// Passes on a result of another server, in the answer to this request.
    fn pass(&mut self, name: &str, data: &str, out: &mut WireOutput<'_>) {
        let event = Value::parse(data, Limits::default().json_depth).ok();
        let event = event.and_then(|event| self.writer.passed(event.get("result")?));
        match event {
            Some(event) => out.emit(event),
            None => {
                out.lose("unknown-event", name, "it answers no request, or comes before the task")
            }
        }
    }

    /// Sends a status with the collected metadata of the task, and with a message if there are
    /// parts. Values that a reader cannot read are left out.
    pub(super) fn status(
        &mut self,
        state: TaskState,
        mut parts: Vec<Part>,
        out: &mut WireOutput<'_>,
    ) {
        let metadata = core::mem::take(&mut self.metadata).object().unwrap_or_default();
        let metadata = allowed(metadata, is_readable, "metadata", out);
        let metadata = Some(metadata).filter(|metadata| !metadata.is_null());
        parts.retain(|part| {
            let is_taken = are_readable(core::slice::from_ref(part));
            if !is_taken {
                out.lose("refused", "", UNREADABLE);
            }
            is_taken
        });
        let id = if parts.is_empty() { String::new() } else { self.options.ids.next_id("msg_") };
        let message = (!parts.is_empty()).then_some((id.as_str(), parts));
        send(self.writer.status(state, message, metadata), "", out);
    }

    /// Ends the run: sends the final state of the task. An incomplete run becomes a failed task
    /// whose metadata have the reason. If a question is open, the task waits for its answer.
    pub(super) fn end(&mut self, end: &RunEnd, out: &mut WireOutput<'_>) {
        let is_incomplete = end.status == EndStatus::Incomplete;
        let questions = self.questions.take_all();
        let asks = !questions.is_empty() && (end.may_ask() || end.is_cut_off());
        // The reason of a task that waits is its state.
        let reason = end.reason.as_deref().filter(|_| !is_incomplete && !asks);
        let fields = present_members([
            ("usage", end.usage.clone()),
            ("result", end.result.clone()),
            ("reason", reason.map(Value::from)),
            ("pending", end.pending_list()),
        ]);
        self.metadata.merge(&fields);
        if is_incomplete && (!asks || end.is_cut_off()) {
            self.metadata.set("incomplete", end.reason.as_deref().unwrap_or("unknown").into());
            out.lose(
                "status",
                "",
                match asks {
                    true => "the source was cut off: only the metadata of the waiting task contain this",
                    false => "A2A has no such status: the task has failed, with the reason in its metadata",
                },
            );
        }
        let parts =
            end.error.as_ref().map(|error| error_parts(error.code.as_deref(), &error.message));
        let mut parts = parts.unwrap_or_default();
        if !asks {
            for (id, ..) in &questions {
                out.lose("interrupt-hidden", id, "a task that does not wait has no questions");
            }
        }
        let state = match end.status {
            _ if asks => {
                let is_auth = questions
                    .iter()
                    .all(|(_, _, fields)| fields.text("reason") == Some(AUTH_REQUIRED));
                for (_, text, fields) in questions {
                    parts.extend(text.map(Part::text));
                    let kind = [("kind", "interrupt".into())].into();
                    parts.push(Part { metadata: Some(kind), ..data_part(fields) });
                }
                if is_auth { TaskState::AuthRequired } else { TaskState::InputRequired }
            }
            EndStatus::Completed => TaskState::Completed,
            EndStatus::Failed | EndStatus::Incomplete => TaskState::Failed,
            EndStatus::Canceled => TaskState::Canceled,
            EndStatus::Rejected => TaskState::Rejected,
        };
        self.status(state, parts, out);
        if !self.writer.is_ended() {
            let error = end.error.as_ref().map(|error| error.message.as_str());
            self.writer.finish(error).into_iter().for_each(|event| out.emit(event));
        }
    }
}

fn error_parts(code: Option<&str>, text: &str) -> Vec<Part> {
    vec![Part::text(text), data_part(error(code, text))]
}
