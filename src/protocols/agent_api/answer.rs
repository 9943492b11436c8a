//! Methods of the objects of an answer: constructors, access to messages, contents and tool calls, and their JSON in the
//! order of keys of the runtime, which is the order of the declaration. (Spec 1.2, R5.)

use alloc::string::String;

use super::model::{
    Content, ContentType, ErrorInfo, Message, MessageType, Payload, Response, Role, Snapshot, ToolCall,
    ToolState,
};
use crate::core::declare::model::member::{Lists, Member, Object as DeclaredObject, Writing};
use crate::core::id::Id;
#[cfg(feature = "hub")]
use crate::engine::Node;
use crate::json::{self, Partial, Value};

/// The arguments of a tool call, in the three forms they are needed in. (R36.)
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Arguments<'a> {
    /// The JSON text so far.
    pub raw: &'a str,
    /// Whether the call has ended, so that `raw` is complete.
    pub ended: bool,
}

impl Arguments<'_> {
    /// Parses the text so far. For display only: half a path or half a command is a different one.
    pub fn partial(&self) -> Partial {
        json::partial(self.raw, 128)
    }

    /// Returns the arguments, once the call has ended and if they are JSON.
    pub fn value(&self) -> Option<Value> {
        if self.ended { Value::parse(self.raw, 128).ok() } else { None }
    }
}

impl Snapshot {
    pub(super) fn response_json(&self) -> String {
        self.response.to_json(Style::Wire)
    }

    /// Returns a message by its id.
    pub fn message(&self, id: &str) -> Option<&Message> {
        self.response.output.iter().find(|message| message.id == id)
    }

    /// Returns the content that holds a tool call.
    pub fn call_content(&self, call: &ToolCall) -> Option<&Content> {
        self.content_at(call.message_id.as_deref()?, call.index?)
    }

    /// Returns the content that holds a tool call's output.
    pub fn output_content(&self, call: &ToolCall) -> Option<&Content> {
        self.content_at(call.output_message_id.as_deref()?, call.output_index?)
    }

    /// Returns the arguments of a tool call so far.
    pub fn arguments(&self, call: &ToolCall) -> Option<Arguments<'_>> {
        let raw = self.call_content(call)?.data()?.get("arguments")?.as_str()?;
        Some(Arguments { raw, ended: call.state != ToolState::Streaming })
    }

    fn content_at(&self, message_id: &str, index: u32) -> Option<&Content> {
        self.message(message_id)?.content.iter().find(|content| content.index == index)
    }

    /// Returns the tool calls as a JSON array.
    pub fn tool_calls_json(&self) -> String {
        let mut out = String::new();
        self.tool_calls.write(&mut out, Writing::default());
        out
    }

    /// Returns the message of a node.
    #[cfg(feature = "hub")]
    pub(crate) fn message_of(&self, node: Node) -> Option<&Message> {
        self.response.output.get(self.nodes.place(node, Response::output)?.1)
    }

    /// Returns the content of a node, which must not have been taken out of its message.
    #[cfg(feature = "hub")]
    pub(crate) fn content_of(&self, node: Node) -> Option<&Content> {
        let (message, at) = self.nodes.place(node, Message::content)?;
        self.message_of(message)?.content.get(at)
    }

    /// Returns the tool call of a node.
    #[cfg(feature = "hub")]
    pub(crate) fn call_of(&self, node: Node) -> Option<&ToolCall> {
        self.tool_calls.get(self.nodes.place(node, Snapshot::tool_calls)?.1)
    }
}

impl ErrorInfo {
    /// Creates an error with this code and this message.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        ErrorInfo { code: code.into(), message: message.into() }
    }
}

impl Payload {
    /// Returns the `type` member.
    pub fn content_type(&self) -> ContentType {
        self.tag().into()
    }
}

impl Response {
    /// Creates a response with this id and defaults for all other members.
    pub fn new(id: impl Into<String>) -> Self {
        Response { id: id.into(), ..Response::default() }
    }
}

impl Message {
    /// Creates a message in progress without contents.
    pub fn new(id: impl Into<Id>, kind: MessageType, role: Option<Role>) -> Self {
        Message { id: id.into(), r#type: kind, role, ..Message::default() }
    }

    /// Returns the text of the message: all text parts, concatenated.
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(Content::text);
        texts.fold(String::new(), |all, text| all + text)
    }
}

impl Content {
    /// Creates a content in progress.
    pub fn new(msg_id: impl Into<Id>, index: u32, payload: Payload) -> Self {
        Content { index, msg_id: msg_id.into(), payload, ..Content::default() }
    }

    /// Returns the text of a text content.
    pub fn text(&self) -> Option<&str> {
        match &self.payload {
            Payload::Text { text } => text.as_deref(),
            _ => None,
        }
    }

    /// Returns the data of a data content.
    pub fn data(&self) -> Option<&Value> {
        match &self.payload {
            Payload::Data { data } => data.as_ref(),
            _ => None,
        }
    }
}

/// The treatment of members without a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// Every declared member is written, null when unset: byte for byte the output of the Python runtime.
    #[default]
    Wire,
    /// Members without a value are omitted.
    Compact,
}

/// The extent of an object in a piece of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// Everything; an empty list is a list. Used for snapshots.
    Listed,
    /// Everything; a message without parts has null, as the runtime writes it in events.
    Whole,
    /// The list inside is null: an event that only announces the object.
    Announced,
}

impl Response {
    /// Returns the response as JSON.
    pub fn to_json(&self, style: Style) -> String {
        let mut out = String::new();
        self.write(&mut out, style, Body::Listed);
        out
    }

    pub(crate) fn write(&self, out: &mut String, style: Style, body: Body) {
        let lists = match body {
            Body::Listed => Lists::Written,
            Body::Whole => Lists::NullInside,
            Body::Announced => Lists::Null,
        };
        write(self, out, style, lists);
    }
}

impl Message {
    /// Returns the message as JSON.
    pub fn to_json(&self, style: Style) -> String {
        let mut out = String::new();
        self.write(&mut out, style, Body::Listed);
        out
    }

    pub(crate) fn write(&self, out: &mut String, style: Style, body: Body) {
        let lists = match body {
            Body::Listed => Lists::Written,
            Body::Whole => Lists::NullIfEmpty,
            Body::Announced => Lists::Null,
        };
        write(self, out, style, lists);
    }
}

impl Content {
    /// Returns the content as JSON.
    pub fn to_json(&self, style: Style) -> String {
        let mut out = String::new();
        self.write(&mut out, style, false);
        out
    }

    pub(crate) fn write(&self, out: &mut String, style: Style, delta: bool) {
        let writing = Writing { compact: style == Style::Compact, is_piece: delta, ..Writing::default() };
        DeclaredObject::write(self, out, writing);
    }
}

fn write(object: &impl DeclaredObject, out: &mut String, style: Style, lists: Lists) {
    object.write(out, Writing { compact: style == Style::Compact, lists, is_piece: false });
}
