//! The order of the hub: for any source, the target receives a run that begins, ends, and repeats
//! nothing.

mod part;

use alloc::vec::Vec;

use part::{At, SequencedCall, SequencedKind, SequencedPart};

use crate::bytes::string_map::{Numbers, StringMap, pair};
use crate::hub::conversation::TextHash;
use crate::hub::ids::can_repeat;
use crate::hub::kind::{EndStatus, MessageEnd, MessageKind};
use crate::hub::loss::Losses;
use crate::hub::note::Note;
use crate::hub::payload::Payload;
use crate::hub::step::Step;

pub(crate) use part::{OpenMessage, OpenMessages};

/// The receiver of the steps in order, with the messages of the run.
type StepReceiver<'n> = dyn FnMut(&Step<'_>, &mut Losses, &OpenMessages) + 'n;

#[derive(Debug, Default)]
pub(super) struct Sequencer {
    started: bool,
    ended: bool,
    messages: OpenMessages,
    /// The messages that may be open: those that have begun since the last end of a run.
    begun: Vec<u32>,
    /// The part of the last piece, which is usually also the part of the next one.
    latest: Option<(At, SequencedKind)>,
    calls: StringMap<SequencedCall>,
    interrupts: StringMap<()>,
    /// The target supports another run after the end of one.
    can_reopen: bool,
    /// The target supports lists of all messages.
    has_lists: bool,
    /// The parts that have occurred only in a list of messages.
    listed: Numbers<()>,
    /// How many numbers were tried for messages that the source does not have.
    invented: u32,
}

impl Sequencer {
    pub(super) fn new(can_reopen: bool, has_lists: bool) -> Self {
        Sequencer { can_reopen, has_lists, ..Self::default() }
    }

    /// Whether the source has ended the run.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether the target supports lists of all messages.
    pub fn has_lists(&self) -> bool {
        self.has_lists
    }

    /// Returns the messages of the run.
    pub fn messages(&self) -> &OpenMessages {
        &self.messages
    }

    /// Returns the hash of the reasoning that the last piece belongs to; `None` if it is a piece of
    /// something else.
    pub fn latest_thoughts(&mut self) -> Option<&mut TextHash> {
        match self.latest {
            Some(((message, _), SequencedKind::Thought)) => {
                self.messages.get_mut(message.into())?.thoughts.as_mut()
            }
            _ => None,
        }
    }

    /// Forgets the hash of a reasoning whose text was changed.
    fn forget_thoughts(&mut self, message: u32) {
        if let Some(message) = self.messages.get_mut(message.into()) {
            message.thoughts = None;
        }
    }

    pub(super) fn feed(
        &mut self,
        step: &Step<'_>,
        losses: &mut Losses,
        next: &mut StepReceiver<'_>,
    ) {
        SequencerFeed { order: self, losses, next }.feed(step);
    }

    /// Returns the place and state of a part, if it has begun and its message has not ended.
    fn part(&mut self, mut at: At) -> Option<(At, &mut SequencedPart)> {
        if let SequencedPart::At(other) = self.messages.get(at.0.into())?.part(at.1)? {
            at = *other;
        }
        Some((at, self.messages.get_mut(at.0.into())?.part_mut(at.1)?))
    }

    /// Returns the actual place of a part.
    fn placed(&mut self, at: At) -> At {
        self.part(at).map_or(at, |(place, _)| place)
    }

    /// Whether a part of an open message has not occurred yet.
    fn is_silent(&self, (message, part): At) -> bool {
        self.messages
            .get(message.into())
            .is_some_and(|message| message.open && message.part(part).is_none())
    }

    /// Returns an unused number for a message that the source does not have. It counts down from
    /// the maximum, because sources count up. The hub's own format can have such numbers, because
    /// its target writes them like all others.
    fn unused_number(&mut self) -> u32 {
        loop {
            self.invented = self.invented.wrapping_add(1);
            let number = u32::MAX.wrapping_sub(self.invented);
            if self.messages.get(number.into()).is_none() {
                return number;
            }
        }
    }
}

/// The sequencer with the receiver of its steps and losses.
struct SequencerFeed<'f, 'n> {
    order: &'f mut Sequencer,
    losses: &'f mut Losses,
    next: &'f mut StepReceiver<'n>,
}

