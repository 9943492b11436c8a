//! The order of the hub: for any source, the target receives a run that begins, ends, and repeats nothing.

mod calls;
mod close;
mod notes;
mod part;
mod place;

use alloc::vec::Vec;

use crate::bytes::string_map::{Numbers, StringMap};
use crate::hub::end::{MessageEnd, RunEnd};
use crate::hub::kind::{EndStatus, MessageKind};
use crate::hub::loss::Losses;
use crate::hub::payload::Payload;
use crate::hub::step::Step;

use part::{At, Call, Kind, Message};

/// The receiver of the steps in order.
type Next<'n> = dyn FnMut(&Step<'_>, &mut Losses) + 'n;

#[derive(Debug, Default)]
pub(super) struct Sequencer {
    started: bool,
    ended: bool,
    messages: Numbers<Message>,
    /// The messages that may be open: those that have begun since the last end of a run.
    begun: Vec<u32>,
    /// The part of the last piece, which is usually also the part of the next one.
    latest: Option<(At, Kind)>,
    calls: StringMap<Call>,
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

    pub(super) fn feed(&mut self, event: &Step<'_>, losses: &mut Losses, next: &mut Next<'_>) {
        if self.ended {
            return self.after_end(event, losses, next);
        }
        match *event {
            Step::Text { message, part, piece } => {
                self.speak((message, part), Kind::Text, piece, false, losses, next);
            }
            Step::Reasoning { message, part, piece, summary } => {
                self.speak((message, part), Kind::Thought, piece, summary, losses, next);
            }
            Step::Refusal { message, part, piece } => {
                self.speak((message, part), Kind::Refusal, piece, false, losses, next);
            }
            Step::Media { message, part, .. } => {
                if let Some((message, part)) = self.piece((message, part), Kind::Stream, losses, next) {
                    next(&event.at(message, part), losses);
                }
            }
            Step::Note(ref note) => self.note(note, losses, next),
            Step::Arguments { message, part, piece } => {
                self.arguments((message, part), piece, losses, next);
            }
            Step::Start { .. } => {
                if !core::mem::replace(&mut self.started, true) {
                    next(event, losses);
                }
            }
            Step::Heartbeat => next(event, losses),
            Step::Open { message, kind, id, .. } => {
                if self.messages.get(message.into()).is_some() {
                    return losses.note("message-repeated", id.unwrap_or(""), "it was there: left as it was");
                }
                self.open(message, kind, event, losses, next);
            }
            Step::Call { message, part, id, .. } => {
                if let Some(call) = self.calls.get(id) {
                    let first = call.at;
                    return self.repeated_call((message, part), first, id, losses);
                }
                if let Some(at) = self.begin((message, part), Kind::Call, false, losses, next) {
                    self.calls.insert(id, Call { at, answered: false });
                    next(&event.at(at.0, at.1), losses);
                }
            }
            Step::Result { message, part, id, name, preview, .. } => {
                if self.answer(id, name, preview, losses, next) {
                    self.at_once((message, part), Kind::Result, preview, event, losses, next);
                }
            }
            Step::Interrupt { message, part, id, .. } => {
                if self.at_once((message, part), Kind::Interrupt, false, event, losses, next) {
                    self.interrupts.insert(id, ());
                }
            }
            Step::Answer { message, part, id, .. } => {
                if id.is_empty() || self.interrupts.get(id).is_none() {
                    return losses.note(
                        "approval-without-request",
                        "",
                        "no such question was asked: left out",
                    );
                }
                self.at_once((message, part), Kind::Answer, false, event, losses, next);
            }
            Step::Whole { message, part, payload, preview } => {
                let kind = if let Payload::Data(_) = payload { Kind::Data } else { Kind::Media };
                self.at_once((message, part), kind, preview, event, losses, next);
            }
            Step::EndPart { message, part, whole } => self.end_part((message, part), whole, losses, next),
            Step::Close { message, end } => self.close(message, end, losses, next),
            Step::End(end) => {
                self.start(losses, next);
                self.close_all(end.status, losses, next);
                self.ended = true;
                next(event, losses);
            }
        }
    }

    /// Ends a run that the source has not ended.
    pub(super) fn finish(&mut self, aborted: bool, losses: &mut Losses, next: &mut Next<'_>) {
        if !self.ended {
            let end = match aborted {
                true => RunEnd::new(EndStatus::Canceled),
                false => RunEnd::incomplete(RunEnd::CUT_OFF),
            };
            self.feed(&Step::End(&end), losses, next);
        }
    }

    fn start(&mut self, losses: &mut Losses, next: &mut Next<'_>) {
        if !core::mem::replace(&mut self.started, true) {
            next(&Step::start(None, None), losses);
        }
    }

    /// Begins a message as given in `step`.
    fn open(
        &mut self,
        message: u32,
        kind: MessageKind<'_>,
        step: &Step<'_>,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) {
        self.start(losses, next);
        self.messages.insert(message.into(), Message::new(kind.without_name()));
        self.begun.push(message);
        next(step, losses);
    }

    /// Begins a message that the source has not opened.
    fn open_for(&mut self, message: u32, kind: Kind, losses: &mut Losses, next: &mut Next<'_>) {
        let kind = kind.own_message();
        self.open(message, kind, &Step::open(message, kind, kind.default_role(), None), losses, next);
    }

    /// Emits a piece of text.
    fn speak(
        &mut self,
        at: At,
        mut kind: Kind,
        piece: &str,
        summary: bool,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) {
        if kind != Kind::Refusal && self.latest != Some((at, kind)) {
            let thought = |message: &Message| message.kind == MessageKind::Reasoning;
            kind = match self.messages.get(at.0.into()).map(thought) {
                Some(true) => Kind::Thought,
                Some(false) => Kind::Text,
                None => kind,
            };
        }
        let Some((message, part)) = self.piece(at, kind, losses, next) else { return };
        next(
            &match kind {
                Kind::Thought => Step::Reasoning { message, part, piece, summary },
                Kind::Refusal => Step::Refusal { message, part, piece },
                _ => Step::Text { message, part, piece },
            },
            losses,
        );
    }

    /// Returns an unused number for a message that the source does not have. It counts down from the maximum, because
    /// sources count up. The hub's own format can have such numbers, because its target writes them like all others.
    fn invent(&mut self) -> u32 {
        loop {
            self.invented = self.invented.wrapping_add(1);
            let number = u32::MAX.wrapping_sub(self.invented);
            if self.messages.get(number.into()).is_none() {
                return number;
            }
        }
    }

    /// Closes a message that the hub created: it has only one part.
    fn close_invented(&mut self, message: u32, losses: &mut Losses, next: &mut Next<'_>) {
        if self.messages.get(message.into()).is_some_and(|state| state.invented) {
            self.close(message, &MessageEnd::new(EndStatus::Completed), losses, next);
        }
    }
}
