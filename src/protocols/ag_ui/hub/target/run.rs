//! Runs: their starts, their interrupts and their ends.

use alloc::{borrow::ToOwned, boxed::Box, string::String, vec::Vec};

use super::writer::{NOT_ACCEPTED, end_of, text};
use super::{ToAgUi, object};
use crate::core::WireEvent;
use crate::hub::approval::OpenQuestions;
use crate::hub::metadata::Metadata;
use crate::hub::{Context, EndStatus, Out, RunEnd, Step, given};
use crate::json::{Member, Value};
use crate::protocols::ag_ui::PROTOCOL_VERSION;
use crate::protocols::ag_ui::events::{Event, event};
use crate::protocols::ag_ui::hub::{
    INCOMPLETE, PAYLOAD, REASON, REJECTED, STATUS, is_in_metadata, usage,
};
use crate::protocols::ag_ui::lifecycle::{Phase, StreamKind, Subagent};

/// The data of a run that are written at its end.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub thread_id: String,
    /// Empty before the start of the run and after its end.
    pub run_id: String,
    pub usage: Option<Value>,
    pub metadata: Metadata,
    /// The questions that do not have an answer.
    pub interrupts: OpenQuestions<Value>,
}

/// The message of the error that ends a run inside a tool call.
const CUT_OFF: &str = "The run ended inside a tool call.";

impl Run {
    /// Adds a question.
    pub fn ask(&mut self, step: &Step<'_>, context: Context<'_>) {
        let Step::Interrupt {
            id, reason, payload, call, text, expires_at, response_schema, ..
        } = *step
        else {
            return;
        };
        let mut metadata = Metadata::of(context.metadata);
        if !payload.is_null() {
            metadata.set(PAYLOAD, payload.clone());
        }
        let schema = response_schema.filter(|schema| matches!(schema, Value::Object(_)));
        let interrupt = Value::Object(given([
            ("id", Some(id.into())),
            ("reason", Some(reason.unwrap_or("interrupt").into())),
            ("message", text.map(Value::from)),
            ("toolCallId", call.map(Value::from)),
            ("expiresAt", expires_at.map(Value::from)),
            ("subagentRunId", context.lane.map(Value::from)),
            ("responseSchema", schema.cloned()),
            ("metadata", metadata.object()),
        ]));
        self.interrupts.push(id, interrupt);
    }
}

impl ToAgUi {
    /// Starts a run. `given` are the ids of the run, of the thread, and of the parent run.
    pub(super) fn start(
        &mut self,
        given: [Option<&str>; 3],
        more: Vec<Member>,
        out: &mut Out<'_, WireEvent>,
    ) {
        let ToAgUi { write, ids, run, .. } = self;
        let [run_id, thread_id, parent_id] =
            given.map(|id| id.filter(|id| !id.is_empty()).map(ToOwned::to_owned));
        let thread_id = self.session_id.clone().or(thread_id);
        // Only the first run can have the id from the options.
        let run_id = self.run_id.take().or(run_id);
        *run = Run {
            thread_id: thread_id.unwrap_or_else(|| ids.create("thread_")),
            run_id: run_id.unwrap_or_else(|| ids.create("run_")),
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
                Some(("incomplete", CUT_OFF.to_owned()))
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
        self.end_open(is_suspended, out);
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
        self.end_anyway(out);
    }

    /// Ends what is open except for calls: texts and reasoning, then steps and subagents, the last
    /// first.
    fn end_open(&mut self, is_suspended: bool, out: &mut Out<'_, WireEvent>) {
        for stream in [StreamKind::Text, StreamKind::Reasoning, StreamKind::Block] {
            for id in self.write.life.open.names(stream).all_open() {
                let lane = self.write.life.open.owner(stream.owned(), &id).cloned().flatten();
                let end = end_of(stream, &id, lane.as_deref(), None);
                let is_step = stream == StreamKind::Block;
                self.end_early(&end, Some("step").filter(|_| is_step && !is_suspended), out);
            }
        }
        let steps: Vec<(Subagent, Box<str>)> = self.write.life.open.steps.all().collect();
        for (lane, name) in steps.into_iter().rev() {
            let end = event!(StepFinished in lane.as_deref(); { step_name: text(&name) });
            self.end_early(&end, Some("step").filter(|_| !is_suspended), out);
        }
        for id in self.write.life.open.subagents.all_open().into_iter().rev() {
            let end = event!(SubagentFinished; {
                subagent_run_id: text(&id),
                result: None,
                outcome: is_suspended.then(|| Value::from([("type", "suspended".into())])),
            });
            self.end_early(&end, Some("lane").filter(|_| !is_suspended), out);
        }
    }

    /// Writes an end that the source did not have.
    fn end_early(
        &mut self,
        end: &Event<'_>,
        loss: Option<&'static str>,
        out: &mut Out<'_, WireEvent>,
    ) {
        const NOT_ENDED: &str = "it had not ended: AG-UI's runs end after all that is in them";
        if self.write.try_send(end, out)
            && let Some(what) = loss
        {
            out.lose(what, "", NOT_ENDED);
        }
    }

    /// Ends a run whose terminal event is refused, because the end of a call was refused before, or
    /// the start of the run.
    fn end_anyway(&mut self, out: &mut Out<'_, WireEvent>) {
        match self.write.life.phase {
            Phase::Finished | Phase::Failed => {}
            Phase::Before => {
                let (thread_id, run_id) = (|| text(""), || text(""));
                let start = event!(RunStarted; {
                    thread_id: thread_id(),
                    run_id: run_id(),
                    protocol_version: Some(text(PROTOCOL_VERSION)),
                    parent_run_id: None,
                    input: None,
                });
                let end = event!(RunFinished; {
                    thread_id: thread_id(),
                    run_id: run_id(),
                    result: None,
                    outcome: Some([("type", "success".into())].into()),
                    usage: None,
                });
                self.write.try_send(&start, out);
                self.write.try_send(&end, out);
            }
            _ => {
                let error = event!(RunError; { message: text(CUT_OFF), code: None, usage: None });
                self.write.try_send(&error, out);
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
