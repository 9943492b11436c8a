//! Storing what the fold decides.

use alloc::string::String;
use alloc::vec::Vec;

use super::member::{
    empty_payload, free, payload_string, set_content, set_message, set_response, set_tool_call,
};
use super::{Place, Snapshot, ToolCall, called};
use crate::core::fold::{Key, Kind, Node, Sink, SinkValue};
use crate::json::{self, Raw};
use crate::protocols::agent_api::enums::{MessageType, ToolSide};
use crate::protocols::agent_api::model::{Content, Message};
use crate::protocols::agent_api::schema;

impl Sink for Snapshot {
    fn open(&mut self, kind: Kind, parent: Node, _: Key) {
        let place = match kind {
            schema::KIND_RESPONSE => Place::Response,
            schema::KIND_MESSAGE => {
                self.response.output.push(Message::new("", MessageType::Message, None));
                Place::Message(self.response.output.len() - 1)
            }
            schema::KIND_TOOL_CALL => {
                self.tool_calls.push(ToolCall::default());
                Place::ToolCall(self.tool_calls.len() - 1)
            }
            _ => match self.message_mut(parent) {
                Some(message) => {
                    let payload = empty_payload(kind);
                    message.content.push(Content::new("", 0, payload));
                    let at = message.content.len() - 1;
                    let node = self.places.len() as Node;
                    self.contents.get_or_insert_default(parent.into()).push(node);
                    Place::Content(parent, at)
                }
                None => Place::Gone,
            },
        };
        self.places.push(place);
    }

    fn set(&mut self, node: Node, key: Key, value: SinkValue<'_>) {
        match self.place(node) {
            Place::Response => set_response(&mut self.response, key, value),
            Place::Message(_) => {
                if let Some(message) = self.message_mut(node) {
                    set_message(message, key, value);
                }
            }
            Place::Content(..) => {
                if key == schema::DATA
                    && let Some(index) = self.data.get_mut(node.into())
                {
                    index.forget(&[]);
                }
                if let Some(content) = self.content_mut(node) {
                    set_content(content, key, value);
                }
            }
            Place::ToolCall(at) => {
                if let Some(call) = self.tool_calls.get_mut(at) {
                    set_tool_call(call, key, value);
                }
            }
            Place::Root | Place::Gone => {}
        }
    }

    fn append(&mut self, node: Node, key: Key, text: &str) {
        if let Some(slot) =
            self.content_mut(node).and_then(|content| payload_string(&mut content.payload, key))
        {
            slot.get_or_insert_with(String::new).push_str(text);
        }
    }

    fn set_extra(&mut self, node: Node, name: &str, value: Raw<'_>) {
        let mut index = core::mem::take(self.extras.get_or_insert_default(node.into()));
        let extra = match self.place(node) {
            Place::Response => Some(&mut self.response.extra),
            Place::Message(_) => self.message_mut(node).map(|message| &mut message.extra),
            Place::Content(..) => self.content_mut(node).map(|content| &mut content.extra),
            Place::Root | Place::ToolCall(_) | Place::Gone => None,
        };
        if let Some(extra) = extra {
            *index.member(extra, name) = json::Value::from_raw(value);
        }
        self.extras.insert(node.into(), index);
    }

    fn set_in(&mut self, node: Node, _: Key, path: &[&str], value: SinkValue<'_>) {
        if let Some(slot) = self.data_mut(node, path) {
            *slot = free(value).unwrap_or(json::Value::Null);
        }
        if let Some(index) = self.data.get_mut(node.into()) {
            index.forget(path);
        }
    }

    fn append_in(&mut self, node: Node, _: Key, path: &[&str], text: &str) {
        match self.data_mut(node, path) {
            Some(json::Value::String(slot)) => slot.push_str(text),
            Some(slot) => *slot = text.into(),
            None => {}
        }
    }

    fn extend_in(&mut self, node: Node, _: Key, path: &[&str], items: Raw<'_>) {
        if let (Some(json::Value::Array(slot)), json::Value::Array(items)) =
            (self.data_mut(node, path), json::Value::from_raw(items))
        {
            slot.extend(items);
        }
    }

    fn add_in(&mut self, node: Node, _: Key, path: &[&str], summand: Raw<'_>, _: bool) {
        if let Some(json::Value::Number(slot)) = self.data_mut(node, path) {
            *slot = json::add(slot, summand.as_str());
        }
    }

    fn share(&mut self, node: Node, key: Key, from: Node, _: Key) {
        match (self.place(node), self.place(from)) {
            (Place::Content(..), Place::Message(_)) => {
                let Some(id) = self.message_of(from).map(|message| message.id.clone()) else { return };
                if let Some(content) = self.content_mut(node) {
                    content.msg_id = id;
                }
            }
            (Place::ToolCall(at), Place::Content(..)) => {
                let id = self.content_of(from).map(|content| content.msg_id.clone());
                let Some(call) = self.tool_calls.get_mut(at) else { return };
                let (slot, side) = match key {
                    schema::MESSAGE_ID => (&mut call.message_id, ToolSide::Call),
                    _ => (&mut call.output_message_id, ToolSide::Output),
                };
                *slot = id;
                self.calls.insert(called(from, side), at);
            }
            _ => {}
        }
    }

    fn move_last(&mut self, parent: Node, _: Key, node: Node, at: usize) {
        let Some(message) = self.message_mut(parent) else { return };
        let last = message.content.len().saturating_sub(1);
        let at = at.min(last);
        if let Some(content) = message.content.pop() {
            message.content.insert(at, content);
        }
        let nodes = self.contents.get_or_insert_default(parent.into());
        nodes.pop();
        nodes.insert(at, node);
        self.moved(parent, at);
    }

    fn remove(&mut self, parent: Node, _: Key, node: Node) {
        let Place::Content(_, at) = self.place(node) else { return };
        if let Some(message) = self.message_mut(parent).filter(|message| at < message.content.len()) {
            message.content.remove(at);
        }
        self.places[node as usize] = Place::Gone;
        self.contents.get_or_insert_default(parent.into()).retain(|other| *other != node);
        self.moved(parent, at);
    }

    fn arrange(&mut self, parent: Node, _: Key, nodes: &[Node]) {
        match self.place(parent) {
            Place::Response => {
                let mut old: Vec<Option<Message>> = self.response.output.drain(..).map(Some).collect();
                for &node in nodes {
                    let Place::Message(at) = self.place(node) else {
                        continue;
                    };
                    let Some(message) = old.get_mut(at).and_then(Option::take) else {
                        continue;
                    };
                    self.places[node as usize] = Place::Message(self.response.output.len());
                    self.response.output.push(message);
                }
            }
            Place::Message(at) => {
                let mut old: Vec<Option<Content>> =
                    self.response.output[at].content.drain(..).map(Some).collect();
                for &node in nodes {
                    let Place::Content(_, from) = self.place(node) else {
                        continue;
                    };
                    let Some(content) = old.get_mut(from).and_then(Option::take) else {
                        continue;
                    };
                    let list = &mut self.response.output[at].content;
                    list.push(content);
                    self.places[node as usize] = Place::Content(parent, list.len() - 1);
                }
                self.contents.insert(parent.into(), nodes.to_vec());
            }
            Place::Root | Place::Content(..) | Place::ToolCall(_) | Place::Gone => {}
        }
    }
}
