//! Conversion from AG-UI to the hub.
//!
//! The engine of the protocol decides the meaning of a stream. Its changes of messages, calls and
//! results are passed on directly; any other event that it accepted is converted by itself.

mod added_messages;
mod events;
mod messages;

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use self::added_messages::AddedMessages;
use crate::bytes::string_map::StringMap;
use crate::core::{EndReason, Opening};
use crate::engine::{Engine, Field, FieldValue, JsonChange, ObjectId, ObjectKind, Sink};
use crate::hub::{FoldSource, Hub, Note, RunEnd, Step, StepSink, StepSource, json_of};
use crate::json::{Element, Value};
use crate::protocols::ag_ui::{
    FunctionCall, MODEL, Message, ReasoningSpan, Role, Snapshot, ToolCall,
};
use crate::sse::SseEvent;

/// Reads AG-UI: the source of a conversion.
pub type FromAgUi = FoldSource;

/// The state of the conversion.
#[derive(Debug, Default)]
pub struct AgUiSource {
    /// The kinds of the nodes.
    objects: Vec<SourceObject>,
    /// The messages and the calls, in the order of the nodes.
    items: Vec<EmittedItem>,
    /// The items to emit after the event.
    changed: Vec<usize>,
    /// The messages that may be open at the hub and were not taken back.
    open: Vec<usize>,
    /// The number of snapshots of the messages.
    snapshots: u64,
    /// The open items whose text a snapshot of the messages has replaced.
    replaced: Vec<usize>,
    /// The items of the messages and of the calls, by id; for several with one id, the last one.
    by_id: [StringMap<usize>; 2],
    /// The number of messages at the hub.
    messages: u32,
    /// The number of runs that have ended.
    run: u32,
    event: CurrentEvent,
    /// The id of the last span of reasoning.
    span: String,
    /// Whether a run has started, and whether the last one has ended: a stream can also end a run
    /// that has not started.
    started: bool,
    ended: bool,
    /// The [`LOST`] members whose loss was noted.
    noted: [bool; LOST.len()],
    added: AddedMessages,
}

/// The properties of the current event that its changes do not show.
#[derive(Debug, Default)]
struct CurrentEvent {
    /// It contains messages that are not emitted one by one: their changes wait for its end.
    is_bulk: bool,
    /// The engine has accepted it, and it is not about a single message, so that it is converted by
    /// itself.
    is_accepted: bool,
    /// Whether it has each of the [`LOST`] members.
    has_lost: [bool; LOST.len()],
}

/// The members of events that steps do not have.
const LOST: [&str; 2] = ["timestamp", "rawEvent"];

impl StepSource for AgUiSource {
    fn before(&mut self, _: &SseEvent<'_>, _: &mut Hub<'_>) {
        self.event = CurrentEvent::default();
    }

    fn settle(&mut self, event: Option<&SseEvent<'_>>, engine: &mut Engine, hub: &mut Hub<'_>) {
        self.flush(hub);
        let Some(event) = event else { return };
        for (at, name) in LOST.into_iter().enumerate() {
            if self.event.has_lost[at] && !core::mem::replace(&mut self.noted[at], true) {
                let reason = "steps have the number of their event, not when and from what it came";
                hub.lose("event-members", name, reason);
            }
        }
        if engine.take_traceless() || self.event.is_accepted {
            self.emit_event(event.data, hub);
        }
        self.emit_replaced(hub);
    }

    fn has_emitted_end(&self) -> bool {
        self.ended
    }

    fn end(&mut self, _: EndReason, _: &mut Hub<'_>) -> Option<RunEnd> {
        None
    }
}

impl Sink for StepSink<'_, '_, AgUiSource> {
    fn begin(&mut self, event: Element<'_, '_>) {
        let event = Opening::Object(event);
        let current = &mut self.state.event;
        current.is_bulk = event.is_one_of("type", &["MESSAGES_SNAPSHOT", "RUN_STARTED"]);
        current.has_lost = LOST.map(|name| event.has(name));
    }

