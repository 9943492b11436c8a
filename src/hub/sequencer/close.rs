//! The ends of messages.

use alloc::collections::BinaryHeap;

use super::{Next, Sequencer};
use crate::hub::end::MessageEnd;
use crate::hub::kind::{EndStatus, MessageKind};
use crate::hub::loss::Losses;
use crate::hub::step::Step;

impl Sequencer {
    /// Ends a message and its open parts.
    pub(super) fn close(&mut self, message: u32, end: &MessageEnd, losses: &mut Losses, next: &mut Next<'_>) {
        let Some(state) = self.messages.get_mut(message.into()).filter(|message| message.open) else {
            return;
        };
        self.latest = None;
        let whole = end.status == EndStatus::Completed;
        for part in state.end() {
            next(&Step::EndPart { message, part, whole }, losses);
        }
        next(&Step::Close { message, end }, losses);
    }

    /// Ends the run and its open messages with the same status. A call that has not ended is marked incomplete,
    /// because a client would run a complete one.
    pub(super) fn close_all(&mut self, status: EndStatus, losses: &mut Losses, next: &mut Next<'_>) {
        let begun = BinaryHeap::from(core::mem::take(&mut self.begun));
        for message in begun.into_sorted_vec() {
            let Some(state) = self.messages.get(message.into()).filter(|message| message.open) else {
                continue;
            };
            let calls = state.calls();
            let cut_off = calls && status == EndStatus::Completed;
            // The question is complete, and clients show a question only if its message is completed.
            let asks = state.kind == MessageKind::Interrupt && status == EndStatus::Incomplete;
            if calls && matches!(status, EndStatus::Completed | EndStatus::Incomplete) {
                losses.note(
                    "call-cut-off",
                    "",
                    "its arguments never ended: it is not whole, or clients would run it",
                );
            }
            let end = MessageEnd::new(match (cut_off, asks) {
                (true, _) => EndStatus::Incomplete,
                (false, true) => EndStatus::Completed,
                (false, false) => status,
            });
            self.close(message, &end, losses, next);
        }
    }
}
