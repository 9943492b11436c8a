//! Tool calls and questions: each once, and nothing that answers what was not asked.

use super::part::{At, Kind, Message, Part};
use super::{Next, Sequencer};
use crate::hub::loss::Losses;
use crate::hub::step::Step;
use crate::protocols::agent_api::{MessageType, Payload};

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

    /// A call of an id that there was. Where the first one has no arguments yet, this one brings them: servers exist that
    /// open a call in one part and complete it in another. A client that got it twice would run it twice.
    pub(super) fn repeated_call(&mut self, at: At, first: At, id: &str, losses: &mut Losses) {
        losses.note("call-repeated", id, "a call of that id had begun: they became one");
        let waits = matches!(self.part(first), Some((_, Part::Open(Kind::Call))));
        if let Some(state) = self.messages.get_mut(at.0.into())
            && state.part(at.1).is_none()
        {
            state.set_part(at.1, if waits { Part::At(first) } else { Part::Ended });
        }
    }

    /// Whether a result may come. One without a call gets one.
    pub(super) fn answer(
        &mut self,
        id: &str,
        name: Option<&str>,
        losses: &mut Losses,
        next: &mut Next<'_>,
    ) -> bool {
        if self.calls.get(id).is_none() {
            losses.note("call-missing", id, "a result needs its call: one without arguments was made");
            let message = self.invent();
            let name = name.unwrap_or("");
            self.feed(&Step::Call { message, part: 0, id, name, more: &[] }, losses, next);
            if let Some(state) = self.messages.get_mut(message.into()) {
                state.invented = true;
            }
            self.end_part((message, 0), true, losses, next);
        }
        let answered = self.calls.get_mut(id).is_none_or(|call| core::mem::replace(&mut call.answered, true));
        if answered {
            losses.note("result-repeated", id, "a call has one result: the first one stays");
        }
        !answered
    }

    /// Whether this answers a question that nobody asked.
    pub(super) fn answers_nothing(&self, message: u32, payload: &Payload) -> bool {
        let is_answer = |state: &Message| state.r#type == MessageType::McpApprovalResponse;
        let Payload::Data { data: Some(data) } = payload else { return false };
        let id = data.get("approval_request_id").and_then(|id| id.as_str());
        self.messages.get(message.into()).is_some_and(is_answer)
            && id.is_none_or(|id| self.interrupts.get(id).is_none())
    }
}