impl SequencerFeed<'_, '_> {
    fn emit(&mut self, step: &Step<'_>) {
        (self.next)(step, self.losses, &self.order.messages);
    }

    fn lose(&mut self, what: &'static str, place: &str, reason: &'static str) {
        self.losses.note(what, place, reason);
    }

    fn feed(&mut self, event: &Step<'_>) {
        if self.order.ended {
            return self.after_end(event);
        }
        match *event {
            Step::Text { message, part, piece } => {
                self.emit_text((message, part), SequencedKind::Text, piece, false)
            }
            Step::Reasoning { message, part, piece, summary } => {
                self.emit_text((message, part), SequencedKind::Thought, piece, summary);
            }
            Step::Refusal { message, part, piece } => {
                self.emit_text((message, part), SequencedKind::Refusal, piece, false);
            }
            Step::Media { message, part, .. } => {
                if let Some((message, part)) = self.piece((message, part), SequencedKind::Stream) {
                    self.emit(&event.at(message, part));
                }
            }
            Step::Note(ref note) => self.note(note),
            Step::Arguments { message, part, piece } => self.arguments((message, part), piece),
            Step::Start { .. } => {
                if !core::mem::replace(&mut self.order.started, true) {
                    self.emit(event);
                }
            }
            Step::Heartbeat => self.emit(event),
            Step::Open { message, kind, id, .. } => {
                if self.order.messages.get(message.into()).is_some() {
                    return self.lose(
                        "message-repeated",
                        id.unwrap_or(""),
                        "it was there: left as it was",
                    );
                }
                self.open(message, kind, event);
            }
            Step::Call { message, part, id, .. } => {
                if let Some(call) = self.order.calls.get(id) {
                    let first = call.at;
                    return self.repeated_call((message, part), first, id);
                }
                if let Some(at) = self.begin((message, part), SequencedKind::Call, false) {
                    self.order.calls.insert(id, SequencedCall { at, has_result: false });
                    self.emit(&event.at(at.0, at.1));
                }
            }
            Step::Result { message, part, id, name, preview, .. } => {
                if self.answer(id, name, preview) {
                    self.emit_at_once((message, part), SequencedKind::Result, preview, event);
                }
            }
            Step::Interrupt { message, part, id, .. } => {
                if self.emit_at_once((message, part), SequencedKind::Interrupt, false, event) {
                    self.order.interrupts.insert(id, ());
                }
            }
            Step::Answer { message, part, id, .. } => {
                if id.is_empty() || self.order.interrupts.get(id).is_none() {
                    return self.lose(
                        "approval-without-request",
                        "",
                        "no such question was asked: left out",
                    );
                }
                self.emit_at_once((message, part), SequencedKind::Answer, false, event);
            }
            Step::Whole { message, part, payload, preview } => {
                let kind = if let Payload::Data(_) = payload {
                    SequencedKind::Data
                } else {
                    SequencedKind::Media
                };
                self.emit_at_once((message, part), kind, preview, event);
            }
            Step::EndPart { message, part, whole } => self.end_part((message, part), whole),
            Step::Close { message, end } => self.close(message, end),
            Step::End(end) => {
                self.start();
                self.close_all(end.status);
                self.order.ended = true;
                self.emit(event);
            }
        }
    }

    fn start(&mut self) {
        if !core::mem::replace(&mut self.order.started, true) {
            self.emit(&Step::start(None, None));
        }
    }

    /// Begins a message as given in `step`.
    fn open(&mut self, message: u32, kind: MessageKind<'_>, step: &Step<'_>) {
        self.start();
        let id = if let Step::Open { id, .. } = *step { id } else { None };
        let place = id.unwrap_or(kind.as_str());
        self.order.messages.insert(message.into(), OpenMessage::new(kind.without_name(), place));
        self.order.begun.push(message);
        self.emit(step);
    }

    /// Begins a message that the source has not opened.
    fn open_for(&mut self, message: u32, kind: SequencedKind) {
        let kind = kind.own_message();
        self.open(message, kind, &Step::open(message, kind, kind.default_role(), None));
    }

