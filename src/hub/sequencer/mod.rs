//! The order of the hub: whatever a source says, a target gets a run that begins, ends, and repeats nothing.

mod calls;
mod close;
mod part;

use crate::bytes::string_map::{Numbers, StringMap};
use crate::hub::loss::Losses;
use crate::hub::step::{MessageEnd, RunEnd, Step};
use crate::protocols::agent_api::{MessageType, Payload, Role, RunStatus};

use part::{At, Call, Kind, Message, Part};

/// Where the steps go that are in order.
type Next<'n> = dyn FnMut(&Step<'_>, &mut Losses) + 'n;

#[derive(Debug, Default)]
pub(super) struct Sequencer {
    started: bool,
    ended: bool,
    messages: Numbers<Message>,
    /// The part that the last piece was for: usually the next one's, too.
    latest: Option<(At, Kind)>,
    calls: StringMap<Call>,
    interrupts: StringMap<()>,
    /// How many numbers have been tried for messages that the source does not have.
    invented: u32,
}

impl Sequencer {
    /// Whether the source has said the end.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    pub(super) fn feed(&mut self, event: &Step<'_>, losses: &mut Losses, next: &mut Next<'_>) {
        if self.ended {
            if *event != Step::Heartbeat {
                losses.note("after-end", "", "the run had ended: left out");
            }
            return;
        }
        match *event {
            Step::Text { message, part, piece } => {
                self.speak((message, part), Kind::Text, piece, losses, next);
            }
            Step::Reasoning { message, part, piece } => {
                self.speak((message, part), Kind::Thought, piece, losses, next);
            }
            Step::Refusal { message, part, piece } => {
                self.speak((message, part), Kind::Refusal, piece, losses, next);
            }
            Step::Arguments { message, part, piece } => {
                self.arguments((message, part), piece, losses, next);
            }
            Step::Start { .. } => {
                if !core::mem::replace(&mut self.started, true) {
                    next(event, losses);
                }
            }
            Step::Heartbeat => next(event, losses),
            Step::Open { message, r#type, role, id } => {
                if self.messages.get(message.into()).is_some() {
                    return losses.note("message-repeated", id.unwrap_or(""), "it was there: left as it was");
                }
                self.open(message, r#type, role, id, losses, next);
            }
            Step::Call { message, part, id, name, more } => {
                if let Some(call) = self.calls.get(id) {
                    let first = call.at;
                    return self.repeated_call((message, part), first, id, losses);
                }
                if let Some(at) = self.begin((message, part), Kind::Call, losses, next) {
                    self.calls.insert(id, Call { at, answered: false });
                    next(&Step::Call { message: at.0, part: at.1, id, name, more }, losses);
                }
            }
            Step::Result { message, part, id, name, output, more } => {
                if !self.answer(id, name, losses, next) {
                    return;
                }
                self.at_once((message, part), Kind::Result, losses, next, |(message, part)| Step::Result {
                    message,
                    part,
                    id,
                    name,
                    output,
                    more,
                });
            }
            Step::Interrupt { message, part, id, reason, payload } => {
                self.interrupts.insert(id, ());
                self.at_once((message, part), Kind::Interrupt, losses, next, |(message, part)| {
                    Step::Interrupt { message, part, id, reason, payload }
                });
            }
            Step::Whole { message, part, payload } => {
                if self.answers_nothing(message, payload) {
                    return losses.note(
                        "approval-without-request",
                        "",
                        "no such question was asked: left out",
                    );
                }
                let is_data = matches!(payload, Payload::Data { .. });
                let kind = if is_data { Kind::Data } else { Kind::Media };
                self.at_once((message, part), kind, losses, next, |(message, part)| Step::Whole {
                    message,
                    part,
                    payload,
                });
            }
            Step::EndPart { message, part, whole } => self.end_part((message, part), whole, losses, next),
            Step::Close { message, end } => self.close(message, end, losses, next),
            Step::End(end) => {
                self.start(losses, next);
                self.close_all(&end.status, losses, next);
                self.ended = true;
                next(event, losses);
            }
        }
    }

    /// The source has nothing more to say: a run that has not ended, ends.
    pub(super) fn finish(&mut self, aborted: bool, losses: &mut Losses, next: &mut Next<'_>) {
        if !self.ended {
            let end = match aborted {
                true => RunEnd::new(RunStatus::Canceled),
                false => RunEnd::incomplete(RunEnd::CUT_OFF),
            };
            self.feed(&Step::End(&end), losses, next);
        }
    }

    fn start(&mut self, losses: &mut Losses, next: &mut Next<'_>) {
        if !core::mem::replace(&mut self.started, true) {
            next(&Step::Start { id: None, session_id: None }, losses);
        }
    }

