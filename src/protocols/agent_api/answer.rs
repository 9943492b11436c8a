//! Methods of the objects of an answer: constructors, access to messages, contents and tool calls,
//! and their JSON in the order of keys of the runtime, which is the order of the declaration. (Spec
//! 1.2, R5.)
//!
//! The documented methods that extend a message (`add_delta_content`, `content_completed`,
//! `add_content`; spec 1.3, S:647 to S:733) change the model only: they do not number events, and
//! they do not enforce an order. To write a stream, use the [builder](super::builder). Where
//! upstream raises, they return a [`UsageError`]; where upstream leaves members of a stored part
//! null, the model sets their value.

use alloc::string::String;

use super::RunStatus;
use super::merge::{DataMerge, merge};
use super::model::{
    Content, ContentType, ErrorInfo, Message, MessageType, Payload, Response, Role, Snapshot,
    ToolCall, ToolState,
};
use super::request::InputContent;
use crate::core::UsageError;
use crate::core::declare::model::member::{DeclaredMember, DeclaredObject, ListForm, Writing};
use crate::core::id::Id;
#[cfg(feature = "hub")]
use crate::engine::ObjectId;
use crate::json::{self, Partial, Value, decimal};

/// The arguments of a tool call, in the three forms they are needed in. (R36.)
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CallArguments<'a> {
    /// The JSON text so far.
    pub raw: &'a str,
    /// Whether the call has ended, so that `raw` is complete.
    pub ended: bool,
}

impl CallArguments<'_> {
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
    pub fn arguments(&self, call: &ToolCall) -> Option<CallArguments<'_>> {
        let raw = self.call_content(call)?.data()?.get("arguments")?.as_str()?;
        Some(CallArguments { raw, ended: call.state != ToolState::Streaming })
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
    pub(crate) fn message_of(&self, node: ObjectId) -> Option<&Message> {
        self.response.output.get(self.nodes.place(node, Response::output)?.1)
    }

    /// Returns the content of a node, which must not have been taken out of its message.
    #[cfg(feature = "hub")]
    pub(crate) fn content_of(&self, node: ObjectId) -> Option<&Content> {
        let (message, at) = self.nodes.place(node, Message::content)?;
        self.message_of(message)?.content.get(at)
    }

    /// Returns the tool call of a node.
    #[cfg(feature = "hub")]
    pub(crate) fn call_of(&self, node: ObjectId) -> Option<&ToolCall> {
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
    /// Every declared member is written, null when unset: byte for byte the output of the Python
    /// runtime.
    #[default]
    Wire,
    /// Members without a value are omitted.
    Compact,
}

impl Response {
    /// Returns the response as JSON.
    pub fn to_json(&self, style: Style) -> String {
        to_json(self, style)
    }
}

impl Message {
    /// Returns the message as JSON.
    pub fn to_json(&self, style: Style) -> String {
        to_json(self, style)
    }
}

impl Content {
    /// Returns the content as JSON.
    pub fn to_json(&self, style: Style) -> String {
        to_json(self, style)
    }
}

impl Style {
    /// Returns the form of an object with these lists.
    pub(super) fn writing(self, lists: ListForm) -> Writing {
        Writing { compact: self == Style::Compact, lists, is_piece: false }
    }
}

fn to_json(object: &impl DeclaredObject, style: Style) -> String {
    let mut out = String::new();
    object.write(&mut out, style.writing(ListForm::Written));
    out
}

