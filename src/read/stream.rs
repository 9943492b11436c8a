//! A decoder followed by an engine: from bytes to a sink.

use alloc::borrow::ToOwned;
use alloc::vec::Vec;

use crate::core::options::ReadOptions;
use crate::core::replay::{DeltaBatchBuffer, EventTemplate};
use crate::core::report::{EndReason, Report};
use crate::core::violation::{self, LIMIT_EXCEEDED, Observed};
use crate::engine::{EventReceiver, Sink};
use crate::json::{DEEPEST, Document};
use crate::protocols::{Built, RECOGNIZER};
#[cfg(feature = "binary")]
use crate::sse::Frame;
use crate::sse::{Decoder, SseEvent, StreamItem, TrailingEvent};

/// Reads a stream into the sink of the caller: the part of a [`Reader`](crate::Reader) that does
/// not keep an answer.
#[derive(Clone, Debug)]
pub struct StreamDecoder<F> {
    decoder: Decoder,
    fold: F,
    template: EventTemplate,
    ending: TrailingEvent,
    /// JSON lines in the stream have been reported.
    bare: bool,
    finished: bool,
}

impl<F: EventReceiver> StreamDecoder<F> {
    /// Creates a stream at its start; `fold` has been created with the same options.
    pub fn new(mut fold: F, options: &ReadOptions) -> Self {
        // A module of one protocol does not recognize any other.
        if Built::ONLY.is_none() {
            fold.recognize(RECOGNIZER);
        }
        StreamDecoder {
            decoder: Decoder::framed(options.limits.clone(), options.framing),
            fold,
            template: EventTemplate::new(options),
            ending: options.ending,
            bare: false,
            finished: false,
        }
    }

    /// Reports that the protocol of the stream is not read by this build, or not known.
    pub(crate) fn report_unknown(&mut self, got: Observed<'_>) {
        self.fold.framing(&violation::UNKNOWN_PROTOCOL, 0, got);
    }

    /// Stops reading: nothing of the stream is read.
    pub(crate) fn refuse(&mut self) {
        self.fold.report_mut().end_reason = EndReason::Refused;
    }

