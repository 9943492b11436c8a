//! Reading from streams of bytes.

use std::cell::Cell;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use agentwire::adapters::futures::read_stream;
use agentwire::ag_kit::AgKit;
use agentwire::{Change, EndReason, Reader};
use futures_core::Stream;

const HELLO: [&str; 3] = [
    "data: {\"type\":\"te",
    "xt\",\"content\":\"Hel\"}\n\n",
    "data: {\"type\":\"text\",\"content\":\"lo\"}\n\n",
];

/// Chunks, and whether they are polled after their end and dropped.
struct Chunks<'c> {
    chunks: Vec<io::Result<&'static str>>,
    over: bool,
    dropped: &'c Cell<bool>,
}

impl Stream for Chunks<'_> {
    type Item = io::Result<&'static str>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        assert!(!self.over, "polled after the end");
        self.over = self.chunks.is_empty();
        Poll::Ready((!self.over).then(|| self.chunks.remove(0)))
    }
}

impl Drop for Chunks<'_> {
    fn drop(&mut self) {
        self.dropped.set(true);
    }
}

#[tokio::test]
async fn chunks_without_changes_are_skipped() {
    let dropped = Cell::new(false);
    let chunks = HELLO.into_iter().chain([": ping\n\n", "data: [DONE]\n\n"]).map(Ok).collect();
    let mut run = read_stream(
        Chunks { chunks, over: false, dropped: &dropped },
        Reader::new(AgKit::default()),
    );
    let mut told = Vec::new();
    while let Some(changes) = run.next_changes().await.unwrap() {
        told.push(changes.to_vec());
    }
    assert!(run.next_changes().await.unwrap().is_none());
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(matches!(&told[1][..], [Change::Append { piece, .. }] if piece == "lo"));
    assert_eq!(run.reader().snapshot().text(), "Hello");
    assert_eq!(run.finish().report.end_reason, EndReason::Terminal);
    assert!(dropped.get());
}

#[tokio::test]
async fn an_io_error_contains_the_outcome_so_far() {
    let dropped = Cell::new(false);
    let broken = io::Error::other("the cable");
    let chunks = HELLO.into_iter().map(Ok).chain([Err(broken)]).collect();
    let run = read_stream(
        Chunks { chunks, over: false, dropped: &dropped },
        Reader::new(AgKit::default()),
    );
    let broken = run.outcome().await.unwrap_err();
    assert_eq!(broken.to_string(), "the stream broke off: the cable");
    assert_eq!(
        (broken.outcome.snapshot.text().as_str(), broken.outcome.report.end_reason),
        ("Hello", EndReason::Eof)
    );
}

#[tokio::test]
async fn a_run_is_a_stream_of_changes_and_can_be_aborted() {
    use futures_util::{StreamExt as _, stream};
    let run =
        read_stream(stream::iter(HELLO.map(Ok::<_, io::Error>)), Reader::new(AgKit::default()));
    let told: Vec<Vec<Change>> = run.map(Result::unwrap).collect().await;
    assert_eq!(told.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
    let dropped = Cell::new(false);
    let chunks = Chunks { chunks: HELLO.map(Ok).into(), over: false, dropped: &dropped };
    let mut run = read_stream(chunks, Reader::new(AgKit::default()));
    assert!(run.next_changes().await.unwrap().is_some());
    assert_eq!(run.abort().report.end_reason, EndReason::Aborted);
    assert!(dropped.get());
}
