//! Checks the events that a run appends to the log.

use alloc::{borrow::ToOwned, string::String};

use crate::core::UsageError;
use crate::json::ObjectWriter;
use crate::protocols::runs::event::{RunEventHead, is_terminal};

/// The writing end of one run. Its first event is `RUN_STARTED`, its last event is a terminal one,
/// and no event is of another run.
///
/// It does not check the events in between; the rules of AG-UI do.
#[derive(Clone, Debug)]
pub struct LogWriter {
    run_id: String,
    stage: RunStage,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum RunStage {
    New,
    Running,
    Over,
}

impl LogWriter {
    /// Creates the writer of a run without entries in the log.
    pub fn new(run_id: impl Into<String>) -> Self {
        LogWriter { run_id: run_id.into(), stage: RunStage::New }
    }

    /// Creates the writer of a run that has begun in the log and has not ended.
    pub fn running(run_id: impl Into<String>) -> Self {
        LogWriter { run_id: run_id.into(), stage: RunStage::Running }
    }

    /// Creates the writer of the run that begins with this event. `is_known` returns whether a run
    /// has ended in the log.
    pub(super) fn of_first(
        data: &str,
        is_known: impl FnOnce(&str) -> bool,
    ) -> Result<Self, UsageError> {
        let head = head(data)?;
        match head.run_id {
            Some(run) if is_known(&run) => Err(over(&run)),
            Some(run) => Ok(LogWriter::new(run.into_owned())),
            None => Err(not_started()),
        }
    }

    /// Returns the run's id.
    pub fn run_id(&self) -> &str {
        &self.run_id
    }

    /// Returns whether the run's `RUN_STARTED` was appended.
    pub fn has_begun(&self) -> bool {
        self.stage != RunStage::New
    }

    /// Returns whether the run's terminal event was appended.
    pub fn is_over(&self) -> bool {
        self.stage == RunStage::Over
    }

    /// Checks an event before it is stored and returns its type.
    ///
    /// Refuses an event without changing the state: `not-json` if it is not a JSON object with a
    /// `type`; `run-not-started` before `RUN_STARTED`; `run-started-twice`; `wrong-run` for an
    /// event that names another run; `after-terminal`.
    pub fn append(&mut self, data: &str) -> Result<String, UsageError> {
        let head = head(data)?;
        if let Some(other) = head.run_id.as_deref().filter(|id| *id != self.run_id) {
            return Err(UsageError::new(
                "wrong-run",
                ["append() was given an event of run `", other, "` in run `", &self.run_id, "`"]
                    .concat(),
                "append it to the run that it names",
            ));
        }
        let is_start = head.kind == "RUN_STARTED";
        match self.stage {
            RunStage::Over => return Err(over(&self.run_id)),
            RunStage::New if !is_start || head.run_id.is_none() => return Err(not_started()),
            RunStage::Running if is_start => {
                return Err(UsageError::new(
                    "run-started-twice",
                    "append() was given RUN_STARTED again".to_owned(),
                    "a run starts once",
                ));
            }
            _ => {}
        }
        self.stage = if is_terminal(&head.kind) { RunStage::Over } else { RunStage::Running };
        Ok(head.kind.into_owned())
    }
}

fn head(data: &str) -> Result<RunEventHead<'_>, UsageError> {
    RunEventHead::of(data).filter(|head| !head.kind.is_empty()).ok_or_else(|| {
        UsageError::new(
            "not-json",
            "append() was given a value that is not a JSON object with a `type`".to_owned(),
            "give an AG-UI event as JSON",
        )
    })
}

fn not_started() -> UsageError {
    UsageError::new(
        "run-not-started",
        "append() was given an event before RUN_STARTED with its `runId`".to_owned(),
        "a run begins with RUN_STARTED",
    )
}

fn over(run_id: &str) -> UsageError {
    UsageError::new(
        "after-terminal",
        ["append() was given an event of run `", run_id, "`, which is over"].concat(),
        "start another run",
    )
}

/// Returns the terminal event for a run that cannot continue, as JSON. It is legal in every state
/// of the run: a service appends it to a run whose process was killed, which has failed, or which
/// took too long.
pub fn run_error(code: &str, message: &str) -> String {
    let mut out = String::new();
    let mut event = ObjectWriter::open(&mut out, true);
    event.string("type", Some("RUN_ERROR"));
    event.string("message", Some(message));
    event.string("code", Some(code));
    event.close();
    out
}