    /// Emits a piece of text.
    fn emit_text(&mut self, at: At, mut kind: SequencedKind, piece: &str, summary: bool) {
        if kind != SequencedKind::Refusal && self.order.latest != Some((at, kind)) {
            let thought = |message: &OpenMessage| message.kind == MessageKind::Reasoning;
            kind = match self.order.messages.get(at.0.into()).map(thought) {
                Some(true) => SequencedKind::Thought,
                Some(false) => SequencedKind::Text,
                None => kind,
            };
        }
        let Some((message, part)) = self.piece(at, kind) else { return };
        if let Some(hash) = self.order.latest_thoughts() {
            hash.add(piece);
        }
        self.emit(&match kind {
            SequencedKind::Thought => Step::Reasoning { message, part, piece, summary },
            SequencedKind::Refusal => Step::Refusal { message, part, piece },
            _ => Step::Text { message, part, piece },
        });
    }

    /// Closes a message that the hub created: it has only one part.
    fn close_invented(&mut self, message: u32) {
        if self.order.messages.get(message.into()).is_some_and(|state| state.invented) {
            self.close(message, &MessageEnd::new(EndStatus::Completed));
        }
    }
}

// Steps that do not belong to a part of a message, and steps after the end of a run.

impl SequencerFeed<'_, '_> {
    pub(super) fn note(&mut self, note: &Note<'_>) {
        match *note {
            // The run has already begun at the start of the stream.
            Note::Reopened { id, .. } => {
                if self.order.started {
                    self.lose("run-ids", id.unwrap_or(""), "the run had not ended: it goes on");
                }
                return;
            }
            Note::Replace { call: Some(id), .. } if self.order.calls.get(id).is_none() => {
                return self.lose("arguments-without-call", id, "the call had not begun: left out");
            }
            Note::Replace { message, part, text, call } => {
                if self.order.has_lists {
                    self.start();
                    if self.order.is_silent((message, part)) {
                        self.order.listed.insert(pair(message, part), ());
                    }
                } else if let Some(first) = self.first_piece((message, part), text, call) {
                    if !text.is_empty() {
                        self.feed(&first);
                    }
                    return;
                }
            }
            // Passed-on events may precede the start of the run, and unknown events may occur
            // anywhere.
            Note::Passthrough { .. } => {}
            _ => self.start(),
        }
        if let Note::ToolError { id, .. } = *note {
            if !self.answer(id, None, false) {
                return;
            }
        } else if let Some(id) = note.call() {
            if !can_repeat(id) {
                return self.lose(
                    "progress",
                    id,
                    "the call that it is about has no id that can be repeated",
                );
            }
            self.called(id, None);
        }
        let note = self.in_place(*note);
        if let Note::Replace { message, .. } | Note::Retract { message, .. } = note {
            self.order.forget_thoughts(message);
        }
        self.emit(&Step::Note(note));
    }

    /// Returns the complete text as a first piece, if its part has no content yet.
    fn first_piece<'t>(
        &mut self,
        at: (u32, u32),
        text: &'t str,
        call: Option<&str>,
    ) -> Option<Step<'t>> {
        let ((message, part), piece) = (at, text);
        let is_silent = self.order.is_silent(at);
        match (self.order.part(at), call) {
            (Some((_, SequencedPart::Open(SequencedKind::Call))), Some(_)) => {
                Some(Step::Arguments { message, part, piece })
            }
            (None, None) if is_silent => Some(Step::Text { message, part, piece }),
            _ => None,
        }
    }

    /// Replaces the place that the source gave by the actual place of the part.
    fn in_place<'n>(&mut self, mut note: Note<'n>) -> Note<'n> {
        if let Note::Replace { message, part, .. }
        | Note::Retract { message, part: Some(part) }
        | Note::Opaque { message: Some(message), part: Some(part), .. } = &mut note
        {
            (*message, *part) = self.order.placed((*message, *part));
        }
        note
    }

    /// Handles a step after the end of a run. If the target supports it, another run can begin.
    pub(super) fn after_end(&mut self, step: &Step<'_>) {
        match *step {
            Step::Heartbeat => {}
            Step::Note(Note::Reopened { .. }) if self.order.can_reopen => {
                self.order.ended = false;
                self.order.started = true;
                self.emit(step);
            }
            _ => self.lose("after-end", "", "the run had ended: left out"),
        }
    }
}
