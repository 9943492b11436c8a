//! The state of messages and parts in the sequencer.

use alloc::borrow::ToOwned;
use alloc::collections::BinaryHeap;
use alloc::string::String;
use alloc::vec::Vec;

use super::SequencerFeed;
use crate::bytes::string_map::{Numbers, pair};
use crate::hub::conversation::TextHash;
use crate::hub::kind::{EndStatus, MessageEnd, MessageKind, ToolKind};
use crate::hub::step::Step;

/// A message and a part of it.
pub(super) type At = (u32, u32);

/// The messages of a run by number. The sequencer keeps them, and targets read them.
pub(crate) type OpenMessages = Numbers<OpenMessage>;

#[derive(Debug)]
pub(crate) struct OpenMessage {
    pub kind: MessageKind<'static>,
    pub open: bool,
    /// The location for losses: the message's id, or its kind if it has no id. Empty after the end
    /// of the message.
    pub place: String,
    /// The hub created the message; the source does not have it.
    pub(super) invented: bool,
    /// The hash of its reasoning; `None` if the reasoning has several parts.
    pub(super) thoughts: Option<TextHash>,
    has_thoughts: bool,
    /// The parts by number. They are few: readers bound the contents of a message. Empty after the
    /// end of the message, except for parts that were moved to another message.
    parts: Vec<(u32, SequencedPart)>,
    /// Open parts whose number now refers to another place.
    displaced: Vec<(u32, SequencedKind)>,
}

impl OpenMessage {
    pub(super) fn new(kind: MessageKind<'static>, place: &str) -> Self {
        OpenMessage {
            kind,
            open: true,
            place: place.to_owned(),
            invented: false,
            thoughts: Some(TextHash::default()),
            has_thoughts: false,
            parts: Vec::new(),
            displaced: Vec::new(),
        }
    }

    /// Returns the hash of the reasoning so far; `None` if it has several parts, which a client may
    /// join.
    pub fn thoughts_hash(&self) -> Option<u64> {
        self.thoughts.map(TextHash::value)
    }

    pub(super) fn part(&self, number: u32) -> Option<&SequencedPart> {
        Some(&self.parts[self.place(number).ok()?].1)
    }

    pub(super) fn part_mut(&mut self, number: u32) -> Option<&mut SequencedPart> {
        let place = self.place(number).ok()?;
        Some(&mut self.parts[place].1)
    }

    pub(super) fn set_part(&mut self, number: u32, part: SequencedPart) {
        if part == SequencedPart::Open(SequencedKind::Thought)
            && core::mem::replace(&mut self.has_thoughts, true)
        {
            self.thoughts = None;
        }
        match self.place(number) {
            Ok(place) => {
                if let (SequencedPart::Open(kind), SequencedPart::At(_)) =
                    (&self.parts[place].1, &part)
                {
                    self.displaced.push((number, *kind));
                }
                self.parts[place].1 = part;
            }
            Err(place) => self.parts.insert(place, (number, part)),
        }
    }

    /// Returns the number of the parts before a part. Those of a message that has ended are not
    /// known any more: sources number them in order.
    pub fn ordinal(&self, part: u32) -> u32 {
        self.place(part).map_or(if self.open { 0 } else { part }, |place| place as u32)
    }

    /// Whether it has a call that has not ended.
    pub(super) fn calls(&self) -> bool {
        let is_call =
            |kind: &SequencedKind| matches!(kind, SequencedKind::Call | SequencedKind::Called);
        self.parts
            .iter()
            .any(|(_, part)| matches!(part, SequencedPart::Open(kind) if is_call(kind)))
            || self.displaced.iter().any(|(_, kind)| is_call(kind))
    }

    /// Ends the message and returns the parts that were open, in their order.
    pub(super) fn end(&mut self) -> Vec<u32> {
        let open = self.parts.iter().filter(|(_, part)| matches!(part, SequencedPart::Open(_)));
        let mut open: Vec<u32> = open.map(|(number, _)| *number).collect();
        for (number, _) in self.displaced.drain(..) {
            let place = open.iter().position(|other| *other > number).unwrap_or(open.len());
            open.insert(place, number);
        }
        self.parts.retain(|(_, part)| matches!(part, SequencedPart::At(_)));
        open
    }

