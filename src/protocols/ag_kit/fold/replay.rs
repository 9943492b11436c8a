//! Replaying a delta: doing what the event before did with another text.

use super::AgKitFold;
use crate::core::fold::{Key, Metered, Node, Repeat};
use crate::core::replay::DeltaBatch;
use crate::core::report::Ended;
use crate::json::Str;
use crate::protocols::ag_kit::schema;

/// Where the text of the event at work went, if that was all it did.
#[derive(Debug, Default)]
pub(super) struct Replay {
    target: Option<(Target, Repeat)>,
    /// Breaches when the event began: one that broke a rule is never repeated.
    breaches: u64,
}

/// What a text was appended to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// The turn's text. Its first piece opened a part; any further one only appends.
    Text,
    /// The arguments of the call at this place.
    Arguments(usize),
}

impl Replay {
    /// An event begins.
    pub fn clear(&mut self, breaches: u64) {
        self.target = None;
        self.breaches = breaches;
    }

    /// A further event of this shape would do nothing but append its `text`, which is a slice of `data`, to `target`.
    pub fn appended(&mut self, target: Target, data: &str, text: Str<'_>) {
        let start = text.raw().as_ptr() as usize - data.as_ptr() as usize;
        self.target = Some((target, Repeat { number: None, text: start..start + text.raw().len() }));
    }

    pub fn get(&self, breaches: u64) -> Option<&Repeat> {
        self.target.as_ref().map(|(_, repeat)| repeat).filter(|_| self.breaches == breaches)
    }
}

impl AgKitFold {
    /// The event before, with another text.
    pub(super) fn replay(&mut self, text: Str<'_>, offset: u64, sink: &mut Metered<'_>) {
        if self.report.ended == Ended::Refused {
            return;
        }
        self.at = (self.report.events, offset);
        self.report.events += 1;
        match self.repeat.target {
            Some((Target::Text, _)) => self.append_text(text, sink),
            Some((Target::Arguments(at), _)) => self.append_args(at, text, sink),
            None => {}
        }
    }

    /// Where the text of a repeated event goes.
    pub(super) fn replays_into(&self) -> Option<(Node, Key)> {
        match self.repeat.target.as_ref()? {
            (Target::Text, _) => self.text.map(|text| (text.node, schema::TEXT)),
            (Target::Arguments(at), _) => Some(self.calls.list.get(*at)?.arguments_into()),
        }
    }

    /// A run of events like the one before. Pieces of the turn's text are appended as one where that is the same.
    pub(super) fn replay_batch(&mut self, run: DeltaBatch<'_>, sink: &mut Metered<'_>) {
        let is_text = matches!(self.repeat.target, Some((Target::Text, _)));
        let at_once = is_text && self.text.is_some_and(|text| text.is_between_characters());
        match run.pieces().last() {
            Some(last) if at_once && self.report.ended != Ended::Refused => {
                self.report.events += run.pieces().len() as u64;
                self.at = (self.report.events - 1, last.offset);
                self.append_text(run.text(last.end), sink);
            }
            _ => run.each().for_each(|(piece, text)| self.replay(text, piece.offset, sink)),
        }
    }
}
