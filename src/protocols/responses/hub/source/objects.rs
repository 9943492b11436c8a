//! The state of the items and parts of a response: the content that was emitted, and the content
//! that was not.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use crate::engine::{Field, ObjectId, ObjectKind};
use crate::hub::{EndStatus, KeptMembers, MessageKind, MessagePhase, ToolKind};
use crate::protocols::responses::model::{
    ResponsesCodeInterpreterCall, ResponsesCustomToolCall, ResponsesFunctionCall,
    ResponsesOutputText, ResponsesRefusal,
};
use crate::protocols::responses::{Item, ItemType, PartType, Status};

/// An object of the answer.
#[derive(Debug, Default)]
pub(super) struct SourceObject {
    pub place: ObjectPlace,
    pub kind: Option<ItemType>,
    /// How far it has been emitted. Only an item has a message; a part was removed, or is waiting.
    pub phase: MessagePhase,
    /// For an item: its parts.
    pub parts: Vec<ObjectId>,
    /// A piece of its text was emitted.
    pub is_emitted: bool,
    /// For a part: the state of its pieces.
    pub pieces: PieceOrder,
    /// Its whole text, if that has not been emitted.
    pub text: Option<String>,
    /// It is complete at the server.
    pub done: bool,
    /// The number of its annotations that were emitted.
    pub annotations: usize,
    /// The loss of its log probabilities was noted.
    pub logprobs_reported: bool,
    /// It is in the list of changed objects.
    pub changed: bool,
    /// Its text is a refusal.
    pub is_refusal: bool,
    /// Its last status that was emitted.
    pub status: String,
    /// The number of its undeclared members that were emitted.
    pub known_extra: usize,
    pub members: KeptMembers,
}

/// The place of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ObjectPlace {
    /// The response.
    #[default]
    Root,
    Item,
    Part {
        item: ObjectId,
        number: u32,
        is_summary: bool,
    },
}

/// Returns the type of items of a kind. `None` for the kind of a part.
pub(super) fn kind_of(kind: ObjectKind) -> Option<ItemType> {
    ItemType::NAMES.iter().map(|name| ItemType::from(*name)).find(|known| known.kind() == kind)
}

impl SourceObject {
    pub fn new(place: ObjectPlace, kind: Option<ItemType>) -> Self {
        SourceObject { place, kind, ..SourceObject::default() }
    }

    /// Returns the id of the call that it is or answers. Its own id if it has no `call_id`.
    pub fn call(&self) -> &str {
        self.members.filled(Item::call_id).unwrap_or_else(|| self.members.word(Item::id))
    }

