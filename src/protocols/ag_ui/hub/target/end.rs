//! The ends of runs, and of all that is open in them.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::ToAgUi;
use super::writer::{NOT_ACCEPTED, end_of, text};
use crate::core::WireEvent;
use crate::hub::{EndStatus, EventOutput, RunEnd, present_members};
use crate::json::Value;
use crate::protocols::ag_ui::events::{Event, event};
use crate::protocols::ag_ui::hub::{INCOMPLETE, REASON, REJECTED, STATUS, is_in_metadata, usage};
use crate::protocols::ag_ui::lifecycle::StreamKind;

/// The message of the error that ends a run inside a tool call.
const CUT_OFF: &str = "The run ended inside a tool call.";

const NOT_ENDED: &str = "it had not ended: AG-UI's runs end after all that is in them";

/// Returns the outcome of a run, unless it has failed.
fn outcome_of(end: &RunEnd, interrupts: Vec<Value>) -> Option<Value> {
    if end.may_ask() && !interrupts.is_empty() {
        let interrupts = Value::Array(interrupts);
        return Some([("type", "interrupt".into()), ("interrupts", interrupts)].into());
    }
    match end.status {
        EndStatus::Completed => {
            let pending = ("pendingToolCallIds", end.pending_list());
            Some(Value::Object(present_members([("type", Some("success".into())), pending])))
        }
        EndStatus::Canceled => Some([("type", "cancelled".into())].into()),
        _ => None,
    }
}

/// Returns the code and the message of a run without an outcome, if the source has none.
fn failure_of(end: &RunEnd) -> (Option<&'static str>, String) {
    match end.status {
        EndStatus::Rejected => (Some("rejected"), REJECTED.to_owned()),
        EndStatus::Failed => (None, "The run failed.".to_owned()),
        _ => {
            let mut message = INCOMPLETE.to_owned();
            if let Some(reason) = &end.reason {
                message += " Reason: ";
                message += reason;
            }
            (Some("incomplete"), message)
        }
    }
}

impl ToAgUi {
    /// Ends a run, and all that is open in it.
    pub(super) fn end(&mut self, end: &RunEnd, out: &mut EventOutput<'_, WireEvent>) {
        self.values.end(out);
        let mut run = core::mem::take(&mut self.run);
        let usage = end.usage.as_ref().or(run.usage.as_ref());
        if usage.is_some_and(|usage| !usage::is_listed(usage)) {
            out.lose("usage", "", "AG-UI counts tokens of six kinds: other members are left out");
        }
        let usage = usage.map(usage::list);
        let interrupts = run.interrupts.take_all();
        if !interrupts.is_empty() && !end.may_ask() {
            let reason = "AG-UI's runs ask when they are interrupted, not when they fail";
            out.lose("interrupt-hidden", "", reason);
        }
        let outcome = outcome_of(end, interrupts);
        let is_success =
            outcome.as_ref().and_then(|outcome| outcome.text("type")) == Some("success");
        let call = |at: &u64| self.calls.get(self.parts.get(*at)?)?.as_ref();
        let cut_off: Vec<u64> =
            self.parts.sorted().into_iter().filter(|at| call(at).is_some()).collect();
        let failure = if outcome.is_none() {
            Some(failure_of(end))
        } else if is_success && !cut_off.is_empty() {
            // A client would run the call with incomplete arguments.
            let reason = "AG-UI's runs do not end well inside a call: this one ends with an error";
            out.lose("call-cut-off", "", reason);
            Some((Some("incomplete"), CUT_OFF.to_owned()))
        } else {
            None
        };
        if failure.is_none() && end.error.is_some() {
            out.lose("error-message", "", "only runs of AG-UI that have failed have an error");
        }
        for at in cut_off {
            self.end_call(at, failure.is_some(), out);
        }
        let event = if let Some((code, message)) = failure {
            if is_in_metadata(end.status) {
                run.metadata.set(STATUS, end.status.as_str().into());
                if let Some(reason) = &end.reason {
                    run.metadata.set(REASON, reason.as_str().into());
                }
            }
            let error = end.error.as_ref();
            let code = error.and_then(|error| error.code.as_deref()).or(code);
            let message = error.map_or(message, |error| error.message.clone());
            event!(RunError, run.metadata.object(); {
                message: message.into(), code: code.map(text), usage: usage,
            })
        } else {
            self.end_open(end.status == EndStatus::Incomplete, out);
            event!(RunFinished, run.metadata.object(); {
                thread_id: text(&run.thread_id),
                run_id: text(&run.run_id),
                result: end.result.clone(),
                outcome: outcome,
                usage: usage,
            })
        };
        self.finish(event, out);
    }

