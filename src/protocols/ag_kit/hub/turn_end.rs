//! The end of a turn: what was kept back, and what the status of the run is in AG-Kit.

use alloc::borrow::ToOwned;

use super::from_hub::{ToAgKit, emit};
use crate::bytes::string_map::StringMap;
use crate::hub::end::RunEnd;
use crate::hub::kind::EndStatus;
use crate::hub::transducer::Out;
use crate::protocols::ag_kit::builder::WireEvent;

impl ToAgKit {
    fn say_interrupts(&mut self, out: &mut Out<'_, WireEvent>) {
        let interrupts = core::mem::take(&mut self.interrupts);
        let Some(((last, ..), others)) = interrupts.split_last() else { return };
        for (id, ..) in others {
            let why = "AG-Kit's official client shows the last question only, and takes one answer";
            out.lose("interrupt-hidden", id, why);
        }
        if !self.spoke {
            // Beside nothing it would show none.
            emit(self.builder.text(""), last, out);
        }
        for (id, reason, payload) in interrupts {
            emit(self.builder.interrupt(&id, reason.as_deref(), payload), &id, out);
        }
    }

    pub(super) fn end(&mut self, end: &RunEnd, out: &mut Out<'_, WireEvent>) {
        // A tool that has a result was called, so its arguments were all there.
        let mut answered = StringMap::default();
        self.results.iter().for_each(|(id, _)| answered.insert(id, ()));
        for at in self.open.sorted() {
            if self.open.get(at).is_some_and(|id| answered.get(id).is_some()) {
                self.end_call(at, out);
            }
        }
        self.say_results(out);
        if end.usage.is_some() {
            out.lose("usage", "", "AG-Kit counts no tokens");
        }
        if end.result.is_some() {
            out.lose("run-result", "", "AG-Kit's runs come to their text");
        }
        // A run that was cut off may have had more to ask.
        let asks = !self.interrupts.is_empty() && end.reason.as_deref() != Some(RunEnd::CUT_OFF);
        self.say_interrupts(out);
        let error = end.error.as_ref();
        let said = error.map(|error| error.message.as_str());
        if error.is_some_and(|error| error.code.is_some()) {
            out.lose("error-code", "", "AG-Kit's errors have a message only");
        }
        let message = match end.status {
            EndStatus::Completed => None,
            EndStatus::Failed => Some(said.unwrap_or("The run failed.")),
            EndStatus::Incomplete if asks => None,
            other => {
                out.lose("status", "", "AG-Kit has no such status: it became an error that says so");
                Some(match other {
                    EndStatus::Canceled => "The run was canceled.",
                    EndStatus::Rejected => said.unwrap_or("The run was rejected."),
                    _ => "The run is incomplete.",
                })
            }
        };
        let mut sentence = message.map(ToOwned::to_owned);
        if let (Some(sentence), Some(reason)) = (&mut sentence, &end.reason) {
            *sentence += " Reason: ";
            *sentence += reason;
        }
        let last = self.builder.finish_with(sentence.as_deref());
        if sentence.is_none() && last.len() > 1 {
            out.lose(
                "call-cut-off",
                "",
                "AG-Kit's runs do not end well inside a call: this one ends with an error",
            );
        }
        last.into_iter().for_each(|event| out.emit(event));
    }
}
