//! What has been said of the items and parts of a response, and what is known of them that has not.

use alloc::{string::String, vec::Vec};

use super::pieces::Pieces;
use crate::engine::{Key, Kind, Node};
use crate::hub::{EndStatus, ToolKind};
use crate::json::{Member, Value};
use crate::protocols::responses::model::{
    ResponsesCodeInterpreterCall, ResponsesCustomToolCall, ResponsesFunctionCall, ResponsesOutputText,
    ResponsesRefusal,
};
use crate::protocols::responses::{Item, ItemType, PartType, Status};

/// The member of an image that says what it is: `webp`.
pub(super) const FORMAT: &str = "output_format";

/// An object of the answer.
#[derive(Debug)]
pub(super) struct Object {
    pub place: Place,
    pub kind: Option<ItemType>,
    /// Of an item: the number of its message, 0 before it is said; its parts.
    pub message: u32,
    pub parts: Vec<Node>,
    /// A piece of its text was said.
    pub said: bool,
    /// Of a part: what its pieces were.
    pub pieces: Pieces,
    /// All of its text, where that has not been said.
    pub text: Option<String>,
    /// It is whole.
    pub done: bool,
    pub closed: bool,
    /// How many of its annotations were said.
    pub annotations: usize,
    /// Its probabilities were noted as lost.
    pub improbable: bool,
    /// It stands among those that have changed.
    pub changed: bool,
    /// Its text is a refusal.
    pub is_refusal: bool,
    /// Its last status that was said.
    pub status: String,
    values: Vec<(Key, Value)>,
    pub extra: Vec<Member>,
}

/// Where an object stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It is the response.
    Root,
    Item,
    Part {
        item: Node,
        number: u32,
        is_summary: bool,
    },
}

/// The kind of items that an object is; of a part none.
pub(super) fn kind_of(kind: Kind) -> Option<ItemType> {
    ItemType::NAMES.iter().map(|name| ItemType::from(*name)).find(|known| known.kind() == kind)
}

impl Object {
    pub fn new(place: Place, kind: Option<ItemType>) -> Self {
        Object {
            place,
            kind,
            message: 0,
            parts: Vec::new(),
            said: false,
            pieces: Pieces::None,
            text: None,
            done: false,
            closed: false,
            annotations: 0,
            improbable: false,
            changed: false,
            is_refusal: false,
            status: String::new(),
            values: Vec::new(),
            extra: Vec::new(),
        }
    }

    pub fn put(&mut self, key: Key, value: Value) {
        match self.values.iter_mut().find(|(known, _)| *known == key) {
            Some((_, known)) => *known = value,
            None => self.values.push((key, value)),
        }
    }

    pub fn get(&self, key: Key) -> Option<&Value> {
        self.values.iter().find(|(known, _)| *known == key).map(|(_, value)| value)
    }

    pub fn word(&self, key: Key) -> &str {
        self.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// A text that is not empty.
    pub fn filled(&self, key: Key) -> Option<&str> {
        Some(self.word(key)).filter(|text| !text.is_empty())
    }

    /// The id of the call that it is or that it answers: what names it where it has none.
    pub fn call(&self) -> &str {
        self.filled(Item::call_id).unwrap_or_else(|| self.word(Item::id))
    }

    /// Its type: of an unknown one what the server says.
    pub fn name(&self) -> &str {
        self.kind.as_ref().map_or_else(|| self.word(Item::r#type), ItemType::as_str)
    }

    /// Whether a member is what it comes to in pieces.
    pub fn is_text(&self, key: Key) -> bool {
        match self.place {
            Place::Root => false,
            Place::Part { .. } => key == ResponsesOutputText::text || key == ResponsesRefusal::refusal,
            Place::Item => {
                self.kind != Some(ItemType::McpApprovalRequest)
                    && [
                        ResponsesFunctionCall::arguments,
                        ResponsesCustomToolCall::input,
                        ResponsesCodeInterpreterCall::code,
                    ]
                    .contains(&key)
            }
        }
    }

    /// Whether it is a call that has begun with arguments and is not whole: some servers put other ones, and another name, in
    /// their place when it is.
    pub fn may_change(&self) -> bool {
        let has_arguments = self.text.as_deref().is_some_and(|text| !text.is_empty());
        self.message == 0 && !self.done && has_arguments && matches!(self.role(), ItemRole::Call(_))
    }

    /// Whether its undeclared members are said: those of an item or a part of an unknown type.
    pub fn keeps_extra(&self) -> bool {
        match self.place {
            Place::Root => false,
            Place::Item => self.kind.is_none(),
            Place::Part { .. } => PartType::known(self.word(Item::r#type)).is_none() && self.has_type(),
        }
    }

    /// Whether it is a call or an output of a tool of Responses' own server, whose undeclared members are said, too.
    pub fn is_of_server(&self) -> bool {
        self.place == Place::Item
            && !matches!(self.kind, None | Some(ItemType::CustomToolCall | ItemType::CustomToolCallOutput))
            && matches!(self.role(), ItemRole::Call(ToolKind::Plugin) | ItemRole::Result(ToolKind::Plugin))
    }

    /// Whether this undeclared member of an image says what its data URL is.
    pub fn is_format(&self, name: &str) -> bool {
        self.role() == ItemRole::Image && name == FORMAT
    }

    /// Whether its type stands among its members: the fold tells those that it does not know.
    pub fn has_type(&self) -> bool {
        self.get(Item::r#type).is_some()
    }

    /// Returns what its message ends as, and whether its status is one that the protocol has.
    pub fn end_status(&self) -> (EndStatus, bool) {
        let status = match Status::from(self.word(Item::status)) {
            Status::Completed => EndStatus::Completed,
            Status::Incomplete => EndStatus::Incomplete,
            // Of a call that is said by its error.
            Status::Failed if matches!(self.role(), ItemRole::Call(_)) => EndStatus::Completed,
            Status::Failed => EndStatus::Failed,
            Status::Cancelled => EndStatus::Canceled,
            Status::Other(status) if status.is_empty() => EndStatus::Completed,
            Status::Other(_) => return (EndStatus::Incomplete, false),
            _at_work if self.done => EndStatus::Completed,
            _at_work => EndStatus::Incomplete,
        };
        (status, true)
    }

    /// What it is at the hub.
    pub fn role(&self) -> ItemRole {
        use ItemType::*;
        match &self.kind {
            Some(Message) => ItemRole::Message,
            Some(Reasoning) => ItemRole::Reasoning,
            Some(FunctionCall) => ItemRole::Call(ToolKind::Function),
            Some(FunctionCallOutput) => ItemRole::Result(ToolKind::Function),
            Some(McpCall) => ItemRole::Call(ToolKind::Mcp),
            Some(McpListTools) => ItemRole::Tools,
            Some(McpApprovalRequest) => ItemRole::Question,
            Some(McpApprovalResponse) => ItemRole::Answer,
            Some(ImageGenerationCall) => ItemRole::Image,
            Some(Compaction | AdditionalTools) => ItemRole::None,
            Some(Program) => ItemRole::Call(ToolKind::Plugin),
            _ if self.name().ends_with("_output") => ItemRole::Result(ToolKind::Plugin),
            _ if self.name().ends_with("_call") => ItemRole::Call(ToolKind::Plugin),
            _ => ItemRole::None,
        }
    }
}

/// What an item is at the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemRole {
    Message,
    Reasoning,
    Call(ToolKind),
    Result(ToolKind),
    /// A list of tools.
    Tools,
    Question,
    Answer,
    Image,
    /// There is no place for it.
    None,
}
