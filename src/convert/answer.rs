//! The answer of a run as a target of the hub, for every source.

use crate::core::id::Counter;
use crate::hub::{EventOutput, FromHub, Step};
use crate::protocols::agent_api::builder::{BuilderOptions, WireEvent};
use crate::protocols::agent_api::hub::ToAgentApi;
use crate::protocols::agent_api::{AgentApi, Snapshot};
use crate::read::reader::Outcome;
use crate::{Reader, Report};
use alloc::string::String;

/// Keeps the growing answer of a run, as a target: `source.then(Answer::new())`.
/// The answer is in the shape of the Agent API for every source. Emits `()` after each step, which
/// may have changed the answer.
#[derive(Debug)]
pub struct Answer {
    target: ToAgentApi,
    reader: Reader<AgentApi>,
    text: String,
}

impl Answer {
    /// Creates an empty answer. Missing ids are numbered, and the answer has no times.
    pub fn new() -> Self {
        Answer {
            target: ToAgentApi::new(BuilderOptions::new(Counter::default(), || 0)),
            reader: Reader::new(AgentApi::default()),
            text: String::new(),
        }
    }

    /// Returns the answer so far.
    pub fn snapshot(&self) -> &Snapshot {
        self.reader.snapshot()
    }

    /// Returns the report of the reader on the hub's run: tests expect it to be empty.
    pub fn report(&self) -> &Report {
        self.reader.report()
    }

    /// Returns the answer at the end of the run.
    pub fn finish(self) -> Outcome<Snapshot> {
        self.reader.finish()
    }
}

impl Default for Answer {
    fn default() -> Self {
        Self::new()
    }
}

impl FromHub for Answer {
    type Event = ();

    fn feed(&mut self, event: &Step<'_>, out: &mut EventOutput<'_, ()>) {
        let Answer { target, reader, text } = self;
        text.clear();
        out.with(&mut |event: WireEvent| text.push_str(event.as_sse()), |out| {
            target.feed(event, out)
        });
        reader.push(text.as_bytes());
        out.emit(());
    }
}
