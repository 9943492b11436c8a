//! Conversion from AG-UI to the hub.
//!
//! The engine of the protocol decides the meaning of a stream. Its changes of messages, calls and results are passed on
//! directly; any other event that it accepted is converted by itself.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::added::Added;
use super::items::{Item, Object};
use super::said::{Said, is_event};
use crate::bytes::string_map::StringMap;
use crate::core::EndReason;
use crate::core::declare::model::member::Member as _;
use crate::engine::{Engine, Key, Kind, Node, SinkValue};
use crate::hub::{FoldSource, Hub, HubSink, Note, RunEnd};
use crate::json::{Raw, Value};
use crate::protocols::ag_ui::{FunctionCall, Message, ReasoningSpan, Role, Snapshot, ToolCall};
use crate::sse::SseEvent;

/// Reads AG-UI: the source of a conversion.
pub type FromAgUi = FoldSource;

/// The state of the conversion.
#[derive(Debug, Default)]
pub struct State {
    /// The kinds of the nodes.
    pub(super) objects: Vec<Object>,
    /// The messages and the calls, in the order of the nodes.
    pub(super) items: Vec<Item>,
    /// The items to emit after the event.
    pub(super) changed: Vec<usize>,
    /// The messages that may be open at the hub and were not taken back.
    pub(super) open: Vec<usize>,
    /// The number of snapshots of the messages.
    pub(super) snapshots: u64,
    /// The open items whose text a snapshot of the messages has replaced.
    pub(super) replaced: Vec<usize>,
    /// The items of the messages and of the calls, by id; for several with one id, the last one.
    pub(super) by_id: [StringMap<usize>; 2],
    /// The number of messages at the hub.
    pub(super) messages: u32,
    /// The number of runs that have ended.
    pub(super) run: u32,
    /// Whether the current event contains messages that are not emitted one by one.
    pub(super) at_once: bool,
    /// Whether the engine has accepted the current event, and the event is not about a single message.
    pub(super) taken: bool,
    /// The id of the last span of reasoning.
    pub(super) span: String,
    pub(super) said: Said,
    pub(super) added: Added,
}

impl HubSink for State {
    fn before(&mut self, event: &SseEvent<'_>, _: &mut Hub<'_>) {
        self.taken = false;
        self.at_once = is_event(event.data, "MESSAGES_SNAPSHOT") || is_event(event.data, "RUN_STARTED");
    }

    fn settle(&mut self, event: Option<&SseEvent<'_>>, engine: &mut Engine, hub: &mut Hub<'_>) {
        self.flush(hub);
        let Some(event) = event else { return };
        self.said.lose_members(event.data, hub);
        if engine.take_traceless() || self.taken {
            self.say(event.data, hub);
        }
        self.say_replaced(hub);
    }

    fn has_said_end(&self) -> bool {
        self.said.ended
    }

    fn end(&mut self, _: EndReason, _: &mut Hub<'_>) -> Option<RunEnd> {
        None
    }

