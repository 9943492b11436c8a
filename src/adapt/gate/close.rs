//! The ends of messages.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::part::{Kind, Part};
use super::{Gate, Next};
use crate::adapt::event::{Event, MessageEnd};
use crate::adapt::loss::Losses;
use crate::agent_api::RunStatus;

impl Gate {
    /// A message ends, and what is open of it.
    pub(super) fn close(&mut self, message: u32, end: &MessageEnd, losses: &mut Losses, next: &mut Next<'_>) {
        let Some(state) = self.messages.get_mut(&message).filter(|message| message.open) else { return };
        state.open = false;
        self.latest = None;
        let whole = end.status == RunStatus::Completed;
        let (elsewhere, here): (BTreeMap<_, _>, BTreeMap<_, _>) =
            core::mem::take(&mut state.parts).into_iter().partition(|(_, part)| matches!(part, Part::At(_)));
        state.parts = elsewhere;
        for (part, _) in here.into_iter().filter(|(_, part)| matches!(part, Part::Open(_))) {
            next(&Event::EndPart { message, part, whole }, losses);
        }
        next(&Event::Close { message, end }, losses);
    }

    /// The run ends, and its messages end the way it does. A call that has not ended is not whole by that: a client
    /// would run it.
    pub(super) fn close_all(&mut self, status: &RunStatus, losses: &mut Losses, next: &mut Next<'_>) {
        let status = if status.is_terminal() { status.clone() } else { RunStatus::Incomplete };
        let is_call = |part: &Part| matches!(part, Part::Open(Kind::Call | Kind::Called));
        let open = self.messages.iter().filter(|(_, message)| message.open);
        let open: Vec<_> =
            open.map(|(number, message)| (*number, message.parts.values().any(is_call))).collect();
        for (message, calls) in open {
            let cut_off = calls && status == RunStatus::Completed;
            if calls && matches!(status, RunStatus::Completed | RunStatus::Incomplete) {
                losses.note(
                    "call-cut-off",
                    "",
                    "its arguments never ended: it is not whole, or clients would run it",
                );
            }
            let end = MessageEnd::new(if cut_off { RunStatus::Incomplete } else { status.clone() });
            self.close(message, &end, losses, next);
        }
    }
}
