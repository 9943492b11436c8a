//! The ends of messages.

use super::part::{Kind, Part};
use super::{Gate, Next};
use crate::adapt::event::{Event, MessageEnd};
use crate::adapt::loss::Losses;
use crate::agent_api::RunStatus;

impl Gate {
    /// A message ends, and what is open of it.
    pub(super) fn close(&mut self, message: u32, end: &MessageEnd, losses: &mut Losses, next: &mut Next<'_>) {
        let Some(state) = self.messages.get_mut(message.into()).filter(|message| message.open) else {
            return;
        };
        state.open = false;
        self.latest = None;
        let whole = end.status == RunStatus::Completed;
        let mut parts = core::mem::take(&mut state.parts);
        for number in parts.sorted() {
            match parts.remove(number) {
                Some(elsewhere @ Part::At(_)) => state.parts.insert(number, elsewhere),
                Some(Part::Open(_)) => {
                    next(&Event::EndPart { message, part: number as u32, whole }, losses);
                }
                Some(Part::Ended) | None => {}
            }
        }
        next(&Event::Close { message, end }, losses);
    }

    /// The run ends, and its messages end the way it does. A call that has not ended is not whole by that: a client
    /// would run it.
    pub(super) fn close_all(&mut self, status: &RunStatus, losses: &mut Losses, next: &mut Next<'_>) {
        let status = if status.is_terminal() { status.clone() } else { RunStatus::Incomplete };
        let is_call = |part: &Part| matches!(part, Part::Open(Kind::Call | Kind::Called));
        for message in self.messages.sorted() {
            let Some(state) = self.messages.get(message).filter(|message| message.open) else { continue };
            let calls = state.parts.values().any(is_call);
            let cut_off = calls && status == RunStatus::Completed;
            if calls && matches!(status, RunStatus::Completed | RunStatus::Incomplete) {
                losses.note(
                    "call-cut-off",
                    "",
                    "its arguments never ended: it is not whole, or clients would run it",
                );
            }
            let end = MessageEnd::new(if cut_off { RunStatus::Incomplete } else { status.clone() });
            self.close(message as u32, &end, losses, next);
        }
    }
}