    fn open(&mut self, kind: Kind, parent: Node, _: Key, hub: &mut Hub<'_>) {
        if self.objects.is_empty() {
            self.objects.push(Object::Other);
        }
        let object = match kind {
            Message::KIND | ToolCall::KIND => {
                if !self.at_once {
                    self.flush(hub);
                }
                let mut item = Item { is_call: kind == ToolCall::KIND, ..Item::default() };
                let next = self.items.len();
                if let (true, Some(message)) = (item.is_call, self.item(parent)) {
                    (item.parent, item.lane) = (message.id.clone(), message.lane.clone());
                    message.calls.push(next);
                }
                self.items.push(item);
                Object::Item(self.items.len() - 1)
            }
            FunctionCall::KIND => self.objects.get(parent as usize).copied().unwrap_or(Object::Other),
            ReasoningSpan::KIND => Object::Span,
            _ => Object::Other,
        };
        self.objects.push(object);
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>, hub: &mut Hub<'_>) {
        let text = || if let SinkValue::Str(text) = value { text.to_owned() } else { String::new() };
        let at_once = self.at_once;
        let at = match self.objects.get(node as usize) {
            Some(Object::Item(at)) => *at,
            Some(Object::Span) if key == ReasoningSpan::message_id => {
                self.span = text();
                return self.touch(node);
            }
            _ => return self.touch(node),
        };
        let Some(item) = self.items.get_mut(at) else { return };
        self.taken |= at_once;
        // Members of one name have one key, whatever the object.
        match key {
            Message::id => return self.know(at, text()),
            Message::role => item.role = Role::of(value).unwrap_or_default(),
            Message::name => {
                let name = text();
                if item.is_call && item.number > 0 && item.name.as_ref() != Some(&name) {
                    hub.lose("call-renamed", &item.id, "the call had begun when it got another name");
                }
                item.name = Some(name);
            }
            Message::subagent_run_id => item.lane = Some(text()).filter(|lane| !lane.is_empty()),
            Message::content | FunctionCall::arguments if at_once => {
                let mut listed = Value::default();
                listed.set(value);
                item.listed = listed.as_str().map(ToOwned::to_owned);
                return;
            }
            _ if at_once => return,
            Message::content => {
                if item.role == Role::Tool {
                    item.content.set(value);
                }
                item.begins = true;
            }
            Message::tool_call_id => item.answers = text(),
            Message::encrypted_value => item.opaque = Some(text()),
            Message::metadata => {
                let mut metadata = Value::default();
                metadata.set(value);
                item.metadata.push(metadata);
            }
            _ => {}
        }
        // A call begins with the name of its tool.
        item.begins |= key == FunctionCall::name && item.number == 0 && !at_once;
        self.touch(node);
    }

    fn append(&mut self, node: Node, _: Key, piece: &str, hub: &mut Hub<'_>) {
        let Some(&Object::Item(at)) = self.objects.get(node as usize) else { return };
        if self.items.get(at).is_some_and(|item| !item.is_open(self.run + 1)) {
            self.begin(at, hub);
        }
        let Some(item) = self.items.get_mut(at) else { return };
        if core::mem::take(&mut item.is_taken_back) {
            self.open.push(at);
        }
        item.said.push_str(piece);
        hub.emit_in(hub.context().in_lane(item.lane.as_deref()), &item.piece(piece));
    }

    fn ends(&mut self, node: Node, _: Key) {
        if let Some(item) = self.item(node) {
            item.ends = true;
        }
        self.touch(node);
    }

    fn set_in(&mut self, node: Node, key: Key, path: &[&str], value: SinkValue<'_>) {
        if let (Message::metadata, [name], Some(item)) = (key, path, self.item(node)) {
            let mut member = Value::default();
            member.set(value);
            item.metadata.push([(*name, member)].into());
        }
        self.touch(node);
    }

    fn append_in(&mut self, node: Node, _: Key, _: &[&str], _: &str, _: &mut Hub<'_>) {
        self.touch(node);
    }

    fn extend_in(&mut self, node: Node, _: Key, _: &[&str], _: Raw<'_>) {
        self.touch(node);
    }

    fn remove(&mut self, _: Node, _: Key, node: Node, hub: &mut Hub<'_>) {
        let Some(&Object::Item(at)) = self.objects.get(node as usize) else { return };
        let Some(gone) = self.items.get(at) else { return };
        // The calls of a message are removed with it.
        let calls = gone.calls.iter().filter_map(|call| Some(self.items.get(*call)?.number));
        for message in calls.chain([gone.number]).filter(|number| *number > 0) {
            hub.note(Note::Retract { message, part: None });
        }
    }

    /// Retracts the open messages that a snapshot of the messages does not contain, each once.
    fn arrange(&mut self, _: Node, list: Key, nodes: &[Node], hub: &mut Hub<'_>) {
        if !self.at_once {
            return;
        }
        self.taken = true;
        if list != Snapshot::messages {
            return;
        }
        self.snapshots += 1;
        let (run, snapshot) = (self.run + 1, self.snapshots);
        let State { open, items, .. } = self;
        open.retain(|&at| items.get(at).is_some_and(|item| item.is_open(run)));
        if open.is_empty() {
            return;
        }
        for node in nodes {
            if let Some(item) = self.item(*node) {
                item.snapshot = snapshot;
            }
        }
        let State { open, items, .. } = self;
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

    fn patched(&mut self, node: Node, _: Key) {
        self.touch(node);
    }
}
