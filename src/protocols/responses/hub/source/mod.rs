//! From OpenAI Responses to the hub.
//!
//! The engine reads the stream. Pieces are emitted as they are received, and all other changes when
//! the event has been applied: content that first appears in an item or in the last response is
//! emitted then, and content that only repeats its pieces is never emitted.

mod items;
mod objects;
mod opaque;

use alloc::{string::String, vec::Vec};

use self::objects::{ObjectPlace, SourceObject, kind_of};
use self::opaque::EventItems;
use crate::bytes::string_map::StringMap;
use crate::core::{EndReason, Opening};
use crate::engine::{
    Engine, EventReceiver as _, Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink,
};
use crate::hub::{
    EndError, EndStatus, FoldSource, Hub, Note, ProtocolName as _, RunEnd, Step, StepSink,
    StepSource, add_usage, json_of,
};
use crate::json::{Element, Member, Raw, Str, Value};
use crate::protocols::responses::model::{ResponsesFunctionCall, ResponsesRefusal};
use crate::protocols::responses::{Item, MODEL, Part, Responses, Snapshot};
use crate::sse::SseEvent;

/// Reads OpenAI Responses: the source of a conversion.
pub type FromResponses = FoldSource;

/// The state of the response, and of its emitted content.
#[derive(Debug, Default)]
pub struct ResponsesSource {
    /// The objects, by node. The first is the response.
    objects: Vec<SourceObject>,
    /// The objects that may have changes to emit after the event.
    changed: Vec<ObjectId>,
    /// The number of messages at the hub.
    messages: u32,
    phase: RunPhase,
    /// The last status of the run that was emitted.
    status: String,
    /// The metadata of the run that were emitted.
    metadata: StringMap<Value>,
    /// The metadata may have changed.
    has_metadata: bool,
    /// Whether the frame of the event has the name of an audio event.
    is_audio: bool,
    /// Whether the event has the last response, whose calls do not change any more.
    is_last: bool,
    /// The name of the event, if it is about input that steers a response.
    steer: Option<String>,
    steering: Steering,
    /// The token usage of the response that input has stopped.
    stopped: Option<Value>,
    /// The token usage of the responses before this one.
    usage: Option<Value>,
    /// The step of the run that is the response after a steered one.
    step: Option<String>,
}

/// How far the run has been emitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum RunPhase {
    /// It has not begun.
    #[default]
    Waiting,
    Open,
    Ended,
    /// It has ended, and the loss of a later change was noted.
    EndedWithLoss,
}

/// Whether input has steered the response. The next one belongs to the same run. (O23)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Steering {
    #[default]
    None,
    /// It has stopped the response.
    Stopped,
    /// The event creates the next response.
    Created,
}

impl RunPhase {
    fn has_ended(self) -> bool {
        matches!(self, RunPhase::Ended | RunPhase::EndedWithLoss)
    }
}

/// Returns the token usage of a response.
fn response_usage(root: &SourceObject) -> Option<&Value> {
    root.members.given(Snapshot::usage)
}

/// Returns whether an event of this name has audio, which is not in the output.
fn is_audio(name: &str) -> bool {
    name.starts_with("response.audio.")
}

fn lose_audio(hub: &mut Hub<'_>) {
    hub.lose("audio", "", "it belongs to no item of the output");
}

impl StepSource for ResponsesSource {
    /// Always true, because pieces are not kept.
    fn repeats(&self) -> bool {
        true
    }

    fn before(&mut self, event: &SseEvent<'_>, hub: &mut Hub<'_>) {
        // Data that cannot be read have no type, but their frame can have a name.
        self.is_audio = is_audio(event.name);
        if self.is_audio {
            lose_audio(hub);
        }
    }

    fn settle(&mut self, event: Option<&SseEvent<'_>>, engine: &mut Engine, hub: &mut Hub<'_>) {
        if self.phase.has_ended() {
            self.changed.clear();
            if let Some(name) = self.steer.take() {
                hub.lose("after-end", &name, "the response had ended");
            }
            return;
        }
        let items = &mut EventItems::new(event);
        self.emit_successor(hub);
        self.emit_run(hub);
        self.emit_changed(items, hub);
        self.emit_steer(event, items, hub);
        if engine.report().end_reason == EndReason::Terminal {
            self.emit_rest(items, hub);
            self.phase = RunPhase::Ended;
            self.end_step(hub);
            let end = self.run_end(hub);
            hub.emit(&Step::End(&end));
        }
    }

