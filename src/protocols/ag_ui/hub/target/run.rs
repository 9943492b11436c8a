//! The starts of runs, and the data that their ends write.

use alloc::{borrow::ToOwned, string::String, vec::Vec};

use super::writer::text;
use super::{ToAgUi, object};
use crate::core::WireEvent;
use crate::hub::approval::OpenQuestions;
use crate::hub::metadata::Metadata;
use crate::hub::{EventOutput, Step, StepMeta, present_members};
use crate::json::{Member, Value};
use crate::protocols::ag_ui::PROTOCOL_VERSION;
use crate::protocols::ag_ui::events::{Event, event};
use crate::protocols::ag_ui::hub::PAYLOAD;

/// The data of a run that are written at its end.
#[derive(Debug, Default)]
pub(super) struct WrittenRun {
    pub thread_id: String,
    /// Empty before the start of the run and after its end.
    pub run_id: String,
    pub usage: Option<Value>,
    pub metadata: Metadata,
    /// The questions that do not have an answer.
    pub interrupts: OpenQuestions<Value>,
}

impl WrittenRun {
    /// Adds a question.
    pub fn ask(&mut self, step: &Step<'_>, context: StepMeta<'_>) {
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
        let interrupt = Value::Object(present_members([
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
        out: &mut EventOutput<'_, WireEvent>,
    ) {
        let ToAgUi { write, ids, run, .. } = self;
        let [run_id, thread_id, parent_id] =
            given.map(|id| id.filter(|id| !id.is_empty()).map(ToOwned::to_owned));
        let thread_id = self.session_id.clone().or(thread_id);
        // Only the first run can have the id from the options.
        let run_id = self.run_id.take().or(run_id);
        *run = WrittenRun {
            thread_id: thread_id.unwrap_or_else(|| ids.create("thread_")),
            run_id: run_id.unwrap_or_else(|| ids.create("run_")),
            ..WrittenRun::default()
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
}
