//! The state of messages and parts in the sequencer.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::bytes::string_map::Numbers;
use crate::hub::kind::{MessageKind, ToolKind};

/// A message and a part of it.
pub(super) type At = (u32, u32);

/// The messages of a run by number. The sequencer keeps them, and targets read them.
pub(crate) type OpenMessages = Numbers<OpenMessage>;

#[derive(Debug)]
pub(crate) struct OpenMessage {
    pub kind: MessageKind<'static>,
    pub open: bool,
    /// The location for losses: the message's id, or its kind if it has no id. Empty after the end of the message.
    pub place: String,
    /// The hub created the message; the source does not have it.
    pub(super) invented: bool,
    /// The parts by number. They are few: readers bound the contents of a message. Empty after the end of the message,
    /// except for parts that were moved to another message.
    parts: Vec<(u32, Part)>,
    /// Open parts whose number now refers to another place.
    displaced: Vec<(u32, Kind)>,
}

impl OpenMessage {
    pub(super) fn new(kind: MessageKind<'static>, place: &str) -> Self {
        let (parts, displaced) = (Vec::new(), Vec::new());
        OpenMessage { kind, open: true, place: place.to_owned(), invented: false, parts, displaced }
    }

    pub(super) fn part(&self, number: u32) -> Option<&Part> {
        Some(&self.parts[self.place(number).ok()?].1)
    }

    pub(super) fn part_mut(&mut self, number: u32) -> Option<&mut Part> {
        let place = self.place(number).ok()?;
        Some(&mut self.parts[place].1)
    }

    pub(super) fn set_part(&mut self, number: u32, part: Part) {
        match self.place(number) {
            Ok(place) => {
                if let (Part::Open(kind), Part::At(_)) = (&self.parts[place].1, &part) {
                    self.displaced.push((number, *kind));
                }
                self.parts[place].1 = part;
            }
            Err(place) => self.parts.insert(place, (number, part)),
        }
    }

    /// Whether it has a call that has not ended.
    pub(super) fn calls(&self) -> bool {
        let is_call = |kind: &Kind| matches!(kind, Kind::Call | Kind::Called);
        self.parts.iter().any(|(_, part)| matches!(part, Part::Open(kind) if is_call(kind)))
            || self.displaced.iter().any(|(_, kind)| is_call(kind))
    }

    /// Ends the message and returns the parts that were open, in their order.
    pub(super) fn end(&mut self) -> Vec<u32> {
        let open = self.parts.iter().filter(|(_, part)| matches!(part, Part::Open(_)));
        let mut open: Vec<u32> = open.map(|(number, _)| *number).collect();
        for (number, _) in self.displaced.drain(..) {
            let place = open.iter().position(|other| *other > number).unwrap_or(open.len());
            open.insert(place, number);
        }
        self.parts.retain(|(_, part)| matches!(part, Part::At(_)));
        open
    }

    fn place(&self, number: u32) -> Result<usize, usize> {
        self.parts.binary_search_by_key(&number, |(number, _)| *number)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Open(Kind),
    /// The part is in another place.
    At(At),
    Ended,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    /// Text of a message of type reasoning.
    Thought,
    Refusal,
    Call,
    /// A call that has had arguments.
    Called,
    /// Media that are sent in pieces.
    Stream,
    // The others are sent in one step, or in previews and one step.
    Result,
    Interrupt,
    Answer,
    Data,
    Media,
}

#[derive(Debug)]
pub(super) struct Call {
    pub at: At,
    pub answered: bool,
}

impl Kind {
    pub fn is_text(self) -> bool {
        matches!(self, Kind::Text | Kind::Thought | Kind::Refusal | Kind::Stream)
    }

    pub fn comes_whole(self) -> bool {
        matches!(self, Kind::Result | Kind::Interrupt | Kind::Answer | Kind::Data | Kind::Media)
    }

    /// Whether a message of that kind can contain such a part. The meaning of data depends on the kind of message.
    pub fn suits(self, message: MessageKind<'_>) -> bool {
        match self {
            Kind::Text | Kind::Thought | Kind::Refusal | Kind::Stream | Kind::Media => true,
            Kind::Interrupt => message == MessageKind::Interrupt,
            Kind::Answer => message == MessageKind::Answer,
            Kind::Data => !message.is_tool(),
            Kind::Call | Kind::Called => matches!(message, MessageKind::Call(_)),
            Kind::Result => matches!(message, MessageKind::Result(_)),
        }
    }

    /// Returns the kind of the message that is created for the part.
    pub fn own_message(self) -> MessageKind<'static> {
        match self {
            Kind::Thought => MessageKind::Reasoning,
            Kind::Call | Kind::Called => MessageKind::Call(ToolKind::Function),
            Kind::Result => MessageKind::Result(ToolKind::Function),
            Kind::Interrupt => MessageKind::Interrupt,
            Kind::Answer => MessageKind::Answer,
            Kind::Text | Kind::Refusal | Kind::Stream | Kind::Data | Kind::Media => MessageKind::Message,
        }
    }
}