impl Message {
    /// Adds a piece, and returns it as its content event: with index, message id and status
    /// in_progress.
    ///
    /// Without an index the piece is the beginning of a new part. With an index and `delta` true it
    /// is merged into that part: texts and image URLs are concatenated, data follows
    /// [`DataMerge::Message`], any other value stays unchanged. With an index and `delta` false or null the message does not change, and the result is `None`.
    ///
    /// ```
    /// use agentwire::agent_api::request::InputContent;
    /// use agentwire::agent_api::{Message, MessageType, Style};
    ///
    /// let mut message = Message::new("msg_1", MessageType::Message, None);
    /// message.add_delta_content(InputContent::text("Hel"))?;
    /// let mut piece = InputContent::text("lo");
    /// piece.index = Some(0);
    /// piece.delta = Some(true);
    /// let event = message.add_delta_content(piece)?.unwrap();
    /// assert_eq!(event.msg_id.as_deref(), Some("msg_1"));
    /// assert_eq!(message.text(), "Hello");
    /// # Ok::<(), agentwire::UsageError>(())
    /// ```
    pub fn add_delta_content(
        &mut self,
        mut piece: InputContent,
    ) -> Result<Option<InputContent>, UsageError> {
        match (piece.index, piece.delta) {
            (None, _) => {
                let index = self.store(&piece);
                piece.index = Some(index.into());
            }
            (Some(index), Some(true)) => {
                let same = |part: &&mut Content| i64::from(part.index) == index;
                let part = self.content.iter_mut().find(same).ok_or_else(|| no_part(index))?;
                grow(&mut part.payload, &piece.payload)?;
            }
            (Some(_), Some(false) | None) => return Ok(None),
        }
        piece.msg_id = Some(self.id.clone().into());
        piece.status = Some(RunStatus::InProgress);
        Ok(Some(piece))
    }

    /// Returns the completed event of a part: a copy; the part itself stays in progress. `None` if
    /// the part does not exist.
    pub fn content_completed(&self, index: u32) -> Option<InputContent> {
        let part = self.content.iter().find(|part| part.index == index)?;
        let mut event = InputContent::from(part.clone());
        event.status = Some(RunStatus::Completed);
        event.msg_id = Some(self.id.clone().into());
        Some(event)
    }

    /// Adds a whole part, and returns it as its completed event. A part with an index is not added;
    /// the result is `None`.
    pub fn add_content(&mut self, mut part: InputContent) -> Option<InputContent> {
        if part.index.is_some() {
            return None;
        }
        part.index = Some(self.store(&part).into());
        part.msg_id = Some(self.id.clone().into());
        part.status = Some(RunStatus::Completed);
        Some(part)
    }

    /// Appends a copy of a part and returns its index.
    fn store(&mut self, part: &InputContent) -> u32 {
        let last = self.content.iter().map(|part| part.index).max();
        let index = last.map_or(0, |last| last.saturating_add(1));
        self.content.push(part.clone().stored(index, &self.id, RunStatus::InProgress));
        index
    }
}

fn grow(part: &mut Payload, piece: &Payload) -> Result<(), UsageError> {
    match (part, piece) {
        (Payload::Text { text: so_far }, Payload::Text { text: piece })
        | (Payload::Image { image_url: so_far }, Payload::Image { image_url: piece }) => {
            so_far.as_mut().ok_or_else(null)?.push_str(piece.as_ref().ok_or_else(null)?);
        }
        (Payload::Data { data: so_far }, Payload::Data { data: piece }) => {
            let (so_far, piece) =
                (so_far.as_mut().ok_or_else(null)?, piece.as_ref().ok_or_else(null)?);
            merge(so_far, piece, DataMerge::Message);
        }
        (Payload::Text { .. } | Payload::Image { .. } | Payload::Data { .. }, _) => {
            return Err(UsageError::new(
                "wrong-content-type",
                "add_delta_content() was given a piece of another type than the part at its index",
                "leave `index` out to begin a new part",
            ));
        }
        // Parts of other types ignore the piece, whatever its type.
        _ => {}
    }
    Ok(())
}

fn no_part(index: i64) -> UsageError {
    UsageError::new(
        "no-such-part",
        ["add_delta_content() was given index ", &decimal(index), ", which no part has"].concat(),
        "leave `index` out to begin a new part",
    )
}

fn null() -> UsageError {
    UsageError::new(
        "null-piece",
        "add_delta_content() was given null, or a part that holds null, to concatenate",
        "use an empty text or object",
    )
}
