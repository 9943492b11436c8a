//! Steps that do not belong to a part of a message, and steps after the end of a run.

use super::part::{Kind, Part};
use super::{Next, Sequencer};
use crate::bytes::string_map::pair;
use crate::hub::loss::Losses;
use crate::hub::note::Note;
use crate::hub::repeated_id::can_repeat;
use crate::hub::step::Step;

impl Sequencer {
    pub(super) fn note(&mut self, note: &Note<'_>, losses: &mut Losses, next: &mut Next<'_>) {
        match *note {
            // The run has already begun at the start of the stream.
            Note::Reopened { id, .. } => {
                if self.started {
                    losses.note("run-ids", id.unwrap_or(""), "the run had not ended: it goes on");
                }
                return;
            }
            Note::Replace { message, part, text, call } => {
                if self.has_lists {
                    self.start(losses, next);
                    if self.is_silent((message, part)) {
                        self.listed.insert(pair(message, part), ());
                    }
                } else if let Some(first) = self.first_piece((message, part), text, call) {
                    if !text.is_empty() {
                        self.feed(&first, losses, next);
                    }
                    return;
                }
            }
            // Passed-on events may precede the start of the run, and unknown events may occur anywhere.
            Note::Passthrough { .. } => {}
            _ => self.start(losses, next),
        }
        if let Note::ToolError { id, .. } = *note {
            if !self.answer(id, None, false, losses, next) {
                return;
            }
        } else if let Some(id) = note.call() {
            if !can_repeat(id) {
                return losses.note(
                    "progress",
                    id,
                    "the call that it is about has no id that can be repeated",
                );
            }
            self.called(id, None, losses, next);
        }
        next(&Step::Note(self.in_place(*note)), losses);
    }

    /// Returns the complete text as a first piece, if its part has no content yet.
    fn first_piece<'t>(&mut self, at: (u32, u32), text: &'t str, call: Option<&str>) -> Option<Step<'t>> {
        let ((message, part), piece) = (at, text);
        let is_silent = self.is_silent(at);
        match (self.part(at), call) {
            (Some((_, Part::Open(Kind::Call))), Some(_)) => Some(Step::Arguments { message, part, piece }),
            (None, None) if is_silent => Some(Step::Text { message, part, piece }),
            _ => None,
        }
    }

    /// Whether a part of an open message has not occurred yet.
    fn is_silent(&self, (message, part): (u32, u32)) -> bool {
        self.messages.get(message.into()).is_some_and(|message| message.open && message.part(part).is_none())
    }

    /// Replaces the place that the source gave by the actual place of the part.
    fn in_place<'n>(&mut self, note: Note<'n>) -> Note<'n> {
        match note {
            Note::Replace { message, part, text, call } => {
                let (message, part) = self.placed((message, part));
                Note::Replace { message, part, text, call }
            }
            Note::Retract { message, part: Some(part) } => {
                let (message, part) = self.placed((message, part));
                Note::Retract { message, part: Some(part) }
            }
            note => note,
        }
    }

    fn placed(&mut self, at: (u32, u32)) -> (u32, u32) {
        self.part(at).map_or(at, |(place, _)| place)
    }

    /// Handles a step after the end of a run. If the target supports it, another run can begin.
    pub(super) fn after_end(&mut self, step: &Step<'_>, losses: &mut Losses, next: &mut Next<'_>) {
        match *step {
            Step::Heartbeat => {}
            Step::Note(Note::Reopened { .. }) if self.can_reopen => {
                self.ended = false;
                self.started = true;
                next(step, losses);
            }
            _ => losses.note("after-end", "", "the run had ended: left out"),
        }
    }
}