    fn open(&mut self, kind: ObjectKind, parent: ObjectId, _: Field) {
        let StepSink { state, hub } = self;
        if state.objects.is_empty() {
            state.objects.push(SourceObject::Other);
        }
        let object = match kind {
            Message::KIND | ToolCall::KIND => {
                if !state.event.is_bulk {
                    state.flush(hub);
                }
                let mut item =
                    EmittedItem { is_call: kind == ToolCall::KIND, ..EmittedItem::default() };
                let next = state.items.len();
                if let (true, Some(message)) = (item.is_call, state.item(parent)) {
                    (item.parent, item.lane) = (message.id.clone(), message.lane.clone());
                    message.calls.push(next);
                }
                state.items.push(item);
                SourceObject::Item(state.items.len() - 1)
            }
            FunctionCall::KIND => {
                state.objects.get(parent as usize).copied().unwrap_or(SourceObject::Other)
            }
            ReasoningSpan::KIND => SourceObject::Span,
            _ => SourceObject::Other,
        };
        state.objects.push(object);
    }

    fn set(&mut self, node: ObjectId, key: Field, value: FieldValue<'_>) {
        let StepSink { state, hub } = self;
        let text =
            || if let FieldValue::Str(text) = value { text.to_owned() } else { String::new() };
        let is_bulk = state.event.is_bulk;
        let at = match state.objects.get(node as usize) {
            Some(SourceObject::Item(at)) => *at,
            Some(SourceObject::Span) if key == ReasoningSpan::message_id => {
                state.span = text();
                return state.touch(node);
            }
            _ => return state.touch(node),
        };
        let Some(item) = state.items.get_mut(at) else { return };
        state.event.is_accepted |= is_bulk;
        // Members of one name have one key, whatever the object.
        match key {
            Message::id => return state.set_id(at, text()),
            Message::role => item.role = Role::of(value).unwrap_or_default(),
            Message::name => {
                let name = text();
                if item.is_call && item.number > 0 && item.name.as_ref() != Some(&name) {
                    hub.lose(
                        "call-renamed",
                        &item.id,
                        "the call had begun when it got another name",
                    );
                }
                item.name = Some(name);
            }
            Message::subagent_run_id => item.lane = Some(text()).filter(|lane| !lane.is_empty()),
            Message::content | FunctionCall::arguments if is_bulk => {
                item.listed = json_of(value, &MODEL).as_str().map(ToOwned::to_owned);
                return;
            }
            _ if is_bulk => return,
            Message::content => {
                if item.role == Role::Tool {
                    item.content = json_of(value, &MODEL);
                }
                item.begins = true;
            }
            Message::tool_call_id => item.answers = text(),
            Message::encrypted_value => {
                item.opaque = Some(text());
                item.begins |= item.is_only_listed();
            }
            Message::metadata => {
                item.metadata.push(json_of(value, &MODEL));
                item.begins |= item.is_only_listed();
            }
            _ => {}
        }
        // A call begins with the name of its tool.
        item.begins |= key == FunctionCall::name && item.number == 0 && !is_bulk;
        state.touch(node);
    }

    fn append(&mut self, node: ObjectId, _: Field, piece: &str) {
        let StepSink { state, hub } = self;
        let Some(&SourceObject::Item(at)) = state.objects.get(node as usize) else { return };
        if state.items.get(at).is_some_and(|item| !item.is_open(state.run + 1)) {
            state.begin(at, hub);
        }
        let Some(item) = state.items.get_mut(at) else { return };
        if core::mem::take(&mut item.is_taken_back) {
            state.open.push(at);
        }
        item.emitted_text.push_str(piece);
        hub.emit_in(hub.meta().in_lane(item.lane.as_deref()), &item.piece(piece));
    }

    fn end(&mut self, node: ObjectId, _: Field) {
        let state = &mut *self.state;
        if let Some(item) = state.item(node) {
            item.ends = true;
        }
        state.touch(node);
    }

    fn change_in(&mut self, node: ObjectId, key: Field, path: &[&str], change: JsonChange<'_>) {
        let state = &mut *self.state;
        let is_bulk = state.event.is_bulk;
        if let (JsonChange::Set(value), Message::metadata, [name]) = (change, key, path)
            && let Some(item) = state.item(node)
        {
            item.metadata.push([(*name, json_of(value, &MODEL))].into());
            item.begins |= !is_bulk && item.is_only_listed();
        }
        state.touch(node);
    }

