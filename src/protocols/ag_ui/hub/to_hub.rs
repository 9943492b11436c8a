//! From AG-UI to the hub.
//!
//! The fold of the protocol decides what a stream means. What it tells of messages, calls and results is passed on as it
//! is told; any other event that it took is said as it stands.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::NAME;
use super::events::{Said, is_event};
use crate::bytes::string_map::StringMap;
use crate::core::declare::model::member::Member as _;
use crate::core::fold::{Key, Kind, Limited, Node, SinkValue};
use crate::core::report::Ended;
use crate::hub::end::{MessageEnd, RunEnd};
use crate::hub::kind::{EndStatus, MessageKind, Role as HubRole, ToolKind};
use crate::hub::note::Note;
use crate::hub::source::{FoldSource, HubSink};
use crate::hub::step::Step;
use crate::hub::transducer::Hub;
use crate::json::{Raw, Value};
use crate::protocols::ag_ui::model::{FunctionCall, Message, ReasoningSpan, Role, ToolCall};
use crate::protocols::ag_ui::{AgUi, AgUiFold};
use crate::sse::SseEvent;

/// Reads AG-UI: the source of a conversion.
pub type FromAgUi = FoldSource<State>;

/// How much has been said.
#[derive(Debug, Default)]
pub struct State {
    /// What the nodes are.
    objects: Vec<Object>,
    /// The messages and the calls, in the order of the nodes.
    items: Vec<Item>,
    /// The items that have something to say when the event is through.
    changed: Vec<usize>,
    /// The items of the messages and of the calls, by id; of several the last one.
    by_id: [StringMap<usize>; 2],
    /// How many messages the hub has.
    pub(super) messages: u32,
    /// How many runs have ended.
    pub(super) run: u32,
    /// The event at work brings messages that are not said one by one.
    at_once: bool,
    /// The fold took the event at work, and it is about no message.
    taken: bool,
    /// The id of the last span of reasoning.
    pub(super) span: String,
    pub(super) said: Said,
}

/// What a node is.
#[derive(Clone, Copy, Debug)]
enum Object {
    Item(usize),
    Span,
    Other,
}

/// A message of text or reasoning, a result, or a call.
#[derive(Debug, Default)]
struct Item {
    is_call: bool,
    id: String,
    role: Role,
    /// Of a message its speaker's, of a call its tool's.
    name: Option<String>,
    lane: Option<String>,
    /// Of a call, the id of its message.
    parent: String,
    /// Of a result, the call that it answers and what that came to.
    answers: String,
    content: Value,
    metadata: Vec<Value>,
    opaque: Option<String>,
    /// Its number at the hub, and the run in which it is open there, from 1.
    number: u32,
    open_in: u32,
    begins: bool,
    ends: bool,
    changed: bool,
}

impl Item {
    fn is_open(&self, run: u32) -> bool {
        self.open_in == run
    }
}

impl State {
    fn item(&mut self, node: Node) -> Option<&mut Item> {
        match self.objects.get(node as usize) {
            Some(Object::Item(at)) => self.items.get_mut(*at),
            _ => None,
        }
    }

    /// An item has something to say; and so has the fold, if it is an activity.
    fn touch(&mut self, node: Node) {
        let Some(&Object::Item(at)) = self.objects.get(node as usize) else {
            self.taken = true;
            return;
        };
        let Some(item) = self.items.get_mut(at) else { return };
        if item.role == Role::Activity {
            self.taken = true;
        } else if !core::mem::replace(&mut item.changed, true) {
            self.changed.push(at);
        }
    }

    /// An item has this id. What is open at the hub under that id goes on as this one.
    fn know(&mut self, at: usize, id: String) {
        let Some(item) = self.items.get_mut(at) else { return };
        let known = &mut self.by_id[usize::from(item.is_call)];
        let before = known.get(&id).copied();
        known.insert(&id, at);
        item.id = id;
        let replaced = before.filter(|_| self.at_once);
        if let Some(before) = replaced.and_then(|before| self.items.get_mut(before)) {
            let (number, open_in) = (before.number, core::mem::take(&mut before.open_in));
            if let Some(item) = self.items.get_mut(at) {
                (item.number, item.open_in) = (number, open_in);
            }
        }
    }

    /// Says what has changed.
    fn flush(&mut self, hub: &mut Hub<'_>) {
        for at in core::mem::take(&mut self.changed) {
            let Some(item) = self.items.get_mut(at) else { continue };
            item.changed = false;
            if core::mem::take(&mut item.begins) {
                self.begin(at, hub);
            }
            self.tell(at, hub);
        }
    }