    fn place(&self, number: u32) -> Result<usize, usize> {
        self.parts.binary_search_by_key(&number, |(number, _)| *number)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SequencedPart {
    Open(SequencedKind),
    /// The part is in another place.
    At(At),
    Ended,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SequencedKind {
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
pub(super) struct SequencedCall {
    pub at: At,
    pub has_result: bool,
}

impl SequencedKind {
    pub fn is_text(self) -> bool {
        matches!(
            self,
            SequencedKind::Text
                | SequencedKind::Thought
                | SequencedKind::Refusal
                | SequencedKind::Stream
        )
    }

    pub fn is_single_step(self) -> bool {
        matches!(
            self,
            SequencedKind::Result
                | SequencedKind::Interrupt
                | SequencedKind::Answer
                | SequencedKind::Data
                | SequencedKind::Media
        )
    }

    /// Whether a message of that kind can contain such a part. The meaning of data depends on the
    /// kind of message.
    pub fn fits(self, message: MessageKind<'_>) -> bool {
        match self {
            SequencedKind::Text
            | SequencedKind::Thought
            | SequencedKind::Refusal
            | SequencedKind::Stream
            | SequencedKind::Media => true,
            SequencedKind::Interrupt => message == MessageKind::Interrupt,
            SequencedKind::Answer => message == MessageKind::Answer,
            SequencedKind::Data => !message.is_tool(),
            SequencedKind::Call | SequencedKind::Called => matches!(message, MessageKind::Call(_)),
            SequencedKind::Result => matches!(message, MessageKind::Result(_)),
        }
    }

    /// Returns the kind of the message that is created for the part.
    pub fn own_message(self) -> MessageKind<'static> {
        match self {
            SequencedKind::Thought => MessageKind::Reasoning,
            SequencedKind::Call | SequencedKind::Called => MessageKind::Call(ToolKind::Function),
            SequencedKind::Result => MessageKind::Result(ToolKind::Function),
            SequencedKind::Interrupt => MessageKind::Interrupt,
            SequencedKind::Answer => MessageKind::Answer,
            SequencedKind::Text
            | SequencedKind::Refusal
            | SequencedKind::Stream
            | SequencedKind::Data
            | SequencedKind::Media => MessageKind::Message,
        }
    }
}

// The places of parts, tool calls, and the ends of parts and messages.
//
// A part is at the place that the source gives, or in a separate message. Each call and question
// occurs once.

impl SequencerFeed<'_, '_> {
    /// Returns the place of a piece. The first piece begins its part.
    pub(super) fn piece(&mut self, at: At, kind: SequencedKind) -> Option<At> {
        if self.order.latest == Some((at, kind)) {
            return Some(at);
        }
        let place = match self.order.part(at) {
            Some((place, part)) if *part == SequencedPart::Open(kind) => place,
            _ => self.begin(at, kind, false)?,
        };
        self.order.latest = Some((place, kind));
        Some(place)
    }

    /// Emits a part that is sent in one step, or in a preview and then another one. Returns false
    /// if the part cannot be emitted.
    pub(super) fn emit_at_once(
        &mut self,
        at: At,
        kind: SequencedKind,
        preview: bool,
        step: &Step<'_>,
    ) -> bool {
        let place = match self.order.part(at) {
            Some((place, part)) if *part == SequencedPart::Open(kind) => {
                if !preview {
                    *part = SequencedPart::Ended;
                }
                Some(place)
            }
            _ => self.begin(at, kind, preview),
        };
        if let Some((message, part)) = place {
            self.emit(&step.at(message, part));
            if !preview {
                self.close_invented(message);
            }
        }
        place.is_some()
    }

    /// Begins a part: at the place that the source gives, or in a separate message if that one has
    /// ended or is of another type.
    pub(super) fn begin(&mut self, at: At, kind: SequencedKind, preview: bool) -> Option<At> {
        let (mut message, mut part) = at;
        match self.order.messages.get(message.into()) {
            None => self.open_for(message, kind),
            Some(state) if !kind.is_text() && state.part(part).is_some() => {
                self.lose("part-repeated", "", "it had come: left as it was");
                return None;
            }
            Some(state) => {
                let fits = kind.fits(state.kind);
                if !fits || !state.open || state.part(part).is_some() {
                    if fits {
                        self.lose(
                            "after-end",
                            "",
                            "its place had ended: it got a message of its own",
                        );
                    } else {
                        self.lose(
                            "message-type",
                            "",
                            "its message was of another type: it got its own",
                        );
                    }
                    (message, part) = (self.order.unused_number(), 0);
                    if let Some(state) = self.order.messages.get_mut(at.0.into()) {
                        state.set_part(at.1, SequencedPart::At((message, part)));
                    }
                    self.open_for(message, kind);
                    if let Some(state) = self.order.messages.get_mut(message.into()) {
                        state.invented = true;
                    }
                }
            }
        }
        let state = if kind.is_single_step() && !preview {
            SequencedPart::Ended
        } else {
            SequencedPart::Open(kind)
        };
        self.order.messages.get_mut(message.into())?.set_part(part, state);
        Some((message, part))
    }

    pub(super) fn end_part(&mut self, at: At, whole: bool) {
        if let Some(((message, part), state @ SequencedPart::Open(_))) = self.order.part(at) {
            *state = SequencedPart::Ended;
            self.order.latest = None;
            self.emit(&Step::EndPart { message, part, whole });
            self.close_invented(message);
        } else if self.order.listed.remove(pair(at.0, at.1)).is_some() {
            if let Some(message) = self.order.messages.get_mut(at.0.into()) {
                message.set_part(at.1, SequencedPart::Ended);
            }
            self.emit(&Step::EndPart { message: at.0, part: at.1, whole });
        }
    }

    pub(super) fn arguments(&mut self, at: At, piece: &str) {
        let mut place = at;
        if self.order.latest != Some((at, SequencedKind::Called)) {
            place = match self.order.part(at) {
                Some((
                    place,
                    part @ SequencedPart::Open(SequencedKind::Call | SequencedKind::Called),
                )) => {
                    *part = SequencedPart::Open(SequencedKind::Called);
                    place
                }
                _ => return self.lose("arguments-without-call", "", "no call was open: left out"),
            };
            self.order.latest = Some((place, SequencedKind::Called));
        }
        self.emit(&Step::Arguments { message: place.0, part: place.1, piece });
    }

    /// Handles a call with a repeated id. If the first call has no arguments yet, this call
    /// supplies them: some servers open a call in one part and complete it in another. A client
    /// that received the call twice would run it twice.
    pub(super) fn repeated_call(&mut self, at: At, first: At, id: &str) {
        self.lose("call-repeated", id, "a call of that id had begun: they became one");
        let waits =
            matches!(self.order.part(first), Some((_, SequencedPart::Open(SequencedKind::Call))));
        if let Some(state) = self.order.messages.get_mut(at.0.into())
            && state.part(at.1).is_none()
        {
            state.set_part(
                at.1,
                if waits { SequencedPart::At(first) } else { SequencedPart::Ended },
            );
        }
    }

    /// Returns whether the result is emitted. A result without a call gets one.
    pub(super) fn answer(&mut self, id: &str, name: Option<&str>, preview: bool) -> bool {
        self.called(id, name);
        let Some(call) = self.order.calls.get_mut(id) else { return true };
        let has_result = call.has_result;
        call.has_result |= !preview;
        if has_result {
            self.lose("result-repeated", id, "a call has one result: the first one stays");
        }
        !has_result
    }

    /// Creates the call that a step refers to if the source has not sent it.
    pub(super) fn called(&mut self, id: &str, name: Option<&str>) {
        if self.order.calls.get(id).is_some() {
            return;
        }
        self.lose("call-missing", id, "a result needs its call: one without arguments was made");
        let message = self.order.unused_number();
        self.feed(&Step::call(message, 0, id, name.unwrap_or(""), &[]));
        if let Some(state) = self.order.messages.get_mut(message.into()) {
            state.invented = true;
        }
        self.end_part((message, 0), true);
    }

    /// Ends a message and its open parts.
    pub(super) fn close(&mut self, message: u32, end: &MessageEnd) {
        let Some(state) =
            self.order.messages.get_mut(message.into()).filter(|message| message.open)
        else {
            return;
        };
        self.order.latest = None;
        let whole = end.status == EndStatus::Completed;
        for part in state.end() {
            self.emit(&Step::EndPart { message, part, whole });
        }
        if let Some(state) = self.order.messages.get_mut(message.into()) {
            state.open = false;
        }
        self.emit(&Step::Close { message, end });
        if let Some(state) = self.order.messages.get_mut(message.into()) {
            state.place = String::new();
        }
    }

    /// Ends the run and its open messages with the same status. A call that has not ended is marked
    /// incomplete, because a client would run a complete one.
    pub(super) fn close_all(&mut self, status: EndStatus) {
        let begun = BinaryHeap::from(core::mem::take(&mut self.order.begun));
        for message in begun.into_sorted_vec() {
            let Some(state) =
                self.order.messages.get(message.into()).filter(|message| message.open)
            else {
                continue;
            };
            let calls = state.calls();
            let cut_off = calls && status == EndStatus::Completed;
            // The question is complete, and clients show a question only if its message is
            // completed.
            let asks = state.kind == MessageKind::Interrupt && status == EndStatus::Incomplete;
            if calls && matches!(status, EndStatus::Completed | EndStatus::Incomplete) {
                let reason = "its arguments never ended: it is not whole, or clients would run it";
                self.lose("call-cut-off", "", reason);
            }
            let end = MessageEnd::new(match (cut_off, asks) {
                (true, _) => EndStatus::Incomplete,
                (false, true) => EndStatus::Completed,
                (false, false) => status,
            });
            self.close(message, &end);
        }
    }
}
