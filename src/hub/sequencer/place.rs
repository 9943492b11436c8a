//! The place of a part: the one that the source gives, or a separate message.

use super::part::{At, Kind, Part};
use super::{Next, Sequencer};
use crate::bytes::string_map::pair;
use crate::hub::loss::Losses;
use crate::hub::step::Step;

impl Sequencer {
    /// Returns the place and state of a part, if it has begun and its message has not ended.
    pub(super) fn part(&mut self, mut at: At) -> Option<(At, &mut Part)> {
        if let Part::At(other) = self.messages.get(at.0.into())?.part(at.1)? {
            at = *other;
        }
        Some((at, self.messages.get_mut(at.0.into())?.part_mut(at.1)?))
    }

    /// Returns the place of a piece. The first piece begins its part.
    pub(super) fn piece(
        &mut self,
        at: At,
        kind: Kind,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) -> Option<At> {
        if self.latest == Some((at, kind)) {
            return Some(at);
        }
        let place = match self.part(at) {
            Some((place, part)) if *part == Part::Open(kind) => place,
            _ => self.begin(at, kind, false, losses, next)?,
        };
        self.latest = Some((place, kind));
        Some(place)
    }

    /// Emits a part that is sent in one step, or in a preview and then another one. Returns false if the part cannot
    /// be emitted.
    pub(super) fn at_once(
        &mut self,
        at: At,
        kind: Kind,
        preview: bool,
        step: &Step<'_>,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) -> bool {
        let place = match self.part(at) {
            Some((place, part)) if *part == Part::Open(kind) => {
                if !preview {
                    *part = Part::Ended;
                }
                Some(place)
            }
            _ => self.begin(at, kind, preview, losses, next),
        };
        if let Some((message, part)) = place {
            next(&step.at(message, part), losses);
            if !preview {
                self.close_invented(message, losses, next);
            }
        }
        place.is_some()
    }

    /// Begins a part: at the place that the source gives, or in a separate message if that one has ended or is of
    /// another type.
    pub(super) fn begin(
        &mut self,
        at: At,
        kind: Kind,
        preview: bool,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) -> Option<At> {
        let (mut message, mut part) = at;
        match self.messages.get(message.into()) {
            None => self.open_for(message, kind, losses, next),
            Some(state) if !kind.is_text() && state.part(part).is_some() => {
                losses.note("part-repeated", "", "it had come: left as it was");
                return None;
            }
            Some(state) => {
                let suits = kind.suits(state.kind);
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
                    self.open_for(message, kind, losses, next);
                    if let Some(state) = self.messages.get_mut(message.into()) {
                        state.invented = true;
                    }
                }
            }
        }
        let state = if kind.comes_whole() && !preview { Part::Ended } else { Part::Open(kind) };
        self.messages.get_mut(message.into())?.set_part(part, state);
        Some((message, part))
    }

    pub(super) fn end_part(&mut self, at: At, whole: bool, losses: &mut Losses, next: &mut Next<'_>) {
        if let Some(((message, part), state @ Part::Open(_))) = self.part(at) {
            *state = Part::Ended;
            self.latest = None;
            next(&Step::EndPart { message, part, whole }, losses);
            self.close_invented(message, losses, next);
        } else if self.listed.remove(pair(at.0, at.1)).is_some() {
            if let Some(message) = self.messages.get_mut(at.0.into()) {
                message.set_part(at.1, Part::Ended);
            }
            next(&Step::EndPart { message: at.0, part: at.1, whole }, losses);
        }
    }
}
