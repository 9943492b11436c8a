//! The sink that keeps everything: the native answer.

use alloc::vec;
use alloc::vec::Vec;

mod member;
mod store;
mod tool_call;
mod wide;

pub use tool_call::{Arguments, ToolCall, ToolState};

use super::enums::ToolSide;
use super::model::{Content, Message, Payload, Response};
use crate::bytes::string_map::{Numbers, pair};
use crate::core::fold::Node;
use crate::json;
use wide::Index;

/// The answer so far: plain data, whole and in order at any moment.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Snapshot {
    /// The response with its messages.
    pub response: Response,
    /// Every tool call with what answers it, in the order of their first appearance.
    pub tool_calls: Vec<ToolCall>,
    /// Where the object of each node stands.
    places: Vec<Place>,
    /// The contents of each message, in their order.
    contents: Numbers<Vec<Node>>,
    /// The tool call of each content, by its node and side.
    calls: Numbers<usize>,
    /// The members of data, and the undeclared ones, by node.
    data: Numbers<Index>,
    extras: Numbers<Index>,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Root,
    Response,
    Message(usize),
    /// Message's node and position among its contents.
    Content(Node, usize),
    ToolCall(usize),
    Gone,
}

impl Default for Snapshot {
    fn default() -> Self {
        Snapshot {
            response: Response::new(""),
            tool_calls: Vec::new(),
            places: vec![Place::Root],
            contents: Numbers::default(),
            calls: Numbers::default(),
            data: Numbers::default(),
            extras: Numbers::default(),
        }
    }
}

impl Snapshot {
    /// A message by its id.
    pub fn message(&self, id: &str) -> Option<&Message> {
        self.response.output.iter().find(|message| message.id == id)
    }

    /// The content that holds a tool call.
    pub fn call_content(&self, call: &ToolCall) -> Option<&Content> {
        self.content_at(call.message_id.as_deref()?, call.index?)
    }

    /// The content that holds a tool call's output.
    pub fn output_content(&self, call: &ToolCall) -> Option<&Content> {
        self.content_at(call.output_message_id.as_deref()?, call.output_index?)
    }

    /// The arguments of a tool call so far.
    pub fn arguments(&self, call: &ToolCall) -> Option<Arguments<'_>> {
        let raw = self.call_content(call)?.data()?.get("arguments")?.as_str()?;
        Some(Arguments { raw, ended: call.state != ToolState::Streaming })
    }

    fn content_at(&self, message_id: &str, index: u32) -> Option<&Content> {
        self.message(message_id)?.content.iter().find(|content| content.index == index)
    }

    /// The message of a node.
    pub(crate) fn message_of(&self, node: Node) -> Option<&Message> {
        match self.place(node) {
            Place::Message(at) => self.response.output.get(at),
            _ => None,
        }
    }

    /// The content of a node, which must not have been taken out of its message.
    pub(crate) fn content_of(&self, node: Node) -> Option<&Content> {
        match self.place(node) {
            Place::Content(message, at) => self.message_of(message)?.content.get(at),
            _ => None,
        }
    }

    /// The tool call that the content of a node belongs to, on that side.
    #[cfg(feature = "hub")]
    pub(crate) fn call_at(&self, node: Node, side: ToolSide) -> Option<&ToolCall> {
        self.tool_calls.get(*self.calls.get(called(node, side))?)
    }

    fn place(&self, node: Node) -> Place {
        self.places.get(node as usize).copied().unwrap_or(Place::Gone)
    }

    fn message_mut(&mut self, node: Node) -> Option<&mut Message> {
        match self.place(node) {
            Place::Message(at) => self.response.output.get_mut(at),
            _ => None,
        }
    }

    fn content_mut(&mut self, node: Node) -> Option<&mut Content> {
        match self.place(node) {
            Place::Content(message, at) => self.message_mut(message)?.content.get_mut(at),
            _ => None,
        }
    }

    /// The value at a place inside a content's data.
    fn data_mut(&mut self, node: Node, path: &[&str]) -> Option<&mut json::Value> {
        let Place::Content(message, at) = self.place(node) else { return None };
        let Place::Message(message) = self.place(message) else { return None };
        let content = self.response.output.get_mut(message)?.content.get_mut(at)?;
        let Payload::Data { data } = &mut content.payload else { return None };
        let data = data.get_or_insert(json::Value::Object(Vec::new()));
        self.data.get_or_insert_default(node.into()).value(data, path)
    }

    /// The positions of the contents of a message have changed from that one on.
    fn moved(&mut self, message: Node, from: usize) {
        let nodes = self.contents.get(message.into()).map_or(&[][..], Vec::as_slice);
        for (at, node) in nodes.iter().enumerate().skip(from) {
            if let Some(place) = self.places.get_mut(*node as usize) {
                *place = Place::Content(message, at);
            }
        }
    }
}

/// The number of one side of a tool call: of the content that holds it.
fn called(content: Node, side: ToolSide) -> u64 {
    pair(content, matches!(side, ToolSide::Output).into())
}