    fn has_emitted_end(&self) -> bool {
        self.phase.has_ended()
    }

    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd> {
        self.emit_changed(&mut EventItems::default(), hub);
        self.emit_delayed(hub);
        self.end_step(hub);
        matches!(ended, EndReason::ErrorFrame | EndReason::Terminal).then(|| self.run_end(hub))
    }
}

/// The settings of the request that a response repeats: they are those of the client.
const SETTINGS: [&str; 8] = [
    "background",
    "max_tool_calls",
    "prompt_cache_key",
    "prompt_cache_retention",
    "safety_identifier",
    "service_tier",
    "store",
    "top_logprobs",
];

impl Sink for StepSink<'_, '_, ResponsesSource> {
    fn begin(&mut self, event: Element<'_, '_>) {
        let event = Opening::Object(event);
        let name = event.word("type").map(Str::to_str).unwrap_or_default();
        self.state.is_last =
            matches!(&*name, "response.completed" | "response.incomplete" | "response.failed");
        if name == "keepalive" {
            self.hub.emit(&Step::Heartbeat);
        } else if is_audio(&name) && !self.state.is_audio {
            lose_audio(self.hub);
        } else if name.starts_with("response.steer.") {
            self.state.steer = Some(name.into_owned());
        } else if name == "response.created" && self.state.steering == Steering::Stopped {
            self.state.steering = Steering::Created;
        }
    }

    fn open(&mut self, kind: ObjectKind, parent: ObjectId, list: Field) {
        let state = &mut *self.state;
        state.root();
        let node = state.objects.len() as ObjectId;
        let place = match list {
            Snapshot::output => ObjectPlace::Item,
            list => {
                let item = &mut state.objects[parent as usize];
                item.parts.push(node);
                ObjectPlace::Part {
                    item: parent,
                    number: item.parts.len() as u32 - 1,
                    is_summary: list == Item::summary,
                }
            }
        };
        let mut object = SourceObject::new(place, kind_of(kind));
        object.is_refusal = kind == ResponsesRefusal::KIND;
        state.objects.push(object);
        state.touch(node);
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        let StepSink { state, hub } = self;
        if state.note_late(hub) {
            return;
        }
        state.root();
        let Some(object) = state.objects.get_mut(node as usize) else { return };
        let is_named = object.phase.number().is_some() && object.tool().is_some();
        let named = (is_named && matches!(key, Item::call_id | Item::id))
            .then(|| String::from(object.call()));
        let is_tool = is_named && key == ResponsesFunctionCall::name;
        let tool = is_tool.then(|| String::from(object.members.word(key)));
        match value {
            FieldValue::Str(text) if object.is_text(key) => object.text = Some(text.into()),
            value => {
                object.members.set(key, json_of(value, &MODEL));
                state.has_metadata |= node == 0 && key == Snapshot::metadata;
                if let Some(named) = named.filter(|named| *named != object.call()) {
                    hub.lose(
                        "call-id",
                        &named,
                        "the call was already emitted: it keeps its first id",
                    );
                }
                if tool.is_some_and(|tool| tool != object.members.word(key)) {
                    hub.lose(
                        "call-renamed",
                        object.call(),
                        "the call was already emitted: it keeps its first name",
                    );
                }
            }
        }
        state.touch(node);
    }

    fn append(&mut self, node: ObjectId, _: Field, piece: &str) {
        let StepSink { state, hub } = self;
        if state.note_late(hub) {
            return;
        }
        state.emit_run(hub);
        state.emit_changed(&mut EventItems::default(), hub);
        state.emit_piece(node, piece, hub);
    }

    fn end(&mut self, node: ObjectId, _: Field) {
        let state = &mut *self.state;
        if let Some(object) = state.objects.get_mut(node as usize) {
            object.done = true;
        }
        state.touch(node);
    }

    fn set_extra(&mut self, node: ObjectId, name: &str, value: Raw<'_>) {
        let StepSink { state, hub } = self;
        let Some(object) = state.objects.get_mut(node as usize) else { return };
        if node == 0 && (SETTINGS.contains(&name) || value.as_str() == "null") {
            return;
        }
        if node > 0 && object.keeps_extra() {
            object.members.undeclared.retain(|member| member.key != name);
            object.members.undeclared.push(Member::new(name, Value::from_raw(value)));
        } else {
            hub.lose("undeclared-member", name, "the hub has no place for it");
        }
    }