    fn remove(&mut self, _: ObjectId, _: Field, node: ObjectId) {
        let StepSink { state, hub } = self;
        let Some(&SourceObject::Item(at)) = state.objects.get(node as usize) else { return };
        let Some(gone) = state.items.get(at) else { return };
        // The calls of a message are removed with it.
        let calls = gone.calls.iter().filter_map(|call| Some(state.items.get(*call)?.number));
        for message in calls.chain([gone.number]).filter(|number| *number > 0) {
            hub.note(Note::Retract { message, part: None });
        }
    }

    /// Retracts the open messages that a snapshot of the messages does not contain, each once.
    fn arrange(&mut self, _: ObjectId, list: Field, nodes: &[ObjectId]) {
        let StepSink { state, hub } = self;
        if !state.event.is_bulk {
            return;
        }
        state.event.is_accepted = true;
        if list != Snapshot::messages {
            return;
        }
        state.snapshots += 1;
        let (run, snapshot) = (state.run + 1, state.snapshots);
        let AgUiSource { open, items, .. } = state;
        open.retain(|&at| items.get(at).is_some_and(|item| item.is_open(run)));
        if open.is_empty() {
            return;
        }
        for node in nodes {
            if let Some(item) = state.item(*node) {
                item.snapshot = snapshot;
            }
        }
        let AgUiSource { open, items, .. } = state;
        open.retain(|&at| {
            let Some(item) = items.get_mut(at) else { return false };
            let is_kept = item.snapshot == snapshot;
            if !is_kept {
                item.is_taken_back = true;
                hub.note(Note::Retract { message: item.number, part: None });
            }
            is_kept
        });
    }
}

/// The kind of a node.
#[derive(Clone, Copy, Debug)]
enum SourceObject {
    Item(usize),
    Span,
    Other,
}

/// A message of text or reasoning, a result, or a call.
#[derive(Debug, Default)]
struct EmittedItem {
    pub is_call: bool,
    pub id: String,
    pub role: Role,
    /// The name of a message's sender, or of a call's tool.
    pub name: Option<String>,
    pub lane: Option<String>,
    /// The id of a call's message.
    pub parent: String,
    /// The calls of a message.
    pub calls: Vec<usize>,
    /// The call that a result answers, and the content of the result.
    pub answers: String,
    pub content: Value,
    /// The emitted part of an open text or of open arguments; and their text in a snapshot of the
    /// messages, until it is emitted.
    pub emitted_text: String,
    pub listed: Option<String>,
    pub metadata: Vec<Value>,
    pub opaque: Option<String>,
    /// Its number at the hub; 0 before it begins. An item that continues in a later run gets
    /// another one.
    pub number: u32,
    /// The run in which it is open at the hub, from 1; 0 while it is not open.
    pub open_in: u32,
    /// It begins or ends at the hub when the current event has been applied. A list of messages
    /// begins none.
    pub begins: bool,
    pub ends: bool,
    /// It is in the list of changed items.
    pub changed: bool,
    /// The last snapshot of the messages that contains the item.
    pub snapshot: u64,
    /// Whether a snapshot did not contain the item, and no piece of it has been emitted since.
    pub is_taken_back: bool,
}

impl EmittedItem {
    pub fn is_open(&self, run: u32) -> bool {
        self.open_in == run
    }

    /// Returns whether only a list has the message so far. An event of a text that names it begins
    /// it at the hub. A result has no such events.
    pub fn is_only_listed(&self) -> bool {
        self.number == 0 && !self.is_call && self.role != Role::Tool
    }

    /// Returns the step for the next piece of its text or arguments.
    pub fn piece<'p>(&self, piece: &'p str) -> Step<'p> {
        let (message, part) = (self.number, 0);
        match self.role {
            _ if self.is_call => Step::Arguments { message, part, piece },
            Role::Reasoning => Step::reasoning(message, part, piece),
            _ => Step::Text { message, part, piece },
        }
    }
}