    /// A message begins at the hub, unless it is open there.
    fn begin(&mut self, at: usize, hub: &mut Hub<'_>) {
        let run = self.run + 1;
        let Some(item) = self.items.get_mut(at).filter(|item| !item.is_open(run)) else { return };
        self.messages += 1;
        (item.number, item.open_in, item.begins) = (self.messages, run, false);
        let (kind, role) = match item.role {
            _ if item.is_call => (MessageKind::Call(ToolKind::Function), HubRole::Assistant),
            Role::Tool => (MessageKind::Result(ToolKind::Function), HubRole::Tool),
            Role::Reasoning => (MessageKind::Reasoning, HubRole::Assistant),
            role => (MessageKind::Message, HubRole::from(role.as_str())),
        };
        let parent = Some(item.parent.as_str()).filter(|parent| !parent.is_empty() && *parent != item.id);
        let (id, name) = match item.is_call {
            true => (None, None),
            false => (Some(item.id.as_str()), item.name.as_deref()),
        };
        let message = item.number;
        let context = hub.context().in_lane(item.lane.as_deref());
        hub.emit_in(context, &Step::Open { message, kind, role, id, name, parent, alternative: 0 });
        if item.is_call {
            let name = item.name.as_deref().unwrap_or_default();
            hub.emit_in(context, &Step::call(message, 0, &item.id, name, &[]));
        }
    }

    /// Says what is known of an item beside its text, and its end.
    fn tell(&mut self, at: usize, hub: &mut Hub<'_>) {
        let run = self.run + 1;
        let Some(item) = self.items.get_mut(at) else { return };
        let context = hub.context().in_lane(item.lane.as_deref());
        let message = Some(item.number).filter(|number| *number > 0 && !item.is_call);
        let call = item.is_call.then_some(item.id.as_str());
        for value in core::mem::take(&mut item.metadata) {
            hub.emit_in(context, &Step::Note(Note::Metadata { value: &value, message, call }));
        }
        if let Some(value) = item.opaque.take() {
            hub.emit_in(
                context,
                &Step::Note(Note::Opaque { kind: "encrypted", value: &value, message, call }),
            );
        }
        let message = item.number;
        if item.role == Role::Tool && item.is_open(run) {
            let content = core::mem::take(&mut item.content);
            let (text, parts) = match &content {
                Value::String(text) => (text.clone(), None),
                parts => (text_of(parts), Some(parts)),
            };
            let result = Step::Result {
                message,
                part: 0,
                id: &item.answers,
                name: None,
                output: &text,
                content: parts,
                preview: false,
                more: &[],
            };
            hub.emit_in(context, &result);
            item.ends = true;
        }
        if core::mem::take(&mut item.ends) && core::mem::take(&mut item.open_in) == run {
            hub.emit_in(context, &Step::EndPart { message, part: 0, whole: true });
            let end = &MessageEnd::new(EndStatus::Completed);
            hub.emit_in(context, &Step::Close { message, end });
        }
    }
}

/// What the parts of a result say, if all of them are text; otherwise the parts themselves.
fn text_of(parts: &Value) -> String {
    let Value::Array(list) = parts else { return parts.to_json() };
    let text = |part: &Value| Some(part.get("text")?.as_str()?.to_owned());
    list.iter().map(text).collect::<Option<String>>().unwrap_or_else(|| parts.to_json())
}

impl HubSink for State {
    const NAME: &'static str = NAME;
    type Protocol = AgUi;

    fn before(&mut self, event: &SseEvent<'_>, _: &mut Hub<'_>) {
        self.taken = false;
        self.at_once = is_event(event.data, "MESSAGES_SNAPSHOT") || is_event(event.data, "RUN_STARTED");
    }

    fn settle(&mut self, event: Option<&SseEvent<'_>>, fold: &mut Limited<AgUiFold>, hub: &mut Hub<'_>) {
        self.flush(hub);
        let Some(event) = event else { return };
        self.said.lose_members(event.data, hub);
        if core::mem::take(&mut fold.machine_mut().semantics.aside) || self.taken {
            self.say(event.data, hub);
        }
    }

    fn has_said_end(&self) -> bool {
        self.said.ended
    }

    fn end(&mut self, _: Ended, _: &mut Hub<'_>) -> Option<RunEnd> {
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
                if let (true, Some(message)) = (item.is_call, self.item(parent)) {
                    (item.parent, item.lane) = (message.id.clone(), message.lane.clone());
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
        // Members of one name have one key, whatever the object.
        match key {
            Message::id => return self.know(at, text()),
            Message::role => item.role = Role::of(value).unwrap_or_default(),
            Message::name => {
                if item.is_call && item.number > 0 {
                    hub.lose("call-renamed", &item.id, "the call had begun when it got another name");
                }
                item.name = Some(text());
            }
            Message::subagent_run_id => item.lane = Some(text()).filter(|lane| !lane.is_empty()),
            _ if at_once => {
                self.taken = true;
                return;
            }
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
        let Some(item) = self.items.get(at) else { return };
        let (message, part) = (item.number, 0);
        let step = match item.role {
            _ if item.is_call => Step::Arguments { message, part, piece },
            Role::Reasoning => Step::reasoning(message, part, piece),
            _ => Step::Text { message, part, piece },
        };
        hub.emit_in(hub.context().in_lane(item.lane.as_deref()), &step);
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
        let message = self.item(node).map_or(0, |item| item.number);
        if message > 0 {
            hub.emit(&Step::Note(Note::Retract { message, part: None }));
        }
    }

    fn arrange(&mut self, _: Node, _: Key, _: &[Node], _: &mut Hub<'_>) {
        self.taken |= self.at_once;
    }

    fn patched(&mut self, node: Node, _: Key) {
        self.touch(node);
    }
}
