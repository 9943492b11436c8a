//! The opponents' way from chunks to events: sse-stream over chunks in memory, polled directly,
//! without the cost of an executor, a channel or an HTTP frame.

use std::convert::Infallible;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use futures_util::{Stream, stream};
use sse_stream::SseByteStream;

use super::Chunks;

/// Passes the data of every event to `take`.
pub fn feed(chunks: Chunks<'_>, mut take: impl FnMut(String)) {
    let chunks = stream::iter(chunks.iter().map(|chunk| Ok::<&[u8], Infallible>(chunk)));
    let mut events = pin!(SseByteStream::new(chunks));
    let mut context = Context::from_waker(Waker::noop());
    while let Poll::Ready(Some(event)) = events.as_mut().poll_next(&mut context) {
        let event = event.expect("the corpora are UTF-8");
        // Blocks without data are not events.
        if let Some(data) = event.data {
            take(data);
        }
    }
}