    fn unset_extra(&mut self, node: ObjectId, name: &str) {
        if let Some(object) = self.state.objects.get_mut(node as usize) {
            object.members.undeclared.retain(|member| member.key != name);
        }
    }

    fn change_in(&mut self, node: ObjectId, key: Field, path: &[&str], change: JsonChange<'_>) {
        let StepSink { state, hub } = self;
        let text = match change {
            JsonChange::Append(text) => text,
            JsonChange::Set(_) => return,
            _ => return state.patched(node, key),
        };
        // The output of a command of a shell. The commands themselves are emitted when their call
        // is complete.
        let channel =
            path.last().copied().filter(|channel| matches!(*channel, "stdout" | "stderr"));
        let Some(object) = state.objects.get(node as usize) else { return };
        if channel.is_some() && !state.phase.has_ended() {
            let id = String::from(object.call());
            hub.note(Note::Output { id: &id, piece: text, channel });
        }
    }

    /// Handles items or parts that a list does not contain. Emitted items stay; parts are removed.
    fn arrange(&mut self, parent: ObjectId, list: Field, nodes: &[ObjectId]) {
        let StepSink { state, hub } = self;
        if state.phase.has_ended() {
            return;
        }
        let mut remaining: Vec<ObjectId> = nodes.into();
        remaining.sort_unstable();
        if parent > 0 {
            let is_of_list = |object: &SourceObject| match object.place {
                ObjectPlace::Part { is_summary, .. } => is_summary == (list == Item::summary),
                _ => false,
            };
            let mut gone =
                state.objects.get(parent as usize).map_or(Vec::new(), |item| item.parts.clone());
            gone.retain(|part| {
                is_of_list(&state.objects[*part as usize]) && remaining.binary_search(part).is_err()
            });
            for part in gone {
                self.remove(parent, list, part);
            }
            return;
        }
        for (node, object) in state.objects.iter().enumerate() {
            let is_gone = object.place == ObjectPlace::Item
                && remaining.binary_search(&(node as ObjectId)).is_err();
            if is_gone && object.phase.number().is_some() {
                hub.lose(
                    "part-dropped",
                    object.members.word(Item::id),
                    "the last response does not list it: it was already emitted",
                );
            }
        }
    }

    fn remove(&mut self, parent: ObjectId, _: Field, node: ObjectId) {
        let StepSink { state, hub } = self;
        let Some(object) = state.objects.get(node as usize) else { return };
        if state.phase.has_ended() {
            return;
        }
        let phase = match object.place {
            ObjectPlace::Part { item, .. } => state.objects[item as usize].phase,
            _ => object.phase,
        };
        let part = match object.place {
            ObjectPlace::Part { number, .. } => Some(number),
            _ => None,
        };
        if let Some(message) = phase.number()
            && (parent == 0 || object.is_emitted)
        {
            hub.note(Note::Retract { message, part });
        }
        let object = &mut state.objects[node as usize];
        object.phase.stop();
        object.is_emitted = false;
    }
}

impl ResponsesSource {
    fn patched(&mut self, node: ObjectId, key: Field) {
        if let Some(object) = self.objects.get_mut(node as usize).filter(|_| key == Part::logprobs)
        {
            object.members.set(key, Value::Array(alloc::vec![Value::Null]));
            self.touch(node);
        }
    }

    /// Creates the object of the response, which precedes all others.
    fn root(&mut self) {
        if self.objects.is_empty() {
            self.objects.push(SourceObject::new(ObjectPlace::Root, None));
        }
    }

    fn touch(&mut self, node: ObjectId) {
        if node > 0
            && let Some(object) = self.objects.get_mut(node as usize)
            && !core::mem::replace(&mut object.changed, true)
        {
            self.changed.push(node);
        }
    }

    /// Returns whether the run has ended. Notes the loss of later changes.
    fn note_late(&mut self, hub: &mut Hub<'_>) -> bool {
        if self.phase == RunPhase::Ended {
            self.phase = RunPhase::EndedWithLoss;
            hub.lose("after-end", "", "the response had ended");
        }
        self.phase.has_ended()
    }
}

