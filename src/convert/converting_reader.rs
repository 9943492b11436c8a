//! Reading any protocol's stream as the answer of another protocol.

use alloc::string::String;

use super::converter::{ConvertOptions, Converter};
use super::target::{ConversionSide, Source};
use crate::core::error::UsageError;
use crate::core::options::ReadOptions;
use crate::core::report::Report;
use crate::engine::Protocol;
use crate::hub::Losses;
use crate::protocols::{self, ProtocolKind, registry};
use crate::read::reader::Reader;

/// Reads a stream of any protocol and keeps the growing answer in the shape of protocol `P`.
///
/// The source's reader emits steps, which go through the hub to the target's events, and the
/// target's reader reads those. So code that shows one shape of answer shows every protocol.
///
/// ```
/// use agentwire::agent_api::AgentApi;
/// use agentwire::convert::{ConvertOptions, ConvertingReader, Source};
///
/// let mut reader = ConvertingReader::<AgentApi>::new(Source::Auto, ConvertOptions::default())?;
/// reader.push(b"data: {\"type\":\"text\",\"content\":\"Hel\"}\n\n");
/// reader.push(b"data: {\"type\":\"text\",\"content\":\"lo\"}\n\n");
/// assert_eq!(reader.snapshot().response.output[0].text(), "Hello");
/// reader.push(b"data: [DONE]\n\n");
/// let shown = reader.finish();
/// assert_eq!(shown.snapshot.response.status.as_str(), "completed");
/// assert!(shown.report.violations.is_empty() && shown.losses.is_empty());
/// # Ok::<(), agentwire::UsageError>(())
/// ```
#[derive(Debug)]
pub struct ConvertingReader<P: Protocol> {
    converter: Converter,
    reader: Reader<P>,
    text: String,
}

/// The result of reading a stream as another protocol.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConvertedOutcome<S> {
    /// The answer, in the shape of the target.
    pub snapshot: S,
    /// The violations, unknown names and unfinished parts of the source, and how it ended.
    pub report: Report,
    /// The parts of the source that the answer does not show.
    pub losses: Losses,
}

/// A protocol in whose shape the answer of every other protocol can be read.
pub trait SnapshotShape: Protocol + Default {
    /// The kind of this protocol.
    const KIND: ProtocolKind;
}

macro_rules! shapes {
    (
        read $read:tt
        written { $($Kind:ident $name:literal $folder:ident [$($on:tt)*] $doc:literal;)* }
    ) => {
        $(
            #[cfg($($on)*)]
            impl SnapshotShape for protocols::$folder::$Kind {
                const KIND: ProtocolKind = ProtocolKind::$Kind;
            }
        )*
    };
}
registry!(shapes);

impl<P: SnapshotShape> ConvertingReader<P> {
    /// Creates a reader of a source. Ids that the source does not have come from the options.
    ///
    /// # Errors
    ///
    /// `protocol-not-converted` for a protocol that this build does not read.
    pub fn new(from: impl Into<Source>, options: ConvertOptions) -> Result<Self, UsageError> {
        let mut read = ReadOptions::default();
        read.limits = options.read.options.limits.clone();
        let converter = Converter::new(from, P::KIND, options)?;
        Ok(ConvertingReader {
            converter,
            reader: Reader::with_options(P::default(), read),
            text: String::new(),
        })
    }

    /// Reads the next bytes.
    pub fn push(&mut self, chunk: &[u8]) {
        let ConvertingReader { converter, reader, text } = self;
        text.clear();
        converter.push(chunk, text);
        reader.push(text.as_bytes());
    }

    /// Returns the answer so far.
    pub fn snapshot(&self) -> &P::Snapshot {
        self.reader.snapshot()
    }

    /// Returns the protocol of the source; `None` while no event has shown it.
    pub fn source(&self) -> Option<ProtocolKind> {
        match self.converter.source()? {
            ConversionSide::Protocol(kind) => Some(kind),
            ConversionSide::Steps => None,
        }
    }

    /// Returns the report on the source so far; `None` while the source is not known.
    pub fn report(&self) -> Option<&Report> {
        self.converter.report()
    }

    /// Returns the losses so far; `None` while the source is not known.
    pub fn losses(&self) -> Option<&Losses> {
        self.converter.losses()
    }

    /// Reports whether the source's terminal event has been read: later bytes cannot change the
    /// answer.
    pub fn has_ended(&self) -> bool {
        self.converter.has_ended()
    }

    /// Ends the stream because its source has ended.
    pub fn finish(self) -> ConvertedOutcome<P::Snapshot> {
        self.end(|converter, out| converter.finish(out))
    }

    /// Ends the stream before its source has ended. This is an outcome, not an error.
    pub fn abort(self) -> ConvertedOutcome<P::Snapshot> {
        self.end(|converter, out| converter.abort(out))
    }

    /// Ends the stream because its source was cut off, for example with its connection. A run
    /// without its end is incomplete.
    pub fn cut_off(self) -> ConvertedOutcome<P::Snapshot> {
        self.end(Converter::cut_off)
    }

    fn end(
        mut self,
        end: impl FnOnce(&mut Converter, &mut String),
    ) -> ConvertedOutcome<P::Snapshot> {
        self.text.clear();
        end(&mut self.converter, &mut self.text);
        self.reader.push(self.text.as_bytes());
        let report = self.converter.report().cloned().unwrap_or_default();
        let losses = self.converter.losses().cloned().unwrap_or_default();
        ConvertedOutcome { snapshot: self.reader.finish().snapshot, report, losses }
    }
}
