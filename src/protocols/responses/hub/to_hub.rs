//! From OpenAI Responses to the hub.
//!
//! The engine reads the stream. Pieces are emitted as they are received, and all other changes when the event has been
//! applied: content that first appears in an item or in the last response is emitted then, and content that only
//! repeats its pieces is never emitted.

use alloc::{string::String, vec::Vec};

use super::said::{ItemRole, Object, Place, kind_of};
use crate::bytes::string_map::StringMap;
use crate::core::EndReason;
use crate::engine::{Engine, Fold as _, Key, Kind, Node, SinkValue};
use crate::hub::{FoldSource, Hub, HubSink, Note, RunEnd, Step, json_of};
use crate::json::{Raw, Value};
use crate::protocols::responses::model::{ResponsesFunctionCall, ResponsesRefusal};
use crate::protocols::responses::{Item, MODEL, Part, Snapshot};
use crate::sse::SseEvent;

/// Reads OpenAI Responses: the source of a conversion.
pub type FromResponses = FoldSource;

/// The state of the response, and of its emitted content.
#[derive(Debug, Default)]
pub struct State {
    /// The objects, by node. The first is the response.
    pub(super) objects: Vec<Object>,
    /// The objects that may have changes to emit after the event.
    pub(super) changed: Vec<Node>,
    /// The number of messages at the hub.
    pub(super) messages: u32,
    /// The emitted state of the run: whether it began, and its last status.
    pub(super) started: bool,
    pub(super) status: String,
    /// The metadata of the run that were emitted.
    pub(super) metadata: StringMap<Value>,
    /// The metadata may have changed.
    pub(super) has_metadata: bool,
    ended: bool,
    /// A change was received after the end.
    late: bool,
}

impl HubSink for State {
    /// Always true, because pieces are not kept.
    fn repeats(&self) -> bool {
        true
    }

    fn before(&mut self, event: &SseEvent<'_>, hub: &mut Hub<'_>) {
        const LONGEST: usize = 200;
        if event.data.len() < LONGEST && event.data.contains("\"keepalive\"") {
            hub.emit(&Step::Heartbeat);
        } else if event.data.contains("\"response.audio.") {
            hub.lose("audio", "", "it belongs to no item of the output");
        }
    }

    fn settle(&mut self, _: Option<&SseEvent<'_>>, engine: &mut Engine, hub: &mut Hub<'_>) {
        if self.ended {
            self.changed.clear();
            return;
        }
        self.say_run(hub);
        self.say_changed(hub);
        if engine.report().end_reason == EndReason::Terminal {
            self.say_rest(hub);
            self.ended = true;
            hub.emit(&Step::End(&self.run_end()));
        }
    }

    fn has_said_end(&self) -> bool {
        self.ended
    }

    fn end(&mut self, ended: EndReason, hub: &mut Hub<'_>) -> Option<RunEnd> {
        self.say_changed(hub);
        self.say_kept(hub);
        (ended == EndReason::ErrorFrame).then(|| self.run_end())
    }

    fn open(&mut self, kind: Kind, parent: Node, list: Key, _: &mut Hub<'_>) {
        self.root();
        let node = self.objects.len() as Node;
        let place = match list {
            Snapshot::output => Place::Item,
            list => {
                let item = &mut self.objects[parent as usize];
                item.parts.push(node);
                Place::Part {
                    item: parent,
                    number: item.parts.len() as u32 - 1,
                    is_summary: list == Item::summary,
                }
            }
        };
        let mut object = Object::new(place, kind_of(kind));
        object.is_refusal = kind == ResponsesRefusal::KIND;
        self.objects.push(object);
        self.touch(node);
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>, hub: &mut Hub<'_>) {
        if self.is_late(hub) {
            return;
        }
        self.root();
        let Some(object) = self.objects.get_mut(node as usize) else { return };
        let is_named = object.message > 0 && matches!(object.role(), ItemRole::Call(_));
        let named =
            (is_named && matches!(key, Item::call_id | Item::id)).then(|| String::from(object.call()));
        let is_tool = is_named && key == ResponsesFunctionCall::name;
        let tool = is_tool.then(|| String::from(object.word(key)));
        match value {
            SinkValue::Str(text) if object.is_text(key) => object.text = Some(text.into()),
            value => {
                object.put(key, json_of(value, &MODEL));
                self.has_metadata |= node == 0 && key == Snapshot::metadata;
                if let Some(named) = named.filter(|named| *named != object.call()) {
                    hub.lose("call-id", &named, "the call has been said: it keeps its first id");
                }
                if tool.is_some_and(|tool| tool != object.word(key)) {
                    hub.lose(
                        "call-renamed",
                        object.call(),
                        "the call has been said: it keeps its first name",
                    );
                }
            }
        }
        self.touch(node);
    }

