//! Steps that do not belong to a part of a message, and steps after the end of a run.

use super::Feed;
use super::part::{Kind, Part};
use crate::bytes::string_map::pair;
use crate::hub::ids::can_repeat;
use crate::hub::note::Note;
use crate::hub::step::Step;

impl Feed<'_, '_> {
    pub(super) fn note(&mut self, note: &Note<'_>) {
        match *note {
            // The run has already begun at the start of the stream.
            Note::Reopened { id, .. } => {
                if self.order.started {
                    self.lose("run-ids", id.unwrap_or(""), "the run had not ended: it goes on");
                }
                return;
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
            // Passed-on events may precede the start of the run, and unknown events may occur anywhere.
            Note::Passthrough { .. } => {}
            _ => self.start(),
        }
        if let Note::ToolError { id, .. } = *note {
            if !self.answer(id, None, false) {
                return;
            }
        } else if let Some(id) = note.call() {
            if !can_repeat(id) {
                return self.lose("progress", id, "the call that it is about has no id that can be repeated");
            }
            self.called(id, None);
        }
        let note = self.in_place(*note);
        self.emit(&Step::Note(note));
    }

    /// Returns the complete text as a first piece, if its part has no content yet.
    fn first_piece<'t>(&mut self, at: (u32, u32), text: &'t str, call: Option<&str>) -> Option<Step<'t>> {
        let ((message, part), piece) = (at, text);
        let is_silent = self.order.is_silent(at);
        match (self.order.part(at), call) {
            (Some((_, Part::Open(Kind::Call))), Some(_)) => Some(Step::Arguments { message, part, piece }),
            (None, None) if is_silent => Some(Step::Text { message, part, piece }),
            _ => None,
        }
    }

    /// Replaces the place that the source gave by the actual place of the part.
    fn in_place<'n>(&mut self, note: Note<'n>) -> Note<'n> {
        match note {
            Note::Replace { message, part, text, call } => {
                let (message, part) = self.order.placed((message, part));
                Note::Replace { message, part, text, call }
            }
            Note::Retract { message, part: Some(part) } => {
                let (message, part) = self.order.placed((message, part));
                Note::Retract { message, part: Some(part) }
            }
            note => note,
        }
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
