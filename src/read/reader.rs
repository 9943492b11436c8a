//! The native reader: a stream that keeps its answer.

use super::detect::Found;
use super::stream::StreamDecoder;
use crate::core::changes::{Changes, Noting};
use crate::core::options::ReadOptions;
use crate::core::report::Report;
use crate::engine::{Engine, Protocol};

/// Reads a stream of one protocol and keeps the growing answer.
///
/// [`push`](Reader::push) takes bytes cut anywhere and never fails, panics or goes quadratic. What the server did wrong
/// is in the [`Report`]; the answer is whole at any moment.
#[derive(Debug)]
pub struct Reader<P: Protocol> {
    stream: StreamDecoder<Engine>,
    answer: Noting<P::Snapshot>,
}

/// What reading a stream came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome<S> {
    /// The answer.
    pub snapshot: S,
    /// What was wrong, unknown or unfinished, and how the stream ended.
    pub report: Report,
}

impl<P: Protocol> Reader<P> {
    /// Creates a lenient reader with the default limits.
    pub fn new(protocol: P) -> Self {
        Self::with_options(protocol, ReadOptions::default())
    }

    /// Creates a reader with options.
    pub fn with_options(protocol: P, options: ReadOptions) -> Self {
        Self::of(protocol, options, Found::Nothing)
    }

    /// A reader of a stream whose events have shown that.
    pub(super) fn of(protocol: P, options: ReadOptions, found: Found) -> Self {
        let mut answer = Noting::default();
        let engine = protocol.fold(&options, &mut answer);
        Reader { stream: found.decoder(engine, &options), answer }
    }

    /// Reads the next bytes. What they change is only worked out if somebody looks at it.
    pub fn push(&mut self, chunk: &[u8]) -> Changes<'_> {
        self.answer.notes.clear();
        self.stream.push(chunk, &mut self.answer);
        self.changes()
    }

    /// What the last [`push`](Self::push) has changed.
    pub fn changes(&mut self) -> Changes<'_> {
        Changes::new(&mut self.answer.answer, &self.answer.notes)
    }

    /// The answer so far.
    pub fn snapshot(&self) -> &P::Snapshot {
        &self.answer.answer
    }

    /// What has been found so far.
    pub fn report(&self) -> &Report {
        self.stream.report()
    }

    /// Whether nothing that comes can change the answer any more: the terminal event has been read.
    pub fn has_ended(&self) -> bool {
        self.stream.has_ended()
    }

    /// What `Last-Event-ID` should say when reconnecting now; empty when the stream has no ids.
    pub fn last_event_id(&self) -> &str {
        self.stream.last_event_id()
    }

    /// The stream is over.
    pub fn finish(self) -> Outcome<P::Snapshot> {
        self.end(false)
    }

    /// The reader stops before the stream is over: an outcome, not an error.
    pub fn abort(self) -> Outcome<P::Snapshot> {
        self.end(true)
    }

    fn end(mut self, aborted: bool) -> Outcome<P::Snapshot> {
        self.stream.end(aborted, &mut self.answer);
        Outcome { snapshot: self.answer.answer, report: self.stream.into_report() }
    }
}
