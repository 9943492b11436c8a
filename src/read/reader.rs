//! The native reader: a stream that keeps its answer.

use super::detect::DetectedProtocol;
use super::stream::StreamDecoder;
use crate::core::changes::{Changes, RecordingSink};
use crate::core::options::ReadOptions;
use crate::core::report::Report;
use crate::engine::{Engine, Protocol};

/// Reads a stream of one protocol and keeps the growing answer.
///
/// [`push`](Reader::push) takes bytes in chunks of any size and never fails, panics or takes quadratic time. Violations
/// are in the [`Report`]; the answer is complete at any moment.
#[derive(Debug)]
pub struct Reader<P: Protocol> {
    stream: StreamDecoder<Engine>,
    answer: RecordingSink<P::Snapshot>,
}

/// The result of reading a stream.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome<S> {
    /// The answer.
    pub snapshot: S,
    /// The violations, unknown names and unfinished parts, and how the stream ended.
    pub report: Report,
}

impl<P: Protocol> Reader<P> {
    /// Creates a lenient reader with the default limits.
    pub fn new(protocol: P) -> Self {
        Self::with_options(protocol, ReadOptions::default())
    }

    /// Creates a reader with options.
    pub fn with_options(protocol: P, options: ReadOptions) -> Self {
        Self::of(protocol, options, DetectedProtocol::Nothing)
    }

    /// Creates a reader of a stream with the result of detection.
    pub(super) fn of(protocol: P, options: ReadOptions, found: DetectedProtocol) -> Self {
        let mut answer = RecordingSink::default();
        let engine = protocol.engine(&options, &mut answer);
        Reader { stream: found.decoder(engine, &options), answer }
    }

    /// Reads the next bytes. Never fails. The changes are only computed when they are read.
    pub fn push(&mut self, chunk: &[u8]) -> Changes<'_> {
        self.answer.notes.clear();
        self.stream.push(chunk, &mut self.answer);
        self.changes()
    }

    /// Returns the changes of the last [`push`](Self::push).
    pub fn changes(&mut self) -> Changes<'_> {
        Changes::new(&mut self.answer.answer, &self.answer.notes)
    }

    /// Returns the answer so far.
    pub fn snapshot(&self) -> &P::Snapshot {
        &self.answer.answer
    }

    /// Returns the report so far.
    pub fn report(&self) -> &Report {
        self.stream.report()
    }

    /// Reports whether the terminal event has been read: later bytes cannot change the answer.
    pub fn has_ended(&self) -> bool {
        self.stream.has_ended()
    }

    /// Returns the value of `Last-Event-ID` for a reconnection now; empty if the stream has no ids.
    pub fn last_event_id(&self) -> &str {
        self.stream.last_event_id()
    }

    /// Ends the stream because its source has ended.
    pub fn finish(self) -> Outcome<P::Snapshot> {
        self.end(false)
    }

    /// Ends the stream before its source has ended. This is an outcome, not an error.
    pub fn abort(self) -> Outcome<P::Snapshot> {
        self.end(true)
    }

    fn end(mut self, aborted: bool) -> Outcome<P::Snapshot> {
        self.stream.end(aborted, &mut self.answer);
        Outcome { snapshot: self.answer.answer, report: self.stream.into_report() }
    }
}