    fn append(&mut self, node: Node, _: Key, piece: &str, hub: &mut Hub<'_>) {
        if self.is_late(hub) {
            return;
        }
        self.say_run(hub);
        self.say_changed(hub);
        self.say_piece(node, piece, hub);
    }

    fn ends(&mut self, node: Node, _: Key) {
        if let Some(object) = self.objects.get_mut(node as usize) {
            object.done = true;
        }
        self.touch(node);
    }

    fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>, hub: &mut Hub<'_>) {
        let Some(object) = self.objects.get_mut(node as usize).filter(|_| node > 0) else { return };
        if object.keeps_extra() || object.is_of_server() || object.is_format(name) {
            object.extra.retain(|member| member.key != name);
            object.extra.push(crate::json::Member { key: name.into(), value: Value::from_raw(value) });
        } else {
            hub.lose("undeclared-member", name, "the hub has no place for it");
        }
    }

    fn unset_extra(&mut self, node: Node, name: &str) {
        if let Some(object) = self.objects.get_mut(node as usize) {
            object.extra.retain(|member| member.key != name);
        }
    }

    fn append_in(&mut self, node: Node, _: Key, path: &[&str], text: &str, hub: &mut Hub<'_>) {
        // The output of a command of a shell. The commands themselves are emitted when their call is complete.
        let channel = path.last().copied().filter(|channel| matches!(*channel, "stdout" | "stderr"));
        let Some(object) = self.objects.get(node as usize) else { return };
        if channel.is_some() && !self.ended {
            let id = String::from(object.call());
            hub.note(Note::Output { id: &id, piece: text, channel });
        }
    }

    fn patched(&mut self, node: Node, key: Key) {
        if let Some(object) = self.objects.get_mut(node as usize).filter(|_| key == Part::logprobs) {
            object.put(key, Value::Array(alloc::vec![Value::Null]));
            self.touch(node);
        }
    }

    /// Handles items or parts that a list does not contain. Emitted items stay; parts are removed.
    fn arrange(&mut self, parent: Node, list: Key, nodes: &[Node], hub: &mut Hub<'_>) {
        if self.ended {
            return;
        }
        let mut kept: Vec<Node> = nodes.into();
        kept.sort_unstable();
        if parent > 0 {
            let is_of_list = |object: &Object| match object.place {
                Place::Part { is_summary, .. } => is_summary == (list == Item::summary),
                _ => false,
            };
            let parts = self.objects.get(parent as usize).map_or(&[][..], |item| &item.parts).iter().copied();
            let gone = parts.filter(|part| {
                is_of_list(&self.objects[*part as usize]) && kept.binary_search(part).is_err()
            });
            let gone: Vec<Node> = gone.collect();
            return gone.into_iter().for_each(|part| self.remove(parent, list, part, hub));
        }
        for (node, object) in self.objects.iter().enumerate() {
            let is_gone = object.place == Place::Item && kept.binary_search(&(node as Node)).is_err();
            if is_gone && object.message > 0 {
                hub.lose(
                    "part-dropped",
                    object.word(Item::id),
                    "the last response does not list it: it stays said",
                );
            }
        }
    }

    fn remove(&mut self, parent: Node, _: Key, node: Node, hub: &mut Hub<'_>) {
        let Some(object) = self.objects.get(node as usize).filter(|_| !self.ended) else { return };
        let message = match object.place {
            Place::Part { item, .. } => self.objects[item as usize].message,
            _ => object.message,
        };
        let is_said = message > 0 && (parent == 0 || object.said);
        let part = match object.place {
            Place::Part { number, .. } => Some(number),
            _ => None,
        };
        if is_said {
            hub.note(Note::Retract { message, part });
        }
        if let Some(object) = self.objects.get_mut(node as usize) {
            object.closed = true;
            object.said = false;
        }
    }
}

impl State {
    /// Creates the object of the response, which precedes all others.
    fn root(&mut self) {
        if self.objects.is_empty() {
            self.objects.push(Object::new(Place::Root, None));
        }
    }

    fn touch(&mut self, node: Node) {
        if node > 0
            && let Some(object) = self.objects.get_mut(node as usize)
            && !core::mem::replace(&mut object.changed, true)
        {
            self.changed.push(node);
        }
    }

    /// Returns whether the run has ended. Notes the loss of later changes.
    fn is_late(&mut self, hub: &mut Hub<'_>) -> bool {
        if self.ended && !core::mem::replace(&mut self.late, true) {
            hub.lose("after-end", "", "the response had ended");
        }
        self.ended
    }
}