    fn open(
        &mut self,
        message: u32,
        r#type: &MessageType,
        role: &Role,
        id: Option<&str>,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) {
        self.start(losses, next);
        // Readers show nothing of a heartbeat; what opens here has something to say.
        let heartbeat = *r#type == MessageType::Heartbeat;
        let r#type = if heartbeat { &MessageType::Message } else { r#type };
        let state = Message::new(r#type.clone());
        self.messages.insert(message.into(), state);
        next(&Step::Open { message, r#type, role, id }, losses);
    }

    /// Where a part is, and how far, if it has begun and its message has not ended.
    fn part(&mut self, mut at: At) -> Option<(At, &mut Part)> {
        if let Part::At(other) = self.messages.get(at.0.into())?.part(at.1)? {
            at = *other;
        }
        Some((at, self.messages.get_mut(at.0.into())?.part_mut(at.1)?))
    }

    /// A piece of text.
    fn speak(&mut self, at: At, mut kind: Kind, piece: &str, losses: &mut Losses, next: &mut Next<'_>) {
        if kind != Kind::Refusal && self.latest != Some((at, kind)) {
            let thought = |message: &Message| message.r#type == MessageType::Reasoning;
            kind = match self.messages.get(at.0.into()).map(thought) {
                Some(true) => Kind::Thought,
                Some(false) => Kind::Text,
                None => kind,
            };
        }
        let mut place = at;
        if self.latest != Some((at, kind)) {
            place = match self.part(at) {
                Some((place, part)) if *part == Part::Open(kind) => place,
                _ => match self.begin(at, kind, losses, next) {
                    Some(place) => place,
                    None => return,
                },
            };
            self.latest = Some((place, kind));
        }
        let (message, part) = place;
        next(
            &match kind {
                Kind::Thought => Step::Reasoning { message, part, piece },
                Kind::Refusal => Step::Refusal { message, part, piece },
                _ => Step::Text { message, part, piece },
            },
            losses,
        );
    }

    /// A part that comes in one step.
    fn at_once<'e>(
        &mut self,
        at: At,
        kind: Kind,
        losses: &mut Losses,
        next: &mut Next<'_>,
        event: impl FnOnce(At) -> Step<'e>,
    ) {
        if let Some(at) = self.begin(at, kind, losses, next) {
            next(&event(at), losses);
            self.close_invented(at.0, losses, next);
        }
    }

    /// A new part: where it was said, or in a message of its own where that has ended or is of another type.
    fn begin(&mut self, at: At, kind: Kind, losses: &mut Losses, next: &mut Next<'_>) -> Option<At> {
        let (r#type, role) = kind.own_type();
        let (mut message, mut part) = at;
        match self.messages.get(message.into()) {
            None => self.open(message, &r#type, &role, None, losses, next),
            Some(state) if !kind.is_text() && state.part(part).is_some() => {
                losses.note("part-repeated", "", "it had come: left as it was");
                return None;
            }
            Some(state) => {
                let suits = kind.suits(&state.r#type);
                if !suits || !state.open || state.part(part).is_some() {
                    match suits {
                        true => {
                            losses.note("after-end", "", "its place had ended: it got a message of its own")
                        }
                        false => {
                            losses.note("message-type", "", "its message was of another type: it got its own")
                        }
                    }
                    (message, part) = (self.invent(), 0);
                    if let Some(state) = self.messages.get_mut(at.0.into()) {
                        state.set_part(at.1, Part::At((message, part)));
                    }
                    self.open(message, &r#type, &role, None, losses, next);
                    if let Some(state) = self.messages.get_mut(message.into()) {
                        state.invented = true;
                    }
                }
            }
        }
        let state = if kind.comes_whole() { Part::Ended } else { Part::Open(kind) };
        self.messages.get_mut(message.into())?.set_part(part, state);
        Some((message, part))
    }

    fn end_part(&mut self, at: At, whole: bool, losses: &mut Losses, next: &mut Next<'_>) {
        if let Some(((message, part), state @ Part::Open(_))) = self.part(at) {
            *state = Part::Ended;
            self.latest = None;
            next(&Step::EndPart { message, part, whole }, losses);
            self.close_invented(message, losses, next);
        }
    }

    /// The number of a message that the source does not have: a free one, from the far end, where sources do not count.
    /// Lines of the hub may have such numbers, because they are written there like all others.
    fn invent(&mut self) -> u32 {
        loop {
            self.invented = self.invented.wrapping_add(1);
            let number = u32::MAX.wrapping_sub(self.invented);
            if self.messages.get(number.into()).is_none() {
                return number;
            }
        }
    }

    /// A message of ours has one part only.
    fn close_invented(&mut self, message: u32, losses: &mut Losses, next: &mut Next<'_>) {
        if self.messages.get(message.into()).is_some_and(|state| state.invented) {
            self.close(message, &MessageEnd::new(RunStatus::Completed), losses, next);
        }
    }
}