    /// Writes the terminal event, without members that the protocol does not accept.
    fn finish(&mut self, mut event: Event<'_>, out: &mut EventOutput<'_, WireEvent>) {
        if self.write.try_send(&event, out) {
            return;
        }
        for (what, place, reason, remove) in OPTIONAL {
            let mut without = event.clone();
            remove(&mut without);
            if without != event && self.write.try_send(&without, out) {
                return out.lose(what, place, reason);
            }
        }
        for (what, place, reason, remove) in OPTIONAL {
            let before = event.clone();
            remove(&mut event);
            if event != before {
                out.lose(what, place, reason);
            }
        }
        if !self.write.send("", &event, out) {
            // The end of a call was refused, so that the call is open for clients.
            let error = event!(RunError; { message: text(CUT_OFF), code: None, usage: None });
            self.write.try_send(&error, out);
        }
    }

    /// Ends what is open except for calls: texts and reasoning, then steps and subagents, the last
    /// first. An end that the source did not have is a loss, unless the run waits for an answer.
    fn end_open(&mut self, is_suspended: bool, out: &mut EventOutput<'_, WireEvent>) {
        for stream in [StreamKind::Text, StreamKind::Reasoning, StreamKind::Block] {
            for id in self.write.life.open.names(stream).all_open() {
                let lane = self.write.life.open.owner(stream.owned(), &id).cloned().flatten();
                let end = end_of(stream, &id, lane.as_deref(), None);
                if self.write.try_send(&end, out) && stream == StreamKind::Block && !is_suspended {
                    out.lose("step", "", NOT_ENDED);
                }
            }
        }
        let steps: Vec<_> = self.write.life.open.steps.all().collect();
        for (lane, name) in steps.into_iter().rev() {
            let end = event!(StepFinished in lane.as_deref(); { step_name: text(&name) });
            if self.write.try_send(&end, out) && !is_suspended {
                out.lose("step", "", NOT_ENDED);
            }
        }
        for id in self.write.life.open.subagents.all_open().into_iter().rev() {
            let end = event!(SubagentFinished; {
                subagent_run_id: text(&id),
                result: None,
                outcome: is_suspended.then(|| Value::from([("type", "suspended".into())])),
            });
            if self.write.try_send(&end, out) && !is_suspended {
                out.lose("lane", "", NOT_ENDED);
            }
        }
    }
}

/// An optional member of a terminal event: the loss, its place and its reason, and a function that
/// removes the member.
type Optional = (&'static str, &'static str, &'static str, fn(&mut Event<'_>));

const OPTIONAL: &[Optional] = &[
    ("usage", "", "AG-UI does not have these counts", |event| {
        if let Event::RunFinished { usage, .. } | Event::RunError { usage, .. } = event {
            *usage = None;
        }
    }),
    ("refused", "metadata", NOT_ACCEPTED, |event| {
        if let Event::RunFinished { metadata, .. } | Event::RunError { metadata, .. } = event {
            *metadata = None;
        }
    }),
    ("refused", "result", NOT_ACCEPTED, |event| {
        if let Event::RunFinished { result, .. } = event {
            *result = None;
        }
    }),
    ("refused", "outcome", NOT_ACCEPTED, |event| {
        if let Event::RunFinished { outcome, .. } = event {
            *outcome = None;
        }
    }),
];