    /// Reads the next bytes. Never fails. Ignores bytes after the end.
    pub fn push(&mut self, chunk: &[u8], sink: &mut dyn Sink) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let taken = self.push_some(rest, sink);
            rest = rest.get(taken..).unwrap_or_default();
        }
    }

    /// Reads the next bytes until the sink [is full](Sink::is_full); returns the number of bytes
    /// read, at least one unless `chunk` is empty. Does not stop within an event.
    pub fn push_some(&mut self, chunk: &[u8], sink: &mut dyn Sink) -> usize {
        if self.finished {
            return chunk.len();
        }
        let taken = if self.decoder.lengthen(chunk) { chunk.len() } else { self.read(chunk, sink) };
        self.fold.report_mut().bytes += taken as u64;
        taken
    }

    #[inline(never)]
    fn read(&mut self, chunk: &[u8], sink: &mut dyn Sink) -> usize {
        let StreamDecoder { decoder, fold, template, bare, .. } = self;
        let mut at = 0;
        if template.is_ready(decoder.last_event_id()) {
            at = decoder.complete(chunk, |frame, offset| {
                let hit = template.recognise(frame).filter(|hit| hit.length == frame.len());
                let Some((number, text)) = hit.and_then(|hit| Some((hit.number, hit.str()?)))
                else {
                    return false;
                };
                fold.repeat(number, text, offset, sink);
                true
            });
        }
        while at < chunk.len() {
            if decoder.is_between_events() && template.is_ready(decoder.last_event_id()) {
                at = repeats(fold, template, (chunk, decoder.offset()), at, sink);
                if at >= chunk.len() {
                    break;
                }
            }
            at = decoder.step(chunk, at, &mut item_handler(fold, template, bare, sink));
            if sink.is_full() {
                break;
            }
        }
        decoder.advance(at);
        at
    }

    /// Ends the stream because its source has ended. Only the first call of this or of
    /// [`abort`](Self::abort) has an effect.
    pub fn finish(&mut self, sink: &mut dyn Sink) {
        self.end(false, sink);
    }

    /// Ends the stream before its source has ended.
    pub fn abort(&mut self, sink: &mut dyn Sink) {
        self.end(true, sink);
    }

    pub(crate) fn end(&mut self, aborted: bool, sink: &mut dyn Sink) {
        if core::mem::replace(&mut self.finished, true) {
            return;
        }
        let ending = if aborted { TrailingEvent::Strict } else { self.ending };
        let StreamDecoder { decoder, fold, template, bare, .. } = self;
        decoder.finish(ending, &mut item_handler(fold, template, bare, sink));
        if !aborted {
            self.fold.translate_stray_text();
            take_translated(&mut self.fold, self.decoder.offset(), sink);
        }
        let id = self.decoder.last_event_id();
        self.fold.report_mut().last_event_id = (!id.is_empty()).then(|| id.to_owned());
        self.fold.finish(aborted, sink);
    }

    /// Reports whether the terminal event has been read: later bytes cannot change the answer.
    pub fn has_ended(&self) -> bool {
        self.fold.has_ended()
    }

    /// Returns the report so far.
    pub fn report(&self) -> &Report {
        self.fold.report()
    }

    /// Removes the violations from the report.
    #[cfg(feature = "hub")]
    pub(crate) fn forget_violations(&mut self) {
        self.fold.report_mut().forget_violations();
    }

    /// Returns the engine.
    #[cfg(feature = "hub")]
    pub(crate) fn fold(&self) -> &F {
        &self.fold
    }

    #[cfg(feature = "hub")]
    pub(crate) fn fold_mut(&mut self) -> &mut F {
        &mut self.fold
    }

    /// Returns the value of `Last-Event-ID` for a reconnection now.
    pub fn last_event_id(&self) -> &str {
        self.decoder.last_event_id()
    }

    pub(crate) fn into_report(mut self) -> Report {
        core::mem::take(self.fold.report_mut())
    }
}

/// Reads the events from `at` on that match the template; returns the position of the first other
/// event, or of the first one whose text is not UTF-8. `offset` is that of the chunk.
fn repeats(
    fold: &mut impl EventReceiver,
    template: &EventTemplate,
    (chunk, offset): (&[u8], u64),
    mut at: usize,
    sink: &mut dyn Sink,
) -> usize {
    // The buffer exists from the second event on and only within one chunk: a thousand readers do
    // not hold a thousand buffers.
    let mut run: Option<DeltaBatchBuffer> = None;
    let mut bad = None;
    while let Some(hit) = chunk.get(at..).and_then(|rest| template.recognise(rest)) {
        let (end, length) = (at + hit.length, hit.text.len());
        let here = offset + at as u64;
        let fits = !hit.numbered && length <= DeltaBatchBuffer::BYTES;
        if let Some(run) = run.as_mut().filter(|run| !fits || !run.has_room(length)) {
            bad = run.take(|run| fold.repeat_run(run, sink));
            if bad.is_some() {
                break;
            }
        }
        if !fits || (run.is_none() && end == chunk.len()) {
            let Some(text) = hit.str() else { break };
            fold.repeat(hit.number, text, here, sink);
        } else {
            let run = run.get_or_insert_default();
            if !run.push(hit.number, here, (hit.rest, length), hit.escaped) {
                break;
            }
        }
        at = end;
    }
    let bad = bad.or_else(|| run?.take(|run| fold.repeat_run(run, sink)));
    bad.map_or(at, |bad| (bad - offset) as usize)
}

