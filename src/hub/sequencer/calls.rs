//! Tool calls and questions: each occurs once, and results and answers belong to a call or question.

use super::part::{At, Kind, Part};
use super::{Next, Sequencer};
use crate::hub::loss::Losses;
use crate::hub::step::Step;

impl Sequencer {
    pub(super) fn arguments(&mut self, at: At, piece: &str, losses: &mut Losses, next: &mut Next<'_>) {
        let mut place = at;
        if self.latest != Some((at, Kind::Called)) {
            place = match self.part(at) {
                Some((place, part @ Part::Open(Kind::Call | Kind::Called))) => {
                    *part = Part::Open(Kind::Called);
                    place
                }
                _ => return losses.note("arguments-without-call", "", "no call was open: left out"),
            };
            self.latest = Some((place, Kind::Called));
        }
        next(&Step::Arguments { message: place.0, part: place.1, piece }, losses);
    }

    /// Handles a call with a repeated id. If the first call has no arguments yet, this call supplies them: some
    /// servers open a call in one part and complete it in another. A client that received the call twice would run it
    /// twice.
    pub(super) fn repeated_call(&mut self, at: At, first: At, id: &str, losses: &mut Losses) {
        losses.note("call-repeated", id, "a call of that id had begun: they became one");
        let waits = matches!(self.part(first), Some((_, Part::Open(Kind::Call))));
        if let Some(state) = self.messages.get_mut(at.0.into())
            && state.part(at.1).is_none()
        {
            state.set_part(at.1, if waits { Part::At(first) } else { Part::Ended });
        }
    }

    /// Returns whether the result is emitted. A result without a call gets one.
    pub(super) fn answer(
        &mut self,
        id: &str,
        name: Option<&str>,
        preview: bool,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) -> bool {
        self.called(id, name, losses, next);
        let Some(call) = self.calls.get_mut(id) else { return true };
        let answered = call.answered;
        call.answered |= !preview;
        if answered {
            losses.note("result-repeated", id, "a call has one result: the first one stays");
        }
        !answered
    }

    /// Creates the call that a step refers to if the source has not sent it.
    pub(super) fn called(&mut self, id: &str, name: Option<&str>, losses: &mut Losses, next: &mut Next<'_>) {
        if self.calls.get(id).is_some() {
            return;
        }
        losses.note("call-missing", id, "a result needs its call: one without arguments was made");
        let message = self.invent();
        self.feed(&Step::call(message, 0, id, name.unwrap_or(""), &[]), losses, next);
        if let Some(state) = self.messages.get_mut(message.into()) {
            state.invented = true;
        }
        self.end_part((message, 0), true, losses, next);
    }
}
