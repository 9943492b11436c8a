//! Runs: their starts, their interrupts and their ends.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::writer::{NOT_ACCEPTED, text};
use super::{Run, ToAgUi, object};
use crate::hub::{EndStatus, Out, RunEnd, given};
use crate::json::{Document, Member, Value};
use crate::protocols::ag_ui::builder::{PROTOCOL_VERSION, WireEvent};
use crate::protocols::ag_ui::events::{Event, event};
use crate::protocols::ag_ui::hub::is_in_metadata;
use crate::protocols::ag_ui::hub::{INCOMPLETE, REASON, REJECTED, STATUS, usage};

impl ToAgUi {
    /// Starts a run. `ids` are those of the run, of the thread, and of the parent run.
    pub(super) fn start(
        &mut self,
        ids: [Option<&str>; 3],
        more: Vec<Member>,
        out: &mut Out<'_, WireEvent>,
    ) {
        let ToAgUi { write, run, .. } = self;
        let [run_id, thread_id, parent_id] =
            ids.map(|id| id.filter(|id| !id.is_empty()).map(ToOwned::to_owned));
        let thread_id = write.options.session_id.clone().or(thread_id);
        // Only the first run can have the id from the options.
        let run_id = write.options.run_id.take().or(run_id);
        *run = Run {
            thread_id: thread_id.unwrap_or_else(|| write.new_id("thread_")),
            run_id: run_id.unwrap_or_else(|| write.new_id("run_")),
            ..Run::default()
        };
        let event = event!(RunStarted, object(more); {
            thread_id: text(&run.thread_id),
            run_id: text(&run.run_id),
            protocol_version: Some(text(PROTOCOL_VERSION)),
            parent_run_id: parent_id.as_deref().map(text),
            input: None,
        });
        write.send("", &event, out);
        (self.spans, self.parts, self.turn) = Default::default();
    }

    pub(super) fn end(&mut self, end: &RunEnd, out: &mut Out<'_, WireEvent>) {
        self.values.end(out);
        let mut run = core::mem::take(&mut self.run);
        let usage = end.usage.as_ref().or(run.usage.as_ref());
        if usage.is_some_and(|usage| !usage::is_listed(usage)) {
            out.lose("usage", "", "AG-UI counts tokens of six kinds: other members are left out");
        }
        let usage = usage.map(usage::list);
        let may_ask = end.may_ask();
        let interrupts = run.interrupts.take_all();
        if !interrupts.is_empty() && !may_ask {
            out.lose(
                "interrupt-hidden",
                "",
                "AG-UI's runs ask when they are interrupted, not when they fail",
            );
        }
        let outcome = match end.status {
            _ if may_ask && !interrupts.is_empty() => Some(Value::from([
                ("type", "interrupt".into()),
                ("interrupts", Value::Array(interrupts)),
            ])),
            EndStatus::Completed => {
                let pending = ("pendingToolCallIds", end.pending_list());
                Some(Value::Object(given([("type", Some("success".into())), pending])))
            }
            EndStatus::Canceled => Some([("type", "cancelled".into())].into()),
            _ => None,
        };
        let call = |at: &u64| self.calls.get(self.parts.get(*at)?)?.as_ref();
        let cut_off: Vec<u64> =
            self.parts.sorted().into_iter().filter(|at| call(at).is_some()).collect();
        let is_success =
            outcome.as_ref().and_then(|outcome| outcome.text("type")) == Some("success");
        let failure = match (&outcome, end.status) {
            // A client would run the call with incomplete arguments.
            (Some(_), _) if is_success && !cut_off.is_empty() => {
                let reason =
                    "AG-UI's runs do not end well inside a call: this one ends with an error";
                out.lose("call-cut-off", "", reason);
                Some(("incomplete", "The run ended inside a tool call.".to_owned()))
            }
            (Some(_), _) => None,
            (None, EndStatus::Rejected) => Some(("rejected", REJECTED.to_owned())),
            (None, EndStatus::Failed) => Some(("", "The run failed.".to_owned())),
            (None, _) => {
                let mut message = INCOMPLETE.to_owned();
                if let Some(reason) = &end.reason {
                    message += " Reason: ";
                    message += reason;
                }
                Some(("incomplete", message))
            }
        };
        if failure.is_none() && end.error.is_some() {
            out.lose("error-message", "", "only runs of AG-UI that have failed have an error");
        }
        if failure.is_some() && is_in_metadata(end.status) {
            run.metadata.set(STATUS, end.status.as_str().into());
            end.reason.iter().for_each(|reason| run.metadata.set(REASON, reason.as_str().into()));
        }
        let metadata = run.metadata.object();
        if let Some((code, message)) = failure {
            let error = end.error.as_ref();
            let code = error
                .and_then(|error| error.code.as_deref())
                .or(Some(code).filter(|code| !code.is_empty()));
            let message = error.map_or(message, |error| error.message.clone());
            cut_off.into_iter().for_each(|at| self.end_call(at, true, out));
            let event = event!(RunError, metadata; { message: text(&message), code: code.map(text), usage: usage });
            return self.finish(event, out);
        }
        let is_suspended = end.status == EndStatus::Incomplete;
        cut_off.into_iter().for_each(|at| self.end_call(at, false, out));
        for event in self.write.builder.end_open(is_suspended) {
            const NOT_ENDED: &str = "it had not ended: AG-UI's runs end after all that is in them";
            match type_of(&event).as_deref().filter(|_| !is_suspended) {
                Some("STEP_FINISHED" | "REASONING_END") => out.lose("step", "", NOT_ENDED),
                Some("SUBAGENT_FINISHED") => out.lose("lane", "", NOT_ENDED),
                _ => {}
            }
            out.emit(event);
        }
        let event = event!(RunFinished, metadata; {
            thread_id: text(&run.thread_id),
            run_id: text(&run.run_id),
            result: end.result.clone(),
            outcome: outcome,
            usage: usage,
        });
        self.finish(event, out);
    }

    /// Writes the terminal event, without members that the protocol does not accept.
    fn finish(&mut self, mut event: Event<'_>, out: &mut Out<'_, WireEvent>) {
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
        self.write.send("", &event, out);
        self.write.builder.finish_with(None).into_iter().for_each(|event| out.emit(event));
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

/// Returns the type of an event.
fn type_of(event: &WireEvent) -> Option<String> {
    let document = Document::read(event.json(), u32::MAX).ok()?;
    Some(document.root().member("type")?.words().into_owned())
}