    /// Returns its type: for an unknown type, the name that the server sent.
    pub fn name(&self) -> &str {
        self.kind.as_ref().map_or_else(|| self.members.word(Item::r#type), ItemType::as_str)
    }

    /// Returns whether a member is a text that is streamed in pieces.
    pub fn is_text(&self, key: Field) -> bool {
        match self.place {
            ObjectPlace::Root => false,
            ObjectPlace::Part { .. } => {
                key == ResponsesOutputText::text || key == ResponsesRefusal::refusal
            }
            ObjectPlace::Item => {
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

    /// Returns whether it is an incomplete call that began with arguments and was not emitted: some
    /// servers replace the arguments and the name when the call is complete.
    pub fn may_change(&self) -> bool {
        let has_arguments = self.text.as_deref().is_some_and(|text| !text.is_empty());
        self.phase.is_waiting() && !self.done && has_arguments && self.tool().is_some()
    }

    /// Returns whether its undeclared members are emitted: those of items, and of a part of an
    /// unknown type.
    pub fn keeps_extra(&self) -> bool {
        match self.place {
            ObjectPlace::Root => false,
            ObjectPlace::Item => true,
            // The engine sets only types that it does not recognize.
            ObjectPlace::Part { .. } => {
                self.members.get(Item::r#type).is_some()
                    && PartType::known(self.members.word(Item::r#type)).is_none()
            }
        }
    }

    /// Returns whether it is a call or an output of a tool of Responses' own server, whose
    /// undeclared members are emitted, too.
    pub fn is_of_server(&self) -> bool {
        self.place == ObjectPlace::Item
            && !matches!(
                self.kind,
                None | Some(ItemType::CustomToolCall | ItemType::CustomToolCallOutput)
            )
            && matches!(
                self.message_kind(),
                Some(MessageKind::Call(ToolKind::Plugin) | MessageKind::Result(ToolKind::Plugin))
            )
    }

    /// Returns the status that its message ends with, and whether the item's status is one that the
    /// protocol has.
    pub fn end_status(&self) -> (EndStatus, bool) {
        let status = match Status::from(self.members.word(Item::status)) {
            Status::Completed => EndStatus::Completed,
            Status::Incomplete => EndStatus::Incomplete,
            // The error of a call reports its failure.
            Status::Failed if self.tool().is_some() => EndStatus::Completed,
            Status::Failed => EndStatus::Failed,
            Status::Cancelled => EndStatus::Canceled,
            Status::Other(status) if status.is_empty() => EndStatus::Completed,
            Status::Other(_) => return (EndStatus::Incomplete, false),
            _at_work if self.done => EndStatus::Completed,
            _at_work => EndStatus::Incomplete,
        };
        (status, true)
    }

    /// Returns the kind of its message at the hub. An item that only the server understands is a
    /// reasoning without a text. `None` for the object of the response.
    pub fn message_kind(&self) -> Option<MessageKind<'static>> {
        use ItemType::*;
        Some(match &self.kind {
            Some(Message | ImageGenerationCall) => MessageKind::Message,
            Some(Reasoning) => MessageKind::Reasoning,
            Some(FunctionCall) => MessageKind::Call(ToolKind::Function),
            Some(FunctionCallOutput) => MessageKind::Result(ToolKind::Function),
            Some(McpCall) => MessageKind::Call(ToolKind::Mcp),
            Some(McpListTools) => MessageKind::Other("mcp_list_tools"),
            Some(McpApprovalRequest) => MessageKind::Interrupt,
            Some(McpApprovalResponse) => MessageKind::Answer,
            Some(Program) => MessageKind::Call(ToolKind::Plugin),
            _ if self.name().ends_with("_output") => MessageKind::Result(ToolKind::Plugin),
            _ if self.name().ends_with("_call") => MessageKind::Call(ToolKind::Plugin),
            _ if self.place != ObjectPlace::Item => return None,
            _ => MessageKind::Reasoning,
        })
    }

    /// Returns the kind of tool of a call.
    pub fn tool(&self) -> Option<ToolKind> {
        if let Some(MessageKind::Call(tool)) = self.message_kind() { Some(tool) } else { None }
    }

    pub fn is_image(&self) -> bool {
        self.kind == Some(ItemType::ImageGenerationCall)
    }
}

/// The state of the pieces of a text.
///
/// A piece that begins with the previous piece and is longer can be the next characters or the
/// whole text. It is held back until another piece, or the whole text, determines which of the two
/// it is.
#[derive(Debug, Default)]
pub(super) enum PieceOrder {
    /// Only empty pieces.
    #[default]
    None,
    /// One piece, which was emitted.
    One(String),
    /// Each piece began with the previous one. The first was emitted.
    Growing {
        /// The number of bytes that were emitted.
        emitted: usize,
        /// The text that was held back, if the pieces are the next characters.
        joined: String,
        /// The last piece: the whole text, if they are not.
        last: String,
    },
    /// The pieces are the next characters.
    Next,
}

impl PieceOrder {
    /// Adds a piece. Returns the text that can be emitted now.
    pub fn next<'p>(&mut self, piece: &'p str, joined: &'p mut String) -> Option<&'p str> {
        let is_more = |before: &str| piece.len() > before.len() && piece.starts_with(before);
        match self {
            PieceOrder::None if !piece.is_empty() => *self = PieceOrder::One(piece.to_owned()),
            PieceOrder::One(first) if is_more(first) => {
                *self = PieceOrder::Growing {
                    emitted: first.len(),
                    joined: piece.to_owned(),
                    last: piece.to_owned(),
                };
                return None;
            }
            PieceOrder::Growing { joined, last, .. } if is_more(last) => {
                joined.push_str(piece);
                *last = piece.to_owned();
                return None;
            }
            PieceOrder::Growing { joined: text, .. } => {
                text.push_str(piece);
                *joined = core::mem::take(text);
                *self = PieceOrder::Next;
                return Some(joined);
            }
            PieceOrder::One(_) => *self = PieceOrder::Next,
            PieceOrder::None | PieceOrder::Next => {}
        }
        Some(piece)
    }

    /// Ends the pieces. `whole` is the whole text, if the server has sent it. Returns the text that
    /// was held back, and whether it completes the whole text.
    pub fn end(&mut self, whole: Option<&str>) -> Option<(String, bool)> {
        match core::mem::replace(self, PieceOrder::Next) {
            PieceOrder::Growing { emitted, last, .. } if whole == Some(&*last) => {
                Some((last.get(emitted..).unwrap_or_default().to_owned(), true))
            }
            PieceOrder::Growing { joined, .. } => Some((joined, false)),
            _ => None,
        }
    }
}
