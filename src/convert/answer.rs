//! The hub as an answer: reading and folding for every source.

use crate::core::id::Counter;
use crate::hub::{FromHub, Out, Step};
use crate::protocols::agent_api::builder::{BuilderOptions, WireEvent};
use crate::protocols::agent_api::hub::ToAgentApi;
use crate::protocols::agent_api::{AgentApi, Snapshot};
use crate::read::reader::Outcome;
use crate::{Reader, Report};
use alloc::string::String;

/// Keeps the growing answer of a run, in the place of a target: `source.then(Answer::new())`.
///
/// Whatever the source reads, the answer is that of the Agent API. An event is emitted for each step, `()`: something may
/// have changed.
#[derive(Debug)]
pub struct Answer {
    target: ToAgentApi,
    reader: Reader<AgentApi>,
    text: String,
}

impl Answer {
    /// No answer yet. Ids that the source does not have are counted; it has no times.
    pub fn new() -> Self {
        Answer {
            target: ToAgentApi::new(BuilderOptions::new(Counter::default(), || 0)),
            reader: Reader::new(AgentApi::default()),
            text: String::new(),
        }
    }

    /// The answer so far.
    pub fn snapshot(&self) -> &Snapshot {
        self.reader.snapshot()
    }

    /// How the hub's run was judged: in a test, that there is nothing in it.
    pub fn report(&self) -> &Report {
        self.reader.report()
    }

    /// The answer, when the run is over.
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

    fn feed(&mut self, event: &Step<'_>, out: &mut Out<'_, ()>) {
        let Answer { target, reader, text } = self;
        text.clear();
        out.with(&mut |event: WireEvent| text.push_str(event.as_sse()), |out| target.feed(event, out));
        reader.push(text.as_bytes());
        out.emit(());
    }
}
