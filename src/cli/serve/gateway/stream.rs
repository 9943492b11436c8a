//! The stream of an upstream that is passed on: whole events, read beside for the record, with an
//! error of the protocol at the end if it breaks off.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use agentwire::json::Value;
use agentwire::model::ModelBytes;
use agentwire::protocol::Discard;
use agentwire::read::{AnyOptions, AnyStream};
use agentwire::sse::{Decoder, StreamItem};
use agentwire::{EndReason, Limits, ProtocolKind};
use axum::body::Bytes;
use futures_core::Stream;
use tokio::sync::watch;

use super::stopping;
use crate::serve::record::RequestRecord;
use crate::serve::routes::Target;
use crate::serve::turns_true;
use crate::serve::upstream::{ReportedError, UpstreamError};

/// How long the first event of an answer may decide about its status.
const FIRST: Duration = Duration::from_secs(10);
/// The length of a first event that may be an error.
const FIRST_BYTES: usize = 16 << 10;

/// Whether an answer that begins with these bytes is JSON, and not events.
pub fn is_json(first: &[u8]) -> bool {
    matches!(first.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// Waits for the first event of an answer, for some seconds.
///
/// # Errors
///
/// If the answer is empty, breaks off before its first event is whole, or is an error: its first
/// event, or the whole of it.
pub async fn begun(
    answer: &mut ModelBytes,
    target: &Target<'_>,
    client: Option<ProtocolKind>,
) -> Result<(), UpstreamError> {
    let is_model = target.upstream.is_model();
    // An agent may send its events as lines of JSON.
    let is_enough = |bytes: &[u8]| match is_json(bytes) {
        true => !is_model,
        false => first_event(bytes).is_some(),
    };
    let first = answer.peek(FIRST_BYTES, is_enough);
    let Ok(first) = tokio::time::timeout(FIRST, first).await else { return Ok(()) };
    let (is_empty, is_whole) = (first.is_empty(), first.len() < FIRST_BYTES);
    let reported = is_whole.then(|| reported(first)).flatten();
    if let Some(reported) = reported {
        return Err(UpstreamError::of_report(None, &reported, target, client));
    }
    if answer.failure().is_some() {
        return Err(UpstreamError::cut_off().retryable());
    }
    match is_empty {
        true => Err(UpstreamError::empty(answer.status())),
        false => Ok(()),
    }
}

/// Returns the error in the first event of an answer, or in an answer that is whole.
fn reported(first: &[u8]) -> Option<ReportedError> {
    if is_json(first) {
        return ReportedError::of_event(std::str::from_utf8(first).ok()?.trim());
    }
    ReportedError::of_event(&first_event(first)?)
}

/// Returns the data of the first event.
fn first_event(bytes: &[u8]) -> Option<String> {
    let mut first = None;
    Decoder::new(Limits::default()).push(bytes, &mut |item| {
        if let StreamItem::Event(event) = item {
            first.get_or_insert_with(|| event.data.to_owned());
        }
    });
    first
}

/// Finds blank lines byte by byte.
#[derive(Default)]
struct Lines {
    /// The line has bytes.
    has_bytes: bool,
    /// The last byte was a carriage return, which ends a line together with a line feed.
    after_return: bool,
}

impl Lines {
    /// Takes a byte; returns whether it ends a blank line.
    fn ends_event(&mut self, byte: u8) -> bool {
        let is_rest = byte == b'\n' && std::mem::take(&mut self.after_return);
        match byte {
            b'\n' if is_rest => false,
            b'\n' | b'\r' => {
                self.after_return = byte == b'\r';
                !std::mem::take(&mut self.has_bytes)
            }
            _ => {
                self.after_return = false;
                self.has_bytes = true;
                false
            }
        }
    }
}

/// The events of an upstream on their way to the client.
pub struct PassedStream {
    /// `None` after the end.
    answer: Option<ModelBytes>,
    protocol: ProtocolKind,
    /// Reads the events without keeping an answer, to find their end.
    reader: AnyStream,
    record: Arc<RequestRecord>,
    /// Bytes of an event that is not whole.
    held: Vec<u8>,
    lines: Lines,
    ready: VecDeque<Bytes>,
    ends: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl PassedStream {
    pub fn new(
        answer: ModelBytes,
        protocol: ProtocolKind,
        record: &Arc<RequestRecord>,
        ends: watch::Receiver<bool>,
    ) -> Self {
        PassedStream {
            answer: Some(answer),
            protocol,
            reader: AnyStream::new(Some(protocol), AnyOptions::default(), &mut Discard),
            record: record.clone(),
            held: Vec::new(),
            lines: Lines::default(),
            ready: VecDeque::new(),
            ends: Box::pin(turns_true(ends)),
        }
    }

    /// Takes bytes of the upstream, and passes the whole events among them on.
    fn push(&mut self, mut chunk: Bytes) {
        let mut end = 0;
        for (at, byte) in chunk.iter().enumerate() {
            if self.lines.ends_event(*byte) {
                end = at + 1;
            }
        }
        let whole = chunk.split_to(end);
        if !whole.is_empty() {
            let events = match self.held.is_empty() {
                true => whole,
                false => {
                    self.held.extend_from_slice(&whole);
                    std::mem::take(&mut self.held).into()
                }
            };
            self.reader.push(&events, &mut Discard);
            self.record_usage(&events);
            self.ready.push_back(events);
        }
        self.held.extend_from_slice(&chunk);
        if self.held.len() > Limits::default().event_bytes {
            // No reader accepts such an event. It is passed on in pieces.
            self.ready.push_back(std::mem::take(&mut self.held).into());
        }
    }

    /// Records the token usage in events.
    fn record_usage(&self, events: &[u8]) {
        let Ok(text) = std::str::from_utf8(events) else { return };
        if !text.contains("\"usage\"") {
            return;
        }
        for line in text.lines().filter_map(|line| line.strip_prefix("data:")) {
            let event = line.contains("\"usage\"").then(|| Value::parse(line.trim(), 512).ok());
            if let Some(event) = event.flatten() {
                self.record.answered(&event);
            }
        }
    }

    /// Ends the stream: with an error event, if its own end is missing.
    fn end(&mut self, failed: Option<UpstreamError>) {
        self.answer = None;
        let last = std::mem::take(&mut self.held);
        let mut has_ended = self.reader.has_ended();
        let events = self.reader.report().events;
        if failed.is_none() {
            // The last event may have no blank line after it.
            self.reader.push(&last, &mut Discard);
            self.reader.finish(&mut Discard);
            let reason = self.reader.report().end_reason;
            has_ended |= matches!(reason, EndReason::Terminal | EndReason::ErrorFrame);
            if has_ended && !last.is_empty() {
                self.record_usage(&last);
                self.ready.push_back(last.into());
            }
        }
        if !has_ended {
            let error = failed.unwrap_or_else(UpstreamError::cut_off);
            self.record.failed(&error.code);
            self.record.broke_off(&error.code);
            self.ready.push_back(error.event(self.protocol, events).into());
        }
    }
}

impl Stream for PassedStream {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(chunk) = self.ready.pop_front() {
                return Poll::Ready(Some(Ok(chunk)));
            }
            let Some(answer) = &mut self.answer else { return Poll::Ready(None) };
            match Pin::new(answer).poll_next(context) {
                Poll::Ready(Some(Ok(chunk))) => self.push(chunk),
                Poll::Ready(Some(Err(_))) => self.end(Some(UpstreamError::cut_off())),
                Poll::Ready(None) => self.end(None),
                Poll::Pending if self.ends.as_mut().poll(context).is_ready() => {
                    self.end(Some(stopping()));
                }
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}
