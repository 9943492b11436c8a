//! Steps that the Agent API has no place of its own for.
//!
//! Its message types are free strings (Spec 1.1), and its web interface shows no messages of a type that it does not know.
//! So such a step is a completed message of type `agentwire.` and the step's name, whose data are the step's members. What
//! is said about a message is in its metadata.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::from_hub::{ToAgentApi, emit, why};
use super::objects::NOTE;
use crate::hub::context::Context;
use crate::hub::end::{MessageEnd, RunEnd};
use crate::hub::note::Note;
use crate::hub::step::Step;
use crate::hub::steps::members;
use crate::hub::transducer::Out;
use crate::json::{Member, Value};
use crate::protocols::agent_api::builder::WireEvent;
use crate::protocols::agent_api::{ErrorInfo, MessageType, Payload, Role, RunStatus};

impl ToAgentApi {
    pub(super) fn note(&mut self, note: &Note<'_>, step: &Step<'_>, out: &mut Out<'_, WireEvent>) {
        match *note {
            Note::Status { status: "in_progress", detail: None } => {}
            Note::Passthrough { .. }
            | Note::Retract { .. }
            | Note::Replace { .. }
            | Note::Reopened { .. } => {}
            Note::Usage { usage, message } => self.used(usage, message, out),
            Note::Error { code, text } => {
                let error = (code.unwrap_or_default(), text);
                self.said(MessageType::Error, RunStatus::Completed, None, Some(error), None, out);
            }
            Note::ToolError { id, cause, text } => {
                let id = &*self.call_id(id, out).to_owned();
                let data =
                    Value::from([("call_id", id.into()), ("name", Value::Null), ("output", text.into())]);
                let error = ErrorInfo::new(cause.unwrap_or("tool"), text);
                let r#type = MessageType::FunctionCallOutput;
                self.said(r#type, RunStatus::Failed, Some(error), None, Some(data), out);
            }
            Note::Metadata { value: Value::Object(members), message: Some(message), .. }
                if self.messages.get(message.into()).is_some() =>
            {
                members.iter().for_each(|member| self.tell(message, &member.key, member.value.clone()));
            }
            Note::Annotation { message, annotation, .. } if self.messages.get(message.into()).is_some() => {
                self.tell_more(message, "annotations", annotation.clone());
            }
            Note::Opaque { kind, value, message: Some(message), call: None }
                if self.messages.get(message.into()).is_some() =>
            {
                let opaque = Value::from([("kind", kind.into()), ("value", value.into())]);
                self.tell_more(message, "opaque", opaque);
            }
            _ => self.own(note.name(), step, out.context(), out),
        }
    }

    /// A message that stands for a step.
    fn own(&mut self, name: &str, step: &Step<'_>, context: Context<'_>, out: &mut Out<'_, WireEvent>) {
        let data = members(step, context);
        let r#type = MessageType::from([NOTE, name].concat().as_str());
        self.said(r#type, RunStatus::Completed, None, None, Some(data), out);
    }

    /// A message that begins and ends at once.
    fn said(
        &mut self,
        r#type: MessageType,
        status: RunStatus,
        error: Option<ErrorInfo>,
        text: Option<(&str, &str)>,
        data: Option<Value>,
        out: &mut Out<'_, WireEvent>,
    ) {
        let Some(run) = &self.run else { return };
        let role = if r#type == MessageType::FunctionCallOutput { Role::Tool } else { Role::Assistant };
        let Ok(message) = run.create_message_builder(role, r#type) else { return };
        emit(message.in_progress(), message.id(), out);
        if let Some(data) = data {
            emit(message.add_content(Payload::Data { data: Some(data) }), message.id(), out);
        }
        if let Some((code, text)) = text {
            let _ = message.set_error(code, text);
        }
        message.finish_with(status, error).into_iter().for_each(|event| out.emit(event));
    }

    fn used(&mut self, usage: &Value, message: Option<u32>, out: &mut Out<'_, WireEvent>) {
        let set = match message.map(|message| self.messages.get(message.into())) {
            Some(Some(message)) => message.set_usage(usage.clone()),
            Some(None) => return out.lose("usage", "", "its message had ended"),
            None => match &self.run {
                Some(run) => run.set_usage(usage.clone()),
                None => return,
            },
        };
        if let Err(refused) = set {
            out.lose("refused", "", why(&refused));
        }
    }

    /// What the run began with, and the response has no member for.
    pub(super) fn began(&mut self, parent: Option<&str>, model: Option<&str>, out: &mut Out<'_, WireEvent>) {
        let said = [("parentId", parent), ("model", model)];
        self.of_run(said.into_iter().filter_map(|(key, text)| Some((key, Value::from(text?)))), out);
    }

    /// What the run came to, and the response has no member for.
    pub(super) fn came_to(&mut self, end: &RunEnd, out: &mut Out<'_, WireEvent>) {
        let ids = |ids: &Vec<String>| Value::Array(ids.iter().map(|id| id.as_str().into()).collect());
        let pending = Some(&end.pending).filter(|ids| !ids.is_empty()).map(ids);
        let said = [("result", end.result.clone()), ("pending", pending)];
        self.of_run(said.into_iter().filter_map(|(key, value)| Some((key, value?))), out);
    }

    /// Metadata of the run is a message.
    fn of_run(&mut self, said: impl Iterator<Item = (&'static str, Value)>, out: &mut Out<'_, WireEvent>) {
        let members: Vec<_> = said.map(|(key, value)| Member { key: key.to_owned(), value }).collect();
        if !members.is_empty() {
            let note = Note::Metadata { value: &Value::Object(members), message: None, call: None };
            self.own(note.name(), &Step::Note(note), Context::default(), out);
        }
    }

    /// What is said of a message when it opens.
    pub(super) fn tell_of(&mut self, step: &Step<'_>, context: Context<'_>) {
        let Step::Open { message, name, parent, alternative, .. } = *step else { return };
        for (key, text) in [("name", name), ("parent", parent), ("lane", context.lane)] {
            if let Some(text) = text {
                self.tell(message, key, text.into());
            }
        }
        if alternative > 0 {
            self.tell(message, "alternative", i64::from(alternative).into());
        }
        context.metadata.iter().for_each(|member| self.tell(message, &member.key, member.value.clone()));
    }

    /// A member of a message's metadata.
    pub(super) fn tell(&mut self, message: u32, key: &str, value: Value) {
        let Some(members) = self.members_of(message) else { return };
        match members.iter_mut().find(|member| member.key == key) {
            Some(member) => member.value = value,
            None => members.push(Member { key: key.to_owned(), value }),
        }
    }

    /// An item of a list in a message's metadata.
    fn tell_more(&mut self, message: u32, key: &str, value: Value) {
        let Some(members) = self.members_of(message) else { return };
        match members.iter_mut().find(|member| member.key == key) {
            Some(Member { value: Value::Array(items), .. }) => items.push(value),
            _ => members.push(Member { key: key.to_owned(), value: Value::Array([value].into()) }),
        }
    }

    fn members_of(&mut self, message: u32) -> Option<&mut Vec<Member>> {
        if self.metadata.get(message.into()).is_none() {
            self.metadata.insert(message.into(), Vec::new());
        }
        self.metadata.get_mut(message.into())
    }

    /// The metadata of a message that ends: its own, and what was said of it.
    pub(super) fn metadata_of(&mut self, message: u32, end: &MessageEnd) -> Option<Value> {
        let Some(said) = self.metadata.remove(message.into()) else { return end.metadata.clone() };
        let mut metadata = end.metadata.clone().unwrap_or_default();
        for member in said {
            if metadata.get(&member.key).is_none() {
                metadata.insert(&member.key, member.value);
            }
        }
        Some(metadata)
    }

    /// A piece of media: the Agent API has them whole.
    pub(super) fn gather(&mut self, at: u64, kind: &str, piece: &str, media_type: Option<&str>) {
        match self.media.get_mut(at) {
            Some(
                Payload::Audio { data: Some(text), .. }
                | Payload::Video { video_url: Some(text) }
                | Payload::File { file_data: Some(text), .. },
            ) => text.push_str(piece),
            Some(_) => {}
            None => {
                let payload = match kind {
                    "video" => {
                        let head = ["data:", media_type.unwrap_or("video/mp4"), ";base64,", piece];
                        Payload::Video { video_url: Some(head.concat()) }
                    }
                    "file" => Payload::File {
                        file_url: None,
                        file_id: None,
                        filename: None,
                        file_data: Some(piece.to_owned()),
                    },
                    _ => Payload::Audio {
                        data: Some(piece.to_owned()),
                        format: media_type.map(ToOwned::to_owned),
                    },
                };
                self.media.insert(at, payload);
            }
        }
    }
}