/// Input that steers a response. (O23)
impl ResponsesSource {
    /// Emits what an event about such input says, and the end of the response that it has stopped.
    fn emit_steer(
        &mut self,
        event: Option<&SseEvent<'_>>,
        items: &mut EventItems<'_>,
        hub: &mut Hub<'_>,
    ) {
        if let (Some(name), Some(event)) = (self.steer.take(), event) {
            let (protocol, name) = (Responses::NAME, &*name);
            hub.note(Note::Passthrough { protocol, name, data: event.data });
        }
        let Some(root) = self.objects.first() else { return };
        let details = root.members.get(Snapshot::incomplete_details);
        let is_stopped = root.members.word(Snapshot::status) == "incomplete"
            && details.and_then(|details| details.text("reason")) == Some("steered");
        if is_stopped && self.steering == Steering::None {
            self.emit_rest(items, hub);
            self.stopped = self.objects.first().and_then(response_usage).cloned();
            self.end_step(hub);
            self.steering = Steering::Stopped;
        }
    }

    /// Begins a step of the run for the response that follows a steered one.
    fn emit_successor(&mut self, hub: &mut Hub<'_>) {
        if self.steering != Steering::Created {
            return;
        }
        self.steering = Steering::None;
        add_usage(&mut self.usage, self.stopped.take());
        let id = self.objects.first().and_then(|root| root.members.filled(Snapshot::id));
        let id = id.unwrap_or("response");
        hub.note(Note::StepStart { id: Some(id), name: None, kind: None });
        let value = &Value::from([("response_id", id.into())]);
        hub.note(Note::Metadata { value, message: None, call: None });
        self.step = Some(id.into());
    }

    /// Ends the step of a response that has followed a steered one.
    fn end_step(&mut self, hub: &mut Hub<'_>) {
        if let Some(id) = self.step.take() {
            hub.note(Note::StepEnd { id: Some(&id), name: None, kind: None });
        }
    }
}

impl ResponsesSource {
    /// Emits the start of the run, and its status if it is queued or in progress.
    fn emit_run(&mut self, hub: &mut Hub<'_>) {
        let Some(root) = self.objects.first() else { return };
        let status = root.members.word(Snapshot::status);
        if self.phase == RunPhase::Waiting {
            self.phase = RunPhase::Open;
            let session = root.members.get(Snapshot::conversation);
            let session =
                session.and_then(|session| session.as_str().or_else(|| session.text("id")));
            hub.emit(&Step::Start {
                id: root.members.filled(Snapshot::id),
                session_id: session,
                parent_id: root.members.filled(Snapshot::previous_response_id),
                model: root.members.filled(Snapshot::model),
                created_at: root.members.get(Snapshot::created_at).and_then(Value::integer),
            });
        } else if status != self.status && matches!(status, "queued" | "in_progress")
            || status == "queued" && self.status.is_empty()
        {
            hub.note(Note::Status { status, detail: None });
        }
        if self.status != status {
            self.status = status.into();
        }
        self.emit_metadata(hub);
    }

    /// Emits the metadata of the run that have not been emitted.
    fn emit_metadata(&mut self, hub: &mut Hub<'_>) {
        if !core::mem::take(&mut self.has_metadata) {
            return;
        }
        let root = self.objects.first();
        let Some(Value::Object(members)) =
            root.and_then(|root| root.members.get(Snapshot::metadata))
        else {
            return;
        };
        let mut new = Vec::new();
        for member in members {
            if self.metadata.get(&member.key) != Some(&member.value) {
                self.metadata.insert(&member.key, member.value.clone());
                new.push(member.clone());
            }
        }
        if !new.is_empty() {
            hub.note(Note::Metadata { value: &Value::Object(new), message: None, call: None });
        }
    }

    /// Returns the end of the run.
    fn run_end(&self, hub: &mut Hub<'_>) -> RunEnd {
        let Some(root) = self.objects.first() else { return RunEnd::new(EndStatus::Incomplete) };
        let text = |of: Option<&Value>, name: &str| Some(String::from(of?.text(name)?));
        let error = root.members.given(Snapshot::error);
        let mut end = RunEnd::new(match root.members.word(Snapshot::status) {
            "completed" => EndStatus::Completed,
            "failed" => EndStatus::Failed,
            "cancelled" => EndStatus::Canceled,
            // An error without a status.
            "" if error.is_some() => EndStatus::Failed,
            _ => EndStatus::Incomplete,
        });
        if let Some(error) = error {
            hub.lose_error(error, &["code"]);
        }
        if error.is_some() || end.status == EndStatus::Failed {
            let message =
                text(error, "message").unwrap_or_else(|| "The response has failed.".into());
            end.error = Some(EndError { code: text(error, "code"), message });
        }
        end.reason = text(root.members.get(Snapshot::incomplete_details), "reason");
        end.usage = self.usage.clone();
        add_usage(&mut end.usage, response_usage(root).cloned());
        end
    }
}