/// Returns the handler of the decoder's items: one function for all calls of the decoder.
#[inline]
fn item_handler<'s>(
    fold: &'s mut impl EventReceiver,
    template: &'s mut EventTemplate,
    bare: &'s mut bool,
    sink: &'s mut dyn Sink,
) -> impl FnMut(StreamItem<'_>) + 's {
    move |item| take(fold, template, bare, item, sink)
}

#[inline]
fn take(
    fold: &mut impl EventReceiver,
    template: &mut EventTemplate,
    bare: &mut bool,
    item: StreamItem<'_>,
    sink: &mut dyn Sink,
) {
    match item {
        StreamItem::Event(event) => take_event(fold, template, &event, sink),
        #[cfg(feature = "binary")]
        StreamItem::Frame(frame) => take_frame(fold, template, &frame, sink),
        StreamItem::Comment(_) => fold.report_mut().comments += 1,
        StreamItem::Loose(json) if json.is_json => {
            if !core::mem::replace(bare, true) {
                fold.framing(&violation::NDJSON, json.offset, Observed::Text(json.text));
            }
            take_event(fold, template, &json.event(), sink);
        }
        StreamItem::Loose(text) => fold.stray_text(text.text),
        StreamItem::Retry(milliseconds) => fold.report_mut().retry = Some(milliseconds),
        StreamItem::Oversize(limit) => {
            fold.framing(&LIMIT_EXCEEDED, limit.offset, Observed::Over(limit.limit, limit.allowed))
        }
    }
}

#[inline]
fn take_event(
    fold: &mut impl EventReceiver,
    template: &mut EventTemplate,
    event: &SseEvent<'_>,
    sink: &mut dyn Sink,
) {
    if event.replaced {
        fold.framing(
            &violation::INVALID_UTF8,
            event.offset,
            Observed::Words("bytes that are not UTF-8"),
        );
    }
    if event.unterminated {
        fold.framing(
            &violation::FRAMING_UNTERMINATED,
            event.offset,
            Observed::Words("the end of the stream"),
        );
    }
    if let Some(hit) = template.recognise_event(event)
        && let Some(text) = hit.str()
    {
        return fold.repeat(hit.number, text, event.offset, sink);
    }
    if let Some(events) = listed(event.data) {
        fold.framing(&violation::WHOLE_ANSWER, event.offset, Observed::Text(event.data));
        template.forget();
        for data in events {
            fold.event(&SseEvent { data, frame: None, ..*event }, sink);
            take_translated(fold, event.offset, sink);
        }
        return;
    }
    fold.event(event, sink);
    if take_translated(fold, event.offset, sink) {
        return template.forget();
    }
    // After bytes were replaced, the event differs from its frame.
    match fold.repeatable().filter(|_| !event.replaced) {
        Some(repeat) => template.learn(event, repeat),
        None => template.forget(),
    }
}

/// Returns the events in the data of one event, if they are a list of JSON objects.
#[inline]
pub(super) fn listed(data: &str) -> Option<Vec<&str>> {
    let list = data.trim_ascii_start().strip_prefix('[')?;
    list.trim_ascii_start().starts_with(['{', '[']).then(|| elements(data))?
}

#[cold]
fn elements(data: &str) -> Option<Vec<&str>> {
    let document = Document::read(data, DEEPEST).ok()?;
    Some(document.root().array().ok()?.map(|element| element.raw().as_str()).collect())
}

/// Reads the events that the last one was translated to. Returns whether there are any.
#[inline]
fn take_translated(fold: &mut impl EventReceiver, offset: u64, sink: &mut dyn Sink) -> bool {
    let events = fold.take_translated();
    events.iter().for_each(|event| fold.event(&event.at(offset), sink));
    !events.is_empty()
}

/// Reads a frame of a binary stream as the event that its message encodes.
#[cfg(feature = "binary")]
#[inline(never)]
fn take_frame(
    fold: &mut impl EventReceiver,
    template: &mut EventTemplate,
    frame: &Frame<'_>,
    sink: &mut dyn Sink,
) {
    match fold.frame(frame) {
        Some(decoded) => {
            take_event(fold, template, &frame.event(&decoded.json, decoded.replaced), sink)
        }
        None => template.forget(),
    }
}
