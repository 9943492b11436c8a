//! Reading from any stream of bytes, on any runtime.
//!
//! ```
//! use agentwire::adapters::futures::read_stream;
//! use agentwire::{Reader, ag_kit::AgKit};
//! use futures_util::stream;
//!
//! # futures_executor(async {
//! let chunks = ["data: {\"type\":\"text\",\"content\":\"Hel\"}\n\n", "data: {\"type\":\"text\",\"content\":\"lo\"}\n\ndata: [DONE]\n\n"];
//! let bytes = stream::iter(chunks.map(Ok::<_, std::io::Error>));
//! let mut run = read_stream(bytes, Reader::new(AgKit::default()));
//! let mut printed = String::new();
//! while let Some(changes) = run.next_changes().await.expect("the network works") {
//!     for delta in changes.text_deltas() {
//!         printed += &delta.text;
//!     }
//! }
//! assert_eq!((printed, run.finish().snapshot.text()), ("Hello".to_owned(), "Hello".to_owned()));
//! # });
//! # fn futures_executor(future: impl std::future::Future<Output = ()>) {
//! #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
//! #     assert!(std::pin::pin!(future).poll(&mut context).is_ready());
//! # }
//! ```

use std::boxed::Box;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::vec::Vec;

use futures_core::Stream;

use crate::core::changes::{Change, Changes};
use crate::engine::Protocol;
use crate::read::AnyOutcome;
use crate::read::native::AnyReader;
use crate::read::reader::{Outcome, Reader};

/// A reader of chunks of bytes: [`Reader`], of one protocol, or [`AnyReader`].
pub trait PushReader {
    /// The result of reading.
    type Outcome;

    /// Reads the next bytes.
    fn push(&mut self, chunk: &[u8]) -> Changes<'_>;

    /// Returns the changes of the last chunk.
    fn changes(&mut self) -> Changes<'_>;

    /// Ends the stream because its source has ended.
    fn finish(self) -> Self::Outcome;

    /// Ends the stream before its source has ended.
    fn abort(self) -> Self::Outcome;
}

/// Implements the trait by the methods of the same names that both readers have.
macro_rules! reads {
    ($([$($generic:tt)*] $Reader:ty => $Outcome:ty;)*) => {$(
        impl<$($generic)*> PushReader for $Reader {
            type Outcome = $Outcome;

            fn push(&mut self, chunk: &[u8]) -> Changes<'_> {
                self.push(chunk)
            }

            fn changes(&mut self) -> Changes<'_> {
                self.changes()
            }

            fn finish(self) -> $Outcome {
                self.finish()
            }

            fn abort(self) -> $Outcome {
                self.abort()
            }
        }
    )*};
}
reads! {
    [P: Protocol] Reader<P> => Outcome<P::Snapshot>;
    [] AnyReader => AnyOutcome;
}

/// Reads a stream of bytes, in chunks of any size, with a reader.
pub fn read_stream<S, B, E, R>(bytes: S, reader: R) -> Updates<S, R>
where
    S: Stream<Item = Result<B, E>>,
    B: AsRef<[u8]>,
    R: PushReader,
{
    Updates { bytes: Box::pin(bytes), reader, broken: false }
}

#[cfg(feature = "hub")]
impl<S> crate::emit::AnswerStream<S> {
    /// Reads the answer into the snapshot of its protocol.
    pub fn read<B, E>(self) -> Updates<S, AnyReader>
    where
        S: Stream<Item = Result<B, E>>,
        B: AsRef<[u8]>,
    {
        read_stream(self.bytes, AnyReader::with_options(self.protocol, self.options))
    }
}

/// A run that is being read. It is also a `Stream` of the changes: one list for each chunk that has
/// changed something.
///
/// Reading is lazy: it polls the stream of bytes only when it is polled. Dropping it drops the
/// stream of bytes.
pub struct Updates<S, R> {
    bytes: Pin<Box<S>>,
    reader: R,
    /// The stream of bytes has failed or ended: it is not polled again.
    broken: bool,
}

impl<S, B, E, R> Updates<S, R>
where
    S: Stream<Item = Result<B, E>>,
    B: AsRef<[u8]>,
    R: PushReader,
{
    /// Waits for a chunk that changes something and returns the changes; `None` at the end of the
    /// stream.
    ///
    /// # Errors
    ///
    /// The error of the stream. The answer so far is kept, and [`finish`](Self::finish) returns it.
    pub async fn next_changes(&mut self) -> Result<Option<Changes<'_>>, E> {
        match poll_fn(|context| self.poll_chunk(context)).await {
            None => Ok(None),
            Some(Ok(())) => Ok(Some(self.reader.changes())),
            Some(Err(error)) => Err(error),
        }
    }

    /// Reads to the end.
    ///
    /// # Errors
    ///
    /// [`StreamError`] if the stream of bytes fails: its error, and the outcome up to the failure.
    pub async fn outcome(mut self) -> Result<R::Outcome, StreamError<R::Outcome, E>> {
        loop {
            match self.next_changes().await {
                Ok(Some(_)) => {}
                Ok(None) => return Ok(self.finish()),
                Err(error) => return Err(StreamError { outcome: self.finish(), error }),
            }
        }
    }

    /// Reads chunks until one of them changes something.
    fn poll_chunk(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<(), E>>> {
        while !self.broken {
            match ready!(self.bytes.as_mut().poll_next(context)) {
                Some(Ok(chunk)) => {
                    if !self.reader.push(chunk.as_ref()).is_empty() {
                        return Poll::Ready(Some(Ok(())));
                    }
                }
                Some(Err(error)) => {
                    self.broken = true;
                    return Poll::Ready(Some(Err(error)));
                }
                None => self.broken = true,
            }
        }
        Poll::Ready(None)
    }
}

impl<S, R: PushReader> Updates<S, R> {
    /// Returns the reader, for the answer so far and the report.
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// Returns the outcome. Bytes that have not been read are treated as not sent.
    pub fn finish(self) -> R::Outcome {
        self.reader.finish()
    }

    /// Returns the outcome of a run that is stopped here: it ends as `aborted`.
    pub fn abort(self) -> R::Outcome {
        self.reader.abort()
    }
}

impl<S, B, E, R> Stream for Updates<S, R>
where
    S: Stream<Item = Result<B, E>>,
    B: AsRef<[u8]>,
    R: PushReader + Unpin,
{
    type Item = Result<Vec<Change>, E>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let result = ready!(self.poll_chunk(context));
        Poll::Ready(result.map(|read| read.map(|()| self.reader.changes().to_vec())))
    }
}

impl<S, R: fmt::Debug> fmt::Debug for Updates<S, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Updates").field("reader", &self.reader).finish_non_exhaustive()
    }
}

/// The error of a run whose stream of bytes failed.
#[derive(Clone, Debug)]
pub struct StreamError<O, E> {
    /// The outcome of the bytes up to the failure.
    pub outcome: O,
    /// The error of the stream of bytes.
    pub error: E,
}

impl<O, E: fmt::Display> fmt::Display for StreamError<O, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the stream broke off: {}", self.error)
    }
}

impl<O: fmt::Debug, E: std::error::Error + 'static> std::error::Error for StreamError<O, E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}
